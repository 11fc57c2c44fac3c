"""The title of a page as a plain text."""

from __future__ import annotations

import re
from html import unescape

from sitemap_plugin.models import Page, Site

__all__ = ["plain_title"]

_TAG = re.compile(r"</?[A-Za-z][^<>]*>")


def plain_title(page: Page, site: Site) -> str | None:
    """Return the title without markup.

    MkDocs and Pelican put titles into their templates as they are, so theirs are HTML; in a folder
    of pages they have been read from HTML already.
    """
    if page.title is None or site.generator == "folder":
        return page.title
    return unescape(_TAG.sub("", page.title))

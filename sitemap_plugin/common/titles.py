"""The title of a page as a plain text, as ``Page.title`` has it."""

from __future__ import annotations

import re
from html import unescape

__all__ = ["plain_title"]

_TAG = re.compile(r"</?[A-Za-z][^<>]*>")


def plain_title(title: str | None) -> str | None:
    """Return a title without markup; None for an empty one.

    MkDocs and Pelican put titles into their templates as they are, so they are HTML.
    """
    if title and ("<" in title or "&" in title):
        title = unescape(_TAG.sub("", title))
    return title or None

"""The URL of a written file: the most explicit of what the author and the settings say.

In this order: the metadata ``url``, the metadata ``save_as``, a ``*_URL`` setting that was
changed, and the name of the file.
"""

from __future__ import annotations

import posixpath
import re
from contextlib import suppress
from pathlib import PurePath
from typing import Any

from pelican.settings import DEFAULT_CONFIG

from sitemap_plugin.common.urls import encode_path, encode_url, is_below, join_url
from sitemap_plugin.pages.addresses import served_paths
from sitemap_plugin_pelican.writes import Write

_ABSOLUTE = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?//[^/]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def find_address(write: Write) -> tuple[str, str | None]:
    """Return the URL of a written file, and the settings or headers that gave it."""
    url, given_by = _given(write)
    if url:
        with suppress(ValueError):  # What cannot be a URL is not where the page is served.
            found = _resolve(url, write.name, write.instance.base_url)
            if is_below(found, write.instance.base_url):
                return found, given_by
    return file_address(write), None


def file_address(write: Write) -> str:
    """Return the usual URL of the file itself."""
    return write.instance.base_url + encode_path(served_paths(write.name)[0])


def _resolve(url: str, name: str, base_url: str) -> str:
    # Browsers, too, take a backslash in a URL for a slash.
    text = url.replace("\\", "/")
    if _ABSOLUTE.match(text):
        return join_url(base_url, text)
    relative = text.lstrip("/")
    if posixpath.normpath(relative) in map(posixpath.normpath, served_paths(name)):
        relative = encode_path(relative)  # Here a "#" or "%" is literal.
    elif _SCHEME.match(url):
        return encode_url(url)
    if posixpath.normpath(relative).split("/")[0] == "..":
        raise ValueError(f"{url!r} leads out of the site")
    return join_url(base_url, "./" + relative)


def _given(write: Write) -> tuple[str | None, str | None]:
    """Return the URL that somebody asked for, and where; None if nobody did."""
    settings = write.instance.settings
    if write.number > 1:
        url = write.listing.url
        return (None if url == write.listing.save_as else str(url)), "PAGINATION_PATTERNS"
    if write.period_url:
        return write.period_url, "the *_ARCHIVE_URL and *_ARCHIVE_SAVE_AS"
    if write.template is not None:
        return _pair(settings.get(f"{write.template.upper()}_URL"), write.template.upper())
    shown = write.content if write.content is not None else write.wrapper
    if shown is None:
        return None, None
    kind = type(shown).__name__.upper()
    if write.content is not None:
        if url := getattr(shown, "override_url", None):
            return str(url), "the headers url and save_as"
        if hasattr(shown, "override_save_as"):
            return None, None
        if shown.status == "draft":
            kind = {"ARTICLE": "DRAFT", "PAGE": "DRAFT_PAGE"}.get(kind, kind)
        kind = kind if shown.in_default_lang else f"{kind}_LANG"
    value = settings.get(f"{kind}_URL")
    is_own = isinstance(value, str | PurePath) and value != DEFAULT_CONFIG.get(f"{kind}_URL")
    return _pair(shown.url if is_own and str(value) else None, kind)


def _pair(url: Any, kind: str) -> tuple[str | None, str]:
    return str(url) if url else None, f"{kind}_URL and {kind}_SAVE_AS"

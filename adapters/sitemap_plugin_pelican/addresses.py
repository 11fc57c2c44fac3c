"""The URL of a written file: the most explicit of what the author and the settings say.

In this order: the metadata ``url``, the metadata ``save_as``, a ``*_URL`` setting that was
changed, and the name of the file.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import PurePath
from typing import Any, NamedTuple

from pelican.settings import DEFAULT_CONFIG

from sitemap_plugin.common.urls import encode_path, encode_url, is_below, join_url
from sitemap_plugin.pages.addresses import served_paths
from sitemap_plugin_pelican.writes import Instance, Write

__all__ = ["Address", "file_address", "find_address"]

_ABSOLUTE = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?//[^/]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


class Address(NamedTuple):
    """A URL, and the settings or headers that gave it, as a message names them."""

    url: str
    given_by: str | None = None


def find_address(write: Write, base_url: str, *, is_own: bool = True) -> Address:
    """Return the URL of a file written by an instance that is served at ``base_url``.

    ``is_own`` is false of a further file of a content, which has its URL from another one.
    """
    url, name = _given(write) if is_own or write.content is None else (None, None)
    if url and name:
        try:
            found = _resolve(url, write.name, base_url)
        except ValueError:
            found = ""  # What cannot be a URL is not where the page is served.
        if is_below(found, base_url):
            return Address(found, name)
    return Address(file_address(write, base_url))


def file_address(write: Write, base_url: str) -> str:
    """Return the usual URL of the file itself."""
    return base_url + encode_path(served_paths(write.name)[0])


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
    if write.content is not None:
        return _content(write.content, write.instance)
    if write.wrapper is not None:
        kind = type(write.wrapper).__name__.upper()
        if _is_changed(f"{kind}_URL", write.instance):
            return str(write.wrapper.url), _pair(kind)
    if write.period_url:
        return write.period_url, "the *_ARCHIVE_URL and *_ARCHIVE_SAVE_AS"
    if write.template is not None:
        kind = write.template.upper()
        url = settings.get(f"{kind}_URL")
        return (str(url) if url else None), _pair(kind)
    return None, None


def _content(content: Any, instance: Instance) -> tuple[str | None, str | None]:
    url = getattr(content, "override_url", None)
    if url:
        return str(url), "the headers url and save_as"
    if hasattr(content, "override_save_as"):
        return None, None
    kind = type(content).__name__.upper()
    if content.status == "draft":
        kind = {"ARTICLE": "DRAFT", "PAGE": "DRAFT_PAGE"}.get(kind, kind)
    kind = kind if content.in_default_lang else f"{kind}_LANG"
    if not _is_changed(f"{kind}_URL", instance):
        return None, None
    return str(content.url), _pair(kind)


def _pair(kind: str) -> str:
    return f"{kind}_URL and {kind}_SAVE_AS"


def _is_changed(name: str, instance: Instance) -> bool:
    """Tell whether the site gives a ``*_URL`` setting a value of its own."""
    value = instance.settings.get(name)
    usable = isinstance(value, str | PurePath) and bool(str(value))
    return usable and value != DEFAULT_CONFIG.get(name)

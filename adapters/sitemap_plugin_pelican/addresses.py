"""The URL of a written file: the most explicit of what the author and the settings say.

In this order: the metadata ``url``, the metadata ``save_as``, a ``*_URL`` setting that was
changed, and the name of the file.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path, PurePath
from typing import Any, NamedTuple

from pelican.settings import DEFAULT_CONFIG

from sitemap_plugin.common.urls import encode_path, encode_url, is_below, join_url, path_below
from sitemap_plugin.html import read_head
from sitemap_plugin_pelican.writes import Instance, Write

__all__ = ["address"]

_ABSOLUTE = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?//[^/]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
PERIODS = ("YEAR_ARCHIVE_URL", "MONTH_ARCHIVE_URL", "DAY_ARCHIVE_URL")


class _Given(NamedTuple):
    """A URL as somebody wrote it, usually relative to the site's base.

    ``is_path`` where nothing in it is encoded yet and no character has a meaning of its own.
    """

    url: str
    is_path: bool


def address(write: Write, base_url: str) -> str:
    """Return the URL of a file written by an instance that is served at ``base_url``."""
    given = _given(write)
    if given is not None:
        try:
            url = _resolve(given, write, base_url)
        except ValueError:
            url = ""  # What cannot be a URL is not where the page is served.
        if is_below(url, base_url):
            return url
    url = base_url + encode_path(_without_index(write.name))
    if write.content is None and write.wrapper is None:
        # Of these Pelican knows no URL, so what the theme renders is all that there is.
        url = _own_canonical(write, url, base_url) or url
    return url


def _own_canonical(write: Write, url: str, base_url: str) -> str | None:
    """Return the canonical link of a written page if it is another spelling of its own URL.

    Hosts serve ``archives.html`` as ``/archives`` as well, and themes may prefer that.
    """
    try:
        head = read_head(Path(write.path))
    except OSError:
        return None
    canonical = head.resolve(url, head.canonical) if head.canonical else None
    if canonical is None or not is_below(canonical, base_url):
        return None
    place = path_below(canonical, base_url)
    return canonical if "?" not in canonical and place in _spellings(write.name) else None


def _resolve(given: _Given, write: Write, base_url: str) -> str:
    # Browsers, too, take a backslash in a URL for a slash.
    text = given.url.replace("\\", "/")
    if _ABSOLUTE.match(text):
        return join_url(base_url, text)
    relative = text.lstrip("/")
    spellings = _spellings(write.name)
    if given.is_path or posixpath.normpath(relative) in map(posixpath.normpath, spellings):
        relative = encode_path(relative)
    elif _SCHEME.match(given.url):
        return encode_url(given.url)
    if posixpath.normpath(relative).split("/")[0] == "..":
        raise ValueError(f"{given.url!r} leads out of the site")
    return join_url(base_url, "./" + relative)


def _spellings(name: str) -> tuple[str, ...]:
    """Return the ways to write a file's own path in a URL; a ``#`` or ``%`` in these is literal."""
    folder = _without_index(name)
    return name, folder, folder.rstrip("/"), posixpath.splitext(name)[0]


def _without_index(name: str) -> str:
    folder, file = posixpath.split(name)
    if file not in {"index.html", "index.htm"}:
        return name
    return folder + "/" if folder else ""


def _given(write: Write) -> _Given | None:
    """Return the URL that somebody asked for, if anybody did."""
    settings = write.instance.settings
    if write.number > 1:
        url = write.listing.url
        return None if not url or url == write.listing.save_as else _Given(str(url), is_path=False)
    if write.content is not None:
        return _content(write.content, write.instance)
    if write.wrapper is not None:
        name = f"{type(write.wrapper).__name__.upper()}_URL"
        if _changed(name, write.instance):
            return _Given(str(write.wrapper.url), _is_path(settings[name]))
    if write.period_url:
        return _Given(write.period_url, all(_is_path(settings[name]) for name in PERIODS))
    if write.template is not None:
        url = settings.get(f"{write.template.upper()}_URL")
        return _Given(str(url), _is_path(url)) if url else None
    return None


def _content(content: Any, instance: Instance) -> _Given | None:
    url = getattr(content, "override_url", None)
    if url:
        return _Given(str(url), is_path=False)
    if hasattr(content, "override_save_as"):
        return None
    kind = type(content).__name__.upper()
    if content.status == "draft":
        kind = {"ARTICLE": "DRAFT", "PAGE": "DRAFT_PAGE"}.get(kind, kind)
    name = f"{kind}_URL" if content.in_default_lang else f"{kind}_LANG_URL"
    if not _changed(name, instance):
        return None
    return _Given(str(content.url), _is_path(instance.settings[name]))


def _changed(name: str, instance: Instance) -> bool:
    """Tell whether the site gives a ``*_URL`` setting a value of its own."""
    value = instance.settings.get(name)
    usable = isinstance(value, str | PurePath) and bool(str(value))
    return usable and value != DEFAULT_CONFIG.get(name)


def _is_path(pattern: object) -> bool:
    """Tell whether a ``*_URL`` setting is a plain path, so that all it fills in is one too."""
    return not re.search(r"[%?#]", re.sub(r"\{[^{}]*\}", "", str(pattern)))

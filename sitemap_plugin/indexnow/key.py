"""The key by which search engines know that an announcement comes from the site's owner."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from sitemap_plugin.check.findings import display, quote
from sitemap_plugin.diff.targets import Target
from sitemap_plugin.errors import SitemapError
from sitemap_plugin.urls import (
    encode_url,
    host_root,
    is_below,
    is_local_host,
    join_url,
    path_below,
)
from sitemap_plugin.web.fetch import Fetcher

__all__ = ["Key", "check_key", "check_scope", "find_key", "locate_key", "verify_key"]

_FORM = re.compile(r"[A-Za-z0-9-]{8,128}")
_LONGEST = 1024


class Key(NamedTuple):
    """A key, and the URL of the file that holds it."""

    value: str
    location: str

    @property
    def folder(self) -> str:
        """The URL of the folder below which the key may announce (IndexNow, key location)."""
        return join_url(self.location, ".")

    @property
    def host(self) -> str:
        """The host that IndexNow is told, with a port that is not the usual one."""
        return urlsplit(host_root(self.location)).netloc


def check_key(value: str, place: str) -> str:
    """Return a key without the white space around it; raise SitemapError if it cannot be one."""
    value = value.strip()
    if not _FORM.fullmatch(value):
        raise SitemapError(
            f"{place}: expected a key of 8 to 128 letters, digits or hyphens, got {quote(value)}"
        )
    return value


def find_key(new: Target | None) -> str | None:
    """Return the key whose file lies in the folder of a built site; None without one.

    Raises SitemapError where there are several.
    """
    found = sorted(_keys_in(new.folder)) if new and new.folder else []
    if len(found) > 1:
        raise SitemapError(
            f"{new and new.name}: it has the files of {len(found)} keys: {', '.join(found)}; "
            "say which with --key"
        )
    return found[0] if found else None


def _keys_in(folder: Path) -> Iterator[str]:
    for path in folder.glob("*.txt"):
        if _FORM.fullmatch(path.stem) and _content(path) == path.stem:
            yield path.stem


def _content(path: Path) -> str | None:
    """Return the text of a key's file, None where there is none."""
    try:
        with path.open("rb") as file:
            return file.read(_LONGEST).decode("utf-8", "replace").strip()
    except OSError:
        return None


def locate_key(value: str, location: str | None, urls: Sequence[str], new: Target | None) -> Key:
    """Find out where the file of a key is: as given, in the built folder, or at the host's root."""
    name = f"{value}.txt"
    if location is None and new and new.folder and new.base_url and (new.folder / name).is_file():
        location = join_url(new.base_url, name)
    return Key(value, location or f"{host_root(urls[0])}{name}")


def verify_key(key: Key, new: Target | None, fetcher: Fetcher) -> str:
    """Make sure that the file of a key holds it; return where it was found.

    What lies in the folder of a built site is looked for there, the rest is fetched. Raises
    SitemapError with place, reason and cure.
    """
    path = _path_of(key, new)
    if path is not None:
        place, content = display(path), _content(path)
    else:
        place = key.location
        with tempfile.TemporaryDirectory(prefix="sitemap-plugin-") as folder:
            copy = Path(folder, "key")
            try:
                fetched = fetcher.fetch(key.location, copy, _LONGEST)
            except SitemapError as error:
                raise SitemapError(f"the key's file is needed: {error}") from error
            content = _content(copy)
        if fetched != key.location:
            raise SitemapError(
                f"{key.location}: it redirects to {fetched}; name the file's own address with "
                "--key-location"
            )
    if content != key.value:
        raise SitemapError(
            f"{place}: it is to hold the key {key.value} alone, and holds {quote(content or '')}"
        )
    return place


def _path_of(key: Key, new: Target | None) -> Path | None:
    """Return the file of a key in a folder on disk, None where there is none."""
    if not (new and new.folder and new.base_url and is_below(key.location, new.base_url)):
        return None
    path = new.folder / path_below(key.location, new.base_url)
    inside = path.resolve().is_relative_to(new.folder.resolve())
    return path if inside and path.is_file() else None


def check_scope(urls: Sequence[str], key: Key, endpoint: str) -> None:
    """Make sure that a key may announce some URLs; raise SitemapError otherwise.

    By the protocol all are on the host of the key's file, and in its folder or below.
    """
    local = [url for url in urls if is_local_host(url)]
    if local and not is_local_host(endpoint):
        _refuse(
            local, urls, "on this machine, where no search engine comes", "build it for its host"
        )
    root, folder = _any_scheme(host_root(key.location)), _any_scheme(key.folder)
    foreign = [url for url in urls if _any_scheme(host_root(url)) != root]
    if foreign:
        cure = "announce each host by itself, with a key of its own"
        _refuse(foreign, urls, f"not on {key.host}, the host of the key's file", cure)
    outside = [url for url in urls if not is_below(_any_scheme(url), folder)]
    if outside:
        cure = "put the key's file into the root of the host, and say so with --key-location"
        _refuse(outside, urls, f"not below {key.folder}, the folder of the key's file", cure)


def _any_scheme(url: str) -> str:
    """Return a URL as if it was encrypted; the protocol asks for the host alone."""
    return encode_url(re.sub(r"\Ahttp://", "https://", url))


def _refuse(bad: Sequence[str], urls: Sequence[str], what: str, cure: str) -> None:
    count = f"{len(bad):,} of {len(urls):,} URLs are"
    raise SitemapError(f"{count} {what}, the first: {quote(bad[0])}; {cure}")

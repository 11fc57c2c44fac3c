"""The key by which search engines know that an announcement comes from the site's owner.

The rules are those of the IndexNow protocol: a key has 8 to 128 letters, digits or hyphens, its
file holds nothing else, and it speaks for the host of that file, in its folder and below.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from sitemap_plugin.commands.compared import Target
from sitemap_plugin.commands.web.fetcher import Fetcher
from sitemap_plugin.common.files import read_file
from sitemap_plugin.common.text import counted, quoted, shown
from sitemap_plugin.common.urls import (
    encode_url,
    host_root,
    is_below,
    is_local_host,
    join_url,
    path_below,
)
from sitemap_plugin.errors import SitemapError

_KEY = re.compile(r"[A-Za-z0-9-]{8,128}")
_KEY_FILE_LIMIT = 1024


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


def check_key(value: str, place: str, *, show: bool = True) -> str:
    """Return a key without the white space around it; raise SitemapError if it cannot be one.

    With ``show`` unset the value stays out of the message: a file may hold anything.
    """
    value = value.strip()
    if not _KEY.fullmatch(value):
        got = f", got {quoted(value)}" if show else ""
        raise SitemapError(f"{place}: expected a key of 8 to 128 letters, digits or hyphens{got}")
    return value


def read_key_file(path: Path) -> str | None:
    """Return the text of a key's file, None where there is none that can be read."""
    try:
        return read_file(path, limit=_KEY_FILE_LIMIT).decode("utf-8-sig", "replace").strip()
    except OSError:
        return None


def find_key(new: Target | None) -> str | None:
    """Return the key whose file lies in the folder of a built site; None without one."""
    if new is None or new.folder is None:
        return None
    files = (path for path in new.folder.glob("*.txt") if _KEY.fullmatch(path.stem))
    found = sorted(path.stem for path in files if read_key_file(path) == path.stem)
    if len(found) > 1:
        raise SitemapError(
            f"{new.name}: it has the files of {len(found)} keys: {', '.join(found)}; "
            "say which with --key"
        )
    return found[0] if found else None


def locate_key(value: str, urls: Sequence[str], new: Target | None) -> str:
    """Find out where the file of a key is: in the built folder, or at the host's root."""
    name = f"{value}.txt"
    if new and new.folder and new.base_url and (new.folder / name).is_file():
        return join_url(new.base_url, name)
    return f"{host_root(urls[0])}{name}"


def check_scope(urls: Sequence[str], key: Key, endpoint: str) -> None:
    """Make sure that a key may announce some absolute URLs; raise SitemapError otherwise."""
    roots = {url: host_root(url) for url in urls}
    local = {root for root in set(roots.values()) if is_local_host(root)}
    folder = _any_scheme(key.folder)
    own = _any_scheme(host_root(key.location))
    checks: tuple[tuple[Callable[[str], bool], str, str], ...] = (
        (
            lambda url: is_local_host(endpoint) or roots[url] not in local,
            "on this machine, where no search engine comes",
            "build the site for the host that it is on",
        ),
        (
            lambda url: _any_scheme(roots[url]) == own,
            f"not on {key.host}, the host of the key's file",
            "announce each host by itself, with a key of its own",
        ),
        (
            lambda url: is_below(_any_scheme(url), folder),
            f"not below {key.folder}, the folder of the key's file",
            "put the key's file into the root of the host, and say so with --key-location",
        ),
    )
    for is_right, what, cure in checks:
        if bad := [url for url in urls if not is_right(url)]:
            count = f"{len(bad):,} of {counted(len(urls), 'URL')}"
            are = "are" if len(bad) != 1 else "is"
            raise SitemapError(f"{count} {are} {what}, the first: {quoted(bad[0])}; {cure}")


def _any_scheme(url: str) -> str:
    """Return a URL as if it was encrypted; the protocol asks for the host alone."""
    return encode_url(re.sub(r"\Ahttp://", "https://", url))


def verify_key(key: Key, new: Target | None, fetcher: Fetcher) -> str:
    """Make sure that the file of a key holds it; return where it was found.

    What lies in the folder of a built site is looked for there, the rest is fetched.
    """
    path = _path_of(key, new)
    if path is not None:
        place, content = shown(path.as_posix()), read_key_file(path)
    else:
        place = key.location
        try:
            final, data = fetcher.read(key.location, _KEY_FILE_LIMIT)
        except SitemapError as error:
            raise SitemapError(f"the key's file is needed: {error}") from error
        if final != key.location:
            raise SitemapError(
                f"{key.location}: it redirects to {final}; name the file's own address with "
                "--key-location"
            )
        content = data.decode("utf-8-sig", "replace").strip()
    if content != key.value:
        raise SitemapError(
            f"{place}: it is to hold the key {key.value} and nothing else; write it again"
        )
    return place


def _path_of(key: Key, new: Target | None) -> Path | None:
    """Return the file of a key in a folder on disk, None where there is none."""
    if not (new and new.folder and new.base_url and is_below(key.location, new.base_url)):
        return None
    path = new.folder / path_below(key.location, new.base_url)
    inside = path.resolve().is_relative_to(new.folder.resolve())
    return path if inside and path.is_file() else None

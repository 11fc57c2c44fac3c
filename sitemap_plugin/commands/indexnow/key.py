"""The key by which search engines know that an announcement comes from the site's owner."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from sitemap_plugin.commands.check.findings import display, quote
from sitemap_plugin.commands.diff.targets import Target
from sitemap_plugin.commands.web.fetch import Fetcher
from sitemap_plugin.common.urls import (
    encode_url,
    host_root,
    is_below,
    is_local_host,
    join_url,
    path_below,
)
from sitemap_plugin.errors import SitemapError

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
    """Make sure that a key may announce some absolute URLs; raise SitemapError otherwise.

    By the protocol all are on the host of the key's file, and in its folder or below.
    """
    one_of_each = {_place(url): url for url in urls}.values()
    local = {_place(url) for url in one_of_each if is_local_host(url)}
    if local and not is_local_host(endpoint):
        bad = [url for url in urls if _place(url) in local]
        cure = "build the site for the host that it is on"
        raise _refusal(bad, urls, "on this machine, where no search engine comes", cure)
    root, folder = _any_scheme(host_root(key.location)), _any_scheme(key.folder)
    own = {_place(url) for url in one_of_each if _any_scheme(host_root(url)) == root}
    bad = [url for url in urls if _place(url) not in own]
    if bad:
        cure = "announce each host by itself, with a key of its own"
        raise _refusal(bad, urls, f"not on {key.host}, the host of the key's file", cure)
    bad = [url for url in urls if not _is_covered(url, key.folder, folder)]
    if bad:
        cure = "put the key's file into the root of the host, and say so with --key-location"
        raise _refusal(bad, urls, f"not below {key.folder}, the folder of the key's file", cure)


def _is_covered(url: str, folder: str, encrypted: str) -> bool:
    """Tell whether a URL is in a folder, given as it is and as if it was encrypted."""
    is_plain = url.startswith(folder) and "/." not in url and "/%2" not in url
    return is_plain or is_below(_any_scheme(url), encrypted)


def _place(url: str) -> str:
    """Return scheme, host and port of an absolute URL as it spells them."""
    return "/".join(url.split("/", 3)[:3])


def _any_scheme(url: str) -> str:
    """Return a URL as if it was encrypted; the protocol asks for the host alone."""
    return encode_url(re.sub(r"\Ahttp://", "https://", url))


def _refusal(bad: Sequence[str], urls: Sequence[str], what: str, cure: str) -> SitemapError:
    count = f"{len(bad):,} of {len(urls):,} URLs are"
    return SitemapError(f"{count} {what}, the first: {quote(bad[0])}; {cure}")

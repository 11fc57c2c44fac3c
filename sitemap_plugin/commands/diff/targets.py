"""What is meant by a target: a file, the folder of a built site, or a URL of either."""

from __future__ import annotations

import os
import re
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from sitemap_plugin.commands.check.crawling import read_robots
from sitemap_plugin.commands.check.document import sample_locs
from sitemap_plugin.commands.check.findings import Findings, display, quote
from sitemap_plugin.commands.check.publication import Publication, derive_base
from sitemap_plugin.commands.check.source import READ_LIMIT
from sitemap_plugin.commands.diff.states import Described, read_states
from sitemap_plugin.commands.web.fetch import Fetcher, checked_url, is_address
from sitemap_plugin.common.robots import GOOGLE_LIMIT
from sitemap_plugin.common.urls import check_base_url, host_root, is_host_root, join_url
from sitemap_plugin.errors import SitemapError
from sitemap_plugin.write.protocol import MAX_URLS

__all__ = ["Target", "open_target"]

_MOST_ENTRIES = 5_000_000
_MOST_LEVELS = 3
_SUFFIX = re.compile(r"(?:\.[a-z0-9]{1,8}){1,2}\Z")


class Target:
    """Sitemaps to read, one after the other, with those that they list.

    ``base_url`` is the address of a folder, or of the folder of a file, as far as it is known;
    ``folder`` the path of a folder. ``locate`` makes a file of an address in an index.
    """

    def __init__(
        self,
        name: str,
        roots: Sequence[Path | str],
        locate: Callable[[str], Path],
        *,
        base_url: str | None = None,
        folder: Path | None = None,
    ) -> None:
        self.name, self.base_url, self.folder = name, base_url, folder
        self._roots, self._locate = roots, locate

    def states(self) -> Iterator[Described]:
        """Yield what is said about each address.

        Raises SitemapError where something cannot be read as a whole; nothing may then be
        concluded from what was yielded.
        """
        waiting = deque[tuple[Path | str, int]]((root, 1) for root in self._roots)
        seen, count = set[Path | str](), 0
        while waiting:
            place, level = waiting.popleft()
            key = place if isinstance(place, str) else place.resolve()
            if key in seen:
                continue
            seen.add(key)
            if len(seen) > MAX_URLS:
                raise SitemapError(f"{self.name}: it has more than {MAX_URLS:,} sitemaps")
            children: list[str] = []
            path = self._locate(place) if isinstance(place, str) else place
            name = place if isinstance(place, str) else display(place)
            for described in read_states(path, name, children):
                count += 1
                if count > _MOST_ENTRIES:
                    raise SitemapError(f"{self.name}: more than {_MOST_ENTRIES:,} addresses")
                yield described
            if children and level > _MOST_LEVELS:
                raise SitemapError(
                    f"{name}: an index below {_MOST_LEVELS} others, which may have no end; by the "
                    "protocol no index lists another one. Compare its sitemaps one by one"
                )
            waiting.extend((child, level + 1) for child in children)


def open_target(text: str, base_url: str | None, fetcher: Fetcher, scratch: Path) -> Target:
    """Find out what a word on the command line means; ``scratch`` is for what is fetched."""
    if is_address(text):
        return _open_url(text, fetcher, scratch)
    path = Path(text)
    if path.is_dir():
        return _open_folder(path, base_url)
    if not path.exists():
        raise SitemapError(f"{text}: there is no such file or folder")
    return _open_file(path, base_url)


def _open_file(path: Path, base_url: str | None) -> Target:
    publication = Publication(path.parent, scan=False)
    exists = _existence(publication)
    base_url = base_url or derive_base(_sample(path), exists, share=0.5)
    if base_url:
        publication.publish(base_url)
    name = display(path)
    return Target(name, [path], _locator(publication, name), base_url=base_url)


def _open_folder(folder: Path, base_url: str | None) -> Target:
    publication = Publication(folder)
    names = _outermost(publication.sitemaps)
    robots = folder / "robots.txt"
    declared = read_robots(robots, "", Findings().for_file(robots)).declarations
    locs = [loc for name in names for loc in _sample(folder / name)]
    locs += [line.value for line in declared]
    base_url = base_url or derive_base(locs, _existence(publication)) or _first_root(locs)
    paths = [folder / name for name in names]
    if base_url:
        publication.publish(base_url)
        if is_host_root(base_url):
            found = [publication.find(line.value) for line in declared]
            named = [folder / at.path for at in found if at and not (at.is_page or at.outside)]
            paths = sorted(named, key=_is_text) or paths
    if not paths:
        raise SitemapError(f"{display(folder)}: the folder has no sitemap; build one first")
    locate = _locator(publication, display(folder))
    return Target(display(folder), paths, locate, base_url=base_url, folder=folder)


def _first_root(locs: Sequence[str]) -> str | None:
    """Return the root of the host of the first address that has one, as the check does."""
    for loc in locs:
        with suppress(ValueError):
            return host_root(loc)
    return None


def _outermost(sitemaps: Sequence[str]) -> list[str]:
    """Return the sitemaps that no folder above them has, without those that say the same."""
    there = set(sitemaps)
    depth = min((name.count("/") for name in there), default=0)
    single = [
        name
        for name in there
        if name.count("/") == depth
        and (not name.endswith(".gz") or name.removesuffix(".gz") not in there)
        and not (_is_text(Path(name)) and f"{_stem(name)}.xml" in there)
    ]
    return sorted(single, key=lambda name: ("index" not in name, name))


def _stem(name: str) -> str:
    return name.removesuffix(".gz").rpartition(".")[0]


def _is_text(path: Path) -> bool:
    return path.name.lower().removesuffix(".gz").endswith(".txt")


def _sample(path: Path) -> list[str]:
    try:
        return sample_locs(path)
    except OSError:
        return []  # It is reported when it is read.


def _existence(publication: Publication) -> Callable[[str], bool]:
    return lambda path: publication.find_path(path) is not None


def _locator(publication: Publication, name: str) -> Callable[[str], Path]:
    def locate(url: str) -> Path:
        located = publication.find(url)
        if located is None or located.outside:
            raise SitemapError(
                f"{name}: the sitemap {quote(url)} is listed, and no file of it is in the folder; "
                "put it there, or give --base-url, the address of the folder"
            )
        return publication.folder / located.path

    return locate


def _open_url(url: str, fetcher: Fetcher, scratch: Path) -> Target:
    """Open a sitemap at a URL; one that ends in ``/`` is that of a site."""
    url = checked_url(url)
    path, hosts = scratch, set[tuple[str, int | None]]()

    def locate(place: str) -> Path:
        nonlocal path
        if hosts and _host(place) not in hosts:
            raise SitemapError(
                f"{url}: it lists the sitemap {quote(place)}, which is on another host and is not "
                "fetched; compare that by itself"
            )
        with suppress(FileNotFoundError):
            path.unlink() if path != scratch else None
        path = _scratch_file(place, scratch)
        hosts.add(_host(place))
        hosts.add(_host(fetcher.fetch(place, path, READ_LIMIT)))
        return path

    return Target(url, _remote_roots(url, fetcher), locate, base_url=_base_of(url))


def _base_of(url: str) -> str:
    return check_base_url(join_url(url, "."))


def _remote_roots(url: str, fetcher: Fetcher) -> list[str]:
    if not urlsplit(url).path.endswith("/"):
        return [url]
    if is_host_root(url):
        with tempfile.TemporaryDirectory() as folder:
            robots = Path(folder, "robots.txt")
            robots.write_bytes(fetcher.robots(url)[:GOOGLE_LIMIT])
            lines = read_robots(robots, url, Findings().for_file(robots)).declarations
        named = [line.url for line in lines if _host(line.url) == _host(url)]
        if named:
            return sorted(named, key=lambda line: _is_text(Path(urlsplit(line).path)))
    return [join_url(url, "sitemap.xml")]


def _host(url: str) -> tuple[str, int | None]:
    """Return host and port; the usual ports of both schemes are one."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return "", None
    return parts.hostname or "", None if port in {80, 443} else port


def _scratch_file(url: str, scratch: Path) -> Path:
    """Return a fresh path whose name ends as the URL does, which tells readers what to expect."""
    match = _SUFFIX.search(urlsplit(url).path.lower())
    handle, name = tempfile.mkstemp(match[0] if match else "", "sitemap", scratch)
    os.close(handle)
    return Path(name)

"""What a word on the command line means: a file, a folder or a URL, and the sitemaps behind it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from sitemap_plugin.commands.builds import without_companions
from sitemap_plugin.commands.check.folder import sample_locs
from sitemap_plugin.commands.check.published_folder import PublishedFolder
from sitemap_plugin.commands.explain import parse_report
from sitemap_plugin.commands.reading.reader import READ_LIMIT, read_sitemap
from sitemap_plugin.commands.reading.sitemap_document import ListedUrl
from sitemap_plugin.commands.web import Fetcher, check_url, is_address
from sitemap_plugin.common.files import read_file
from sitemap_plugin.common.robots import GOOGLE_LIMIT, Robots
from sitemap_plugin.common.text import quoted
from sitemap_plugin.common.urls import check_base_url, host_root, is_host_root, join_url
from sitemap_plugin.errors import SitemapError, or_none

_MOST_SITEMAPS, _MOST_ENTRIES, _MOST_LEVELS = 50_000, 10_000_000, 4


class State(NamedTuple):
    """What is said about a page; None where the form of the file has no place for it."""

    lastmod: str | None = None  # As written; empty where there is none.
    alternates: tuple[tuple[str, str], ...] | None = None  # Codes with addresses, sorted.
    images: tuple[str, ...] | None = None


class Target(NamedTuple):
    """A state of a site: its sitemaps, as paths or URLs, and a function that reads one."""

    name: str
    roots: Sequence[str]
    read: Callable[[str], bytes]
    base_url: str | None = None
    folder: Path | None = None

    def states(self) -> Iterator[tuple[str, State]]:
        """Yield all addresses with what is said of them; raise SitemapError for half a sitemap."""
        levels = dict.fromkeys(self.roots, 1)
        waiting, entries = list(levels), 0
        for place in waiting:  # It grows meanwhile.
            children, states = _read_states(self.read(place), place)
            new = dict.fromkeys(child for child in children if child not in levels)
            levels.update(dict.fromkeys(new, levels[place] + 1))
            waiting += new
            entries += len(states)
            is_much = len(waiting) > _MOST_SITEMAPS or entries > _MOST_ENTRIES
            if is_much or levels[waiting[-1]] > _MOST_LEVELS:
                raise SitemapError(
                    f"{place}: more than {_MOST_SITEMAPS:,} sitemaps, {_MOST_ENTRIES:,} addresses "
                    f"or {_MOST_LEVELS} levels of sitemaps; compare a part of them"
                )
            yield from states


def open_target(text: str, base_url: str | None, fetcher: Fetcher) -> Target:
    """Find out what a word on the command line means; ``base_url`` is the address of a folder."""
    if is_address(text):
        return _open_url(check_url(text), fetcher)
    path = Path(text)
    if not path.exists():
        raise SitemapError(f"{text}: there is no such file or folder")
    folder = path if path.is_dir() else None
    published = PublishedFolder(folder or path.parent, scan=folder is not None)
    paths = [path / name for name in _outermost(published.sitemaps)] if folder else [path]
    declared: list[str] = []
    with suppress(OSError):
        robots = read_file(path / "robots.txt", limit=GOOGLE_LIMIT, within=[path])
        declared = [line.url for line in Robots(robots).sitemaps]
    locs = [loc for each in paths for loc in sample_locs(each)] + declared
    published.base_url = base_url = base_url or published.guess_base(locs)
    if base_url and is_host_root(base_url):
        found = [at for at in map(published.find, declared) if at]
        named = (at.path for at in found if not (at.is_page or at.outside))
        paths = [path / name for name in sorted(named, key=_is_text)] or paths
    if not paths:
        raise SitemapError(f"{text}: the folder has no sitemap; build one first")

    def read(place: str) -> bytes:
        if not is_address(place):
            return read_file(place, limit=READ_LIMIT)
        located = published.find(place)
        if located is None or located.outside:
            raise SitemapError(
                f"{text}: the sitemap {quoted(place)} is listed, and no file of it is in the "
                "folder; put it there, or give --base-url, the address of the folder"
            )
        return read_file(published.folder / located.path, limit=READ_LIMIT)

    return Target(text, [*map(str, paths)], read, base_url, folder)


def _outermost(sitemaps: Sequence[str]) -> list[str]:
    """Return the sitemaps that no folder above them has, indexes first."""
    single = list(without_companions(sitemaps))
    single.sort(key=lambda name: (name.count("/"), "index" not in name, name))
    return [name for name in single if name.count("/") == single[0].count("/")]


def _is_text(name: str) -> bool:
    return ".txt" in name


def _open_url(url: str, fetcher: Fetcher) -> Target:
    """Open a sitemap, or a site whose URL ends in ``/``; nothing is fetched from other hosts."""
    own, roots = _host(url), [url]
    if urlsplit(url).path.endswith("/"):
        declared = fetcher.robots(url).sitemaps if is_host_root(url) else ()
        named = (line.url for line in declared if _host(line.url) == own)
        roots = sorted(named, key=_is_text) or [join_url(url, "sitemap.xml")]

    def read(place: str) -> bytes:
        final, data = fetcher.read(place, READ_LIMIT) if _host(place) == own else (place, b"")
        if place != url and _host(final) != own:
            raise SitemapError(
                f"{url}: it lists the sitemap {quoted(place)}, which is on another host, at "
                f"{quoted(final)}; compare that by itself"
            )
        return data

    return Target(url, roots, read, check_base_url(join_url(url, ".")))


def _host(url: str) -> str:
    """Return host and port; the usual ports of both schemes are one."""
    return (or_none(host_root, url) or "").partition("://")[2]


def _read_states(data: bytes, name: str) -> tuple[list[str], list[tuple[str, State]]]:
    """Return the sitemaps that a file lists, and what it says about pages, or raise."""
    is_page = name.lower().endswith((".html", ".htm"))
    if is_page or data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
        return [], [
            (page["loc"], State(page["lastmod"] or "", _links(page["alternates"].items())))
            for page in parse_report(data, name)["pages"]
            if page["listed"]
        ]
    document = read_sitemap(data, name)
    if note := document.failure:
        (_, message, cure), line = note
        raise SitemapError(f"{name}{f':{line}' if line else ''}: {message} {cure}")
    listed = [(entry.loc, entry) for entry in document.entries if entry.loc]
    if listed and not any(is_address(loc) for loc, _ in listed):
        what = quoted(listed[0][0])
        raise SitemapError(f"{name}: it lists {what} and no absolute URL; name a sitemap")
    if document.kind == "index":
        return [loc for loc, _ in listed], []
    is_text = document.kind == "text"
    return [], [(loc, State() if is_text else _state(entry)) for loc, entry in listed]


def _state(entry: ListedUrl) -> State:
    images = {dict(medium.parts).get("loc") for medium in entry.media if medium.kind == "image"}
    return State(entry.lastmod or "", _links(entry.links.pairs), (*sorted(filter(None, images)),))


def _links(pairs: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted({(code.lower(), href) for code, href in pairs}))

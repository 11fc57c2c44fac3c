"""What a word on the command line means: a file, a folder or a URL, and the sitemaps behind it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from sitemap_plugin.commands.builds import without_companions
from sitemap_plugin.commands.check.folder import sample_locs
from sitemap_plugin.commands.check.published_folder import PublishedFolder, derive_base
from sitemap_plugin.commands.explain import parse_report
from sitemap_plugin.commands.reading.reader import READ_LIMIT, read_sitemap
from sitemap_plugin.commands.reading.sitemap_document import Document, ListedUrl
from sitemap_plugin.commands.web.client import check_url
from sitemap_plugin.commands.web.fetcher import Fetcher, is_address
from sitemap_plugin.common.files import read_file
from sitemap_plugin.common.robots import GOOGLE_LIMIT, Robots
from sitemap_plugin.common.text import quoted
from sitemap_plugin.common.urls import (
    check_base_url,
    host_root,
    is_host_root,
    join_url,
    normal_form,
)
from sitemap_plugin.errors import SitemapError, or_none

_MOST_SITEMAPS, _MOST_ENTRIES, _MOST_LEVELS = 50_000, 10_000_000, 3


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
            children: list[str] = []
            for described in _read_states(self.read(place), place, children):
                yield described
                entries += 1
                if entries > _MOST_ENTRIES:
                    raise SitemapError(f"{self.name}: more than {_MOST_ENTRIES:,} addresses")
            if children and levels[place] > _MOST_LEVELS:
                raise SitemapError(f"{place}: an index below {_MOST_LEVELS} others; compare less")
            new = dict.fromkeys(child for child in children if child not in levels)
            levels.update(dict.fromkeys(new, levels[place] + 1))
            waiting += new
            if len(waiting) > _MOST_SITEMAPS:
                raise SitemapError(f"{self.name}: more than {_MOST_SITEMAPS:,} sitemaps")


def open_target(text: str, base_url: str | None, fetcher: Fetcher) -> Target:
    """Find out what a word on the command line means.

    ``base_url`` is the address of a folder, or of a file's folder. Raises SitemapError.
    """
    if is_address(text):
        return _open_url(check_url(text), fetcher)
    path = Path(text)
    if not path.exists():
        raise SitemapError(f"{text}: there is no such file or folder")
    folder = path if path.is_dir() else None
    publication = PublishedFolder(folder or path.parent, scan=folder is not None)
    paths = [path / name for name in _outermost(publication.sitemaps)] if folder else [path]
    declared: list[str] = []
    with suppress(OSError):
        robots = read_file(path / "robots.txt", limit=GOOGLE_LIMIT, within=[path])
        declared = [line.url for line in Robots(robots).sitemaps]
    locs = [loc for each in paths for loc in sample_locs(each)] + declared
    # As the check does.
    hosts = filter(None, (or_none(host_root, loc) for loc in locs))
    if base_url := base_url or derive_base(locs, publication.find_path) or next(hosts, None):
        publication.base_url = base_url
        if is_host_root(base_url):
            found = [publication.find(url) for url in declared]
            named = [path / at.path for at in found if at and not (at.is_page or at.outside)]
            paths = sorted(named, key=lambda each: ".txt" in each.name) or paths
    if not paths:
        raise SitemapError(f"{text}: the folder has no sitemap; build one first")
    return Target(text, [*map(str, paths)], _reader(publication, text), base_url, folder)


def _outermost(sitemaps: Sequence[str]) -> list[str]:
    """Return the sitemaps that no folder above them has, indexes first."""
    single = sorted(
        without_companions(sitemaps), key=lambda name: (name.count("/"), "index" not in name, name)
    )
    return [name for name in single if name.count("/") == single[0].count("/")]


def _reader(publication: PublishedFolder, name: str) -> Callable[[str], bytes]:
    def read(place: str) -> bytes:
        path = Path(place)
        if is_address(place):
            located = publication.find(place)
            if located is None or located.outside:
                raise SitemapError(
                    f"{name}: the sitemap {quoted(place)} is listed, and no file of it is in the "
                    "folder; put it there, or give --base-url, the address of the folder"
                )
            path = publication.folder / located.path
        return read_file(path, limit=READ_LIMIT)

    return read


def _open_url(url: str, fetcher: Fetcher) -> Target:
    """Open a sitemap, or a site whose URL ends in ``/``; nothing is fetched from other hosts."""
    own = _host(url)

    def read(place: str) -> bytes:
        final, data = fetcher.read(place, READ_LIMIT) if _host(place) == own else (place, b"")
        if place != url and _host(final) != own:
            raise SitemapError(
                f"{url}: it lists the sitemap {quoted(place)}, which is on another host, at "
                f"{quoted(final)}; compare that by itself"
            )
        return data

    return Target(url, _remote_roots(url, fetcher), read, check_base_url(join_url(url, ".")))


def _remote_roots(url: str, fetcher: Fetcher) -> list[str]:
    if not urlsplit(url).path.endswith("/"):
        return [url]
    if is_host_root(url):
        declared = [line.url for line in fetcher.robots(url).sitemaps]
        if named := [line for line in declared if _host(line) == _host(url)]:
            return sorted(named, key=lambda line: ".txt" in urlsplit(line).path)
    return [join_url(url, "sitemap.xml")]


def _host(url: str) -> str:
    """Return host and port; the usual ports of both schemes are one."""
    return (or_none(host_root, url) or "").partition("://")[2]


def _read_states(data: bytes, name: str, children: list[str]) -> Iterator[tuple[str, State]]:
    """Yield what a file says, in its order; the sitemaps of an index are added to ``children``.

    Raises SitemapError where it is no sitemap or cannot be read as a whole.
    """
    is_page = name.lower().endswith((".html", ".htm"))
    if is_page or data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
        for page in parse_report(data, name)["pages"]:
            if page["listed"]:
                links = sorted((code.lower(), href) for code, href in page["alternates"].items())
                loc = or_none(normal_form, page["loc"]) or page["loc"]
                yield loc, State(page["lastmod"] or "", tuple(links))
        return
    document = read_sitemap(data, name)
    _refuse_broken(document, name)
    locs = ((entry, entry.loc) for entry in document.entries if entry.loc)
    if document.kind == "index":
        children += [loc for _, loc in locs]
        return
    for entry, loc in locs:
        normal = or_none(normal_form, loc) or loc
        yield normal, State() if document.kind == "text" else _state(entry)


def _refuse_broken(document: Document, name: str) -> None:
    fatal = [note for note in document.notes if note.fault.code == "entity"]
    if document.kind is None or not document.complete:
        fatal = fatal or document.notes[-1:]
    if fatal:
        (fault, line), *_ = fatal
        raise SitemapError(f"{name}{f':{line}' if line else ''}: {fault.message} {fault.cure}")
    locs = [entry.loc for entry in document.entries if entry.loc]
    if not document.complete or (locs and not any(map(is_address, locs))):
        what = quoted(locs[0]) if locs else "nothing"
        raise SitemapError(f"{name}: it lists {what} and no absolute URL; name a sitemap")


def _state(entry: ListedUrl) -> State:
    pairs = {(code.lower(), href) for code, href in entry.links.pairs}
    parts = (part for medium in entry.media if medium.kind == "image" for part in medium.parts)
    images = {text for part, text in parts if part == "loc" and text}
    return State(entry.lastmod or "", tuple(sorted(pairs)), tuple(sorted(images)))

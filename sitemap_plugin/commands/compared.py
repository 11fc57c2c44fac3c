"""What a word on the command line means: a file, a folder or a URL, and the sitemaps behind it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from sitemap_plugin.commands.check.folder import sample_locs
from sitemap_plugin.commands.check.published_folder import PublishedFolder, derive_base
from sitemap_plugin.commands.reading.reader import read_sitemap
from sitemap_plugin.commands.reading.sitemap_document import Document, ListedUrl
from sitemap_plugin.commands.reading.unpacking import READ_LIMIT
from sitemap_plugin.commands.report_file import parse_report
from sitemap_plugin.commands.web.client import check_url
from sitemap_plugin.commands.web.fetcher import Fetcher, is_address
from sitemap_plugin.common.files import read_file
from sitemap_plugin.common.robots import GOOGLE_LIMIT, Robots
from sitemap_plugin.common.text import quoted, shown
from sitemap_plugin.common.urls import (
    check_base_url,
    host_root,
    is_host_root,
    join_url,
    normal_form,
)
from sitemap_plugin.errors import SitemapError

_MOST_SITEMAPS, _MOST_ENTRIES, _MOST_LEVELS = 50_000, 10_000_000, 3
_FATAL = ("unsupported-format", "gzip-broken", "entity", "xml-broken", "feed", "not-read", "empty")


class State(NamedTuple):
    """What is said about a page; None where the form of the file has no place for it.

    ``lastmod`` is as written, and empty where there is none. ``alternates`` are language codes with
    addresses, ``images`` addresses; both sorted.
    """

    lastmod: str | None = None
    alternates: tuple[tuple[str, str], ...] | None = None
    images: tuple[str, ...] | None = None


Described = tuple[str, State]
"""An address with what is said about it."""


class Target(NamedTuple):
    """A state of a site: its sitemaps, and a function that reads the one at an address."""

    name: str
    roots: Sequence[Path | str]
    read: Callable[[str], bytes]
    base_url: str | None = None
    folder: Path | None = None

    def states(self) -> Iterator[Described]:
        """Yield what all its sitemaps say, each file read once.

        Raises SitemapError where something cannot be read as a whole; nothing may then be
        concluded from what was yielded.
        """
        waiting = deque[tuple[Path | str, int]]((root, 1) for root in self.roots)
        seen, count = set[Path | str](), 0
        while waiting:
            place, level = waiting.popleft()
            key = place if isinstance(place, str) else place.resolve()
            if key in seen:
                continue
            seen.add(key)
            if len(seen) > _MOST_SITEMAPS:
                raise SitemapError(f"{self.name}: it has more than {_MOST_SITEMAPS:,} sitemaps")
            children: list[str] = []
            name = place if isinstance(place, str) else shown(place.as_posix())
            data = self.read(place) if isinstance(place, str) else _read_path(place)
            for described in _read_states(data, name, children):
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


def open_target(text: str, base_url: str | None, fetcher: Fetcher) -> Target:
    """Find out what a word on the command line means; raises SitemapError."""
    if is_address(text):
        return _open_url(check_url(text), fetcher)
    path = Path(text)
    if path.is_dir():
        return _open_folder(path, base_url)
    if not path.exists():
        raise SitemapError(f"{text}: there is no such file or folder")
    publication = PublishedFolder(path.parent, scan=False)
    base_url = base_url or derive_base(_sample(path), _existence(publication), share=0.5)
    if base_url:
        publication.publish(base_url)
    name = shown(path.as_posix())
    return Target(name, [path], _reader(publication, name), base_url=base_url)


def _open_folder(folder: Path, base_url: str | None) -> Target:
    publication = PublishedFolder(folder)
    names = _outermost(publication.sitemaps)
    declared: list[str] = []
    with suppress(OSError):
        robots = Robots(read_file(folder / "robots.txt", limit=GOOGLE_LIMIT, within=[folder]))
        declared = [line.url for line in robots.sitemaps]
    locs = [loc for name in names for loc in _sample(folder / name)]
    locs += declared
    base_url = base_url or derive_base(locs, _existence(publication)) or _first_root(locs)
    paths = [folder / name for name in names]
    if base_url:
        publication.publish(base_url)
        if is_host_root(base_url):
            found = [publication.find(url) for url in declared]
            named = [folder / at.path for at in found if at and not (at.is_page or at.outside)]
            paths = sorted(named, key=lambda path: _is_text(path.name)) or paths
    name = shown(folder.as_posix())
    if not paths:
        raise SitemapError(f"{name}: the folder has no sitemap; build one first")
    return Target(name, paths, _reader(publication, name), base_url=base_url, folder=folder)


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
        and not (_is_text(name) and f"{name.removesuffix('.gz').rpartition('.')[0]}.xml" in there)
    ]
    return sorted(single, key=lambda name: ("index" not in name, name))


def _is_text(name: str) -> bool:
    return name.lower().removesuffix(".gz").endswith(".txt")


def _sample(path: Path) -> list[str]:
    try:
        return sample_locs(path)
    except OSError:
        return []  # It is reported when it is read.


def _existence(publication: PublishedFolder) -> Callable[[str], bool]:
    return lambda path: publication.find_path(path) is not None


def _reader(publication: PublishedFolder, name: str) -> Callable[[str], bytes]:
    def read(url: str) -> bytes:
        located = publication.find(url)
        if located is None or located.outside:
            raise SitemapError(
                f"{name}: the sitemap {quoted(url)} is listed, and no file of it is in the folder; "
                "put it there, or give --base-url, the address of the folder"
            )
        return _read_path(publication.folder / located.path)

    return read


def _read_path(path: Path) -> bytes:
    try:
        return read_file(path, limit=READ_LIMIT)
    except OSError as error:
        name = shown(path.as_posix())
        raise SitemapError(f"{name}: cannot be read: {error.strerror or error}") from error


def _open_url(url: str, fetcher: Fetcher) -> Target:
    """Open a sitemap at a URL; one that ends in ``/`` is that of a site.

    The sitemaps that an index lists are fetched from the host that the user has named, and from no
    other, wherever redirects lead.
    """
    own = _host(url)

    def read(place: str) -> bytes:
        if _host(place) != own:
            raise SitemapError(
                f"{url}: it lists the sitemap {quoted(place)}, which is on another host and is not "
                "fetched; compare that by itself"
            )
        final, data = fetcher.read(place, READ_LIMIT)
        if place != url and _host(final) != own:
            raise SitemapError(
                f"{url}: the sitemap {quoted(place)} is served from another host, {quoted(final)}; "
                "compare that by itself"
            )
        return data

    return Target(url, _remote_roots(url, fetcher), read, check_base_url(join_url(url, ".")))


def _remote_roots(url: str, fetcher: Fetcher) -> list[str]:
    if not urlsplit(url).path.endswith("/"):
        return [url]
    if is_host_root(url):
        declared = [line.url for line in fetcher.robots(url).sitemaps]
        if named := [line for line in declared if _host(line) == _host(url)]:
            return sorted(named, key=lambda line: _is_text(urlsplit(line).path))
    return [join_url(url, "sitemap.xml")]


def _host(url: str) -> tuple[str, int | None]:
    """Return host and port; the usual ports of both schemes are one."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return "", None
    return parts.hostname or "", None if port in {80, 443} else port


def _read_states(data: bytes, name: str, children: list[str]) -> Iterator[Described]:
    """Yield what a file says, in its order; the sitemaps of an index are added to ``children``.

    Raises SitemapError where it is no sitemap or cannot be read as a whole.
    """
    is_page = name.lower().endswith((".html", ".htm"))
    if is_page or data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
        yield from _report_states(data, name)
        return
    document = read_sitemap(data, name)
    _refuse_broken(document, name)
    if document.kind == "index":
        children += [entry.loc for entry in document.entries if entry.loc]
        return
    for entry in document.entries:
        if entry.loc:
            state = State() if document.kind == "text" else _state(entry)
            yield _normal(entry.loc), state


def _normal(loc: str) -> str:
    """Return the one spelling of an address by which it is compared; what is none stays."""
    try:
        return normal_form(loc)
    except ValueError:
        return loc


def _refuse_broken(document: Document, name: str) -> None:
    notes = [note for note in document.notes if note.fault.code in _FATAL]
    if document.kind is not None and document.complete:
        notes = [note for note in notes if note.fault.code != "empty"]
    if notes:
        worst = min(notes, key=lambda note: _FATAL.index(note.fault.code))
        line = f":{worst.line}" if worst.line else ""
        raise SitemapError(f"{name}{line}: {worst.fault.message} {worst.fault.cure}")
    if document.kind is None or not document.complete:
        raise SitemapError(f"{name}: it cannot be read to its end; check it with 'check'")
    locs = [entry.loc for entry in document.entries if entry.loc]
    if locs and not any(loc.lower().startswith(("http://", "https://")) for loc in locs):
        raise SitemapError(
            f"{name}: it lists {quoted(locs[0])} and no absolute URL; name a sitemap"
        )


def _state(entry: ListedUrl) -> State:
    pairs = {(code.lower(), href) for code, href in entry.links.pairs}
    images = {
        text
        for medium in entry.media
        if medium.kind == "image"
        for part, text in medium.parts
        if part == "loc" and text
    }
    return State(entry.lastmod or "", tuple(sorted(pairs)), tuple(sorted(images)))


def _report_states(data: bytes, name: str) -> Iterator[Described]:
    for page in parse_report(data, name)["pages"]:
        if page["listed"]:
            yield _report_state(page, name)


def _report_state(page: Mapping[str, Any], name: str) -> Described:
    loc, lastmod, alternates = page["loc"], page["lastmod"] or "", page["alternates"]
    texts = (loc, lastmod, *alternates.values())
    if not all(isinstance(text, str) for text in texts):
        raise SitemapError(f"{name}: its record of {quoted(page['url'])} is damaged; build again")
    pairs = sorted((code.lower(), href) for code, href in alternates.items())
    return _normal(loc), State(lastmod, tuple(pairs))

"""Folders of sitemaps, read as a search engine would: from the top file down."""

import gzip
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from lxml import etree

from sitemap_plugin.errors import Problem
from sitemap_plugin.hookspecs import TransformFunction, hookimpl
from sitemap_plugin.models import Entry, Site
from sitemap_plugin.write.site import _section
from sitemap_plugin.write.sitemap import Destination, Section
from sitemap_plugin.write.sitemap import write_sitemap as _write
from sitemaps import SITEMAP, Url, read_sitemap, validate

BASE = "https://example.org/docs/"

State = dict[str, tuple[bytes, int]]


class Published(NamedTuple):
    """The sitemap of a folder: its urls, its files of urls in order, and the index's dates."""

    urls: list[Url]
    parts: list[str]
    dates: list[str | None]
    is_index: bool

    @property
    def locs(self) -> list[str]:
        return [url.loc for url in self.urls]


def published(folder: Path, filename: str = "sitemap.xml", base: str = BASE) -> Published:
    """Read the sitemap of a folder; check every file with the schema and two readers."""
    top = folder / filename
    root = etree.fromstring(top.read_bytes())
    if not validate(root):
        return Published(read_sitemap(top), [filename], [], is_index=False)
    twin = folder / f"{filename}.gz"
    if twin.exists():
        assert gzip.decompress(twin.read_bytes()) == top.read_bytes()
    children = root.findall(f"{SITEMAP}sitemap")
    dates = [child.findtext(f"{SITEMAP}lastmod") for child in children]
    locs = [child.findtext(f"{SITEMAP}loc") or "" for child in children]
    assert all(loc.startswith(base) for loc in locs)
    parts = [loc.removeprefix(base) for loc in locs]
    urls = [url for part in parts for url in read_sitemap(folder / part)]
    return Published(urls, parts, dates, is_index=True)


def state(folder: Path) -> State:
    """Return the bytes and the modification time of every file below a folder."""
    return {
        path.relative_to(folder).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def entries(count: int, start: int = 0) -> list[Entry]:
    """Make plain entries in the order of their URLs."""
    return [Entry(f"{BASE}page-{number:07}/") for number in range(start, start + count)]


class Written(NamedTuple):
    entries: int
    files: list[Path]
    problems: list[Problem]


def write_sitemap(
    sections: Mapping[str | None, Iterable[Entry]],
    *,
    news: Iterable[Entry] | None = None,
    folder: Path,
    base_url: str = BASE,
    **options: Any,
) -> Written:
    """Write a sitemap as a build does."""
    options.setdefault("keep_foreign", True)
    rest = "" if news is None and list(sections) == [None] else "pages"
    listed = [_section(name or rest, list(some)) for name, some in sections.items()]
    if news is not None:
        listed.append(Section("news", list(news), ("news",), is_repeated=True))
    target = Destination(folder=folder, base_url=base_url, **options)
    written = _write(target, listed)
    return Written(sum(len(urls) for _, urls in written.listed), written.files, written.problems)


def write(folder: Path, listed: Sequence[Entry] | Iterator[Entry], **options: Any) -> Written:
    """Write entries without sections."""
    return write_sitemap({None: listed}, folder=folder, **options)


class Editor:
    """A plugin that puts other entries in the place of the pages' own."""

    def __init__(self, listed: Sequence[Entry]) -> None:
        self._listed = listed

    @hookimpl
    def sitemap_transform(self, site: Site) -> TransformFunction:  # noqa: ARG002 - the hook's argument
        entries = iter(self._listed)
        return lambda _page, _entry: next(entries)

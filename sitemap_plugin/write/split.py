"""Which entries go into which file: sections, news, and the limits of a file."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple

from sitemap_plugin.common.clock import build_time
from sitemap_plugin.common.text import shown
from sitemap_plugin.common.urls import path_below
from sitemap_plugin.dates.parse import Lastmod, newest
from sitemap_plugin.describe.news import NEWS_NAME, is_recent
from sitemap_plugin.errors import ConfigError, Problem, WriteError
from sitemap_plugin.models import Entry, Page, Site
from sitemap_plugin.write.protocol import MAX_NEWS
from sitemap_plugin.write.xml import URLSET_END, Rendered, urlset_start

__all__ = ["NEWS", "Limits", "Part", "Sections", "name_parts", "sort_into_sections", "split_entries"]

NEWS = "news"
"""The section of news, in names of files."""

_REST = "pages"
_BATCH = 512
_loc = itemgetter(0)


class Sections(NamedTuple):
    """The entries of each section in the order of their URLs; None stands for all other pages.

    ``news`` repeats the articles that are new; it is None where the site has no news at all.
    """

    pages: Mapping[str | None, Sequence[Entry]]
    news: Sequence[Entry] | None = None


class Limits(NamedTuple):
    """What a file may have at most, and the stylesheet that it names."""

    max_urls: int
    max_bytes: int
    stylesheet: str | None


class Part(NamedTuple):
    """The bytes of one file in pieces, the URLs in it, and their newest ``lastmod``."""

    data: list[bytes]
    locs: list[str]
    newest: Lastmod | None


def sort_into_sections(site: Site, pages: Sequence[Page], entries: Sequence[Entry]) -> Sections:
    """Return what goes into which file; ``entries[i]`` belongs to ``pages[i]``.

    A page belongs to the first section whose patterns match it. Raises ConfigError for a section
    with the name that the files of news have.
    """
    news = None
    if site.config.news or any(entry.news for entry in entries):
        _check_names(site)
        now = build_time()
        news = [
            Entry(entry.loc, entry.lastmod, news=entry.news)
            for entry in sorted(entries, key=_loc)
            if entry.news and is_recent(entry.news, now)
        ]
        entries = [entry.replace(news=None) if entry.news else entry for entry in entries]
    found: dict[str | None, list[Entry]] = {name: [] for name in (*site.config.sections, None)}
    for page, entry in zip(pages, entries, strict=True):
        found[_section(site, page, entry)].append(entry)
    return Sections({name: sorted(some, key=_loc) for name, some in found.items()}, news)


def _check_names(site: Site) -> None:
    message = "the site has news, and their files are called so; choose another name"
    taken = filter(NEWS_NAME.fullmatch, site.config.sections)
    problems = [f"sections.{name}: {message}" for name in taken]
    if problems:
        raise ConfigError(problems)


def _section(site: Site, page: Page, entry: Entry) -> str | None:
    sections = site.config.sections
    if not sections:
        return None
    url_path = path_below(entry.loc, site.base_url)
    source = page.source_path
    return next((name for name, some in sections.items() if some.match(source, url_path)), None)


def name_parts(
    split: Iterable[tuple[str | None, Iterator[tuple[Part, bool]]]], filename: str, *, is_plain: bool
) -> Iterator[tuple[str | None, str, Part]]:
    """Name the parts after the sitemap: ``sitemap-blog-1.xml``, ``sitemap-2.xml``.

    With ``is_plain``, there are neither sections nor news: then a single part is the sitemap itself.
    Raises WriteError when two parts would have one name.
    """
    stem, dot, suffix = filename.rpartition(".")
    taken = set()
    for section, parts in split:
        label = "" if is_plain else f"-{_REST if section is None else section}"
        for number, (part, is_last) in enumerate(parts, start=1):
            is_only = is_last and number == 1
            name = f"{stem}{label}{'' if is_only else f'-{number}'}{dot}{suffix}"
            if name.casefold() in taken:
                raise WriteError(f"two sections would both be written to {name}; rename one")
            taken.add(name.casefold())
            yield section, name, part


def split_entries(
    rendered: Iterable[Rendered], limits: Limits, problems: list[Problem]
) -> Iterator[tuple[Part, bool]]:
    """Cut rendered entries into parts within the limits; tell of each whether it is the last.

    Both limits count exactly: all bytes before compression, namespace declarations included. An
    entry that is too large for a file of its own is left out and added to ``problems``.
    """
    part = _OpenPart(limits)
    for entry in rendered:
        if part.add(entry):
            continue
        following = _OpenPart(limits)
        if not following.add(entry):
            message = (
                f"left out of the sitemap: its entry takes {len(entry.text)} bytes, which is more "
                f"than a file of {limits.max_bytes} bytes (max_bytes) can hold"
            )
            problems.append(Problem("warning", message, shown(entry.loc)))
            continue
        yield part.finish(), False
        part = following
    if part.locs:
        yield part.finish(), True


class _OpenPart:
    """The part that is being filled."""

    def __init__(self, limits: Limits) -> None:
        self.locs: list[str] = []
        self._limits = limits
        self._texts: list[str] = []
        self._pieces: list[bytes] = []
        self._lastmods: list[Lastmod] = []
        self._size = 0
        self._prefixes: frozenset[str] = frozenset()
        self._start = urlset_start(limits.stylesheet, ())
        self._most = limits.max_urls

    def add(self, entry: Rendered) -> bool:
        """Add an entry; return False, without adding it, where it would break a limit."""
        text, loc, lastmod, prefixes = entry
        start, most = self._start, self._most
        if not prefixes <= self._prefixes:
            prefixes |= self._prefixes
            start = urlset_start(self._limits.stylesheet, prefixes)
            most = min(most, MAX_NEWS) if "news" in prefixes else most
        size = self._size + len(text)
        if len(self.locs) >= most or len(start) + size + len(URLSET_END) > self._limits.max_bytes:
            return False
        if start is not self._start:
            self._prefixes, self._start, self._most = prefixes, start, most
        self._size = size
        self.locs.append(loc)
        self._texts.append(text)
        if lastmod is not None:
            self._lastmods.append(lastmod)
        if len(self._texts) == _BATCH:
            self._encode()
        return True

    def _encode(self) -> None:
        self._pieces.append("".join(self._texts).encode("ascii"))
        self._texts.clear()

    def finish(self) -> Part:
        """Return the whole file."""
        self._encode()
        days_only = all(type(value) is dt.date for value in self._lastmods)
        last = max(self._lastmods, default=None) if days_only else newest(self._lastmods)
        return Part([self._start, *self._pieces, URLSET_END], self.locs, last)

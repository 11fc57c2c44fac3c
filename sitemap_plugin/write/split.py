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

__all__ = [
    "NEWS",
    "Limits",
    "FilePart",
    "Sections",
    "name_parts",
    "sort_into_sections",
    "split_entries",
]

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


class FilePart(NamedTuple):
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
    split: Iterable[tuple[str | None, Iterator[tuple[FilePart, bool]]]],
    filename: str,
    *,
    is_plain: bool,
) -> Iterator[tuple[str | None, str, FilePart]]:
    """Name the parts after the sitemap: ``sitemap-blog-1.xml``, ``sitemap-2.xml``.

    With ``is_plain``, there are neither sections nor news: a single part is the sitemap itself.
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
) -> Iterator[tuple[FilePart, bool]]:
    """Cut rendered entries into parts within the limits, and say which is the last.

    Both limits count exactly: all bytes before compression, namespace declarations included. An
    entry that is too large for a file of its own is left out and added to ``problems``.
    """
    part = _OpenPart(limits)
    for text, loc, lastmod, prefixes in rendered:
        part.room -= len(text)
        if part.room < 0 or part.urls == len(part.locs) or not prefixes <= part.prefixes:
            part.room += len(text)
            if not part.declare(prefixes, len(text)):
                following = _OpenPart(limits)
                if not following.declare(prefixes, len(text)):
                    problems.append(_too_large(loc, len(text), limits))
                    continue
                yield part.finish(), False
                part = following
        part.locs.append(loc)
        part.texts.append(text)
        if lastmod is not None:
            part.lastmods.append(lastmod)
        if len(part.texts) == _BATCH:
            part.encode()
    if part.locs:
        yield part.finish(), True


def _too_large(loc: str, size: int, limits: Limits) -> Problem:
    message = (
        f"left out of the sitemap: its entry takes {size} bytes, which is more than a file of "
        f"{limits.max_bytes} bytes (max_bytes) can hold"
    )
    return Problem("warning", message, shown(loc))


class _OpenPart:
    """The part that is being filled, and how many bytes and URLs it may still have."""

    def __init__(self, limits: Limits) -> None:
        self.locs: list[str] = []
        self.texts: list[str] = []
        self.lastmods: list[Lastmod] = []
        self.prefixes: frozenset[str] = frozenset()
        self.urls = limits.max_urls
        self._stylesheet = limits.stylesheet
        self._start = urlset_start(limits.stylesheet, ())
        self._pieces: list[bytes] = []
        self.room = limits.max_bytes - len(self._start) - len(URLSET_END)

    def declare(self, prefixes: frozenset[str], size: int) -> bool:
        """Declare the namespaces of an entry of this size; return False where it does not fit."""
        prefixes |= self.prefixes
        start = urlset_start(self._stylesheet, prefixes)
        room = self.room - (len(start) - len(self._start))
        urls = min(self.urls, MAX_NEWS) if NEWS in prefixes else self.urls
        if size > room or len(self.locs) >= urls:
            return False
        self.prefixes, self._start, self.room, self.urls = prefixes, start, room - size, urls
        return True

    def encode(self) -> None:
        """Turn what was added into bytes."""
        self._pieces.append("".join(self.texts).encode("ascii"))
        self.texts.clear()

    def finish(self) -> FilePart:
        """Return the whole file."""
        self.encode()
        days_only = all(type(value) is dt.date for value in self.lastmods)
        last = max(self.lastmods, default=None) if days_only else newest(self.lastmods)
        return FilePart([self._start, *self._pieces, URLSET_END], self.locs, last)

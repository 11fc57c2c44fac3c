"""Goes through sitemaps and those that an index lists, each once, and judges file by file."""

from __future__ import annotations

import datetime as dt
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol

from sitemap_plugin.commands.check.findings import FileFindings, Findings
from sitemap_plugin.commands.check.media import MediaRules
from sitemap_plugin.commands.check.values import EntryRules, Scope
from sitemap_plugin.commands.reading.faults import fault
from sitemap_plugin.commands.reading.reader import read_sitemap
from sitemap_plugin.commands.reading.sitemap_document import Document, LinkSet, ListedUrl
from sitemap_plugin.common.urls import join_url, origin
from sitemap_plugin.dates.parse import DateError, parse_w3c, sort_key
from sitemap_plugin.write.protocol import MAX_URLS

MOST_COMPARED = 1_000_000
"""Entries that are compared with each other; it takes about 300 bytes for each."""

_MOST_URLS = 20_000_000
_FEW = 2
"""So many pages may as well have changed on the same day."""

_SECONDS_A_DAY = 86_400


class Source(Protocol):
    """Where sitemaps come from: a place is a path or a URL."""

    def read(self, place: str, found: FileFindings) -> bytes:
        """Return what is there; raises OSError, whose ``strerror`` says why it cannot."""

    def locate(self, url: str) -> str | None:
        """Return the place of a sitemap that an index lists."""

    def is_missing(self, url: str) -> bool:
        """Tell whether an address without a place should have one."""


class Row(NamedTuple):
    """What is remembered of an entry."""

    loc: str
    line: int
    links: LinkSet
    is_news: bool


class SitemapFile:
    """A sitemap, or an index, that was read, and what has to be known of it later."""

    def __init__(self, place: str, url: str | None, found: FileFindings) -> None:
        self.place, self.url, self.found = place, url, found
        self.document = Document()
        self.rows: list[Row] = []
        self.children: list[ListedUrl] = []
        self.dates: Counter[str] = Counter()
        self.first_dated = 0
        self.group = self

    def root(self) -> SitemapFile:
        """Return the file that stands for all that are listed together."""
        while self.group is not self:
            self = self.group  # noqa: PLW0642 - a step up
        return self


class Sitemaps:
    """The sitemaps of one check.

    ``complete`` turns false when one of them could not be read to its end. ``distinct`` counts the
    addresses, each once, as far as they were compared. ``site`` is the origin that sitemaps without
    a known address of their own list.
    """

    def __init__(
        self,
        source: Source,
        findings: Findings,
        now: dt.datetime,
        *,
        local: bool = False,
        site: str | None = None,
    ) -> None:
        self.files: dict[str, SitemapFile] = {}
        self.complete = True
        self.urls = self.distinct = self._compared = 0
        self._source, self._findings, self._now = source, findings, now
        self._local, self._unknown = local, Scope(site)
        self._lists: list[tuple[SitemapFile, ListedUrl, SitemapFile]] = []

    @property
    def is_ours(self) -> bool:
        """Whether this package wrote all of them."""
        documents = [file.document for file in self.files.values()]
        return all(document.is_ours or document.kind == "text" for document in documents)

    def read(self, place: str, url: str | None, *, free: bool = False) -> None:
        """Read a sitemap that stands by itself, and what it lists.

        ``url`` is its address, None if unknown; ``free`` lets it list addresses outside its folder.
        Raises OSError when it cannot be read.
        """
        if place in self.files:
            return
        waiting = deque([self._read(place, url, free=free)])
        while waiting:
            index = waiting.popleft()
            for child, child_place in self._located(index):
                if child_place not in self.files:
                    if self.urls > _MOST_URLS:
                        self.complete = False
                        index.found.add(fault("not-read.index", limit=self.urls), child.line)
                        return
                    try:
                        waiting.append(self._read(child_place, child.loc, free=free))
                    except OSError as error:
                        self.complete = False
                        unreadable = fault("unreadable.listed", reason=str(error.strerror))
                        index.found.add(unreadable, child.line, child.loc)
                        continue
                self._lists.append((index, child, self.files[child_place]))

    def _read(self, place: str, url: str | None, *, free: bool) -> SitemapFile:
        found = self._findings.for_file(place)
        data = self._source.read(place, found)
        file = self.files[place] = SitemapFile(place, url, found)
        document = file.document = read_sitemap(data, (url or place).rpartition("/")[2])
        self.complete = self.complete and document.complete and document.kind is not None
        for note in document.notes:
            found.add(*note)
        _judge_size(file)
        scope = Scope(origin(url), None if free else join_url(url, ".")) if url else self._unknown
        self._judge_entries(file, scope)
        if document.kind == "index":
            file.children = _without_repeated(file)
        else:
            self._remember(file)
        document.entries = []
        return file

    def _judge_entries(self, file: SitemapFile, scope: Scope) -> None:
        in_index = file.document.kind == "index"
        rules = EntryRules(scope, self._now, local=self._local, in_index=in_index)
        media, found, dates = MediaRules(self._now), file.found, file.dates
        for entry in file.document.entries:
            for faulty in rules.faults(entry):
                found.add(faulty, entry.line, entry.loc)
            if entry.lastmod:
                file.first_dated = file.first_dated or entry.line
                dates[entry.lastmod] += 1
            if entry.media:
                for faulty, line in media.faults(entry.media, entry.loc):
                    found.add(faulty, line, entry.loc)

    def _remember(self, file: SitemapFile) -> None:
        """Keep what the comparison of all entries takes, as far as there is room for it."""
        entries = file.document.entries
        self.urls += len(entries)
        if self._compared > MOST_COMPARED:
            file.found.add(fault("not-compared", count=self._compared))
            self.distinct += len(entries)
            return
        self._compared += len(entries)
        for line, loc, *_, links, media in entries:
            if loc:
                is_news = bool(media) and any(item.kind == "news" for item in media)
                file.rows.append(Row(loc, line, links, is_news))

    def _located(self, index: SitemapFile) -> Iterator[tuple[ListedUrl, str]]:
        """Yield the sitemaps of an index with their places."""
        unknown = 0
        for child in index.children:
            place = self._source.locate(child.loc or "")
            if place:
                yield child, place
                continue
            self.complete = False
            if self._source.is_missing(child.loc or ""):
                index.found.add(fault("index-child-missing"), child.line, child.loc)
            else:
                unknown += 1
        if unknown:
            verb = "was" if unknown == 1 else "were"
            index.found.add(fault("index-not-followed", count=unknown, verb=verb))

    def judge(self) -> None:
        """Judge what takes all of them to be judged: indexes within indexes, and dates."""
        for index, child, file in self._lists:
            file.root().group = index.root()
            if file.document.kind == "index":
                code = "index-nested.self" if file is index else "index-nested"
                index.found.add(fault(code), child.line, child.loc)
            elif child.lastmod and _is_later_than(file.dates, child.lastmod):
                old = fault("index-lastmod-old", value=child.lastmod)
                index.found.add(old, child.line, child.loc)
        self._judge_same_dates()

    def _judge_same_dates(self) -> None:
        """Record that all dates are the same, since then they usually are the day of the build."""
        groups: dict[SitemapFile, list[SitemapFile]] = {}
        for file in self.files.values():
            if file.document.kind == "urlset" and file.dates and not file.document.is_ours:
                groups.setdefault(file.root(), []).append(file)
        for files in groups.values():
            value, *others = set().union(*(file.dates for file in files))
            count = sum(file.dates.total() for file in files)
            if not others and count > _FEW and _moment(value) is not None:
                same = fault("lastmod-identical", count=count, value=value)
                files[0].found.add(same, files[0].first_dated)


def _without_repeated(file: SitemapFile) -> list[ListedUrl]:
    """Return the sitemaps that an index lists, each once."""
    children: dict[str, ListedUrl] = {}
    for child in file.document.entries:
        if child.loc and (first := children.setdefault(child.loc, child)) is not child:
            file.found.add(fault("loc-duplicate.index", line=first.line), child.line, child.loc)
    return list(children.values())


def _judge_size(file: SitemapFile) -> None:
    """Record that a file lists too much or nothing."""
    document, number = file.document, len(file.document.entries)
    if document.kind is None or (not document.complete and not document.cut):
        return
    if number > MAX_URLS:
        code = "too-many-sitemaps" if document.kind == "index" else "too-many-urls"
        count = f"{'more than ' * document.cut}{number:,}"
        file.found.add(fault(code, count=count, limit=MAX_URLS))
    elif not number:
        file.found.add(fault("empty"))


def _is_later_than(dates: Iterable[str], than: str) -> bool:
    """Tell whether one of some W3C Datetimes is later than another, however precise they are."""
    try:
        value, granularity = parse_w3c(than)
    except DateError:
        return False
    own, step = sort_key(value)[0], _SECONDS_A_DAY if granularity == "day" else 1e-6
    for date in dates:
        # Most are older by their first letters, which are quicker to compare.
        if date[:10] < than[:10] or (moment := _moment(date)) is None:
            continue
        is_rough = granularity in {"year", "month"}
        if date[: len(than)] > than if is_rough else moment - own >= step:
            return True
    return False


def _moment(text: str) -> float | None:
    try:
        return sort_key(parse_w3c(text)[0])[0]
    except DateError:
        return None

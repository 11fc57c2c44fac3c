"""Goes through sitemaps and those that an index lists, each once, and judges file by file."""

from __future__ import annotations

import datetime as dt
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple, Protocol

from sitemap_plugin.commands.check.findings import FileFindings, Findings
from sitemap_plugin.commands.check.media import MediaRules
from sitemap_plugin.commands.check.values import EntryRules, Scope, place_fault
from sitemap_plugin.commands.reading.document import Document, LinkSet, ListedUrl
from sitemap_plugin.commands.reading.quoting import quote
from sitemap_plugin.commands.reading.reader import read_sitemap
from sitemap_plugin.common.urls import join_url, origin
from sitemap_plugin.dates.parse import DateError, parse_w3c, sort_key
from sitemap_plugin.write.protocol import MAX_URLS

__all__ = ["MOST_COMPARED", "Row", "SitemapFile", "Sitemaps", "Source"]

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
        self.count = 0
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
    addresses, each once, as far as they were compared.
    """

    def __init__(
        self, source: Source, findings: Findings, now: dt.datetime, *, local: bool = False
    ) -> None:
        self.files: dict[str, SitemapFile] = {}
        self.complete = True
        self.urls = self.distinct = self._compared = 0
        self._source, self._findings, self._now = source, findings, now
        self._rules = EntryRules(now, local=local)
        self._lists: list[tuple[SitemapFile, ListedUrl, SitemapFile]] = []

    @property
    def is_ours(self) -> bool:
        """Whether this package wrote all of them."""
        return all(
            file.document.is_ours or file.document.kind == "text" for file in self.files.values()
        )

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
                        message = f"Nothing was read after the first {self.urls:,} addresses."
                        cure = "Check the sitemaps of the index one by one."
                        index.found.add("not-read", message, cure, line=child.line)
                        return
                    try:
                        waiting.append(self._read(child_place, child.loc, free=free))
                    except OSError as error:
                        self.complete = False
                        message = f"The sitemap cannot be read: {error.strerror}."
                        cure = "Make sure that everybody may read it."
                        at = {"line": child.line, "url": child.loc}
                        index.found.add("unreadable", message, cure, **at)  # type: ignore[arg-type]
                        continue
                self._lists.append((index, child, self.files[child_place]))

    def _read(self, place: str, url: str | None, *, free: bool) -> SitemapFile:
        found = self._findings.for_file(place)
        data = self._source.read(place, found)
        file = self.files[place] = SitemapFile(place, url, found)
        document = file.document = read_sitemap(data, (url or place).rpartition("/")[2])
        self.complete = self.complete and document.complete and document.kind is not None
        for note in document.notes:
            found.add_fault(note.fault, line=note.line, url=note.url)
        file.count = len(document.entries)
        _judge_size(file)
        scope = Scope(origin(url), None if free else join_url(url, ".")) if url else Scope()
        self._judge_entries(file, scope)
        if document.kind == "index":
            file.children = _without_repeated(file)
        document.entries = []
        return file

    def _judge_entries(self, file: SitemapFile, scope: Scope) -> None:
        found, is_index = file.found, file.document.kind == "index"
        media = MediaRules(found, self._now)
        for entry in file.document.entries:
            for fault in self._rules.faults(entry, scope, in_index=is_index):
                found.add_fault(fault, line=entry.line, url=entry.loc)
            if entry.lastmod:
                file.first_dated = file.first_dated or entry.line
                file.dates[entry.lastmod] += 1
            if entry.media:
                media.judge(entry.media, entry.loc)
        self._rules.forget()
        if is_index:
            return
        self.urls += file.count
        if self._compared > MOST_COMPARED:
            message = f"Only the first {self._compared:,} entries were compared with each other."
            found.add("not-compared", message, "Check parts of the site one by one.")
            self.distinct += file.count
            return
        self._compared += file.count
        file.rows = [
            Row(
                entry.loc, entry.line, entry.links, any(item.kind == "news" for item in entry.media)
            )
            for entry in file.document.entries
            if entry.loc
        ]

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
                message = "There is no file behind the address of the sitemap."
                cure = "Remove the entry, or write the sitemap."
                index.found.add(
                    "index-child-missing", message, cure, line=child.line, url=child.loc
                )
            else:
                unknown += 1
        if unknown:
            verb = "was" if unknown == 1 else "were"
            message = (
                f"{unknown:,} of the sitemaps in the index {verb} not found here, nor checked."
            )
            cure = "Give --base-url, the address of the index's folder, or check them one by one."
            index.found.add("index-not-followed", message, cure)

    def judge(self) -> None:
        """Judge what takes all of them to be judged: indexes within indexes, and dates."""
        for index, child, file in self._lists:
            file.root().group = index.root()
            if file.document.kind == "index":
                message = "The index lists another index."
                cure = "List the sitemaps of that index in this one."
                index.found.add("index-nested", message, cure, line=child.line, url=child.loc)
            elif child.lastmod and _is_later_than(file.dates, child.lastmod):
                message = f"The date {quote(child.lastmod)} is older than those of the entries."
                cure = "Write the newest date of its entries."
                index.found.add("index-lastmod-old", message, cure, line=child.line, url=child.loc)
        self._judge_same_dates()
        if any(file.url is None for file in self.files.values()):
            self._judge_origins()

    def _judge_same_dates(self) -> None:
        """Record that all dates are the same, since then they usually are the day of the build."""
        groups: dict[SitemapFile, list[SitemapFile]] = {}
        for file in self.files.values():
            if file.document.kind == "urlset" and file.dates and not file.document.is_ours:
                groups.setdefault(file.root(), []).append(file)
        for files in groups.values():
            dates = set().union(*(file.dates for file in files))
            count = sum(file.dates.total() for file in files)
            if len(dates) == 1 and count > _FEW and _moment(min(dates)) is not None:
                message = f"All {count:,} dates of change are {quote(min(dates))}."
                cure = "Write the day on which each page changed, or leave lastmod out."
                files[0].found.add("lastmod-identical", message, cure, line=files[0].first_dated)

    @property
    def most_common_origin(self) -> str:
        """The site that most addresses are on, where nobody has said which it should be."""
        counts = Counter(
            own for file in self.files.values() for row in file.rows if (own := _origin(row.loc))
        )
        return max(counts, key=counts.__getitem__) if counts else ""

    def _judge_origins(self) -> None:
        scope = Scope(self.most_common_origin)
        for file in self.files.values():
            for row in file.rows if file.url is None else ():
                own = _origin(row.loc)
                if own and own != scope.origin and (fault := place_fault(row.loc, scope)):
                    file.found.add_fault(fault, line=row.line, url=row.loc)


def _origin(url: str) -> str | None:
    # A path may hold anything, and most addresses begin alike.
    return _origin_of_host("/".join(url.split("/", 3)[:3]))


@lru_cache(maxsize=1024)
def _origin_of_host(url: str) -> str | None:
    try:
        return origin(url)
    except ValueError:
        return None


def _without_repeated(file: SitemapFile) -> list[ListedUrl]:
    """Return the sitemaps that an index lists, each once."""
    children: dict[str, ListedUrl] = {}
    for child in file.document.entries:
        if child.loc and children.setdefault(child.loc, child) is not child:
            message = f"The sitemap is listed on line {children[child.loc].line} already."
            at = {"line": child.line, "url": child.loc}
            file.found.add("loc-duplicate", message, "Remove one entry.", **at)  # type: ignore[arg-type]
    return list(children.values())


def _judge_size(file: SitemapFile) -> None:
    """Record that a file lists too much or nothing."""
    document = file.document
    if document.kind is None or (not document.complete and not document.cut):
        return
    count = f"{'more than ' if document.cut else ''}{file.count:,}"
    if document.kind == "index" and file.count > MAX_URLS:
        message = f"The index lists {count} sitemaps; {MAX_URLS:,} are allowed."
        file.found.add("too-many-sitemaps", message, "Write larger sitemaps, or several indexes.")
    elif file.count > MAX_URLS:
        message = f"The file lists {count} addresses; {MAX_URLS:,} are allowed."
        cure = "Split it into several sitemaps and list them in an index."
        file.found.add("too-many-urls", message, cure)
    elif not file.count:
        cure = "List at least one page, or remove the file."
        file.found.add("empty", "The file lists nothing.", cure)


def _is_later_than(dates: Iterable[str], than: str) -> bool:
    """Tell whether one of some W3C Datetimes is later than another, however precise they are."""
    try:
        value, granularity = parse_w3c(than)
    except DateError:
        return False
    own = sort_key(value)[0]
    # Most are older by their first letters, which are quicker to compare.
    for date in dates:
        if date[:10] < than[:10]:
            continue
        moment = _moment(date)
        if moment is None:
            continue
        if granularity in {"year", "month"}:
            if date[: len(than)] > than:
                return True
        elif moment - own >= (_SECONDS_A_DAY if granularity == "day" else 1e-6):
            return True
    return False


def _moment(text: str) -> float | None:
    try:
        return sort_key(parse_w3c(text)[0])[0]
    except DateError:
        return None

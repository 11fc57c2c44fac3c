"""Goes through sitemaps and those that an index lists, each once, and judges file by file."""

import datetime as dt
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from sitemap_plugin.commands.check.findings import Add, Findings, display
from sitemap_plugin.commands.check.media import MediaRules
from sitemap_plugin.commands.check.site import CheckedSite
from sitemap_plugin.commands.check.values import EntryRules
from sitemap_plugin.commands.reading.faults import Fault, fault
from sitemap_plugin.commands.reading.reader import read_sitemap
from sitemap_plugin.commands.reading.sitemap_document import Document, LinkSet, ListedUrl
from sitemap_plugin.common.urls import join_url
from sitemap_plugin.dates.parse import parse_w3c, sort_key
from sitemap_plugin.errors import or_none
from sitemap_plugin.write.protocol import MAX_URLS

MOST_COMPARED = 1_000_000  # Entries that are compared with each other; about 300 bytes for each.
_MOST_URLS = 20_000_000
_FEW = 2  # So many pages may as well have changed on the same day.
_SECONDS_A_DAY = 86_400


class Row(NamedTuple):
    """What is remembered of an entry."""

    file: "SitemapFile"
    line: int
    loc: str
    links: LinkSet
    is_news: bool

    def add(self, found: Fault) -> None:
        """Record what is wrong with the entry."""
        self.file.add(found, self.line, self.loc)


class SitemapFile:
    """A sitemap or an index; ``group`` stands for all files that are listed together."""

    def __init__(self, place: str, url: str | None, add: Add) -> None:
        self.place, self.url, self.add, self.name = place, url, add, display(place)
        self.document = Document()
        self.rows: list[Row] = []
        self.dates: Counter[str] = Counter()
        self.first_dated = 0
        self.group = self


class Sitemaps:
    """The sitemaps of one check."""

    def __init__(self, site: CheckedSite, findings: Findings, now: dt.datetime) -> None:
        self.files: dict[str, SitemapFile] = {}
        self.complete = True  # Until one of them cannot be read to its end.
        # `distinct` counts addresses once, as far as they are compared.
        self.urls = self.distinct = self._compared = 0
        self._site, self._findings, self._now = site, findings, now
        self._lists: list[tuple[SitemapFile, ListedUrl, SitemapFile]] = []

    def read(self, place: str, url: str | None, *, free: bool = False) -> None:
        """Read a sitemap that stands by itself, and what it lists; raise OSError.

        ``url`` is its address, None if unknown; ``free`` lets it list addresses outside its folder.
        """
        waiting = [self._read(place, url, free=free)]
        for index in waiting:  # It grows meanwhile.
            for child, child_place in self._located(index):
                if child_place not in self.files:
                    if self.urls > _MOST_URLS:
                        self.complete = False
                        index.add(fault("not-read.index", limit=self.urls), child.line)
                        return
                    try:
                        waiting.append(self._read(child_place, child.loc, free=free))
                    except OSError as error:
                        self.complete = False
                        unreadable = fault("unreadable.listed", reason=str(error.strerror))
                        index.add(unreadable, child.line, child.loc)
                        continue
                self._lists.append((index, child, self.files[child_place]))

    def _read(self, place: str, url: str | None, *, free: bool) -> SitemapFile:
        add = self._findings.at(place)
        data = self._site.read(place, add)
        file = self.files[place] = SitemapFile(place, url, add)
        document = file.document = read_sitemap(data, (url or place).rpartition("/")[2])
        self.complete &= document.complete and document.kind is not None
        for note in document.notes:
            add(*note)
        _judge_size(file)
        self._judge_entries(file, join_url(url, "/" if free else ".") if url else self._site.root)
        if document.kind == "index":
            document.entries = _without_repeated(file)
        else:
            self._remember(file)
            document.entries = []
        return file

    def _judge_entries(self, file: SitemapFile, folder: str) -> None:
        in_index = file.document.kind == "index"
        rules = EntryRules(folder, self._now, local=self._site.is_local, in_index=in_index)
        media, dates = MediaRules(self._now), file.dates
        for entry in file.document.entries:
            for faulty in rules.faults(entry):
                file.add(faulty, entry.line, entry.loc)
            if entry.lastmod:
                file.first_dated = file.first_dated or entry.line
                dates[entry.lastmod] += 1
            if entry.media:
                for faulty, line in media.faults(entry.media, entry.loc):
                    file.add(faulty, line, entry.loc)

    def _remember(self, file: SitemapFile) -> None:
        """Keep what the comparison of all entries takes, as far as there is room for it."""
        entries = file.document.entries
        self.urls += len(entries)
        if self._compared > MOST_COMPARED:
            file.add(fault("not-compared", count=self._compared))
            self.distinct += len(entries)
            return
        self._compared += len(entries)
        for line, loc, *_, links, media in entries:
            if loc:
                is_news = bool(media) and any(item.kind == "news" for item in media)
                file.rows.append(Row(file, line, loc, links, is_news))

    def _located(self, index: SitemapFile) -> Iterator[tuple[ListedUrl, str]]:
        """Yield the sitemaps of an index with their places."""
        unknown = 0
        for child in index.document.entries:
            if place := self._site.locate(child.loc or ""):
                yield child, place
                continue
            self.complete = False
            if self._site.is_missing(child.loc or ""):
                index.add(fault("index-child-missing"), child.line, child.loc)
            else:
                unknown += 1
        if unknown:
            index.add(fault("index-not-followed", count=unknown))

    def judge(self) -> None:
        """Judge what takes all of them to be judged: indexes within indexes, and dates."""
        for index, child, file in self._lists:
            file.group = index.group
            if file.document.kind == "index":
                code = "index-nested.self" if file is index else "index-nested"
                index.add(fault(code), child.line, child.loc)
            elif child.lastmod and _is_older(child.lastmod, file.dates):
                index.add(fault("index-lastmod-old", value=child.lastmod), child.line, child.loc)
        self._judge_same_dates()

    def _judge_same_dates(self) -> None:
        """Record that all dates are the same, since then they usually are the day of the build."""
        groups: dict[SitemapFile, list[SitemapFile]] = {}
        for file in self.files.values():
            if file.document.kind == "urlset" and file.dates and not file.document.is_ours:
                groups.setdefault(file.group, []).append(file)
        for files in groups.values():
            value, *others = set().union(*(file.dates for file in files))
            count = sum(file.dates.total() for file in files)
            if not others and count > _FEW and _moment(value) is not None:
                same = fault("lastmod-identical", count=count, value=value)
                files[0].add(same, files[0].first_dated)


def _without_repeated(file: SitemapFile) -> list[ListedUrl]:
    """Return the sitemaps that an index lists, each once."""
    children: dict[str, ListedUrl] = {}
    for child in file.document.entries:
        if child.loc and (first := children.setdefault(child.loc, child)) is not child:
            file.add(fault("loc-duplicate.index", line=first.line), child.line, child.loc)
    return list(children.values())


def _judge_size(file: SitemapFile) -> None:
    """Record that a file lists too much or nothing."""
    document, number = file.document, len(file.document.entries)
    if document.kind is None or (not document.complete and not document.cut):
        return
    if number > MAX_URLS:
        code = "too-many-sitemaps" if document.kind == "index" else "too-many-urls"
        count = f"{'more than ' * document.cut}{number:,}"
        file.add(fault(code, count=count, limit=MAX_URLS))
    elif not number:
        file.add(fault("empty"))


def _is_older(text: str, dates: Counter[str]) -> bool:
    """Tell whether a date is older than one of others; by a day at least, if it is no moment."""
    own, step = _moment(text), 1e-6 if "T" in text else _SECONDS_A_DAY
    if own is None or len(text) < len("2024-05-01"):
        return False
    # Most are older by their first letters, which are quicker to compare.
    newer = (_moment(date) for date in dates if date[:10] >= text[:10])
    return any(moment is not None and moment - own >= step for moment in newer)


def _moment(text: str) -> float | None:
    date = or_none(parse_w3c, text)
    return sort_key(date.value)[0] if date else None

"""Goes through sitemaps, those that an index lists included, and has every part of them judged."""

from __future__ import annotations

import datetime as dt
import os
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path

from sitemap_plugin.commands.check.batch import Batch
from sitemap_plugin.commands.check.chronology import Dates
from sitemap_plugin.commands.check.document import Document
from sitemap_plugin.commands.check.entries import EntryRules
from sitemap_plugin.commands.check.findings import FileFindings, Findings
from sitemap_plugin.commands.check.index import Child, Children, as_child_fault
from sitemap_plugin.commands.check.listing import Listing
from sitemap_plugin.commands.check.locations import Scope
from sitemap_plugin.commands.check.media import MediaRules
from sitemap_plugin.commands.check.origins import Origins
from sitemap_plugin.commands.check.twins import compare_twin
from sitemap_plugin.common.urls import join_url, origin
from sitemap_plugin.write.protocol import MAX_URLS

__all__ = ["Inspection"]

_MOST_URLS = 20_000_000


class Inspection:
    """One check: how far it has come, and what it needs to know of its surroundings.

    ``locate`` returns the file of a sitemap that an index lists, or None; ``is_missing`` then tells
    whether it should have one. ``is_free`` tells whether a sitemap may list addresses outside its
    folder; ``judge_pages`` looks at the pages of some entries. ``checked`` are the sitemaps whose
    addresses are known; ``complete`` turns false when one of them could not be read to its end,
    ``is_ours`` when one of them was not written by this package.
    """

    def __init__(self, findings: Findings, now: dt.datetime) -> None:
        self.findings = findings
        self.files = self.urls = 0
        self.complete = True
        self.is_ours = True
        self.checked: dict[str, Path] = {}
        self.origins = Origins()
        self.listing = Listing()
        self.locate: Callable[[str], Path | None] = lambda _url: None
        self.is_missing: Callable[[str], bool] = lambda _url: False
        self.is_free: Callable[[str], bool] = lambda _url: False
        self.judge_pages: Callable[[Batch, FileFindings], None] = lambda _batch, _found: None
        self._now = now
        self._rules = EntryRules(now, self.origins)
        self._seen: set[str] = set()

    def check(self, path: Path, url: str | None) -> None:
        """Check a sitemap that stands by itself; ``url`` is its address, None if that is unknown.

        Raises OSError when it cannot be read.
        """
        self.listing.begin_sitemap()
        dates = Dates()
        free = url is not None and self.is_free(url)
        children = self._read(path, url, dates, None, free=free)
        waiting = deque(self._located(children))
        while waiting:
            child, path = waiting.popleft()
            if self.urls > _MOST_URLS:
                message = f"Nothing was read after the first {self.urls:,} addresses."
                child.add("not-read", message, "Check the sitemaps of the index one by one.")
                self.complete = False
                break
            try:
                children = self._read(path, child.url, dates, child, free=free)
            except OSError as error:
                message = f"The sitemap cannot be read: {error.strerror}."
                child.add("unreadable", message, "Make it readable for the user who checks.")
                self.complete = False
            else:
                waiting.extend(self._located(children))
        dates.judge()

    def _read(
        self, path: Path, url: str | None, dates: Dates, child: Child | None, *, free: bool
    ) -> Children:
        """Check one file, and return the sitemaps that it lists if it is an index."""
        found = self.findings.for_file(path)
        real = os.path.realpath(path)
        if real in self._seen:
            return Children(found)
        self._seen.add(real)
        document = Document(path, found)
        children = self._judge_batches(document, found, _scope(url, free=free), dates, child)
        self.files += 1
        self.complete = self.complete and document.complete and document.kind is not None
        self.is_ours = self.is_ours and (document.is_ours or document.kind == "text")
        if url:
            self.checked[url] = path
        _judge_size(document, found)
        compare_twin(path, self.findings)
        if child and document.kind == "index":
            message = "The index lists another index."
            child.add("index-nested", message, "List the sitemaps of that index in this one.")
        return children

    def _judge_batches(
        self,
        document: Document,
        found: FileFindings,
        scope: Scope,
        dates: Dates,
        child: Child | None,
    ) -> Children:
        children, media = Children(found), MediaRules(found, self._now)
        self.listing.begin_file(found)
        for batch in document.batches():
            if document.kind == "index":
                self._rules.judge_addresses(batch, found, scope, as_child_fault)
                self._rules.judge_lastmods(batch, found)
                children.add(batch)
                continue
            self._judge(batch, found, scope)
            for medium in batch.media:
                media.judge(medium)
            if not document.is_ours:
                dates.add(batch, found)
            if child:
                child.judge_dates(batch)
        self._rules.forget()
        return children

    def _judge(self, batch: Batch, found: FileFindings, scope: Scope) -> None:
        self.urls += len(batch.locs)
        self._rules.judge(batch, found, scope)
        self.listing.add(batch)
        self.judge_pages(batch, found)

    def _located(self, children: Children) -> Iterator[tuple[Child, Path]]:
        """Yield the sitemaps of an index with their files."""
        unknown = 0
        for child in children:
            path = self.locate(child.url)
            if path:
                yield child, path
                continue
            self.complete = False
            if self.is_missing(child.url):
                message = "There is no file behind the address of the sitemap."
                child.add("index-child-missing", message, "Remove the entry, or write the sitemap.")
            else:
                unknown += 1
        if unknown:
            children.add_unknown(unknown)


def _scope(url: str | None, *, free: bool) -> Scope:
    if url is None:
        return Scope()
    return Scope(origin(url), None if free else join_url(url, "."))


def _judge_size(document: Document, found: FileFindings) -> None:
    """Record that a file lists too much or nothing."""
    if document.kind is None or (not document.complete and not document.cut):
        return
    count = f"{'more than ' if document.cut else ''}{document.count:,}"
    if document.kind == "index" and document.count > MAX_URLS:
        message = f"The index lists {count} sitemaps; {MAX_URLS:,} are allowed."
        found.add("too-many-sitemaps", message, "Write larger sitemaps, or several indexes.")
    elif document.count > MAX_URLS:
        message = f"The file lists {count} addresses; {MAX_URLS:,} are allowed."
        cure = "Split it into several sitemaps and list them in an index."
        found.add("too-many-urls", message, cure)
    elif not document.count:
        found.add("empty", "The file lists nothing.", "List at least one page, or remove the file.")

"""Check a site as it is published: robots.txt, the sitemaps, and a sample of the pages."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple, TypeVar

from sitemap_plugin.commands.check.findings import FileFindings, Findings
from sitemap_plugin.commands.check.folder import Folder
from sitemap_plugin.commands.check.listing import Listed, Surroundings, judge_links, list_urls
from sitemap_plugin.commands.check.llms import LLMS_LIMIT, judge_llms
from sitemap_plugin.commands.check.outcome import Outcome
from sitemap_plugin.commands.check.pages import FoundPage, Pages, is_noindex, noindex_fault
from sitemap_plugin.commands.check.sitemap_lines import SitemapLines
from sitemap_plugin.commands.check.sitemaps import Sitemaps
from sitemap_plugin.commands.check.values import lower_first
from sitemap_plugin.commands.reading.content import READ_LIMIT
from sitemap_plugin.commands.reading.document import Fault
from sitemap_plugin.commands.reading.quoting import quote
from sitemap_plugin.commands.web.client import AGENT, Answer, FetchError, Patience, check_url, fetch
from sitemap_plugin.common.robots import GOOGLE_LIMIT, Robots
from sitemap_plugin.common.text import counted, shown
from sitemap_plugin.common.urls import is_below, is_local_host, join_url, origin, same_page
from sitemap_plugin.html import parse_head

__all__ = ["Visit", "check_published"]

_PAGE_LIMIT = 1 << 20
_MOST_SITEMAPS = 2000
_MOST_FAILURES = 5
_GONE = frozenset({404, 410})
_HTML = ("text/html", "application/xhtml+xml")
_SITEMAP_SUFFIXES = (".xml", ".xml.gz", ".txt", ".txt.gz")

Item = TypeVar("Item")


class Visit(NamedTuple):
    """How to go through a site: how many pages (None for all), and how slowly.

    ``delay`` is the time in seconds between two requests, ``tell`` is given the progress.
    """

    sample: int | None = 100
    delay: float = 0.1
    patience: Patience = Patience(timeout=10, retries=1, longest_wait=30)
    tell: Callable[[str], None] = lambda _text: None


class _Server:
    """The server of one site; it is a source of sitemaps, whose places are URLs.

    Only one host is asked, and it is asked no more when it has failed several times in a row.
    """

    def __init__(self, base_url: str, visit: Visit) -> None:
        self.notes: list[str] = []
        self.own_rules = Robots()
        self._origin, self._visit = origin(base_url), visit
        self._pages: dict[str, FoundPage] = {}
        self._asked = self._failures = self._sitemaps = 0
        self.page_count = 0

    def get(self, url: str, limit: int) -> Answer:
        """Return an answer; raises FetchError."""
        if self._failures >= _MOST_FAILURES:
            raise FetchError(f"the server has failed {_MOST_FAILURES} times in a row")
        if self._asked:
            self._visit.patience.sleep(self._visit.delay)
        self._asked += 1
        try:
            answer = fetch(url, limit=limit, patience=self._visit.patience, judge=self._refuse)
        except FetchError as error:
            self._failures += error.passing
            raise
        self._failures = 0
        return answer

    def _refuse(self, url: str) -> str | None:
        if origin(url) != self._origin:
            return f"it is on another host than {self._origin}, and is not fetched"
        rule = None if url.endswith("/robots.txt") else self.own_rules.rule_for(url, AGENT)
        return f"robots.txt forbids to fetch it by 'Disallow: {shown(rule, 100)}'" if rule else None

    def is_own(self, url: str) -> bool:
        """Tell whether an address is on the same host."""
        try:
            return origin(url) == self._origin
        except ValueError:
            return False

    def read(self, place: str, found: FileFindings) -> bytes:
        """Return a sitemap, and judge how it is served."""
        self._sitemaps += 1
        self._visit.tell(f"reading {counted(self._sitemaps, 'sitemap')}")
        try:
            answer = self.get(place, READ_LIMIT)
        except FetchError as error:
            raise OSError(None, str(error)) from error
        self.notes.append(_describe(place, answer))
        if answer.status != HTTPStatus.OK:
            raise OSError(None, f"the server answers {answer.status} {shown(answer.reason, 60)}")
        if answer.hops:
            message = f"The sitemap is served from {quote(answer.url)}, by a redirect."
            cure = "Name that address, in robots.txt and in the index."
            found.add("sitemap-redirect", message, cure, url=place)
        kind = (answer.headers.get("Content-Type") or "").partition(";")[0].strip().lower()
        if kind in _HTML:
            message = f"The sitemap is served as {quote(kind)}, the type of web pages."
            cure = "Let the server send application/xml, or text/plain for a text sitemap."
            found.add("sitemap-content-type", message, cure, url=place)
        # A server may unpack what it serves, so that the name says more than the content.
        return answer.body

    def locate(self, url: str) -> str | None:
        """Return the address of a sitemap if it may be fetched."""
        return url if self.is_own(url) and self._sitemaps < _MOST_SITEMAPS else None

    def is_missing(self, _url: str) -> bool:
        """Tell nothing: a sitemap is fetched to find that out."""
        return False

    def look(self, url: str) -> FoundPage:
        """Fetch a page, once."""
        key = url.partition("#")[0]
        if key not in self._pages:
            self._pages[key] = self._fetch_page(key)
        return self._pages[key]

    def was_seen(self, url: str) -> FoundPage:
        """Return a page that was fetched, or an unknown one."""
        return self._pages.get(url.partition("#")[0], FoundPage())

    def is_gone(self, url: str) -> bool:
        """Tell whether an address was fetched and nothing is behind it."""
        fault = self.was_seen(url).fault
        return fault is not None and fault.code == "page-missing"

    def _fetch_page(self, url: str) -> FoundPage:
        self.page_count += 1
        try:
            answer = self.get(url, _PAGE_LIMIT)
        except FetchError as error:
            message = f"The page cannot be fetched: {shown(str(error), 300)}."
            cure = "Open it in a browser; make sure that everybody may read it."
            return FoundPage(fault=Fault("page-status", message, cure))
        fault = _answer_fault(url, answer)
        kind = (answer.headers.get("Content-Type") or "").partition(";")[0].strip().lower()
        head = parse_head(answer.body) if not fault and kind in ("", *_HTML) else None
        return FoundPage(answer.url, head, fault)


def _answer_fault(url: str, answer: Answer) -> Fault | None:
    if answer.status in _GONE:
        message = f"The server answers {answer.status}: there is no such page."
        return Fault("page-missing", message, "Remove the entry, or publish the page.")
    if answer.status != HTTPStatus.OK:
        message = f"The server answers {answer.status} {shown(answer.reason, 60)}.".replace(
            " .", "."
        )
        return Fault(
            "page-status", message, "Make the server deliver the page, or remove the entry."
        )
    if answer.hops and not same_page(answer.url, url):
        status = answer.hops[0][0]
        message = f"The server redirects ({status}) to {quote(answer.url)}."
        return Fault("page-redirect", message, "List that address instead.")
    if is_noindex(answer.headers.get("X-Robots-Tag")):
        return noindex_fault("server's X-Robots-Tag")
    return None


def _describe(url: str, answer: Answer) -> str:
    """Return one line about how a sitemap is served."""
    headers = answer.headers
    named = ("Content-Type", "Content-Encoding", "X-Robots-Tag")
    values = [shown(value, 80) for name in named if (value := headers.get(name))]
    hops = [f"{status} to {shown(target)}" for status, target in answer.hops]
    size = f"{'more than ' * answer.cut}{len(answer.body):,} bytes"
    return f"{shown(url)}: {', '.join([*hops, str(answer.status), *values, size])}"


def check_published(
    target: str,
    visit: Visit,
    *,
    against: Path | None = None,
    ignored: Collection[str] = (),
    now: dt.datetime | None = None,
) -> Outcome:
    """Check a site, or one sitemap of it, by its URL; ``against`` is the folder that was built.

    After Ctrl-C, the outcome holds what was found until then. Raises FetchError where the target
    itself cannot be asked.
    """
    target, findings, now = check_url(target), Findings(ignored), now or dt.datetime.now(dt.UTC)
    site = _PublishedSite(target, visit, findings, now)
    interrupted = False
    try:
        site.check(against)
    except KeyboardInterrupt:
        interrupted = True
        site.server.notes.append("Interrupted: only what was found so far is shown.")
    return Outcome(
        shown(target),
        site.base_url,
        len(site.sitemaps.files),
        site.sitemaps.distinct or site.sitemaps.urls,
        site.server.page_count,
        findings,
        notes=tuple(site.server.notes),
        interrupted=interrupted,
    )


class _PublishedSite:
    def __init__(self, target: str, visit: Visit, findings: Findings, now: dt.datetime) -> None:
        self.is_sitemap = target.partition("?")[0].lower().endswith(_SITEMAP_SUFFIXES)
        self.base_url = join_url(target, ".")
        self._target, self._visit, self._findings, self._now = target, visit, findings, now
        self.server = _Server(target, visit)
        self.sitemaps = Sitemaps(self.server, findings, now, local=is_local_host(target))

    def check(self, against: Path | None) -> None:
        """Judge everything; FetchError where nothing at all can be asked."""
        lines = self._read_robots()
        roots = self._read_sitemaps(lines)
        self.sitemaps.judge()
        listed = list_urls(self.sitemaps)
        if not self.is_sitemap:
            lines.judge(roots, lambda _url: False)
        for file in self.sitemaps.files.values():
            lines.judge_access(file)
        own = [item for item in listed.values() if self.server.is_own(item.row.loc)]
        self._judge_pages(own, listed, lines)
        if against:
            self._compare(listed, against)

    def _read_robots(self) -> SitemapLines:
        url = f"{origin(self._target)}/robots.txt"
        found = self._findings.for_file(url)
        answer = self.server.get(url, GOOGLE_LIMIT + 1)
        data: bytes | None = b""
        if answer.status == HTTPStatus.OK:
            data = answer.body
        elif answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR or answer.status == 429:  # noqa: PLR2004 - too many requests
            data = None
            message = f"The server answers {answer.status} to robots.txt, so that search engines "
            message += "read nothing of the site."
            found.add("robots-unreadable", message, "Let the server deliver it, or answer 404.")
        lines = SitemapLines(data, url, found)
        self.server.own_rules = lines.rules
        return lines

    def _read_sitemaps(self, lines: SitemapLines) -> list[str]:
        """Read the sitemaps that robots.txt names, or the one of the usual name."""
        declared = [url for url in lines.urls if is_below(url, self.base_url)]
        roots = [self._target] if self.is_sitemap else declared
        usual = join_url(self.base_url, "sitemap.xml")
        read: list[str] = []
        for url in dict.fromkeys(roots or [usual]):
            try:
                self.sitemaps.read(url, url, free=lines.names(url))
                read.append(url)
            except OSError as error:
                self.sitemaps.complete = False
                code, cure = "sitemap-status", "Publish it, or correct the line in robots.txt."
                message = f"The sitemap cannot be fetched: {error.strerror}."
                if not roots:
                    code, cure = "no-sitemap", "Publish it there, or name it in robots.txt."
                    message = f"The site has no sitemap: {lower_first(error.strerror or '')}."
                self._findings.for_file(url).add(code, message, cure, url=url)
        return read

    def _judge_pages(
        self, own: Sequence[Listed], listed: dict[str, Listed], lines: SitemapLines
    ) -> None:
        sample = _spread(own, self._visit.sample)
        pages = Pages(self.server.look, self.server.is_gone)
        for number, item in enumerate(sample, start=1):
            self._visit.tell(f"reading page {number:,} of {len(sample):,}")
            pages.judge([item], lines.rules)
        seen = Pages(self.server.was_seen, self.server.is_gone)
        around = Surroundings(
            self.server.is_own, seen.explain, seen.language, self.sitemaps.complete
        )
        judge_links(listed, around)
        url = join_url(self.base_url, "llms.txt")
        try:
            answer = self.server.get(url, LLMS_LIMIT)
        except FetchError:
            return
        if answer.status == HTTPStatus.OK and not answer.hops:
            found = self._findings.for_file(url)
            judge_llms(answer.body, url, found, pages, self.server.is_own, self._visit.sample)

    def _compare(self, listed: dict[str, Listed], against: Path) -> None:
        """Tell in what the published sitemaps differ from those of the folder."""
        folder = Folder(against, self.base_url, Findings())
        built = Sitemaps(folder.source, Findings(), self._now)
        folder.read_sitemaps(built)
        ours = list_urls(built)
        for key in sorted(ours.keys() - listed.keys()):
            row = ours[key].row
            message = "The folder's sitemap lists the address, the published one does not."
            cure = "Publish the new build, or wait until caches have the new sitemap."
            found = self._findings.for_file(ours[key].file.place)
            found.add("published-differs", message, cure, line=row.line, url=row.loc)
        for key in sorted(listed.keys() - ours.keys()):
            file, row = listed[key]
            message = "The published sitemap lists the address, the folder's does not."
            cure = "Publish the new build; remove the page from the server if it is gone."
            file.found.add("published-differs", message, cure, line=row.line, url=row.loc)


def _spread(items: Sequence[Item], count: int | None) -> list[Item]:
    """Return so many items, evenly spread."""
    if count is None or count >= len(items):
        return list(items)
    return [items[number * len(items) // count] for number in range(count)]

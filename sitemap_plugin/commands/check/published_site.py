"""Check a site as it is published: robots.txt, the sitemaps, and a sample of the pages."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple

from sitemap_plugin.commands.check.findings import CheckOutcome, FileFindings, Findings
from sitemap_plugin.commands.check.folder import Folder
from sitemap_plugin.commands.check.listing import Listed, Surroundings, judge_links, list_urls
from sitemap_plugin.commands.check.pages import LLMS_LIMIT, FoundPage, Pages, is_noindex
from sitemap_plugin.commands.check.robots_lines import RobotsLines
from sitemap_plugin.commands.check.sitemaps import MOST_COMPARED, Sitemaps
from sitemap_plugin.commands.check.values import lower_first
from sitemap_plugin.commands.reading.faults import Fault, fault
from sitemap_plugin.commands.reading.unpacking import READ_LIMIT
from sitemap_plugin.commands.web.client import (
    AGENT,
    Answer,
    FetchError,
    RetryPolicy,
    check_url,
    fetch,
)
from sitemap_plugin.common.robots import GOOGLE_LIMIT, Robots
from sitemap_plugin.common.text import counted, shown
from sitemap_plugin.common.urls import is_below, is_local_host, join_url, origin, same_page
from sitemap_plugin.html import parse_head

_PAGE_LIMIT = 1 << 20
_MOST_SITEMAPS = 2000
_MOST_FAILURES = 5
_HTML = ("text/html", "application/xhtml+xml")
_SITEMAP_SUFFIXES = (".xml", ".xml.gz", ".txt", ".txt.gz")
_SHOWN_HEADERS = ("Content-Type", "Content-Encoding", "X-Robots-Tag")


class Visit(NamedTuple):
    """How to go through a site: how many pages (None for all), and how slowly.

    ``delay`` is the time in seconds between two requests, ``tell`` is given the progress.
    """

    sample: int | None = 100
    delay: float = 0.1
    policy: RetryPolicy = RetryPolicy(timeout=10, retries=1, longest_wait=30)
    tell: Callable[[str], None] = lambda _text: None


def check_published(
    target: str,
    visit: Visit,
    *,
    against: Path | None = None,
    ignored: Collection[str] = (),
    now: dt.datetime | None = None,
) -> CheckOutcome:
    """Check a site, or one sitemap of it, by its URL; ``against`` is the folder that was built.

    After Ctrl-C, the outcome holds what was found until then. Raises FetchError where the target
    itself cannot be asked.
    """
    target, findings, now = check_url(target), Findings(ignored), now or dt.datetime.now(dt.UTC)
    site = _Site(target, visit, findings, now)
    interrupted = False
    try:
        listed = site.check()
        if against:
            _compare(Folder(against, site.base_url, Findings(), now), listed, findings)
    except KeyboardInterrupt:
        interrupted = True
        site.server.notes.append("Interrupted: only what was found so far is shown.")
    sitemaps, server = site.sitemaps, site.server
    return CheckOutcome(
        shown(target),
        site.base_url,
        len(sitemaps.files),
        sitemaps.distinct or sitemaps.urls,
        len(server.pages),
        findings,
        notes=tuple(server.notes),
        interrupted=interrupted,
    )


class _Server:
    """The server of one site; it is a source of sitemaps, whose places are URLs.

    Only one host is asked, and it is asked no more when it has failed several times in a row.
    """

    def __init__(self, base_url: str, visit: Visit) -> None:
        self.notes: list[str] = []
        self.own_rules = Robots()
        self.pages: dict[str, FoundPage] = {}
        self._origin, self._visit = origin(base_url), visit
        self._asked = self._failures = self._sitemaps = 0

    def get(self, url: str, limit: int) -> Answer:
        """Return an answer; raises FetchError."""
        if self._failures >= _MOST_FAILURES:
            raise FetchError(f"the server has failed {_MOST_FAILURES} times in a row")
        if self._asked:
            self._visit.policy.sleep(self._visit.delay)
        self._asked += 1
        try:
            answer = fetch(url, limit=limit, policy=self._visit.policy, judge=self._refuse)
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
            raise OSError(None, f"the server answers {_status(answer)}")
        if answer.hops:
            found.add(fault("sitemap-redirect", target=answer.url), url=place)
        if (kind := _content_type(answer)) in _HTML:
            found.add(fault("sitemap-content-type", type=kind), url=place)
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
        if key not in self.pages:
            self.pages[key] = FoundPage()  # It counts as read, also when the user interrupts.
            self.pages[key] = self._fetch_page(key)
        return self.pages[key]

    def was_seen(self, url: str) -> FoundPage:
        """Return a page that was fetched, or an unknown one."""
        return self.pages.get(url.partition("#")[0], FoundPage())

    def is_gone(self, url: str) -> bool:
        """Tell whether an address was fetched and nothing is behind it."""
        found = self.was_seen(url).fault
        return found is not None and found.code == "page-missing"

    def _fetch_page(self, url: str) -> FoundPage:
        try:
            answer = self.get(url, _PAGE_LIMIT)
        except FetchError as error:
            return FoundPage(fault=fault("page-status.failure", reason=str(error)))
        found = _answer_fault(url, answer)
        is_html = not found and _content_type(answer) in ("", *_HTML)
        return FoundPage(answer.url, parse_head(answer.body) if is_html else None, found)


def _answer_fault(url: str, answer: Answer) -> Fault | None:
    if answer.status in {HTTPStatus.NOT_FOUND, HTTPStatus.GONE}:
        return fault("page-missing.status", status=answer.status)
    if answer.status != HTTPStatus.OK:
        return fault("page-status", status=_status(answer))
    if answer.hops and not same_page(answer.url, url):
        return fault("page-redirect.status", status=answer.hops[0][0], target=answer.url)
    if is_noindex(answer.headers.get("X-Robots-Tag")):
        return fault("page-noindex", what="server's X-Robots-Tag")
    return None


def _status(answer: Answer) -> str:
    return f"{answer.status} {shown(answer.reason, 60)}".rstrip()


def _content_type(answer: Answer) -> str:
    return (answer.headers.get("Content-Type") or "").partition(";")[0].strip().lower()


def _describe(url: str, answer: Answer) -> str:
    """Return one line about how a sitemap is served."""
    values = [shown(value, 80) for name in _SHOWN_HEADERS if (value := answer.headers.get(name))]
    hops = [f"{status} to {shown(target)}" for status, target in answer.hops]
    size = f"{'more than ' * answer.cut}{len(answer.body):,} bytes"
    return f"{shown(url)}: {', '.join([*hops, str(answer.status), *values, size])}"


class _Site:
    def __init__(self, target: str, visit: Visit, findings: Findings, now: dt.datetime) -> None:
        self._is_sitemap = target.partition("?")[0].lower().endswith(_SITEMAP_SUFFIXES)
        self.base_url = join_url(target, ".")
        self._target, self._visit, self._findings = target, visit, findings
        self.server = _Server(target, visit)
        self.sitemaps = Sitemaps(self.server, findings, now, local=is_local_host(target))

    def check(self) -> dict[str, Listed]:
        """Judge everything and return what is listed; FetchError where nothing can be asked."""
        lines = self._read_robots()
        roots = self._read_sitemaps(lines)
        self.sitemaps.judge()
        listed = list_urls(self.sitemaps)
        if not self._is_sitemap:
            lines.judge(roots, lambda _url: False)
        for file in self.sitemaps.files.values():
            lines.judge_access(file)
        self._judge_pages(listed, lines)
        return listed

    def _read_robots(self) -> RobotsLines:
        url = f"{origin(self._target)}/robots.txt"
        found = self._findings.for_file(url)
        answer = self.server.get(url, GOOGLE_LIMIT + 1)
        data: bytes | None = answer.body if answer.status == HTTPStatus.OK else b""
        if answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR or (
            answer.status == HTTPStatus.TOO_MANY_REQUESTS
        ):
            data = None
            found.add(fault("robots-unreadable.status", status=answer.status))
        lines = RobotsLines(data, url, found)
        self.server.own_rules = lines.rules
        return lines

    def _read_sitemaps(self, lines: RobotsLines) -> list[str]:
        """Read the sitemaps that robots.txt names, or the one of the usual name."""
        declared = [url for url in lines.urls if is_below(url, self.base_url)]
        roots = [self._target] if self._is_sitemap else declared
        read: list[str] = []
        for url in dict.fromkeys(roots or [join_url(self.base_url, "sitemap.xml")]):
            try:
                self.sitemaps.read(url, url, free=lines.names(url))
                read.append(url)
            except OSError as error:
                self.sitemaps.complete = False
                reason = str(error.strerror)
                missing = fault("no-sitemap.published", reason=lower_first(reason))
                found = fault("sitemap-status", reason=reason) if roots else missing
                self._findings.for_file(url).add(found, url=url)
        return read

    def _judge_pages(self, listed: dict[str, Listed], lines: RobotsLines) -> None:
        server, visit = self.server, self._visit
        own = [item for item in listed.values() if server.is_own(item.row.loc)]
        sample = _spread(own, visit.sample)
        pages = Pages(server.look, server.is_gone)
        for number, item in enumerate(sample, start=1):
            visit.tell(f"reading page {number:,} of {len(sample):,}")
            pages.judge([item], lines.rules)
        seen = Pages(server.was_seen, server.is_gone)
        around = Surroundings(server.is_own, seen.explain, seen.language, self.sitemaps.complete)
        judge_links(listed, around)
        url = join_url(self.base_url, "llms.txt")
        with suppress(FetchError):
            answer = server.get(url, LLMS_LIMIT)
            if answer.status == HTTPStatus.OK and not answer.hops:
                most = MOST_COMPARED if visit.sample is None else visit.sample
                found = self._findings.for_file(url)
                pages.judge_llms(answer.body, url, found, server.is_own, most)


def _compare(folder: Folder, listed: dict[str, Listed], findings: Findings) -> None:
    """Tell in what the published sitemaps differ from those of the folder."""
    folder.read_sitemaps()
    built = list_urls(folder.sitemaps)
    for key in sorted(built.keys() - listed.keys()):
        file, row = built[key]
        found = findings.for_file(file.place)
        found.add(fault("published-differs.missing"), row.line, row.loc)
    for key in sorted(listed.keys() - built.keys()):
        listed[key].add(fault("published-differs"))


def _spread(items: Sequence[Listed], count: int | None) -> list[Listed]:
    """Return so many items, evenly spread."""
    if count is None or count >= len(items):
        return list(items)
    return [items[number * len(items) // count] for number in range(count)]

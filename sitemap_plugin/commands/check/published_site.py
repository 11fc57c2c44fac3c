"""Check a site as it is published: robots.txt, the sitemaps, and a sample of the pages."""

import datetime as dt
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple

from sitemap_plugin.commands.check.findings import Add, CheckOutcome, Findings
from sitemap_plugin.commands.check.folder import Folder
from sitemap_plugin.commands.check.judge import SiteCheck, list_urls
from sitemap_plugin.commands.check.site import UNKNOWN, CheckedSite, FoundPage
from sitemap_plugin.commands.check.sitemaps import Row
from sitemap_plugin.commands.check.values import lower_first
from sitemap_plugin.commands.reading.faults import Fault, fault
from sitemap_plugin.commands.reading.reader import READ_LIMIT
from sitemap_plugin.commands.web import AGENT, Answer, FetchError, RetryPolicy, check_url, fetch
from sitemap_plugin.common.robots import Robots
from sitemap_plugin.common.text import counted, shown
from sitemap_plugin.common.urls import is_below, is_local_host, join_url, origin, same_page
from sitemap_plugin.errors import or_none
from sitemap_plugin.html.head import parse_head

_PAGE_LIMIT = 1 << 20
_MOST_SITEMAPS = 2000
_MOST_FAILURES = 5
_HTML = ("text/html", "application/xhtml+xml")
_SITEMAP_SUFFIXES = (".xml", ".xml.gz", ".txt", ".txt.gz")
_SHOWN_HEADERS = ("Content-Type", "Content-Encoding", "X-Robots-Tag")
_REFUSALS = frozenset({HTTPStatus.TOO_MANY_REQUESTS, *range(500, 1000)})
_GONE = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.GONE})


class Visit(NamedTuple):
    """How to go through a site: how many pages (None for all), and the seconds between requests."""

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
    findings, now = Findings(ignored), now or dt.datetime.now(dt.UTC)
    site = PublishedSite(check_url(target), visit, findings)
    check, interrupted = SiteCheck(site, findings, now), False
    try:
        listed = check.run()
        if against:
            built = SiteCheck(Folder(against, site.base_url, Findings()), Findings(), now)
            built.read_sitemaps()
            _compare(list_urls(built.sitemaps), listed, findings)
    except KeyboardInterrupt:
        interrupted = True
        site.notes.append("Interrupted: only what was found so far is shown.")
    files, urls = len(check.sitemaps.files), check.sitemaps.distinct or check.sitemaps.urls
    outcome = CheckOutcome(shown(target), site.base_url, files, urls, len(site.pages), findings)
    return outcome._replace(notes=tuple(site.notes), interrupted=interrupted)


class PublishedSite(CheckedSite):
    """A site on a server, which is asked no more when it has failed several times in a row."""

    def __init__(self, target: str, visit: Visit, findings: Findings) -> None:
        self.notes: list[str] = []
        self.pages: dict[str, FoundPage] = {}
        self.base_url: str = join_url(target, ".")
        self.origin, self.is_local = origin(target), is_local_host(target)
        is_sitemap = target.partition("?")[0].lower().endswith(_SITEMAP_SUFFIXES)
        self.judges_robots, self.most_pages = not is_sitemap, visit.sample
        self._target = target if is_sitemap else None
        self._visit, self._findings = visit, findings
        self._rules = Robots()
        self._declared: Sequence[str] = ()
        self._asked = self._failures = self._sitemaps = 0

    def place(self, name: str) -> str:
        return join_url(self.base_url, name)

    def _get(self, url: str, limit: int) -> Answer:
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
        if origin(url) != self.origin:
            return f"it is on another host than {self.origin}, and is not fetched"
        rule = None if url.endswith("/robots.txt") else self._rules.rule_for(url, AGENT)
        return f"robots.txt forbids to fetch it by 'Disallow: {shown(rule, 100)}'" if rule else None

    def is_own(self, url: str) -> bool:
        return or_none(origin, url) == self.origin

    def read_robots(self, add: Add, limit: int) -> bytes | None:
        answer = self._get(self.place("/robots.txt"), limit)
        if answer.status in _REFUSALS:
            add(fault("robots-unreadable.status", status=answer.status))
            return None
        data = answer.body if answer.status == HTTPStatus.OK else b""
        self._rules = Robots(data)
        return data

    def roots(self, declared: Sequence[str]) -> Iterator[tuple[str, str | None]]:
        own = [url for url in declared if is_below(url, self.base_url)]
        self._declared = [self._target] if self._target else own
        for url in self._declared or [self.place("sitemap.xml")]:
            yield url, url

    def read(self, place: str, add: Add) -> bytes:
        """Return a sitemap, and judge how it is served."""
        self._sitemaps += 1
        self._visit.tell(f"reading {counted(self._sitemaps, 'sitemap')}")
        try:
            answer = self._get(place, READ_LIMIT)
        except FetchError as error:
            raise OSError(None, str(error)) from error
        self.notes.append(_describe(place, answer))
        if answer.status != HTTPStatus.OK:
            raise OSError(None, f"the server answers {answer.status_line}")
        if answer.hops:
            add(fault("sitemap-redirect", target=answer.url), url=place)
        if (kind := _content_type(answer)) in _HTML:
            add(fault("sitemap-content-type", type=kind), url=place)
        return answer.body

    def fail(self, place: str, error: OSError) -> None:
        key = "sitemap-status" if self._declared else "no-sitemap.published"
        found = fault(key, reason=lower_first(str(error.strerror)))
        self._findings.at(place)(found, url=place)

    def locate(self, url: str) -> str | None:
        return url if self.is_own(url) and self._sitemaps < _MOST_SITEMAPS else None

    def is_missing(self, url: str) -> bool:
        found = self.seen(url).fault
        return found is not None and found.code == "page-missing"

    def look(self, url: str) -> FoundPage:
        key = url.partition("#")[0]
        if key not in self.pages:
            self.pages[key] = UNKNOWN  # It counts as read, also when the user interrupts.
            self._visit.tell(f"reading page {len(self.pages):,}")
            self.pages[key] = self._fetch_page(key)
        return self.pages[key]

    def seen(self, url: str) -> FoundPage:
        return self.pages.get(url.partition("#")[0], UNKNOWN)

    def read_beside(self, name: str, limit: int) -> bytes | None:
        with suppress(FetchError):
            answer = self._get(self.place(name), limit)
            return answer.body if answer.status == HTTPStatus.OK and not answer.hops else None
        return None

    def _fetch_page(self, url: str) -> FoundPage:
        try:
            answer = self._get(url, _PAGE_LIMIT)
        except FetchError as error:
            return FoundPage(fault=fault("page-status.failure", reason=str(error)))
        found = _answer_fault(url, answer)
        is_html = not found and _content_type(answer) in ("", *_HTML)
        return FoundPage(answer.url, parse_head(answer.body) if is_html else None, found)


def _answer_fault(url: str, answer: Answer) -> Fault | None:
    if answer.status in _GONE:
        return fault("page-missing.status", status=answer.status)
    if answer.status != HTTPStatus.OK:
        return fault("page-status", status=answer.status_line)
    if answer.hops and not same_page(answer.url, url):
        return fault("page-redirect.status", status=answer.hops[0][0], target=answer.url)
    if _is_noindex(answer.headers.get("X-Robots-Tag")):
        return fault("page-noindex", what="server's X-Robots-Tag")
    return None


def _is_noindex(header: str | None) -> bool:
    """Tell whether an ``X-Robots-Tag`` keeps Google from indexing what is sent with it."""
    agent = ""
    for part in (header or "").lower().split(","):
        name, colon, rule = part.strip().partition(":")
        if colon and "unavailable_after" not in name:
            agent, part = name.strip(), rule  # noqa: PLW2901 - the rest of the part
        if part.strip() in {"noindex", "none"} and agent in {"", "googlebot", "*"}:
            return True
    return False


def _content_type(answer: Answer) -> str:
    return (answer.headers.get("Content-Type") or "").partition(";")[0].strip().lower()


def _describe(url: str, answer: Answer) -> str:
    """Return one line about how a sitemap is served."""
    values = [shown(value, 80) for name in _SHOWN_HEADERS if (value := answer.headers.get(name))]
    hops = [f"{status} to {shown(target)}" for status, target in answer.hops]
    size = f"{'more than ' * answer.cut}{len(answer.body):,} bytes"
    return f"{shown(url)}: {', '.join([*hops, str(answer.status), *values, size])}"


def _compare(built: dict[str, Row], listed: dict[str, Row], findings: Findings) -> None:
    """Tell in what the published sitemaps differ from those of the folder."""
    for key in sorted(built.keys() - listed.keys()):
        row = built[key]
        missing = fault("published-differs.missing")
        findings.at(row.file.place)(missing, row.line, row.loc)
    for key in sorted(listed.keys() - built.keys()):
        listed[key].add(fault("published-differs"))

"""What is wrong with the pages behind the addresses of a sitemap, in a folder or on a server."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from sitemap_plugin.commands.check.findings import FileFindings
from sitemap_plugin.commands.check.listing import Listed
from sitemap_plugin.commands.check.values import lower_first
from sitemap_plugin.commands.reading.faults import Fault, fault
from sitemap_plugin.commands.reading.sitemap_document import LinkSet
from sitemap_plugin.common.robots import Robots
from sitemap_plugin.common.urls import is_below, join_url, same_page
from sitemap_plugin.html import Head

CRAWLER = "Googlebot"
LLMS_LIMIT = 1 << 20
_LLMS_LINK = re.compile(r"\]\([ \t]*<?([^\s<>()]{1,2100})")
_MOST_LLMS_LINKS = 1000


class FoundPage(NamedTuple):
    """What is behind an address.

    ``key`` names the page, however it is addressed; None where there is none. ``fault`` tells what
    is wrong before anything of the page is read; ``head`` is None for what is no HTML.
    """

    key: str | None = None
    head: Head | None = None
    fault: Fault | None = None


class Pages:
    """Judges pages; ``look`` finds them, ``is_missing`` tells that the site should have one.

    ``listed`` are the keys of the pages that were judged.
    """

    def __init__(self, look: Callable[[str], FoundPage], is_missing: Callable[[str], bool]) -> None:
        self._look, self._is_missing = look, is_missing
        self.listed: set[str] = set()

    def judge(self, items: Iterable[Listed], robots: Robots) -> None:
        """Judge the pages behind listed addresses."""
        for item in items:
            loc = item.row.loc
            if rule := robots.rule_for(loc, CRAWLER):
                item.add(fault("robots-forbids-page", rule=rule))
            page = self._look(loc)
            if page.key:
                self.listed.add(page.key)
            if found := self.fault(loc, page):
                item.add(found)
            elif page.head and item.row.links.pairs and page.head.alternates:
                for found in _contradictions(loc, item.row.links, page.head):
                    item.add(found)

    def fault(self, url: str, page: FoundPage) -> Fault | None:
        """Say why a page should not be listed, if so."""
        head = page.head
        if page.fault or head is None:
            return page.fault
        if head.noindex:
            return fault("page-noindex", what="page")
        for code, link in (("page-redirect", head.refresh), ("page-canonical", head.canonical)):
            target = head.resolve(url, link) if link else None
            if target and not same_page(url, target):
                return fault(code + ".missing" * self._is_missing(target), target=target)
        return None

    def target_fault(self, url: str, head: Head) -> Fault | None:
        """Judge where a page that is not listed leads to."""
        found = self.fault(url, FoundPage(url, head))
        if found and "does not exist" in found.message:
            return fault("page-target-missing", reason=found.message, cure=found.cure)
        return None

    def explain(self, url: str) -> Fault | None:
        """Say why a page that a link leads to cannot be listed, if it cannot."""
        found = self.fault(url, self._look(url))
        if found is None or found.code == "page-outside":
            return None
        return fault("alternate-not-indexable", url=url, reason=lower_first(found.message))

    def language(self, url: str) -> str | None:
        """Return the language that a page says it is in."""
        head = self._look(url).head
        return head.language if head else None

    def judge_llms(
        self, data: bytes, url: str, found: FileFindings, is_own: Callable[[str], bool], most: int
    ) -> None:
        """Judge the pages that links of a site's ``llms.txt``, served at ``url``, lead to."""
        seen: set[str] = set()
        for number, line in enumerate(data.decode("utf-8", "replace").split("\n"), start=1):
            for link in _LLMS_LINK.findall(line):
                try:
                    target = join_url(url, link.partition("#")[0])
                except ValueError:
                    continue
                if target in seen or len(seen) >= min(most, _MOST_LLMS_LINKS) or not is_own(target):
                    continue
                seen.add(target)
                if wrong := self.fault(target, self._look(target)):
                    cure = wrong.cure.replace("the entry", "the link")
                    cure = cure.replace("List that", "Link to that")
                    found.add(wrong._replace(cure=cure), number, target)


def is_noindex(header: str | None) -> bool:
    """Tell whether an ``X-Robots-Tag`` keeps Google from indexing what is sent with it."""
    agent = ""
    for part in (header or "").lower().split(","):
        name, colon, rule = part.strip().partition(":")
        if colon and "unavailable_after" not in name:
            agent, part = name.strip(), rule  # noqa: PLW2901 - the rest of the part
        if part.strip() in {"noindex", "none"} and agent in {"", "googlebot", "*"}:
            return True
    return False


def _contradictions(loc: str, links: LinkSet, head: Head) -> Iterator[Fault]:
    """Compare the translations that a page names with those that the sitemap names for it."""
    ours = {code.lower(): href for code, href in links.pairs}
    for code, href in head.alternates:
        own, theirs = ours.get(code.lower()), head.resolve(loc, href)
        if own is None or theirs is None or same_page(own, theirs):
            continue
        # Material's switcher leads to the home page of each language. Such a link has no return, so
        # search engines ignore it, and it is no other translation.
        if not (theirs.endswith("/") and is_below(own, theirs)):
            yield fault("page-hreflang-differs", theirs=theirs, code=code, ours=own)

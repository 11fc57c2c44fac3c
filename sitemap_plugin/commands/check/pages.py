"""What is wrong with the pages behind the addresses of a sitemap, in a folder or on a server."""

import re
from collections.abc import Iterator, Sequence
from typing import TypeVar

from sitemap_plugin.commands.check.findings import Add
from sitemap_plugin.commands.check.site import CheckedSite, FoundPage
from sitemap_plugin.commands.check.sitemaps import Row
from sitemap_plugin.commands.check.values import lower_first
from sitemap_plugin.commands.reading.faults import Fault, fault
from sitemap_plugin.common.robots import Robots
from sitemap_plugin.common.urls import is_below, join_url, same_page
from sitemap_plugin.errors import or_none
from sitemap_plugin.html.head import Head

CRAWLER = "Googlebot"
_LLMS_LINK = re.compile(r"\]\([ \t]*<?([^\s<>()]{1,2100})")
_MOST_LLMS_LINKS = 1000
Item = TypeVar("Item")


class Pages:
    """Judges the pages of a site; ``listed`` are the keys of those that were judged."""

    def __init__(self, site: CheckedSite) -> None:
        self._site, self.is_own = site, site.is_own
        self.listed: set[str] = set()

    def judge(self, row: Row, robots: Robots) -> None:
        """Judge the page behind a listed address."""
        if rule := robots.rule_for(row.loc, CRAWLER):
            row.add(fault("robots-forbids-page", rule=rule))
        page = self._site.look(row.loc)
        if page.key:
            self.listed.add(page.key)
        if found := self.fault(row.loc, page):
            row.add(found)
        elif page.head and row.links.pairs and page.head.alternates:
            for found in _contradictions(row, page.head):
                row.add(found)

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
                return fault(code + ".missing" * self._site.is_missing(target), target=target)
        return None

    def target_fault(self, url: str, head: Head) -> Fault | None:
        """Judge where a page that is not listed leads to."""
        found = self.fault(url, FoundPage(url, head))
        if found and "does not exist" in found.message:
            return fault("page-target-missing", reason=found.message, cure=found.cure)
        return None

    def explain(self, url: str) -> Fault | None:
        """Say why a page that a link leads to cannot be listed, if it cannot."""
        found = self.fault(url, self._site.seen(url))
        if found is None or found.code == "page-outside":
            return None
        return fault("alternate-not-indexable", url=url, reason=lower_first(found.message))

    def language(self, url: str) -> str | None:
        """Return the language that a page says it is in."""
        head = self._site.seen(url).head
        return head.language if head else None

    def judge_llms(self, data: bytes, url: str, add: Add) -> None:
        """Judge the pages that links of a site's ``llms.txt``, served at ``url``, lead to."""
        targets: dict[str, int] = {}
        for number, line in enumerate(data.decode("utf-8", "replace").split("\n"), start=1):
            for link in _LLMS_LINK.findall(line):
                target = or_none(join_url, url, link.partition("#")[0])
                if target and self.is_own(target) and len(targets) < _MOST_LLMS_LINKS:
                    targets.setdefault(target, number)
        for target, number in spread([*targets.items()], self._site.most_pages):
            if wrong := self.fault(target, self._site.look(target)):
                cure = wrong.cure.replace("the entry", "the link").replace("List", "Link to")
                add(wrong._replace(cure=cure), number, target)


def spread(items: Sequence[Item], most: int | None) -> Sequence[Item]:
    """Return at most so many, evenly spread; all for None."""
    if most is None or most >= len(items):
        return items
    return [items[number * len(items) // most] for number in range(most)]


def _contradictions(row: Row, head: Head) -> Iterator[Fault]:
    """Compare the translations that a page names with those that the sitemap names for it."""
    ours = {code.lower(): href for code, href in row.links.pairs}
    for code, href in head.alternates:
        own, theirs = ours.get(code.lower()), head.resolve(row.loc, href)
        if own is None or theirs is None or same_page(own, theirs):
            continue
        # Material's switcher leads to the home page of each language. Such a link has no return, so
        # search engines ignore it, and it is no other translation.
        if not (theirs.endswith("/") and is_below(own, theirs)):
            yield fault("page-hreflang-differs", theirs=theirs, code=code, ours=own)

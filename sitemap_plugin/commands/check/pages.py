"""What is wrong with the pages behind the addresses of a sitemap, in a folder or on a server."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from sitemap_plugin.commands.check.listing import Listed
from sitemap_plugin.commands.check.values import lower_first
from sitemap_plugin.commands.reading.document import Fault, LinkSet
from sitemap_plugin.commands.reading.quoting import quote
from sitemap_plugin.common.robots import Robots
from sitemap_plugin.common.urls import is_below, same_page
from sitemap_plugin.html import Head

__all__ = ["CRAWLER", "FoundPage", "Pages", "is_noindex", "noindex_fault"]

CRAWLER = "Googlebot"


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

    ``seen`` are the keys of all pages that were looked at, ``listed`` those of the listed ones.
    """

    def __init__(self, look: Callable[[str], FoundPage], is_missing: Callable[[str], bool]) -> None:
        self.look, self._is_missing = look, is_missing
        self.listed: set[str] = set()

    def judge(self, items: Iterable[Listed], robots: Robots) -> None:
        """Judge the pages behind listed addresses."""
        for file, row in items:
            for fault in self._faults(row.loc, row.links, robots):
                file.found.add_fault(fault, line=row.line, url=row.loc)

    def _faults(self, loc: str, links: LinkSet, robots: Robots) -> Iterator[Fault]:
        if rule := robots.rule_for(loc, CRAWLER):
            message = "robots.txt forbids search engines to read the page"
            message += f" by the rule 'Disallow: {quote(rule)[1:-1]}'."
            yield Fault("robots-forbids-page", message, "Remove that rule, or the entry.")
        view = self.look(loc)
        if view.key:
            self.listed.add(view.key)
        if fault := self.fault(loc, view):
            yield fault
        elif view.head and links.pairs and view.head.alternates:
            yield from _contradictions(loc, links, view.head)

    def fault(self, url: str, view: FoundPage) -> Fault | None:
        """Say why a page should not be listed, if so."""
        head = view.head
        if view.fault or head is None:
            return view.fault
        if head.noindex:
            return noindex_fault("page")
        for code, link, what, usual_cure in (
            ("page-redirect", head.refresh, "sends its readers to",
             "List the address where the reader ends up."),
            ("page-canonical", head.canonical, "names another address as its canonical one:",
             "List that address instead, or correct the page's canonical link."),
        ):  # fmt: skip
            target = head.resolve(url, link) if link else None
            if target and not same_page(url, target):
                missing = self._is_missing(target)
                message = f"The page {what} {quote(target)}{', which does not exist' * missing}."
                cure = "Correct the page: nothing is behind the address that it names."
                return Fault(code, message, cure if missing else usual_cure)
        return None

    def target_fault(self, url: str, view: FoundPage) -> Fault | None:
        """Judge where a page that is not listed leads to."""
        fault = self.fault(url, view)
        if fault and "does not exist" in fault.message and not view.fault:
            return fault._replace(code="page-target-missing")
        return None

    def explain(self, url: str) -> Fault | None:
        """Say why a page that a link leads to cannot be listed, if it cannot."""
        fault = self.fault(url, self.look(url))
        if fault is None or fault.code == "page-outside":
            return None
        message = f"The link to {quote(url)} leads to a page that cannot be indexed: "
        cure = "Remove the link, or correct that page."
        return Fault("alternate-not-indexable", message + lower_first(fault.message), cure)

    def language(self, url: str) -> str | None:
        """Return the language that a page says it is in."""
        head = self.look(url).head
        return head.language if head else None


def noindex_fault(what: str) -> Fault:
    """Say that a page, or its server, keeps search engines from indexing it."""
    message = f"The {what} asks search engines not to index it."
    return Fault("page-noindex", message, f"Remove the entry, or the {what}'s noindex.")


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
        own = ours.get(code.lower())
        theirs = head.resolve(loc, href)
        # Material's switcher leads to the home page of each language. Such a link has no return, so
        # search engines ignore it, and it is no other translation.
        is_home = theirs is not None and theirs.endswith("/") and own and is_below(own, theirs)
        if own and theirs and not is_home and not same_page(own, theirs):
            message = (
                f"The page names {quote(theirs)} as its {code} version, the sitemap {quote(own)}."
            )
            yield Fault("page-hreflang-differs", message, "Let both say the same, or one of them.")

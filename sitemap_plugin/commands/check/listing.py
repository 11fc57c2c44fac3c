"""All entries of a check beside each other: duplicates, and whether translations agree."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from sitemap_plugin.commands.check.batch import NO_LINKS, Batch, LinkSet
from sitemap_plugin.commands.check.findings import Fault, FileFindings, quote
from sitemap_plugin.languages import X_DEFAULT

__all__ = ["Listing"]

MOST_COMPARED = 1_000_000
"""Entries that are compared with each other; it takes about 300 bytes for each."""

_MOST_LINKS = 2 * MOST_COMPARED
_NO_SET = -1

Explain = Callable[[str], Fault | None]


class _Place(NamedTuple):
    found: FileFindings
    line: int


class Listing:
    """Remembers entries, and judges at the end what takes all of them to be judged."""

    def __init__(self) -> None:
        self._numbers: dict[str | None, int] = {}
        self._lines = array("I")
        self._sets_of = array("q")
        self._begins: list[int] = []
        self._files: list[FileFindings] = []
        self._sets = _Sets()
        self._full = False
        self._group = 0
        self._articles: set[int] = set()
        self._article_locs: set[str | None] = set()

    def __len__(self) -> int:
        return len(self._lines)

    def __contains__(self, loc: str) -> bool:
        return loc in self._numbers

    def begin_sitemap(self) -> None:
        """Go on with another sitemap that stands by itself."""
        self._group = len(self._lines)

    def begin_file(self, found: FileFindings) -> None:
        """Go on with the entries of another file."""
        self._begins.append(len(self._lines))
        self._files.append(found)
        self._sets.forget()
        self._article_locs.clear()

    def add(self, batch: Batch) -> None:
        """Add entries of the current file, and tell which addresses are there already."""
        if self._full or len(self) > MOST_COMPARED or self._sets.count > _MOST_LINKS:
            self._stop()
            return
        start = len(self)
        self._lines.extend(batch.lines)
        self._sets_of.extend([self._sets[links] for links in batch.links])
        own = range(start, len(self))
        self._remember_articles(batch, own)
        firsts = list(map(self._numbers.setdefault, batch.locs, own))
        if firsts != list(own):
            for number, first, loc in zip(own, firsts, batch.locs, strict=True):
                if loc and first != number:
                    self._add_again(loc, number, first)

    def _remember_articles(self, batch: Batch, own: range) -> None:
        """Note which entries are news; an article may come a batch before its entry's end."""
        self._article_locs.update(media.loc for media in batch.media if media.kind == "news")
        if self._article_locs:
            numbers = zip(own, batch.locs, strict=True)
            self._articles.update(number for number, loc in numbers if loc in self._article_locs)

    def _stop(self) -> None:
        if not self._full:
            message = f"Only the first {len(self):,} entries were compared with each other."
            cure = "Check parts of the site one by one, if that matters."
            self._files[-1].add("not-compared", message, cure)
        self._full = True

    def _place(self, number: int) -> _Place:
        file = bisect_right(self._begins, number) - 1
        return _Place(self._files[file], self._lines[number])

    def _add_again(self, loc: str, number: int, first: int) -> None:
        """Deal with an address that has an entry already.

        In another sitemap that is no fault, nor is it one that news are listed as pages too.
        """
        is_elsewhere = first < self._begins[-1]
        once_as_news = (first in self._articles) != (number in self._articles)
        if first < self._group or (is_elsewhere and once_as_news):
            if self._sets_of[first] == _NO_SET:
                self._sets_of[first] = self._sets_of[number]
            return
        here, there = self._place(number), self._place(first)
        where = f"on line {there.line}"
        if there.found.path != here.found.path:
            where += f" of {there.found.path}"
        message = f"The address is listed {where} already."
        here.found.add("loc-duplicate", message, "Remove one entry.", line=here.line, url=loc)

    def judge_links(self, is_own: Callable[[str], bool], explain: Explain, complete: bool) -> None:
        """Tell which translations do not link back, differ in their sets, or are not listed.

        ``is_own`` tells whether an address belongs to the site; ``explain`` may know why an
        address is not listed. ``complete`` says that no entry is missing here.
        """
        doubtful, unlisted = self._doubtful_sets()
        if unlisted:
            self._report_unlisted(unlisted, is_own, explain, complete)
        if not doubtful:
            return
        for loc, number in self._numbers.items():
            own_set = self._sets_of[number]
            if own_set in doubtful and loc:
                if loc not in self._sets.hrefs(own_set):
                    self._report_no_self(loc, number)
                self._compare(loc, number)

    def _doubtful_sets(self) -> tuple[set[int], dict[int, list[str]]]:
        """Return the sets that some page has and another of its pages has not.

        And the addresses that have no entry, by the sets that name them.
        """
        doubtful: set[int] = set()
        unlisted: dict[int, list[str]] = {}
        entries_of = Counter(self._sets_of)
        number_of, set_of = self._numbers.get, self._sets_of
        for own_set, links in enumerate(self._sets.contents):
            members: set[int] = set()
            for code, href in zip(links.codes, links.hrefs, strict=True):
                number = number_of(href)
                if number is None:
                    unlisted.setdefault(own_set, []).append(href)
                elif set_of[number] == own_set:
                    members.add(number)
                elif code.lower() != X_DEFAULT:
                    doubtful.add(own_set)
            if len(members) != entries_of[own_set]:
                doubtful.add(own_set)
        return doubtful, unlisted

    def _report_unlisted(
        self,
        unlisted: dict[int, list[str]],
        is_own: Callable[[str], bool],
        explain: Explain,
        complete: bool,
    ) -> None:
        def not_listed(href: str) -> Fault:
            message = f"The translation {quote(href)} is not listed itself."
            cure = "Give it an entry of its own with the same links."
            return Fault("alternate-not-listed", message, cure)

        for number, own_set in enumerate(self._sets_of):
            for href in dict.fromkeys(unlisted.pop(own_set, ())):
                fault = (explain(href) or (complete and not_listed(href))) if is_own(href) else None
                if fault:
                    place = self._place(number)
                    place.found.add_fault(fault, line=place.line, url=href)

    def _report_no_self(self, loc: str, number: int) -> None:
        place = self._place(number)
        message = "The page names translations, but not itself."
        cure = "Add a link with the page's own language and address."
        place.found.add("hreflang-no-self", message, cure, line=place.line, url=loc)

    def _compare(self, loc: str, number: int) -> None:
        """Compare the set of an entry with those of the pages that it names."""
        own_set, place = self._sets_of[number], self._place(number)
        differs = None
        for code, href in self._sets.contents[own_set].pairs:
            other = self._numbers.get(href)
            if other is None or other == number or code.lower() == X_DEFAULT:
                continue
            other_set = self._sets_of[other]
            if loc not in self._sets.hrefs(other_set):
                message = f"{quote(href)} is named as the {code} version, but does not link back."
                cure = "Give both pages the same links, or remove this one."
                place.found.add("hreflang-no-return", message, cure, line=place.line, url=loc)
            elif not self._sets.are_equal(own_set, other_set):
                differs = differs or href
        if differs:
            message = f"The page and its translation {quote(differs)} name different sets."
            cure = "Give all translations of a page the same links."
            place.found.add("hreflang-sets-differ", message, cure, line=place.line, url=loc)


class _Sets(dict[LinkSet, int]):
    """Numbers the different sets of links."""

    def __init__(self) -> None:
        super().__init__()
        self.contents: list[LinkSet] = []
        self.count = 0
        self._known: dict[tuple[tuple[str, ...], tuple[str, ...]], int] = {((), ()): _NO_SET}
        self.forget()

    def __missing__(self, links: LinkSet) -> int:
        key = (links.codes, links.hrefs)
        number = self[links] = self._known.setdefault(key, len(self.contents))
        if number == len(self.contents):
            self.contents.append(links)
            self.count += len(links.codes)
        return number

    def forget(self) -> None:
        """Forget which objects stood for which sets; their files have been read."""
        self.clear()
        self[NO_LINKS] = _NO_SET

    def hrefs(self, number: int) -> tuple[str, ...]:
        """Return the addresses in a set."""
        return () if number == _NO_SET else self.contents[number].hrefs

    def are_equal(self, one: int, other: int) -> bool:
        """Tell whether two sets differ in their order at most."""
        return one == other or sorted(self.contents[one].pairs) == sorted(
            self.contents[other].pairs
        )

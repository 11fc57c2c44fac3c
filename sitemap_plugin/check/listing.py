"""All entries of a check beside each other: duplicates, and whether translations agree."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import NamedTuple

from sitemap_plugin.check.batch import NO_LINKS, Batch, LinkSet
from sitemap_plugin.check.findings import Fault, FileFindings, quote
from sitemap_plugin.languages import X_DEFAULT

__all__ = ["Listing"]

MOST_COMPARED = 1_000_000
"""Entries that are compared with each other; it takes about 300 bytes for each."""

_MOST_PAIRS = 2 * MOST_COMPARED
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

    def add(self, batch: Batch) -> None:
        """Add entries of the current file, and tell which addresses are there already."""
        if self._full or len(self) > MOST_COMPARED or self._sets.pairs > _MOST_PAIRS:
            self._stop()
            return
        start = len(self)
        self._lines.extend(batch.lines)
        self._sets_of.extend([self._sets[links] for links in batch.links])
        own = range(start, len(self))
        firsts = list(map(self._numbers.setdefault, batch.locs, own))
        if firsts != list(own):
            for number, first, loc in zip(own, firsts, batch.locs, strict=True):
                if loc and first != number:
                    self._add_again(loc, number, first)

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
        """Deal with an address that has an entry already; in another sitemap that is no fault."""
        if first < self._group:
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
        odd, unlisted = self._odd_sets()
        if unlisted:
            self._report_unlisted(unlisted, is_own, explain, complete)
        for loc, number in self._numbers.items():
            own_set = self._sets_of[number]
            if own_set != _NO_SET and loc:
                if loc not in self._sets.hrefs[own_set]:
                    self._report_no_self(loc, number)
                if own_set in odd:
                    self._compare(loc, number)

    def _odd_sets(self) -> tuple[set[int], dict[int, list[str]]]:
        """Return the sets that one of their pages does not have, and what they name in vain."""
        odd: set[int] = set()
        unlisted: dict[int, list[str]] = {}
        number_of, set_of = self._numbers.get, self._sets_of
        for own_set, pairs in enumerate(self._sets.contents):
            for code, href in pairs:
                number = number_of(href)
                if number is None:
                    unlisted.setdefault(own_set, []).append(href)
                elif set_of[number] != own_set and code.lower() != X_DEFAULT:
                    odd.add(own_set)
        return odd, unlisted

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
        for code, href in self._sets.contents[own_set]:
            other = self._numbers.get(href)
            if other is None or other == number or code.lower() == X_DEFAULT:
                continue
            other_set = self._sets_of[other]
            if other_set == _NO_SET or loc not in self._sets.hrefs[other_set]:
                message = f"{quote(href)} is named as the {code} version, but does not link back."
                cure = "Give both pages the same links, or remove this one."
                place.found.add("hreflang-no-return", message, cure, line=place.line, url=loc)
            elif other_set != own_set:
                differs = differs or href
        if differs:
            message = f"The page and its translation {quote(differs)} name different sets."
            cure = "Give all translations of a page the same links."
            place.found.add("hreflang-sets-differ", message, cure, line=place.line, url=loc)

    def sets(self) -> Iterator[tuple[tuple[str, str], ...]]:
        """Yield every different set of links."""
        yield from self._sets.contents


class _Sets(dict[LinkSet, int]):
    """Numbers the different sets of links; two that differ in their order alone are one."""

    def __init__(self) -> None:
        super().__init__()
        self.contents: list[tuple[tuple[str, str], ...]] = []
        self.hrefs: list[tuple[str, ...]] = []
        self.pairs = 0
        self._known: dict[tuple[tuple[str, str], ...], int] = {}
        self.forget()

    def __missing__(self, links: LinkSet) -> int:
        pairs = tuple(sorted(links.pairs))
        number = self._known.get(pairs, len(self.contents)) if pairs else _NO_SET
        if number == len(self.contents):
            self._known[pairs] = number
            self.contents.append(pairs)
            self.hrefs.append(tuple([href for _, href in pairs]))
            self.pairs += len(pairs)
        self[links] = number
        return number

    def forget(self) -> None:
        """Forget which objects stood for which sets; their files have been read."""
        self.clear()
        self[NO_LINKS] = _NO_SET

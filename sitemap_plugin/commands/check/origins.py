"""Which site the addresses are on, where nobody has said which it should be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sitemap_plugin.commands.check.findings import FileFindings
from sitemap_plugin.commands.check.locations import Scope, place_fault
from sitemap_plugin.common.urls import origin

__all__ = ["Origins"]

_KEPT = 1000


class Origins:
    """Counts addresses by scheme, host and port; what most have in common is taken to be right."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._examples: dict[str, list[tuple[FileFindings, int, str]]] = {}
        self.guess = ""

    def add_all(self, count: int) -> None:
        """Count addresses that are on the site that was guessed."""
        self._counts[self.guess] += count

    def add(self, loc: str, found: FileFindings, line: int) -> None:
        """Count one address, and remember some of each site."""
        try:
            own = origin(loc)
        except ValueError:
            return
        if len(self._counts) < _KEPT or own in self._counts:
            self._counts[own] += 1
            examples = self._examples.setdefault(own, [])
            if len(examples) < _KEPT:
                examples.append((found, line, loc))
            self.guess = max(self._counts, key=self._counts.__getitem__)

    def includes(self, url: str) -> bool:
        """Tell whether an address is on the site of most."""
        try:
            return origin(url) == self.guess
        except ValueError:
            return False

    def judge(self) -> None:
        """Record the addresses that are not on the site of most."""
        scope = Scope(self.guess)
        for own, examples in self._examples.items():
            if own != self.guess:
                _report(examples, scope)


def _report(examples: Sequence[tuple[FileFindings, int, str]], scope: Scope) -> None:
    for found, line, loc in examples:
        fault = place_fault(loc, scope)
        if fault:
            found.add_fault(fault, line=line, url=loc)

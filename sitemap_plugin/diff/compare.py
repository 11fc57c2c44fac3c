"""Compare what two targets say about each address."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sitemap_plugin.dates import DateError, parse_w3c
from sitemap_plugin.diff.states import Described, State

__all__ = ["Change", "Difference", "compare"]


class Change(NamedTuple):
    """An address that both list, with what each says about it."""

    loc: str
    old: State
    new: State

    @property
    def lastmod(self) -> bool:
        """Whether the date differs."""
        return not same_moment(self.old.lastmod, self.new.lastmod)

    @property
    def alternates(self) -> bool:
        """Whether the links to translations differ."""
        return _differ(self.old.alternates, self.new.alternates)

    @property
    def images(self) -> bool:
        """Whether the images differ."""
        return _differ(self.old.images, self.new.images)


class Difference(NamedTuple):
    """Addresses by what became of them, in their order; ``unchanged`` counts the others."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[Change, ...] = ()
    unchanged: int = 0

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)

    @property
    def locs(self) -> list[str]:
        """All addresses about which there is something to tell, sorted."""
        changed = (change.loc for change in self.changed)
        return sorted((*self.added, *self.removed, *changed))


def compare(old: Iterable[Described], new: Iterable[Described]) -> Difference:
    """Compare two targets; of several entries for one address the first counts.

    The whole of ``old`` is kept in memory, of ``new`` only what is not in it.
    """
    before: dict[str, State | None] = {}
    for loc, state in old:
        before.setdefault(loc, state)
    added: dict[str, None] = {}
    changed: list[Change] = []
    for loc, state in new:
        if loc not in before:
            added[loc] = None
            continue
        known = before[loc]
        before[loc] = None
        if known is not None and known != state:
            change = Change(loc, known, state)
            if change.lastmod or change.alternates or change.images:
                changed.append(change)
    removed = [loc for loc, state in before.items() if state is not None]
    unchanged = len(before) - len(removed) - len(changed)
    return Difference(
        tuple(sorted(added)), tuple(sorted(removed)), tuple(sorted(changed)), unchanged
    )


def same_moment(one: str | None, other: str | None) -> bool:
    """Tell whether two dates are the same, in whatever zone; an unknown one equals any."""
    if one is None or other is None or one == other:
        return True
    try:
        return parse_w3c(one) == parse_w3c(other)
    except DateError:
        return False


def _differ(one: tuple[object, ...] | None, other: tuple[object, ...] | None) -> bool:
    return one is not None and other is not None and one != other

"""Compare what two targets say about each address."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import NamedTuple, cast

from sitemap_plugin.commands.diff.states import Described, State
from sitemap_plugin.dates.parse import DateError, parse_w3c

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


class _Pair(NamedTuple):
    """What both sides say of an address."""

    old: State
    new: State


def compare(old: Iterable[Described], new: Iterable[Described]) -> Difference:
    """Compare two targets; of several entries for one address the first that says a thing counts.

    News sitemaps, say, list pages once more, and often without a date. The whole of ``old`` is kept
    in memory, of ``new`` only what is not in it.
    """
    states: dict[str, State] = {}
    for loc, state in old:
        states[loc] = _joined(states.get(loc), state)
    known = cast("dict[str, State | _Pair]", states)
    added: dict[str, None] = {}
    pairs: dict[_Pair, _Pair] = {}  # There are few different ones.
    for loc, state in new:
        match known.get(loc):
            case None:
                added[loc] = None
                continue
            case _Pair(before, after):
                pair = _Pair(before, _joined(after, state))
            case before:
                pair = _Pair(before, state)
        known[loc] = pairs.setdefault(pair, pair)
    changing = {pair for pair in pairs if pair.old != pair.new and _is_change(pair)}
    changed = [Change(loc, *pair) for loc, pair in known.items() if pair in changing]
    removed = [loc for loc, state in known.items() if not isinstance(state, _Pair)]
    unchanged = len(known) - len(removed) - len(changed)
    return Difference(
        tuple(sorted(added)), tuple(sorted(removed)), tuple(sorted(changed)), unchanged
    )


def _joined(first: State | None, second: State) -> State:
    """Return what two entries say together, the first if they contradict each other."""
    if first is None or first == second:
        return second
    return State(
        first.lastmod or (first.lastmod if second.lastmod is None else second.lastmod),
        first.alternates or (first.alternates if second.alternates is None else second.alternates),
        first.images or (first.images if second.images is None else second.images),
    )


def _is_change(pair: _Pair) -> bool:
    change = Change("", *pair)
    return change.lastmod or change.alternates or change.images


def same_moment(one: str | None, other: str | None) -> bool:
    """Tell whether two dates are the same, in whatever zone; an unknown one equals any."""
    if one is None or other is None or one == other:
        return True
    try:
        first, second = parse_w3c(one), parse_w3c(other)
    except DateError:
        return False
    # A moment may be written with or without seconds, but a year is not its first day.
    is_moment = isinstance(first.value, dt.datetime)
    return first.value == second.value and (is_moment or first.granularity == second.granularity)


def _differ(one: tuple[object, ...] | None, other: tuple[object, ...] | None) -> bool:
    return one is not None and other is not None and one != other

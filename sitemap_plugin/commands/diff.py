"""``sitemap-plugin diff OLD NEW``: in what two sitemaps, or two states of a site, differ."""

from __future__ import annotations

import argparse
import datetime as dt
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_plugin.commands.compared import Described, State, Target, open_target
from sitemap_plugin.commands.web.fetcher import Fetcher
from sitemap_plugin.commands.web.request_flags import (
    add_retry_flags,
    message_writer,
    put_out,
    read_retry_flags,
)
from sitemap_plugin.common.text import shown
from sitemap_plugin.common.urls import check_base_url
from sitemap_plugin.dates.parse import DateError, parse_w3c
from sitemap_plugin.errors import SitemapError

TARGET = (
    "a sitemap, an index, a text sitemap, gzipped or not, the folder of a built site, a report, or "
    "a URL of one of these"
)
_VERSION = 1
_LONGEST = 2100
_FINE, _DIFFERENT, _UNREADABLE = 0, 1, 2


class Change(NamedTuple):
    """An address that both list, with what each says about it."""

    loc: str
    old: State
    new: State

    @property
    def lastmod(self) -> bool:
        """Whether the date differs."""
        return not _same_moment(self.old.lastmod, self.new.lastmod)

    @property
    def alternates(self) -> bool:
        """Whether the links to translations differ."""
        return _differ(self.old.alternates, self.new.alternates)

    @property
    def images(self) -> bool:
        """Whether the images differ."""
        return _differ(self.old.images, self.new.images)

    def __bool__(self) -> bool:
        return self.lastmod or self.alternates or self.images


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
        return sorted((*self.added, *self.removed, *(change.loc for change in self.changed)))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("old", metavar="OLD", help=TARGET)
    parser.add_argument("new", metavar="NEW", help="the same, as it is now")
    parser.add_argument(
        "--base-url",
        type=base_url,
        metavar="URL",
        help="the address of the folders; if left out, it is found out from the sitemaps",
    )
    parser.add_argument(
        "--format", choices=FORMATS, default="text", help="how to write differences (default: text)"
    )
    parser.add_argument(
        "--output", type=Path, metavar="FILE", help="write to a file instead of the terminal"
    )
    parser.add_argument(
        "--exit-code", action="store_true", help="make the exit status 1 if there are differences"
    )
    add_retry_flags(parser)


def base_url(text: str) -> str:
    """Return a base URL in its normal form; for argparse."""
    try:
        return check_base_url(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def run(arguments: argparse.Namespace) -> int:
    """Compare, write what was found, and return the exit status."""
    tell = message_writer("diff")
    old, new = arguments.old, arguments.new
    try:
        fetcher = Fetcher(read_retry_flags(arguments), tell)
        difference, _ = diff(old, new, fetcher, base_url=arguments.base_url)
        put_out(FORMATS[arguments.format](difference, old, new), arguments)
    except SitemapError as error:
        tell(f"error: {error}")
        return _UNREADABLE
    if difference.added and difference.removed and not (difference.changed or difference.unchanged):
        tell("the two have no address in common; are they of one site, built for one address?")
    return _DIFFERENT if arguments.exit_code and difference else _FINE


def diff(
    old: str, new: str, fetcher: Fetcher, *, base_url: str | None = None
) -> tuple[Difference, Target]:
    """Compare two targets, each a path or a URL; return the second one too.

    ``base_url`` is the address of the folders, or of the folders of files, among them. Raises
    SitemapError where one of them cannot be read as a whole.
    """
    before, after = (open_target(text, base_url, fetcher) for text in (old, new))
    return compare(before.states(), after.states()), after


def compare(old: Iterable[Described], new: Iterable[Described]) -> Difference:
    """Compare what two sides say; of several entries for one address the first that says it counts.

    News sitemaps, say, list pages once more, and often without a date.
    """
    before, after = _joined(old), _joined(new)
    changes = (Change(loc, before[loc], after[loc]) for loc in before if loc in after)
    changed = tuple(sorted(change for change in changes if change.old != change.new and change))
    return Difference(
        added=tuple(sorted(after.keys() - before.keys())),
        removed=tuple(sorted(before.keys() - after.keys())),
        changed=changed,
        unchanged=len(before.keys() & after.keys()) - len(changed),
    )


def _joined(described: Iterable[Described]) -> dict[str, State]:
    states: dict[str, State] = {}
    for loc, state in described:
        first = states.get(loc, state)
        # What the first does not say the second says; an empty value says more than None.
        changes: dict[str, Any] = {
            name: two
            for name, one, two in zip(State._fields, first, state, strict=True)
            if not one and two is not None
        }
        states[loc] = first._replace(**changes)
    return states


def _same_moment(one: str | None, other: str | None) -> bool:
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


def _as_text(difference: Difference, _old: str, _new: str) -> str:
    """Render for people: a line for each address, and below it what has changed."""
    lines = [f"+ {_clipped(loc)}" for loc in difference.added]
    lines += [f"- {_clipped(loc)}" for loc in difference.removed]
    for change in difference.changed:
        lines.append(f"~ {_clipped(change.loc)}")
        lines += [f"    {line}" for line in _details(change)]
    counts = (
        f"{len(difference.added):,} added, {len(difference.removed):,} removed, "
        f"{len(difference.changed):,} changed, {difference.unchanged:,} unchanged"
    )
    return "\n".join((*lines, counts, ""))


def _details(change: Change) -> Iterator[str]:
    old, new = change.old, change.new
    if change.lastmod:
        yield f"lastmod: {_clipped(old.lastmod or 'none')} -> {_clipped(new.lastmod or 'none')}"
    for what, name in (("translation", "alternates"), ("image", "images")):
        if getattr(change, name):
            added, removed = _sides(getattr(old, name), getattr(new, name))
            yield from (f"{what} removed: {_clipped(value)}" for value in removed)
            yield from (f"{what} added: {_clipped(value)}" for value in added)


def _sides(old: Sequence[Any] | None, new: Sequence[Any] | None) -> tuple[list[Any], list[Any]]:
    """Return what only the second has, and what only the first has."""
    before, after = old or (), new or ()
    return [item for item in after if item not in before], [
        item for item in before if item not in after
    ]


def _clipped(value: str | tuple[str, ...]) -> str:
    return shown(value if isinstance(value, str) else " ".join(value), _LONGEST)


def _as_json(difference: Difference, old: str, new: str) -> str:
    """Render for programs, as the documentation describes it."""
    data = {
        "version": _VERSION,
        "old": old,
        "new": new,
        "added": difference.added,
        "removed": difference.removed,
        "changed": [_record(change) for change in difference.changed],
        "unchanged": difference.unchanged,
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _record(change: Change) -> Mapping[str, Any]:
    old, new = change.old, change.new
    record: dict[str, Any] = {"loc": change.loc}
    if change.lastmod:
        record["lastmod"] = {"old": old.lastmod or None, "new": new.lastmod or None}
    if change.alternates:
        sides = zip(("added", "removed"), _sides(old.alternates, new.alternates), strict=True)
        record["alternates"] = {
            name: [{"hreflang": code, "href": href} for code, href in pairs]
            for name, pairs in sides
        }
    if change.images:
        sides = zip(("added", "removed"), _sides(old.images, new.images), strict=True)
        record["images"] = dict(sides)
    return record


def _as_urls(difference: Difference, _old: str, _new: str) -> str:
    """Render for other tools: the addresses that were added, removed or changed, one a line."""
    return "".join(f"{_clipped(loc)}\n" for loc in difference.locs)


FORMATS: Mapping[str, Callable[[Difference, str, str], str]] = {
    "text": _as_text,
    "json": _as_json,
    "urls": _as_urls,
}

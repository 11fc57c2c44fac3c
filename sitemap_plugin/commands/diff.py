"""``sitemap-plugin diff OLD NEW``: in what two sitemaps, or two states of a site, differ."""

import argparse
import datetime as dt
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from sitemap_plugin.commands.compared import State, Target, open_target
from sitemap_plugin.commands.options import add_result_flags, add_retry_flags, put_out
from sitemap_plugin.commands.web import Fetcher, RetryPolicy
from sitemap_plugin.common.text import shown
from sitemap_plugin.common.urls import normal_form
from sitemap_plugin.dates.parse import DateError, parse_w3c
from sitemap_plugin.errors import or_none

TARGET = (
    "a sitemap, an index, a text sitemap, gzipped or not, the folder of a built site, a report, or "
    "a URL of one of these"
)
_LONGEST = 2100


class Difference(NamedTuple):
    """Addresses by what became of them, in their order; a change is a record of the JSON form."""

    added: list[str]
    removed: list[str]
    changed: list[dict[str, Any]]
    unchanged: int

    @property
    def locs(self) -> list[str]:
        """All addresses about which there is something to tell, sorted."""
        return sorted((*self.added, *self.removed, *(change["loc"] for change in self.changed)))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("old", metavar="OLD", help=TARGET)
    parser.add_argument("new", metavar="NEW", help="the same, as it is now")
    add_result_flags(parser, ("text", "json", "urls"))
    exit_code = "make the exit status 1 if there are differences"
    parser.add_argument("--exit-code", action="store_true", help=exit_code)
    add_retry_flags(parser)


def run(arguments: argparse.Namespace) -> int:
    """Compare, write what was found, and return the exit status."""
    fetcher = open_fetcher("diff", arguments)
    found, _ = diff(arguments, arguments.old, arguments.new, fetcher)
    record = {"version": 1, "old": arguments.old, "new": arguments.new, **found._asdict()}
    lines = found.locs if arguments.format == "urls" else _lines(found)
    put_out(render(arguments.format, record, lines), arguments)
    if found.added and found.removed and not (found.changed or found.unchanged):
        question = "are they of one site, built for one address?"
        fetcher.tell(f"the two have no address in common; {question}")
    return int(arguments.exit_code and bool(found.locs))


def open_fetcher(command: str, arguments: argparse.Namespace) -> Fetcher:
    """Return a fetcher that waits as the flags say, and tells the user beside the result."""
    tell = partial(print, f"sitemap-plugin {command}:", file=sys.stderr, flush=True)
    waits = arguments.timeout, arguments.retries, arguments.max_wait
    return Fetcher(RetryPolicy(*waits, tell=tell))


def diff(
    arguments: argparse.Namespace, old: str, new: str, fetcher: Fetcher
) -> tuple[Difference, Target]:
    """Compare two targets, each a path or a URL; return the second one too."""
    before, after = (open_target(text, arguments.base_url, fetcher) for text in (old, new))
    return compare(before.states(), after.states()), after


def compare(old: Iterable[tuple[str, State]], new: Iterable[tuple[str, State]]) -> Difference:
    """Compare what two sides say about addresses."""
    before, after = _joined(old), _joined(new)
    both = sorted(before.keys() & after.keys())
    changes = (_change(loc, before[loc], after[loc]) for loc in both)
    changed = [change for change in changes if len(change) > 1]
    return Difference(
        added=sorted(after.keys() - before.keys()),
        removed=sorted(before.keys() - after.keys()),
        changed=changed,
        unchanged=len(both) - len(changed),
    )


def _joined(described: Iterable[tuple[str, State]]) -> dict[str, State]:
    """Join the entries for one address, of a news sitemap say; the first that says more counts."""
    states: dict[str, State] = {}
    for address, state in described:
        loc = or_none(normal_form, address) or address  # What is none is compared as written.
        both = zip(states.get(loc, state), state, strict=True)
        # An empty value says more than None.
        states[loc] = State._make(one or (one if two is None else two) for one, two in both)
    return states


def _change(loc: str, old: State, new: State) -> dict[str, Any]:
    """Return a record of what differs, with nothing but the address where nothing does."""
    record: dict[str, Any] = {"loc": loc}
    if not _same_moment(old.lastmod, new.lastmod):
        record["lastmod"] = {"old": old.lastmod or None, "new": new.lastmod or None}
    for name in ("alternates", "images"):
        before, after = getattr(old, name), getattr(new, name)
        if before != after and None not in {before, after}:
            added, removed = sorted({*after} - {*before}), sorted({*before} - {*after})
            record[name] = {"added": [*map(_item, added)], "removed": [*map(_item, removed)]}
    return record


def _item(value: str | tuple[str, str]) -> str | dict[str, str]:
    return value if isinstance(value, str) else {"hreflang": value[0], "href": value[1]}


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


def _lines(found: Difference) -> Iterator[str]:
    """Tell people: a line for each address, and below it what has changed."""
    yield from (f"+ {loc}" for loc in found.added)
    yield from (f"- {loc}" for loc in found.removed)
    for change in found.changed:
        yield f"~ {change['loc']}"
        if dates := change.get("lastmod"):
            yield f"    lastmod: {dates['old'] or 'none'} -> {dates['new'] or 'none'}"
        for what, name in (("translation", "alternates"), ("image", "images")):
            for verb in ("removed", "added"):
                for item in change.get(name, {}).get(verb, ()):
                    text = item if isinstance(item, str) else " ".join(item.values())
                    yield f"    {what} {verb}: {text}"
    yield (
        f"{len(found.added):,} added, {len(found.removed):,} removed, "
        f"{len(found.changed):,} changed, {found.unchanged:,} unchanged"
    )


def render(form: str, record: Mapping[str, Any], lines: Iterable[str]) -> str:
    """Return a result as JSON, which is documented, or as lines of text."""
    if form == "json":
        return json.dumps(record, ensure_ascii=False, indent=1) + "\n"
    return "".join(f"{shown(line, _LONGEST)}\n" for line in lines)

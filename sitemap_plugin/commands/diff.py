"""``sitemap-plugin diff OLD NEW``: in what two sitemaps, or two states of a site, differ."""

import argparse
import datetime as dt
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from sitemap_plugin.commands.compared import State, Target, open_target
from sitemap_plugin.commands.option_flags import add_result_flags, put_out
from sitemap_plugin.commands.web.fetcher import Fetcher, add_retry_flags, message_writer
from sitemap_plugin.common.text import shown
from sitemap_plugin.dates.parse import DateError, parse_w3c

TARGET = (
    "a sitemap, an index, a text sitemap, gzipped or not, the folder of a built site, a report, or "
    "a URL of one of these"
)
_VERSION = 1
_LONGEST = 2100


class Difference(NamedTuple):
    """Addresses by what became of them, in their order; a change is a record of the JSON form."""

    added: list[str]
    removed: list[str]
    changed: list[dict[str, Any]]
    unchanged: int

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)

    @property
    def locs(self) -> list[str]:
        """All addresses about which there is something to tell, sorted."""
        return sorted((*self.added, *self.removed, *(change["loc"] for change in self.changed)))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("old", metavar="OLD", help=TARGET)
    parser.add_argument("new", metavar="NEW", help="the same, as it is now")
    add_result_flags(parser, FORMATS)
    parser.add_argument(
        "--exit-code", action="store_true", help="make the exit status 1 if there are differences"
    )
    add_retry_flags(parser)


def run(arguments: argparse.Namespace) -> int:
    """Compare, write what was found, and return the exit status."""
    tell = message_writer("diff")
    difference, _ = diff(arguments, arguments.old, arguments.new, tell)
    put_out(FORMATS[arguments.format](difference, arguments.old, arguments.new), arguments)
    if difference.added and difference.removed and not (difference.changed or difference.unchanged):
        tell("the two have no address in common; are they of one site, built for one address?")
    return int(arguments.exit_code and bool(difference))


def diff(
    arguments: argparse.Namespace, old: str, new: str, tell: Callable[[str], None]
) -> tuple[Difference, Target]:
    """Compare two targets, each a path or a URL; return the second one too."""
    fetcher = Fetcher.from_flags(arguments, tell)
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
    for loc, state in described:
        first = states.get(loc, state)
        # An empty value says more than None.
        more: dict[str, Any] = {
            name: two
            for name, one, two in zip(State._fields, first, state, strict=True)
            if not one and two is not None
        }
        states[loc] = first._replace(**more)
    return states


def _change(loc: str, old: State, new: State) -> dict[str, Any]:
    """Return a record of what differs, with nothing but the address where nothing does."""
    record: dict[str, Any] = {"loc": loc}
    if not _same_moment(old.lastmod, new.lastmod):
        record["lastmod"] = {"old": old.lastmod or None, "new": new.lastmod or None}
    for name in ("alternates", "images"):
        before, after = getattr(old, name), getattr(new, name)
        if before != after and None not in {before, after}:
            added = [_item(value) for value in after if value not in before]
            removed = [_item(value) for value in before if value not in after]
            record[name] = {"added": added, "removed": removed}
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


def _as_text(difference: Difference, _old: str, _new: str) -> str:
    """Render for people: a line for each address, and below it what has changed."""
    added, removed, changed, unchanged = difference
    lines = [f"+ {_clipped(loc)}" for loc in added] + [f"- {_clipped(loc)}" for loc in removed]
    for change in changed:
        lines += [f"~ {_clipped(change['loc'])}", *_details(change)]
    counts = f"{len(added):,} added, {len(removed):,} removed, {len(changed):,} changed"
    return "\n".join([*lines, f"{counts}, {unchanged:,} unchanged\n"])


def _details(change: Mapping[str, Any]) -> Iterator[str]:
    if dates := change.get("lastmod"):
        old, new = (_clipped(date or "none") for date in dates.values())
        yield f"    lastmod: {old} -> {new}"
    for what, name in (("translation", "alternates"), ("image", "images")):
        for verb in ("removed", "added"):
            for item in change.get(name, {}).get(verb, ()):
                text = item if isinstance(item, str) else " ".join(item.values())
                yield f"    {what} {verb}: {_clipped(text)}"


def _clipped(text: str) -> str:
    return shown(text, _LONGEST)


def _as_json(difference: Difference, old: str, new: str) -> str:
    """Render for programs, as the documentation describes it."""
    data = {"version": _VERSION, "old": old, "new": new, **difference._asdict()}
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _as_urls(difference: Difference, _old: str, _new: str) -> str:
    """Render for other tools: the addresses that were added, removed or changed, one a line."""
    return "".join(f"{_clipped(loc)}\n" for loc in difference.locs)


FORMATS: Mapping[str, Callable[[Difference, str, str], str]]
FORMATS = {"text": _as_text, "json": _as_json, "urls": _as_urls}

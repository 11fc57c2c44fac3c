"""Differences as text, as JSON, and as a list of addresses."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from sitemap_plugin.commands.check.findings import clip
from sitemap_plugin.commands.diff.compare import Change, Difference

__all__ = ["FORMATS", "as_json", "as_text", "as_urls"]

_LONGEST = 2100
_VERSION = 1


def as_text(difference: Difference, _old: str, _new: str) -> str:
    """Render for people: a line for each address, and below it what has changed."""
    lines = [f"+ {_shown(loc)}" for loc in difference.added]
    lines += [f"- {_shown(loc)}" for loc in difference.removed]
    for change in difference.changed:
        lines.append(f"~ {_shown(change.loc)}")
        lines += [f"    {line}" for line in _details(change)]
    counts = (
        f"{len(difference.added):,} added, {len(difference.removed):,} removed, "
        f"{len(difference.changed):,} changed, {difference.unchanged:,} unchanged"
    )
    return "\n".join((*lines, counts, ""))


def _details(change: Change) -> Iterator[str]:
    old, new = change.old, change.new
    if change.lastmod:
        yield f"lastmod: {_shown(old.lastmod or 'none')} -> {_shown(new.lastmod or 'none')}"
    if change.alternates:
        before = [" ".join(pair) for pair in old.alternates or ()]
        after = [" ".join(pair) for pair in new.alternates or ()]
        yield from _lines("translation", before, after)
    if change.images:
        yield from _lines("image", old.images or (), new.images or ())


def _lines(what: str, old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    added, removed = _sides(old, new)
    yield from (f"{what} removed: {_shown(value)}" for value in removed)
    yield from (f"{what} added: {_shown(value)}" for value in added)


def _sides(old: Sequence[Any], new: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """Return what only the second has, and what only the first has."""
    before, after = set(old), set(new)
    return [value for value in new if value not in before], [
        value for value in old if value not in after
    ]


def _shown(text: str) -> str:
    return clip(text, _LONGEST)


def as_json(difference: Difference, old: str, new: str) -> str:
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
        record["alternates"] = {
            name: [{"hreflang": code, "href": href} for code, href in pairs]
            for name, pairs in _named(old.alternates or (), new.alternates or ())
        }
    if change.images:
        record["images"] = dict(_named(old.images or (), new.images or ()))
    return record


def _named(old: Sequence[Any], new: Sequence[Any]) -> Iterator[tuple[str, list[Any]]]:
    added, removed = _sides(old, new)
    yield "added", added
    yield "removed", removed


def as_urls(difference: Difference, _old: str, _new: str) -> str:
    """Render for other tools: the addresses that were added, removed or changed, one a line."""
    return "".join(f"{loc}\n" for loc in difference.locs)


FORMATS: Mapping[str, Callable[[Difference, str, str], str]] = {
    "text": as_text,
    "json": as_json,
    "urls": as_urls,
}

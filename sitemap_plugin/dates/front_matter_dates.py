"""The date sources ``modified`` and ``date``: front matter that says when a page changed.

``modified`` reads the keys for the day of the last change, ``date`` those for the publication.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from sitemap_plugin.dates.parse import DateError, check_range, parse_date
from sitemap_plugin.errors import Problem
from sitemap_plugin.hookspecs import LastmodFunction, hookimpl
from sitemap_plugin.models import Lastmod, Page, Site

__all__ = ["DATE_KEYS", "MODIFIED_KEYS", "FrontMatterDates", "publication_date", "read_date"]

MODIFIED_KEYS = (
    "lastmod", "last_modified_at", "last_modified", "modified", "modified_date", "date_modified",
    "updated", "updated_at", "update", "update_date", "date_updated", "last_update",
    "last_updated", "revision_date", "date.updated",
)  # fmt: skip
"""In any spelling: letters' case, ``-``, ``_``, spaces and camel case make no difference."""
DATE_KEYS = ("date", "date.created", "created", "published")

_SPACING = str.maketrans("", "", "-_ ")
_ORDER = {
    "modified": {key.replace("_", ""): place for place, key in enumerate(MODIFIED_KEYS)},
    "date": {key: place for place, key in enumerate(DATE_KEYS)},
}
_NESTED = {"modified": ("updated",), "date": ("created",)}  # As Material's blog has them.


@hookimpl
def sitemap_lastmod_source(site: Site, name: str) -> LastmodFunction | None:
    """Provide ``modified`` and ``date``."""
    return FrontMatterDates(name, site.timezone) if name in _ORDER else None


class FrontMatterDates:
    """A date source that reads the first usable one of some front matter keys."""

    def __init__(self, name: str, timezone: dt.tzinfo) -> None:
        self.problems: list[Problem] = []
        self._name = name
        self._timezone = timezone

    def __call__(self, page: Page) -> Lastmod | None:
        """Return the page's date."""
        for key, value in _values(page.metadata, self._name):
            try:
                return read_date(value, self._timezone)
            except DateError as error:
                message = f"{_place(page)} {key!r}: {error}"
                self.problems.append(Problem("warning", message, page.where))
        return None

    def describe(self, page: Page) -> str:
        """Return which key the page's date came from."""
        found = _first(page, self._name, self._timezone)
        return f'{_place(page)} "{found[0]}"' if found else _place(page)


def publication_date(page: Page, timezone: dt.tzinfo) -> tuple[str, Lastmod] | None:
    """Return the day on which the page says that it was published, with its key."""
    return _first(page, "date", timezone) if page.metadata else None


def read_date(value: Any, timezone: dt.tzinfo) -> Lastmod:
    """Read a date and check that it is neither before 1970 nor in the future.

    Raises DateError.
    """
    date = parse_date(value, timezone)
    check_range(date)
    return date


def _first(page: Page, name: str, timezone: dt.tzinfo) -> tuple[str, Lastmod] | None:
    for key, value in _values(page.metadata, name):
        try:
            return key, read_date(value, timezone)
        except DateError:
            continue
    return None


def _values(metadata: Mapping[str, Any], name: str) -> Iterator[tuple[str, Any]]:
    """Yield the keys of a source that the front matter has, with their values."""
    found = [
        (place, key) for key in metadata if (place := _place_of(name, key)) is not None
    ]
    found.sort()
    for _, key in found:
        value = metadata[key]
        if not isinstance(value, Mapping):
            if value is not None:
                yield key, value
        elif name == "modified" and "date" in value:  # Docusaurus: last_update: {date: ...}
            yield f"{key}.date", value["date"]
    given = metadata.get("date")
    for part in _NESTED[name] if isinstance(given, Mapping) else ():
        if given.get(part) is not None:
            yield f"date.{part}", given[part]


@cache
def _place_of(name: str, key: object) -> int | None:
    if not isinstance(key, str) or len(key) > 40:  # noqa: PLR2004 - longer than any key
        return None
    plain = key.lower().translate(_SPACING) if name == "modified" else key.lower()
    return _ORDER[name].get(plain)


def _place(page: Page) -> str:
    """Name what the page's metadata were read from: its source, or the written page itself."""
    is_written = page.source is not None and page.source == page.output
    return "HTML head" if is_written else "front matter"

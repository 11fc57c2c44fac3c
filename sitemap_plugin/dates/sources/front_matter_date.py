"""What the date sources ``modified`` and ``date`` share: reading the front matter's keys."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from sitemap_plugin.dates.parse import DateError
from sitemap_plugin.errors import Problem
from sitemap_plugin.models import Lastmod, Page
from sitemap_plugin.pages.front_matter import read_date

__all__ = ["FrontMatterDate"]


class FrontMatterDate:
    """A date source that reads the first usable one of some front matter keys."""

    def __init__(self, keys: tuple[str, ...], timezone: dt.tzinfo) -> None:
        self.problems: list[Problem] = []
        self._known: set[Problem] = set()
        self._keys = keys
        self._flat = frozenset(key for key in keys if "." not in key)
        self._nested = frozenset(key.partition(".")[0] for key in keys if "." in key)
        self._timezone = timezone

    def __call__(self, page: Page) -> Lastmod | None:
        """Return the page's date."""
        if not page.metadata or not self._may_find(page.metadata):
            return None
        found = self._find(page)
        return found[1] if found else None

    def describe(self, page: Page) -> str:
        """Return which key the page's date came from."""
        found = self._find(page)
        return f'{_place(page)} "{found[0]}"' if found else _place(page)

    def _may_find(self, metadata: Mapping[str, Any]) -> bool:
        """Tell whether there is something to read, which most pages have not."""
        return not self._flat.isdisjoint(metadata) or any(
            isinstance(metadata.get(key), Mapping) for key in self._nested
        )

    def _find(self, page: Page) -> tuple[str, Lastmod] | None:
        for key in self._keys:
            value = lookup(page.metadata, key)
            if value is None or (key in self._nested and isinstance(value, Mapping)):
                continue
            try:
                return key, read_date(value, self._timezone)
            except DateError as error:
                problem = Problem("warning", f"{_place(page)} {key!r}: {error}", page.where)
                if problem not in self._known:
                    self._known.add(problem)
                    self.problems.append(problem)
        return None


def _place(page: Page) -> str:
    """Name what the page's metadata were read from: its source, or the written page itself."""
    is_written = page.source is not None and page.source == page.output
    return "HTML head" if is_written else "front matter"


def lookup(metadata: Mapping[str, Any], key: str) -> Any:
    """Return the value of a key, ``date.updated`` being a key of the mapping ``date``."""
    value: Any = metadata
    for part in key.split("."):
        if not isinstance(value, Mapping):
            return None
        value = value.get(part)
    return value

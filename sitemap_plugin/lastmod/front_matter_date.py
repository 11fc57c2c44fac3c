"""What the date sources ``modified`` and ``date`` share: reading the front matter's keys."""

from __future__ import annotations

import datetime as dt

from sitemap_plugin.dates import DateError
from sitemap_plugin.frontmatter import present, read_date
from sitemap_plugin.models import Lastmod, Page
from sitemap_plugin.report import Problem

__all__ = ["FrontMatterDate"]


class FrontMatterDate:
    """A date source that reads the first usable one of some front matter keys."""

    def __init__(self, keys: tuple[str, ...], timezone: dt.tzinfo) -> None:
        self.problems: list[Problem] = []
        self._known: set[Problem] = set()
        self._keys = keys
        self._timezone = timezone

    def __call__(self, page: Page) -> Lastmod | None:
        """Return the page's date."""
        found = self._find(page) if page.metadata else None
        return found[1] if found else None

    def describe(self, page: Page) -> str:
        """Return which key the page's date came from."""
        found = self._find(page)
        return f'front matter "{found[0]}"' if found else "front matter"

    def _find(self, page: Page) -> tuple[str, Lastmod] | None:
        for key, value in present(page.metadata, self._keys):
            try:
                return key, read_date(value, self._timezone)
            except DateError as error:
                problem = Problem("warning", f"front matter {key!r}: {error}", page.where)
                if problem not in self._known:
                    self._known.add(problem)
                    self.problems.append(problem)
        return None

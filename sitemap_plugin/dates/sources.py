"""The date sources ``modified`` and ``date`` (front matter) and ``mtime`` (the source file).

``modified`` reads the keys for the day of the last change, ``date`` those for the publication.
``mtime`` has to be asked for: a fresh clone gives every file the time of the clone.
"""

from __future__ import annotations

import datetime as dt

from sitemap_plugin.dates.parse import DateError
from sitemap_plugin.errors import Problem
from sitemap_plugin.hookspecs import LastmodFunction, hookimpl
from sitemap_plugin.models import Lastmod, Page, Site
from sitemap_plugin.pages.front_matter import raw_dates, read_date

_NAMES = ("modified", "date")


@hookimpl
def sitemap_lastmod_source(site: Site, name: str) -> LastmodFunction | None:
    """Provide ``modified``, ``date`` and ``mtime``."""
    if name == "mtime":
        return _mtime
    return FrontMatterDates(name, site.timezone) if name in _NAMES else None


class FrontMatterDates:
    """A date source that reads the first usable one of some front matter keys."""

    def __init__(self, name: str, timezone: dt.tzinfo) -> None:
        self.problems: list[Problem] = []
        self._name = name
        self._timezone = timezone

    def __call__(self, page: Page) -> Lastmod | None:
        """Return the page's date."""
        found = _first(page, self._name, self._timezone, self.problems)
        return found[1] if found else None

    def describe(self, page: Page) -> str:
        """Return which key the page's date came from."""
        found = _first(page, self._name, self._timezone, [])
        return f'{_place(page)} "{found[0]}"' if found else _place(page)


def publication_date(page: Page, timezone: dt.tzinfo) -> tuple[str, Lastmod] | None:
    """Return the day on which the page says that it was published, with its key."""
    return _first(page, "date", timezone, [])


def _first(
    page: Page, name: str, timezone: dt.tzinfo, problems: list[Problem]
) -> tuple[str, Lastmod] | None:
    for key, value in raw_dates(page.metadata, name) if page.metadata else ():
        try:
            return key, read_date(value, timezone)
        except DateError as error:
            problems.append(Problem("warning", f"{_place(page)} {key!r}: {error}", page.where))
    return None


def _place(page: Page) -> str:
    """Name what the page's metadata were read from: its source, or the written page itself."""
    is_written = page.source is not None and page.source == page.output
    return "HTML head" if is_written else "front matter"


def _mtime(page: Page) -> Lastmod | None:
    if page.source is None:
        return None
    times = []
    for path in (page.source, *page.dependencies):
        try:
            times.append(int(path.stat().st_mtime))
        except OSError:
            continue
    return dt.datetime.fromtimestamp(max(times), dt.UTC) if times else None

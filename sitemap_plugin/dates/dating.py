"""Date pages: ask the date sources in order, and give listings the date of their newest member."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any, NamedTuple

from sitemap_plugin.config import BUILT_IN_SOURCES, unknown_source
from sitemap_plugin.dates.parse import DateError, check_range, newest
from sitemap_plugin.errors import ConfigError, Problem, Severity
from sitemap_plugin.hookspecs import LastmodFunction
from sitemap_plugin.models import Lastmod, Page, Site
from sitemap_plugin.pages.selection import ListedPage
from sitemap_plugin.plugins import Call, PluginManager

__all__ = ["Dates", "PageDate", "date_pages"]

Sources = tuple[tuple[str, Call[LastmodFunction]], ...]


class PageDate(NamedTuple):
    """The date of a page, and where it came from, for the report."""

    lastmod: Lastmod
    origin: str


class Dates(NamedTuple):
    """The date of each listed page, in the order of the pages, and the problems."""

    dates: list[PageDate | None]
    problems: list[Problem]


def date_pages(site: Site, listed: Sequence[ListedPage], hooks: PluginManager) -> Dates:
    """Date the listed pages.

    Raises ConfigError when an option names a source that no plugin provides.
    """
    dater = _Dater(site, hooks, listed)
    pages = [item.page for item in listed]
    dates = dater.dates(pages)
    origins = [
        dater.origin(page) if date else None for page, date in zip(pages, dates, strict=True)
    ]
    found = [
        date and PageDate(date, str(origin)) for date, origin in zip(dates, origins, strict=True)
    ]
    return Dates(found, dater.problems)


class _Dater:
    """The date sources of one build."""

    def __init__(self, site: Site, plugins: PluginManager, listed: Sequence[ListedPage]) -> None:
        self.problems: list[Problem] = []
        self._listed = {item.page.url: item for item in listed}
        self._sources = _find_sources(site, plugins)
        self._default = self._named(site.config.lastmod)
        self._checked: dict[Any, str | None] = {}
        self._origins: dict[str, str] = {}
        self._fixed: set[str] = set()

    def dates(self, pages: Sequence[Page]) -> list[Lastmod | None]:
        """Return each page's date, in the order of the pages, which are those that are listed."""
        for call in self._sources.values():
            if prepare := getattr(call.function, "prepare", None):
                call.guard(prepare, pages)
        dates = [self._date(page) for page in pages]
        if any(page.members for page in pages):
            self._date_listings(pages, dates)
        for call in self._sources.values():
            self.problems.extend(getattr(call.function, "problems", ()))
        return dates

    def origin(self, page: Page) -> str | None:
        """Tell where the page's date came from, for the report; None for a page without date."""
        origin = self._origins.get(page.url)
        call = self._sources.get(origin or "")
        describe = getattr(call.function, "describe", None) if call else None
        return str(describe(page)) if describe else origin

    def _date(self, page: Page) -> Lastmod | None:
        item = self._listed[page.url]
        explicit = item.settings.lastmod
        if explicit is not None:
            self._fixed.add(page.url)
        if explicit is False:
            return None
        if isinstance(explicit, dt.date):
            place = item.settings.place
            self._origins[page.url] = (
                f"{place}.lastmod" if place else 'front matter "sitemap.lastmod"'
            )
            return explicit
        sources = self._default
        if (names := item.effect.lastmod) is not None:
            sources = self._named(names)
            if not names:
                self._fixed.add(page.url)
        if page.members:
            # What a listing says of itself counts; the file behind it does not: git would date
            # the heading of a blog's index, not its list of posts.
            sources = tuple(source for source in sources if source[0] == "modified")
        return self._ask(page, sources)

    def _ask(self, page: Page, sources: Sources) -> Lastmod | None:
        for name, call in sources:
            date = call(page)
            if date is None:
                continue
            if fault := self._fault(date):
                message = f"date source {name!r} (plugin {call.plugin!r}) gave {date!r}: {fault}"
                # The clock of whoever committed is not what the author of the site can mend.
                severity: Severity = "notice" if name == "git" else "warning"
                self.problems.append(Problem(severity, message, page.where))
                continue
            self._origins[page.url] = name
            return date
        return None

    def _fault(self, date: Any) -> str | None:
        """Return what makes a source's date unusable; each distinct date is judged once."""
        key = (date, date.tzinfo) if isinstance(date, dt.datetime) else date
        try:
            return self._checked[key]
        except KeyError:
            fault = self._checked[key] = _judge(date)
            return fault
        except TypeError:  # An unhashable value is no date.
            return _judge(date)

    def _date_listings(self, pages: Sequence[Page], dates: list[Lastmod | None]) -> None:
        """Give listings the date of their newest member, those that list listings last."""
        where = {page.url: index for index, page in enumerate(pages)}
        listings = [index for index, page in enumerate(pages) if page.members]
        by_depth = sorted(listings, key=lambda index: _lists_listings(pages, where, index))
        for index in by_depth:
            page, own = pages[index], dates[index]
            members = [where[url] for url in page.members if url in where and url != page.url]
            found = [date for member in members if (date := dates[member]) is not None]
            latest = newest(found)
            if page.url in self._fixed or latest is None:
                continue
            if own is None or newest([latest, own]) is not own:
                dates[index] = latest
                count = "1 page" if len(found) == 1 else f"{len(found)} pages"
                self._origins[page.url] = f"newest of {count}"

    def _named(self, names: Sequence[str]) -> Sources:
        return tuple((name, self._sources[name]) for name in names if name in self._sources)


def _find_sources(site: Site, plugins: PluginManager) -> dict[str, Call[LastmodFunction]]:
    """Ask the plugins for every source that an option names."""
    places: dict[str, str] = dict.fromkeys(site.config.lastmod, "lastmod")
    for index, rule in enumerate(site.config.rules):
        for name in rule.lastmod or ():
            places.setdefault(name, f"rules[{index}].lastmod")
    sources: dict[str, Call[LastmodFunction]] = {}
    errors: list[str] = []
    for name, place in places.items():
        call = plugins.lastmod_source(site, name)
        if call is not None:
            sources[name] = call
        elif name not in BUILT_IN_SOURCES:
            errors.append(f"{place}: {unknown_source(name, BUILT_IN_SOURCES)}")
    if errors:
        raise ConfigError(errors)
    return sources


def _lists_listings(pages: Sequence[Page], where: dict[str, int], index: int) -> bool:
    """Tell whether a listing lists other listings, as an overview of tags does."""
    return any(url in where and pages[where[url]].members for url in pages[index].members)


def _judge(date: Any) -> str | None:
    if not isinstance(date, dt.date):
        return "expected a date or an aware datetime"
    if isinstance(date, dt.datetime) and date.tzinfo is None:
        return "a datetime needs a time zone"
    try:
        check_range(date)
    except DateError as error:
        return str(error)
    return None

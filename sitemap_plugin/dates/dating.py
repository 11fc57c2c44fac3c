"""Date pages: ask the date sources in order, and give listings the date of their newest member."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sitemap_plugin.common.text import counted, quoted
from sitemap_plugin.config import BUILT_IN_SOURCES, unknown_source
from sitemap_plugin.dates import git, sources
from sitemap_plugin.dates.dependencies import with_dependencies
from sitemap_plugin.dates.parse import DateError, PageDate, check_range, newest, parse_date
from sitemap_plugin.dates.sources import publication_date
from sitemap_plugin.dates.state import StatePlugin
from sitemap_plugin.errors import ConfigError, Problem, Severity
from sitemap_plugin.hookspecs import LastmodFunction
from sitemap_plugin.models import UPDATE_DATE, Page, Site
from sitemap_plugin.pages.selection import ListedPage
from sitemap_plugin.plugins import Call, PluginManager

__all__ = ["Dates", "PageDate", "date_pages", "date_plugins"]

_OBSERVED = frozenset({"git", "mtime", "state"})
"""Sources that see when a file changed, which may be before the page was published."""

Sources = dict[str, Call[LastmodFunction]]


class Dates(NamedTuple):
    """The date of each page, in the order of the pages, and what is wrong with some.

    ``remarks`` are notices for the report alone, which hosts do not print.
    """

    dates: list[PageDate | None]
    problems: list[Problem]
    remarks: list[Problem]


def date_plugins() -> list[tuple[str, object]]:
    """Return the plugins that provide the built-in date sources, with their names."""
    modules = (sources, git)
    return [*((module.__name__, module) for module in modules), ("state", StatePlugin())]


def date_pages(site: Site, listed: Sequence[ListedPage], hooks: PluginManager) -> Dates:
    """Return the date of each listed page.

    Raises ConfigError when an option names a source that no plugin provides.
    """
    found = _find_sources(site, hooks)
    pages, problems = with_dependencies(site, listed)
    for call in found.values():
        if prepare := getattr(call.function, "prepare", None):
            call.guard(prepare, pages)
    dater = _Dater(site, found)
    dates = [dater.date(page, item) for page, item in zip(pages, listed, strict=True)]
    if any(page.members for page in pages):
        dates = _date_listings(pages, dates, dater.fixed)
    problems += dater.problems
    remarks: list[Problem] = []
    for call in found.values():
        problems.extend(getattr(call.function, "problems", ()))
        remarks.extend(getattr(call.function, "remarks", ()))
    return Dates(dates, list(dict.fromkeys(problems)), remarks)


class _Dater:
    """Asks the sources about one page after the other.

    ``fixed`` are the pages that want no other date, by URL.
    """

    def __init__(self, site: Site, sources: Sources) -> None:
        self.problems: list[Problem] = []
        self.fixed: set[str] = set()
        self._site = site
        self._sources = sources

    def date(self, page: Page, item: ListedPage) -> PageDate | None:
        explicit, names = item.settings.lastmod, item.effect.lastmod
        if explicit is not None or names == ():
            self.fixed.add(page.url)
        if isinstance(explicit, dt.date):
            place = item.settings.place
            origin = f"{place}.lastmod" if place else 'front matter "sitemap.lastmod"'
            return PageDate(explicit, origin)
        if explicit is False:
            return None
        if names is None:
            names = self._site.config.lastmod
        if page.kind == "listing" and page.members:
            # What a listing says of itself counts; the file behind it does not: git would date
            # the heading of a blog's index, not its list of posts.
            names = tuple(name for name in names if name == "modified")
        for name in names:
            if call := self._sources.get(name):
                date = self._ask(page, name, call)
                if date:
                    return date
        is_set = UPDATE_DATE in page.metadata and "modified" in names
        return self._by_host(page) if is_set else None

    def _ask(self, page: Page, name: str, call: Call[LastmodFunction]) -> PageDate | None:
        date = call(page)
        if date is None:
            return None
        if fault := _fault(date):
            message = f"date source {name!r} (plugin {call.plugin!r}) gave {quoted(date)}: {fault}"
            # The clock of whoever committed is not what the author of the site can mend.
            severity: Severity = "notice" if name == "git" else "warning"
            self.problems.append(Problem(severity, message, page.where))
            return None
        describe = getattr(call.function, "describe", None)
        origin = str(call.guard(describe, page)) if describe else name
        published = publication_date(page, self._site.timezone) if name in _OBSERVED else None
        if not published or newest([date, published[1]]) is not published[1]:
            return PageDate(date, origin)
        key, day = published
        return PageDate(day, f'front matter "{key}", which is later than {origin}')

    def _by_host(self, page: Page) -> PageDate | None:
        value = page.metadata[UPDATE_DATE]
        try:
            date = parse_date(value, self._site.timezone)
            check_range(date)
        except DateError:
            return None
        return PageDate(date, "page.update_date")


def _date_listings(
    pages: Sequence[Page], dates: Sequence[PageDate | None], fixed: Collection[str]
) -> list[PageDate | None]:
    """Give listings the date of their newest listed member, those that list listings last.

    A date of its own that is newer stays, and so does that of the pages in ``fixed``, by URL.
    """
    result = list(dates)
    where = {page.url: index for index, page in enumerate(pages)}
    members = {
        index: [where[url] for url in page.members if url in where and url != page.url]
        for index, page in enumerate(pages)
        if page.members and page.url not in fixed
    }
    for index in sorted(members, key=lambda one: any(pages[i].members for i in members[one])):
        found = [date for member in members[index] if (date := result[member])]
        own = result[index]
        latest = newest(date.lastmod for date in found)
        if latest and (own is None or newest([latest, own.lastmod]) is not own.lastmod):
            result[index] = PageDate(latest, f"newest of {counted(len(found), 'page')}")
    return result


def _find_sources(site: Site, hooks: PluginManager) -> Sources:
    """Ask the plugins for every source that an option names."""
    places: dict[str, str] = dict.fromkeys(site.config.lastmod, "lastmod")
    for index, rule in enumerate(site.config.rules):
        for name in rule.lastmod or ():
            places.setdefault(name, f"rules[{index}].lastmod")
    sources: Sources = {}
    errors: list[str] = []
    for name, place in places.items():
        call = hooks.lastmod_source(site, name)
        if call is not None:
            sources[name] = call
        elif name not in BUILT_IN_SOURCES:
            errors.append(f"{place}: {unknown_source(name, BUILT_IN_SOURCES)}")
    if errors:
        raise ConfigError(errors)
    return sources


def _fault(date: Any) -> str | None:
    """Return what makes a source's date unusable."""
    if not isinstance(date, dt.date):
        return "expected a date or an aware datetime"
    try:
        if isinstance(date, dt.datetime) and date.utcoffset() is None:
            return "a datetime needs a time zone"
        check_range(date)
    except DateError as error:
        return str(error)
    except Exception as error:  # noqa: BLE001 - a plugin's time zone may raise anything
        return f"its time zone cannot be used ({type(error).__name__})"
    return None

"""Date pages: ask the date sources in order, and give listings the date of their newest member."""

import datetime as dt
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sitemap_plugin.common.text import counted, quoted
from sitemap_plugin.config import BUILT_IN_SOURCES, unknown_source
from sitemap_plugin.dates import git
from sitemap_plugin.dates.included_files import with_dependencies
from sitemap_plugin.dates.parse import DateError, PageDate, check_range, newest, read_date
from sitemap_plugin.dates.sources import SourcesPlugin, not_before_publication
from sitemap_plugin.errors import ConfigError, Problem, or_none
from sitemap_plugin.hookspecs import LastmodFunction
from sitemap_plugin.models import UPDATE_DATE, Page, Site
from sitemap_plugin.pages.selection import Selection
from sitemap_plugin.plugins import Call, PluginManager

__all__ = ["Dates", "PageDate", "date_pages", "date_plugins"]

Sources = dict[str, Call[LastmodFunction]]


class Dates(NamedTuple):
    """The date of each page, in the order of the pages, and what is wrong with some."""

    dates: list[PageDate | None]
    problems: list[Problem]
    remarks: list[Problem]  # For the report alone; hosts do not print them.


def date_plugins() -> list[object]:
    """Return the plugins that provide the built-in date sources."""
    return [git, SourcesPlugin()]


def date_pages(site: Site, selection: Selection, hooks: PluginManager) -> Dates:
    """Return the date of each listed page; raise ConfigError for a source nobody provides."""
    sources = _find_sources(site, hooks)
    pages, problems = with_dependencies(site, selection)
    for call in sources.values():
        if prepare := getattr(call.function, "prepare", None):
            call.guard(prepare, pages)
    fixed: set[str] = set()
    dates: list[PageDate | None] = []
    for page, own, effect in zip(pages, selection.settings, selection.effects, strict=True):
        explicit, names = own.lastmod, effect.lastmod
        if explicit is not None or names == ():
            fixed.add(page.url)
        if isinstance(explicit, dt.date):
            origin = f"{own.place}.lastmod" if own.place else 'front matter "sitemap.lastmod"'
            dates.append(PageDate(explicit, origin))
        elif explicit is False:
            dates.append(None)
        else:
            names = site.config.lastmod if names is None else names
            dates.append(_date(page, names, sources, site.timezone, problems))
    if any(page.members for page in pages):
        dates = _date_listings(pages, dates, fixed)
    remarks: list[Problem] = []
    for call in sources.values():
        problems.extend(getattr(call.function, "problems", ()))
        remarks.extend(getattr(call.function, "remarks", ()))
    return Dates(dates, list(dict.fromkeys(problems)), remarks)


def _date(
    page: Page, names: Sequence[str], sources: Sources, timezone: dt.tzinfo, problems: list[Problem]
) -> PageDate | None:
    """Return the date of the first source that knows one."""
    if page.kind == "listing" and page.members:
        # What a listing says of itself counts; the file behind it does not: git would date
        # the heading of a blog's index, not its list of posts.
        names = tuple(name for name in names if name == "modified")
    for name in names:
        call = sources.get(name)
        date = call(page) if call else None
        if call is None or date is None:
            continue
        if fault := _fault(date):
            message = f"date source {name!r} (plugin {call.plugin!r}) gave {quoted(date)}: {fault}"
            # The clock of whoever committed is not what the author of the site can mend.
            problems.append(Problem("notice" if name == "git" else "warning", message, page.where))
            continue
        describe = getattr(call.function, "describe", None)
        found = PageDate(date, str(call.guard(describe, page)) if describe else name)
        # These see when a file changed, which may be before the page was published.
        is_observed = name in {"mtime", "state"}
        return not_before_publication(page, found, timezone) if is_observed else found
    if page.metadata and UPDATE_DATE in page.metadata and "modified" in names:
        updated = or_none(read_date, page.metadata[UPDATE_DATE], timezone)
        return PageDate(updated, "page.update_date") if updated else None
    return None


def _date_listings(
    pages: Sequence[Page], dates: Sequence[PageDate | None], fixed: Collection[str]
) -> list[PageDate | None]:
    """Give listings the date of their newest listed member, those that list listings last.

    A date of its own that is newer stays, and so does one that is ``fixed``.
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
            errors.append(f"{place}: {unknown_source(name)}")
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

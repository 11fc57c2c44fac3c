"""Which entries go into which file: the option ``sections``, and news."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

from sitemap_plugin.common.clock import build_time
from sitemap_plugin.common.urls import path_below
from sitemap_plugin.dates.parse import sort_key
from sitemap_plugin.errors import ConfigError
from sitemap_plugin.models import Entry, Page, Site
from sitemap_plugin.write.writing.articles import is_new
from sitemap_plugin.write.writing.validity import is_date

__all__ = ["Sections", "into_sections"]

_DAY = 86_400
_NEWS_NAME = re.compile(r"news(?:-\d+)?", re.ASCII | re.IGNORECASE)
_news = attrgetter("news")
_loc = itemgetter(0)


class Sections(NamedTuple):
    """The entries of each file, in the order of their URLs.

    ``pages`` are those of each section, all others under None, without news. ``news`` repeats the
    articles that are new; it is None where the site has no news at all.
    """

    pages: Mapping[str | None, Sequence[Entry]]
    news: Sequence[Entry] | None = None


def into_sections(site: Site, pages: Sequence[Page], entries: Sequence[Entry]) -> Sections:
    """Return what goes into which file; ``entries[i]`` belongs to ``pages[i]``.

    A page belongs to the first section whose patterns match it. Raises ConfigError for a section
    with the name that the files of news have.
    """
    news = None
    if site.config.news or any(map(_news, entries)):
        _check_names(site)
        news = _recent(entries, build_time())
        entries = [entry.replace(news=None) if entry.news else entry for entry in entries]
    return Sections(_by_section(site, pages, entries), news)


def _check_names(site: Site) -> None:
    message = "the site has news, and their files are called so; choose another name"
    taken = filter(_NEWS_NAME.fullmatch, site.config.sections)
    problems = [f"sections.{name}: {message}" for name in taken]
    if problems:
        raise ConfigError(problems)


def _recent(entries: Sequence[Entry], now: dt.datetime) -> list[Entry]:
    """Return an entry for each article of the last two days, with what news sitemaps need."""
    articles = [
        Entry(entry.loc, entry.lastmod, news=entry.news)
        for entry in entries
        if entry.news and _may_be_new(entry.news, now)
    ]
    return sorted(articles, key=_loc)


def _may_be_new(news: object, now: dt.datetime) -> bool:
    """Judge the age of what a plugin, too, may have set; the writer tells what is wrong with it."""
    published: Any = getattr(news, "publication_date", None)
    if not is_date(published):
        return True
    # SOURCE_DATE_EPOCH may name a time long before; less than a day ahead comes from a time zone.
    return is_new(published, now) and sort_key(published)[0] < sort_key(now)[0] + _DAY


def _by_section(
    site: Site, pages: Sequence[Page], entries: Sequence[Entry]
) -> Mapping[str | None, Sequence[Entry]]:
    sections = site.config.sections
    if not sections:
        return {None: sorted(entries, key=_loc)}
    found: dict[str | None, list[Entry]] = {name: [] for name in (*sections, None)}
    for page, entry in zip(pages, entries, strict=True):
        url_path = path_below(entry.loc, site.base_url)
        matching = (
            name
            for name, patterns in sections.items()
            if patterns.match(page.source_path, url_path)
        )
        found[next(matching, None)].append(entry)
    return {name: sorted(some, key=_loc) for name, some in found.items()}

"""News articles: what makes a page one, and what may be said of it (Google: news sitemaps)."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping
from typing import Any

from sitemap_plugin.common.urls import path_below
from sitemap_plugin.dates.parse import DateError, sort_key
from sitemap_plugin.dates.sources import FrontMatterDates
from sitemap_plugin.errors import Problem
from sitemap_plugin.languages import normalize
from sitemap_plugin.models import Lastmod, News, Page, Site
from sitemap_plugin.pages.front_matter import bad_value, read_date, truth, unknown_keys
from sitemap_plugin.write.protocol import is_text, lastmod_fault

NEWS_NAME = re.compile(r"news(?:-\d+)?", re.ASCII | re.IGNORECASE)
"""What files of news are called, after the sitemap's own name."""

Refuse = Callable[[str, object, str], None]
"""Takes note of a field, its value, and what to write instead."""

_PLACE = "sitemap.news"
_AGE, _DAY = dt.timedelta(days=2), dt.timedelta(days=1)
_LANGUAGE = re.compile("zh-cn|zh-tw|[a-z]{2,3}")
_TRADITIONAL = frozenset({"hant", "tw", "hk", "mo"})
_SIMPLIFIED = frozenset({"hans", "cn", "sg"})
_CHECKS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "publication": (is_text, "write the publication's name"),
    "language": (
        lambda value: isinstance(value, str) and _LANGUAGE.fullmatch(value) is not None,
        "write a code of two or three letters, zh-cn or zh-tw",
    ),
    "publication_date": (
        lambda value: lastmod_fault(value) is None,
        "write a date, or a moment with its time zone",
    ),
    "title": (is_text, "write the article's title"),
}


def read_news(page: Page, value: Any, site: Site) -> tuple[News | None, list[Problem]]:
    """Return a page as an article, and what is wrong with what its front matter says of that.

    What ``value``, the front matter, leaves open is taken from the page itself and from the site's
    options. A page that asks to be an article and lacks something gets a warning; one that only
    matches the option's patterns does not: it may be an overview.
    """
    given, problems = _given(page, value, site)
    if given is None:
        return None, problems
    problems += unknown_keys(page, _PLACE, given, News._fields)
    option = site.config.news
    told: dict[str, Problem] = {}
    date = _read_date(page, given, site, told)
    title = page.title if given.get("title") is None else given["title"]
    if value is None and (date is None or title is None):
        return None, [*problems, *told.values()]
    own_name = given.get("publication")
    name = option.publication if own_name is None and option else own_name
    language: Any = _read_language(page, given, site, told)
    article = News(name, language, date, title)  # type: ignore[arg-type]  # Checked below.
    problems += told.values()

    def refuse(field: str, found: object, cure: str) -> None:
        if field in told:
            return
        if field == "language" and option is not None:
            message = "the language of the site is not known; write it here, as a code such as en"
            problems.append(Problem("warning", message, "news.language"))
        else:
            cure = "write a code such as en" if field == "language" else cure
            problems.append(bad_value(page, f"{_PLACE}.{field}", found, cure))

    return check_news(article, refuse), problems


def _given(page: Page, value: Any, site: Site) -> tuple[Mapping[Any, Any] | None, list[Problem]]:
    """Return what front matter sets, None for a page that is no article."""
    if isinstance(value, Mapping):
        return value, []
    option = site.config.news
    if value is not None:
        is_article = truth(value)
    elif option is None or page.kind != "page":
        is_article = False
    else:
        below = path_below(page.url, site.base_url)
        is_article = option.match.match(page.source_path, below) is not None
    if is_article is None:
        return None, [bad_value(page, _PLACE, value, "write true, false or a mapping")]
    return ({} if is_article else None), []


def _read_language(
    page: Page, given: Mapping[Any, Any], site: Site, told: dict[str, Problem]
) -> str | None:
    known, own = site.config.languages, given.get("language")
    if own is not None:
        code, problem = normalize(own, known)
        if code is None:
            told["language"] = bad_value(page, f"{_PLACE}.language", own, str(problem))
        return code and news_language(code)
    default = site.config.news.language if site.config.news else None
    names = (page.metadata.get("lang"), page.language, default, site.language)
    codes = (normalize(name, known).code for name in names if name)
    return next((news_language(code) for code in codes if code), None)


def _read_date(
    page: Page, given: Mapping[Any, Any], site: Site, told: dict[str, Problem]
) -> Lastmod | None:
    own = given.get("publication_date")
    try:
        if own is not None:
            return read_date(own, site.timezone)
    except DateError as error:
        told["publication_date"] = bad_value(page, f"{_PLACE}.publication_date", own, str(error))
        return None
    published = FrontMatterDates("date", site.timezone)
    date = published(page)
    told.update(("publication_date", problem) for problem in published.problems[:1])
    return None if published.problems else date


def news_language(code: str) -> str:
    """Return the code that news sitemaps want for an hreflang code: no region but for Chinese."""
    language, *others = code.lower().split("-")
    if language == "zh" and not _TRADITIONAL.isdisjoint(others):
        return "zh-tw"
    if language == "zh" and not _SIMPLIFIED.isdisjoint(others):
        return "zh-cn"
    return language


def check_news(news: News, refuse: Refuse) -> News | None:
    """Return an article of which all can be written, or None; every field is required."""
    is_sound = True
    for field, (is_right, cure) in _CHECKS.items():
        value = getattr(news, field)
        if not is_right(value):
            refuse(field, value, cure)
            is_sound = False
    return news if is_sound else None


def is_new(published: Lastmod, now: dt.datetime) -> bool:
    """Tell whether an article is of the last two days; a date may be the end of that day."""
    age = _AGE if isinstance(published, dt.datetime) else _AGE + _DAY
    return sort_key(published)[0] >= sort_key(now - age)[0]


def is_recent(news: News, now: dt.datetime) -> bool:
    """Tell whether an article is new and not of the future.

    SOURCE_DATE_EPOCH may name a time long before; less than a day ahead comes from a time zone.
    """
    published = news.publication_date
    return is_new(published, now) and sort_key(published)[0] < sort_key(now + _DAY)[0]

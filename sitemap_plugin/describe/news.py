"""Read what makes a page a news article: its front matter, and the option ``news``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sitemap_plugin.common.urls import path_below
from sitemap_plugin.dates.parse import DateError
from sitemap_plugin.dates.sources.date import KEYS
from sitemap_plugin.dates.sources.front_matter_date import FrontMatterDate
from sitemap_plugin.errors import Problem
from sitemap_plugin.languages import Language, normalize
from sitemap_plugin.models import News, Page, Site
from sitemap_plugin.pages.front_matter import FrontMatter, read_date, truth
from sitemap_plugin.write.writing.articles import sound_news

__all__ = ["Newsroom", "news_language"]

_PLACE = "sitemap.news"
_TRADITIONAL = frozenset({"hant", "tw", "hk", "mo"})
_SIMPLIFIED = frozenset({"hans", "cn", "sg"})


def news_language(code: str) -> str:
    """Return the code that news sitemaps want for an hreflang code: no region but for Chinese."""
    language, *others = code.lower().split("-")
    if language == "zh" and not _TRADITIONAL.isdisjoint(others):
        return "zh-tw"
    if language == "zh" and not _SIMPLIFIED.isdisjoint(others):
        return "zh-cn"
    return language


class Newsroom:
    """Makes articles of pages.

    What a page's front matter leaves open is taken from the page itself and from the site's
    options. ``looks_at_all`` tells that a page may be an article without saying so.
    """

    def __init__(self, site: Site, front_matter: FrontMatter) -> None:
        self._site, self._front_matter = site, front_matter
        self._option = site.config.news
        self._published = FrontMatterDate(KEYS, site.timezone)
        self.looks_at_all = self._option is not None and bool(self._option.match)

    def article(self, page: Page, value: Any) -> News | None:
        """Return the page as an article; ``value`` is what its front matter says of that.

        A page that asks to be one and lacks something gets a warning, one that only matches the
        option's patterns does not: it may be an overview.
        """
        given = self._given(page, value)
        if given is None:
            return None
        self._front_matter.check_keys(page, _PLACE, given, News._fields)
        bad: set[str] = set()
        own_title = given.get("title")
        title: Any = page.title if own_title is None else own_title
        news = News(
            self._publication(given),
            self._language(page, given, bad),
            self._date(page, given, bad),
            title,
        )
        if value is None and None in (news.publication_date, news.title):
            return None

        def refuse(field: str, found: object, cure: str) -> None:
            if field in bad:
                return
            if field == "language":
                self._miss_language(page)
            elif found is None:
                self._front_matter.miss(page, f"{_PLACE}.{field}", cure)
            else:
                self._front_matter.warn(page, f"{_PLACE}.{field}", found, cure)

        return sound_news(news, refuse)

    def _given(self, page: Page, value: Any) -> Mapping[Any, Any] | None:
        """Return what front matter sets, None for a page that is no article."""
        if value is None:
            return {} if self._matches(page) else None
        if isinstance(value, Mapping):
            return value
        answer = truth(value)
        if answer is None:
            self._front_matter.warn(page, _PLACE, value, "write true, false or a mapping")
        return {} if answer else None

    def _matches(self, page: Page) -> bool:
        url_path = path_below(page.url, self._site.base_url)
        return (
            self._option is not None
            and self._option.match.match(page.source_path, url_path) is not None
            and page.kind == "page"
        )

    def _publication(self, given: Mapping[Any, Any]) -> Any:
        own = given.get("publication")
        return self._option.publication if own is None and self._option else own

    def _language(self, page: Page, given: Mapping[Any, Any], bad: set[str]) -> Any:
        own = given.get("language")
        if own is not None:
            code, problem = self._normalize(own)
            if code is None:
                bad.add("language")
                self._front_matter.warn(page, f"{_PLACE}.language", own, str(problem))
            return code and news_language(code)
        default = self._option.language if self._option else None
        names = (page.metadata.get("lang"), page.language, default, self._site.language)
        codes = (self._normalize(name).code for name in names if name)
        return next((news_language(code) for code in codes if code), None)

    def _normalize(self, name: object) -> Language:
        return normalize(name, self._site.config.languages)

    def _miss_language(self, page: Page) -> None:
        if self._option is None:
            self._front_matter.miss(page, f"{_PLACE}.language", "write a code such as en")
            return
        message = "the language of the site is not known; write it here, as a code such as en"
        self._front_matter.add(Problem("warning", message, "news.language"))

    def _date(self, page: Page, given: Mapping[Any, Any], bad: set[str]) -> Any:
        own = given.get("publication_date")
        if own is None:
            told = len(self._published.problems)
            date = self._published(page)
            for problem in self._published.problems[told:]:
                bad.add("publication_date")
                self._front_matter.add(problem)
            return date
        try:
            return read_date(own, self._site.timezone)
        except DateError as error:
            bad.add("publication_date")
            self._front_matter.warn(page, f"{_PLACE}.publication_date", own, str(error))
            return None

"""Tell the language of each listed page, as an hreflang code."""

from __future__ import annotations

from collections.abc import Sequence

from sitemap_plugin.errors import Problem
from sitemap_plugin.languages.names import Language, normalize
from sitemap_plugin.models import Page, Site
from sitemap_plugin.pages.selection import ListedPage

__all__ = ["PageLanguages"]


class PageLanguages:
    """The pages of a build, told by their number, their languages, and what is wrong with them.

    A doubtful name of a language is reported once.
    """

    def __init__(self, site: Site, listed: Sequence[ListedPage]) -> None:
        self.site = site
        self.listed = listed
        self._problems: dict[Problem, None] = {}
        self._known: dict[object, Language] = {}

    @property
    def problems(self) -> list[Problem]:
        """What was found, each once."""
        return [*self._problems]

    def page(self, number: int) -> Page:
        """Return a page."""
        return self.listed[number].page

    def read(self, name: object, page: Page | None = None, key: str = "") -> Language:
        """Return the code for a name, which ``key`` of the page's front matter gives."""
        known_as = name if isinstance(name, str) else repr(name)
        language = self._known.get(known_as)
        if language is None:
            language = self._known[known_as] = normalize(name, self.site.config.languages)
            if language.problem:
                place = f"front matter {key!r}: " if key else ""
                where = page.where if page else None
                self._problems[Problem("warning", place + language.problem, where)] = None
        return language

    def own(self, number: int) -> Language | None:
        """Return what a page says of itself in its front matter, else what its generator says."""
        page, settings = self.listed[number].page, self.listed[number].settings
        if settings.language is not None and settings.language != "":
            return self.read(settings.language, page, "lang")
        return self.read(page.language, page) if page.language else None

    def default(self) -> Language | None:
        """Return the language of pages about which nobody says anything."""
        return self.read(self.site.language) if self.site.language else None

    def warn(self, number: int, message: str, place: str | None = None) -> None:
        """Report a problem of a page, at ``place`` where that is not the page."""
        self._problems[Problem("warning", message, place or self.page(number).where)] = None

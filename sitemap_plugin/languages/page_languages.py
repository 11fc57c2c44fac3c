"""Tell the language of each page, as an hreflang code."""

from __future__ import annotations

from sitemap_plugin.errors import Problem
from sitemap_plugin.languages.listed import ListedPage
from sitemap_plugin.languages.names import Language, normalize
from sitemap_plugin.models import Site

__all__ = ["LanguageReader"]


class LanguageReader:
    """Reads the names of languages in one build; a doubtful one is reported once."""

    def __init__(self, site: Site) -> None:
        self.problems: list[Problem] = []
        self._site = site
        self._known: dict[object, Language] = {}

    def read(self, name: object, where: str | None, place: str = "") -> Language:
        """Return the code for a name; ``place`` begins the message."""
        known_as = name if isinstance(name, str) else repr(name)
        language = self._known.get(known_as)
        if language is None:
            language = self._known[known_as] = normalize(name, self._site.config.languages)
            if language.problem:
                self.problems.append(Problem("warning", place + language.problem, where))
        return language

    def own(self, item: ListedPage) -> Language | None:
        """Return what a page says of itself in its front matter, else what its generator says."""
        page, given = item.page, item.settings.language
        if given is not None and given != "":
            return self.read(given, page.where, "front matter 'lang': ")
        return self.read(page.language, page.where) if page.language else None

    def default(self) -> Language | None:
        """Return the language of pages about which nobody says anything."""
        return self.read(self._site.language, None) if self._site.language else None

"""Tell the language of each page, as an hreflang code."""

from __future__ import annotations

from sitemap_plugin.languages import Language, normalize
from sitemap_plugin.models import Page, Site
from sitemap_plugin.report import Report

__all__ = ["PageLanguages"]


class PageLanguages:
    """Reads the names of languages; a doubtful one is reported once per site."""

    def __init__(self, site: Site, report: Report) -> None:
        self._site = site
        self._report = report
        self._known: dict[object, Language] = {}

    def read(
        self, name: object, page: Page | None = None, *, key_of_page: str | None = None
    ) -> Language:
        """Return the code for a name that a page, or the site's settings, give to a language.

        ``key_of_page`` is the key of the page's front matter that gives it.
        """
        known_as = name if isinstance(name, str) else repr(name)
        language = self._known.get(known_as)
        if language is None:
            language = self._known[known_as] = normalize(name, self._site.config.languages)
            if language.problem:
                key = f"front matter '{key_of_page}': " if key_of_page else ""
                self._report.add("warning", key + language.problem, page.where if page else None)
        return language

    def own(self, page: Page) -> Language | None:
        """Return what a page says of itself in its front matter, else what its generator says."""
        given = page.metadata.get("lang") if page.metadata else None
        if given is not None and given != "":
            return self.read(given, page, key_of_page="lang")
        name = page.language
        return None if name is None or name == "" else self.read(name, page)

    def default(self) -> Language | None:
        """Return the language of pages about which nobody says anything."""
        name = self._site.language
        return self.read(name) if name else None

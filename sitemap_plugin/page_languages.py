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

    def read(self, name: object, page: Page | None = None) -> Language:
        """Return the code for a name that a page, or the site's settings, give to a language."""
        key = name if isinstance(name, str) else repr(name)
        language = self._known.get(key)
        if language is None:
            language = self._known[key] = normalize(name, self._site.config.languages)
            if language.problem:
                self._report.add("warning", language.problem, page.where if page else None)
        return language

    def own(self, page: Page) -> Language | None:
        """Return what a page says of itself in its front matter, else what its generator says."""
        name = page.metadata.get("lang") if page.metadata else None
        name = page.language if name is None or name == "" else name
        return None if name is None or name == "" else self.read(name, page)

    def default(self) -> Language | None:
        """Return the language of pages about which nobody says anything."""
        name = self._site.language
        return self.read(name) if name else None

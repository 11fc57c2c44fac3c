"""Tell the language of each listed page, as an hreflang code."""

from __future__ import annotations

from collections.abc import Sequence

from sitemap_plugin.common.text import quoted
from sitemap_plugin.errors import Problem
from sitemap_plugin.languages.codes import Language, normalize
from sitemap_plugin.models import Entry, Site
from sitemap_plugin.pages.selection import ListedPage


class PageLanguages:
    """The pages of a build, told by their number, their languages, and what is wrong with them.

    ``entries[i]`` belongs to ``listed[i]``. A doubtful name of a language is reported once.
    """

    def __init__(self, site: Site, listed: Sequence[ListedPage], entries: Sequence[Entry]) -> None:
        self.site = site
        self.listed = listed
        self.entries = entries
        self._problems: dict[Problem, None] = {}
        self._known: dict[object, Language] = {}

    @property
    def problems(self) -> list[Problem]:
        """What was found, each once."""
        return [*self._problems]

    def read(self, name: object, where: str | None = None, key: str = "") -> Language:
        """Return the code for a name, which ``key`` of a page's front matter gives."""
        known_as = name if isinstance(name, str) else quoted(name)
        language = self._known.get(known_as)
        if language is None:
            language = self._known[known_as] = normalize(name, self.site.config.languages)
            if language.problem:
                place = f"front matter {key!r}: " if key else ""
                self._problems[Problem("warning", place + language.problem, where)] = None
        return language

    def own(self, number: int) -> Language | None:
        """Return what a page says of itself in its front matter, else what its generator says."""
        item = self.listed[number]
        if item.settings.language is not None and item.settings.language != "":
            return self.read(item.settings.language, item.where, "lang")
        return self.read(item.page.language, item.where) if item.page.language else None

    def default(self) -> Language | None:
        """Return the language of pages about which nobody says anything."""
        return self.read(self.site.language) if self.site.language else None

    def warn(self, number: int, message: str) -> None:
        """Report a problem of a page."""
        self._problems[Problem("warning", message, self.listed[number].where)] = None

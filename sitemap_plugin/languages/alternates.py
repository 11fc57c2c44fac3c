"""Link translations: give each page the hreflang links of its set.

A set's links are made from entries that are really listed, so they cannot name a page that is not,
and each member carries the same full set, itself included; Google ignores a pair that does not
point both ways (protocol: hreflang). All members share one tuple, which the writer renders once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from sitemap_plugin.languages import X_DEFAULT, Language
from sitemap_plugin.languages.page_languages import PageLanguages
from sitemap_plugin.languages.translations import Translations
from sitemap_plugin.models import Alternate, Entry, Page, Site
from sitemap_plugin.pages.collect import extra_url_place
from sitemap_plugin.pages.front_matter import FrontMatter
from sitemap_plugin.report import Report

__all__ = ["link_translations"]


def link_translations(
    site: Site,
    pages: Sequence[Page],
    entries: Sequence[Entry],
    front_matter: FrontMatter,
    report: Report,
) -> list[Entry]:
    """Return the entries with their alternates; ``entries[i]`` belongs to ``pages[i]``."""
    linked = [entry._replace(alternates=()) if entry.alternates else entry for entry in entries]
    if not site.config.alternates:
        return linked
    languages = PageLanguages(site, report)
    translations = Translations(site, pages, entries, languages, report)
    translations.join_keys()
    translations.join_declared(front_matter)
    links = _Links(site, translations, languages, report)
    for alternates, carriers in links.complete():
        for number in carriers:
            linked[number] = linked[number]._replace(alternates=alternates)
    return linked


class _Links:
    """Makes the links of each set from what is known of its members."""

    def __init__(
        self,
        site: Site,
        translations: Translations,
        languages: PageLanguages,
        report: Report,
    ) -> None:
        self._site = site
        self._translations = translations
        self._pages, self._entries = translations.pages, translations.entries
        self._languages = languages
        self._report = report

    def complete(self) -> Iterator[tuple[tuple[Alternate, ...], list[int]]]:
        """Yield each set's links with the entries that carry them.

        Those are the entries that the links name, an x-default outside the set included; one that
        several sets name can carry none of them, so they do without.
        """
        sets = [(self._alternates(members), members) for members in self._translations.sets()]
        sets = [(alternates, self._carriers(alternates, some)) for alternates, some in sets]
        outside = [self._x_default_outside(*each) for each in sets]
        taken = Counter(number for _, carriers in sets for number in carriers)
        taken.update(number for number in outside if number is not None)
        for (alternates, carriers), extra in zip(sets, outside, strict=True):
            if extra is None:
                yield alternates, carriers
            elif taken[extra] == 1:
                yield alternates, [*carriers, extra]
            else:
                message = (
                    "is the x-default of more than one set of translations, and can link back to "
                    "one only; these sets are written without x-default"
                )
                self._report.add("warning", message, self._pages[extra].where)
                without = tuple(item for item in alternates if item.hreflang != X_DEFAULT)
                yield without, carriers

    def _alternates(self, members: Sequence[int]) -> tuple[Alternate, ...]:
        """Return the set's links, sorted; nothing for a set of one."""
        versions = self._versions(members)
        links = {code: self._entries[number].loc for code, number in versions.items()}
        x_default = self._add_elsewhere(sorted(versions.values()), links)
        if len(links) < 2:  # noqa: PLR2004 - a set of one says nothing
            return ()
        x_default = x_default or self._x_default(links)
        if x_default and self._site.config.x_default is not False:
            links[X_DEFAULT] = x_default
        return tuple(sorted(Alternate(code, url) for code, url in links.items()))

    def _versions(self, members: Sequence[int]) -> dict[str, int]:
        """Return the page of the set in each language, by its code.

        Of two, that stays whose code is as its author wrote it, else the first by URL.
        """
        chosen: dict[str, int] = {}
        spelt = [(number, self._language(number)) for number in members]
        for number, language in sorted(spelt, key=lambda pair: pair[1].problem is not None):
            code = language.code
            if code is None or code == X_DEFAULT:
                continue
            first = chosen.setdefault(code, number)
            if first != number:
                message = (
                    f"two {code} pages in one set of translations; {self._entries[first].loc} "
                    "stays in the set, this page is listed without links"
                )
                self._report.add("warning", message, self._pages[number].where)
        return chosen

    def _language(self, number: int) -> Language:
        page = self._pages[number]
        language = self._languages.own(page)
        if language is None and (named := self._translations.named_language(number)):
            return Language(named)
        language = language or self._languages.default()
        if language is None:
            place = extra_url_place(page, self._site)
            cure = (
                "name it among its 'alternates' too" if place else "set 'lang' in its front matter"
            )
            message = f"has translations, but no language; {cure}"
            self._report.add("warning", message, place or page.where)
            return Language(None)
        return language

    def _add_elsewhere(self, members: Sequence[int], links: dict[str, str]) -> str | None:
        """Add the versions on other hosts that the members declare; return their x-default.

        The version that this build lists stands against one that is declared, and the first
        declaration against later ones.
        """
        found: dict[str, str] = {}
        for number in members:
            for code, url in self._translations.elsewhere.get(number, {}).items():
                stays = found.setdefault(code, links.get(code, url))
                if stays != url:
                    message = (
                        f"names {url} as its {code} version, but {stays} is that "
                        "version already; the latter is used"
                    )
                    self._report.add("warning", message, self._pages[number].where)
        x_default = found.pop(X_DEFAULT, None)
        links.update(found)
        return x_default

    def _x_default(self, links: Mapping[str, str]) -> str | None:
        wanted = self._site.config.x_default
        if wanted is False:
            return None
        if wanted == "auto":
            language = self._languages.default()
            wanted = (language and language.code) or ""
        return links.get(wanted)

    def _carriers(self, alternates: Sequence[Alternate], members: Sequence[int]) -> list[int]:
        named = {href for _, href in alternates}
        return [number for number in members if self._entries[number].loc in named]

    def _x_default_outside(
        self, alternates: Sequence[Alternate], carriers: Sequence[int]
    ) -> int | None:
        """Return the listed page that is a set's x-default without being one of its versions."""
        href = next((href for code, href in alternates if code == X_DEFAULT), None)
        if href is None or any(self._entries[number].loc == href for number in carriers):
            return None
        return self._translations.listed_at(href)

"""Link translations: give each page the hreflang links of its set.

A set's links are made from entries that are really listed, so they cannot name a page that is not,
and each member carries the same full set, itself included; Google ignores a pair that does not
point both ways (protocol: hreflang). All members share one tuple.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from sitemap_plugin.errors import Problem
from sitemap_plugin.languages.listed import ListedPage
from sitemap_plugin.languages.names import X_DEFAULT, Language
from sitemap_plugin.languages.page_languages import LanguageReader
from sitemap_plugin.languages.sets import Declared, find_sets
from sitemap_plugin.models import Alternate, Entry, Page, Site
from sitemap_plugin.pages.collect import extra_url_place

__all__ = ["link_translations"]

Links = tuple[tuple[Alternate, ...], list[int]]


def link_translations(
    site: Site,
    listed: Sequence[ListedPage],
    entries: Sequence[Entry],
    left_out: Collection[Page],
) -> tuple[list[Entry], list[Problem]]:
    """Return the entries, in the order of their URLs, with their alternates, and the problems.

    ``entries[i]`` belongs to ``listed[i]``; what alternates it has are what its page declares.
    ``left_out`` are pages that exist and are not to be linked.
    """
    linked = [entry.replace(alternates=()) if entry.alternates else entry for entry in entries]
    reader = LanguageReader(site)
    if site.config.alternates:
        sets, declared = find_sets(site, listed, entries, left_out, reader)
        links = _Links(site, listed, entries, declared, reader)
        for alternates, carriers in links.complete(sets):
            for number in carriers:
                linked[number] = linked[number].replace(alternates=alternates)
    return linked, reader.problems


class _Links:
    """Makes the links of each set from what is known of its members."""

    def __init__(
        self,
        site: Site,
        listed: Sequence[ListedPage],
        entries: Sequence[Entry],
        declared: Declared,
        reader: LanguageReader,
    ) -> None:
        self._site = site
        self._listed = listed
        self._entries = entries
        self._declared = declared
        self._reader = reader

    def complete(self, sets: Sequence[Sequence[int]]) -> Iterator[Links]:
        """Yield each set's links with the entries that carry them.

        Those are the entries that the links name, an x-default outside the set included; one that
        several sets name can carry none of them, so they do without.
        """
        numbers = {entry.loc: number for number, entry in enumerate(self._entries)} if sets else {}
        found = []
        for members in sets:
            alternates = self._alternates(members)
            hrefs = {href for _, href in alternates}
            carriers = [number for number in members if self._entries[number].loc in hrefs]
            default = next((href for code, href in alternates if code == X_DEFAULT), None)
            outside = numbers.get(default) if default else None
            found.append((alternates, carriers, None if outside in carriers else outside))
        taken = Counter(number for _, carriers, _ in found for number in carriers)
        taken.update(outside for _, _, outside in found if outside is not None)
        for alternates, carriers, outside in found:
            if outside is None:
                yield alternates, carriers
            elif taken[outside] == 1:
                yield alternates, [*carriers, outside]
            else:
                message = (
                    "is the x-default of more than one set of translations, and can link back to "
                    "one only; these sets are written without x-default"
                )
                self._warn(outside, message)
                yield tuple(item for item in alternates if item.hreflang != X_DEFAULT), carriers

    def _alternates(self, members: Sequence[int]) -> tuple[Alternate, ...]:
        """Return the set's links, sorted; nothing for a set of one."""
        versions = self._versions(members)
        links = {code: self._entries[number].loc for code, number in versions.items()}
        self._add_elsewhere(sorted(versions.values()), links)
        x_default = links.pop(X_DEFAULT, None)
        if len(links) < 2:  # noqa: PLR2004 - a set of one says nothing
            return ()
        x_default = x_default or links.get(self._x_default_code())
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
            if (code := language.code) is None:
                continue
            first = chosen.setdefault(code, number)
            if first != number:
                message = (
                    f"two {code} pages in one set of translations; {self._entries[first].loc} "
                    "stays in the set, this page is listed without links"
                )
                self._warn(number, message)
        return chosen

    def _language(self, number: int) -> Language:
        language = self._reader.own(self._listed[number])
        if language is None and number in self._declared.languages:
            return Language(self._declared.languages[number][0])
        language = language or self._reader.default()
        if language is None:
            page = self._listed[number].page
            place = extra_url_place(page, self._site)
            cure = (
                "name it among its 'alternates' too" if place else "set 'lang' in its front matter"
            )
            self._warn(number, f"has translations, but no language; {cure}", place)
            return Language(None)
        return language

    def _add_elsewhere(self, members: Sequence[int], links: dict[str, str]) -> None:
        """Add the versions on other hosts that the members declare.

        The version that this build lists stands against one that is declared, and the first
        declaration against later ones.
        """
        for number in members:
            for code, url in self._declared.elsewhere.get(number, {}).items():
                stays = links.setdefault(code, url)
                if stays != url:
                    message = (
                        f"names {url} as its {code} version, but {stays} is that version already; "
                        "the latter is used"
                    )
                    self._warn(number, message)

    def _x_default_code(self) -> str:
        wanted = self._site.config.x_default
        if wanted == "auto":
            language = self._reader.default()
            return (language and language.code) or ""
        return wanted or ""

    def _warn(self, number: int, message: str, place: str | None = None) -> None:
        where = place or self._listed[number].page.where
        self._reader.problems.append(Problem("warning", message, where))

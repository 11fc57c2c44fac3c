"""Link translations: give each page the hreflang links of its set.

A set's links are made from entries that are really listed, so they cannot name a page that is not,
and each member carries the same full set, itself included; Google ignores a pair that does not
point both ways (protocol: hreflang). All members share one tuple.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from sitemap_plugin.common.text import shown
from sitemap_plugin.errors import Problem
from sitemap_plugin.languages.codes import X_DEFAULT, Language
from sitemap_plugin.languages.page_languages import PageLanguages
from sitemap_plugin.languages.sets import Declared, find_sets
from sitemap_plugin.models import Alternate, Entry, Page, Site
from sitemap_plugin.pages.selection import ListedPage


class _Links(NamedTuple):
    """The links of a set and the entries that carry them, by their numbers.

    ``outside`` is the listed page that is the x-default without being one of the versions.
    """

    alternates: tuple[Alternate, ...]
    carriers: list[int]
    outside: int | None


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
    if not site.config.alternates:
        return linked, []
    languages = PageLanguages(site, listed, entries)
    sets, declared = find_sets(languages, left_out)
    numbers = {entry.loc: number for number, entry in enumerate(entries)} if sets else {}
    found = [_link_set(members, languages, declared, numbers) for members in sets]
    for alternates, carriers, _ in _without_shared_defaults(found, languages):
        for number in carriers:
            linked[number] = linked[number].replace(alternates=alternates)
    return linked, languages.problems


def _link_set(
    members: Sequence[int],
    languages: PageLanguages,
    declared: Declared,
    numbers: Mapping[str, int],
) -> _Links:
    """Return a set's links, sorted; none for a set of one."""
    entries, versions = languages.entries, _versions(members, languages, declared)
    links = {code: entries[number].loc for code, number in versions.items()}
    _add_elsewhere(links, sorted(versions.values()), languages, declared)
    x_default = links.pop(X_DEFAULT, None)
    if len(links) < 2:  # noqa: PLR2004 - a set of one says nothing
        return _Links((), [], None)
    x_default = x_default or links.get(_x_default_code(languages))
    if x_default and languages.site.config.x_default is not False:
        links[X_DEFAULT] = x_default
    hrefs = set(links.values())
    carriers = [number for number in members if entries[number].loc in hrefs]
    outside = numbers.get(links.get(X_DEFAULT, ""))
    alternates = tuple(sorted(Alternate(code, url) for code, url in links.items()))
    return _Links(alternates, carriers, None if outside in carriers else outside)


def _versions(
    members: Sequence[int], languages: PageLanguages, declared: Declared
) -> dict[str, int]:
    """Return the page of the set in each language, by its code.

    Of two, that stays whose code is as its author wrote it, else the first by URL.
    """
    chosen: dict[str, int] = {}
    spelt = [(number, _language(number, languages, declared)) for number in members]
    for number, language in sorted(spelt, key=lambda pair: pair[1].problem is not None):
        if (code := language.code) is None:
            continue
        first = chosen.setdefault(code, number)
        if first != number:
            stays = f"{languages.entries[first].loc} stays in the set"
            message = f"two {code} pages in one set of translations; {stays}, this page is listed"
            languages.warn(number, f"{message} without links")
    return chosen


def _language(number: int, languages: PageLanguages, declared: Declared) -> Language:
    language = languages.own(number)
    if language is None and number in declared.languages:
        return Language(declared.languages[number][0])
    language = language or languages.default()
    if language is None:
        cure = "set 'lang' in its front matter"
        if languages.listed[number].settings.place is not None:
            cure = "name it among its 'alternates' too"
        languages.warn(number, f"has translations, but no language; {cure}")
        return Language(None)
    return language


def _add_elsewhere(
    links: dict[str, str], members: Sequence[int], languages: PageLanguages, declared: Declared
) -> None:
    """Add the versions on other hosts that the members declare.

    The version that this build lists stands against one that is declared, and the first
    declaration against later ones.
    """
    for number in members:
        for code, url in declared.elsewhere.get(number, {}).items():
            stays = links.setdefault(code, url)
            if stays != url:
                message = (
                    f"names {shown(url)} as its {code} version, but {shown(stays)} is that version "
                    "already; the latter is used"
                )
                languages.warn(number, message)


def _x_default_code(languages: PageLanguages) -> str:
    wanted = languages.site.config.x_default
    default = languages.default()
    return ((default and default.code) if wanted == "auto" else wanted) or ""


def _without_shared_defaults(found: Sequence[_Links], languages: PageLanguages) -> list[_Links]:
    """Return the sets with an x-default that can link back to one of them only.

    A page that is in a set, or is the x-default of another one, can carry no second set of links.
    """
    taken = Counter(number for links in found for number in links.carriers)
    taken.update(links.outside for links in found if links.outside is not None)
    kept: list[_Links] = []
    for links in found:
        alternates, carriers, outside = links
        if outside is not None and taken[outside] == 1:
            carriers = [*carriers, outside]
        elif outside is not None:
            message = (
                "is the x-default of more than one set of translations, and can link back to one "
                "only; these sets are written without x-default"
            )
            languages.warn(outside, message)
            alternates = tuple(item for item in alternates if item.hreflang != X_DEFAULT)
        kept.append(_Links(alternates, carriers, outside))
    return kept

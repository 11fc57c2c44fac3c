"""All entries of a check beside each other: duplicates, and whether translations agree."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import NamedTuple

from sitemap_plugin.commands.check.sitemaps import Row, SitemapFile, Sitemaps
from sitemap_plugin.commands.check.values import SOUND
from sitemap_plugin.commands.reading.faults import Fault, fault
from sitemap_plugin.commands.reading.sitemap_document import LinkSet
from sitemap_plugin.common.urls import normal_form
from sitemap_plugin.languages import X_DEFAULT

# Codes that are old or wide names of the same language.
_SAME_LANGUAGE = {"iw": "he", "in": "id", "ji": "yi", "nb": "no", "nn": "no", "tl": "fil"}


class Listed(NamedTuple):
    """An entry, with its file."""

    file: SitemapFile
    row: Row

    def add(self, found: Fault) -> None:
        """Record what is wrong with the entry."""
        self.file.found.add(found, self.row.line, self.row.loc)


class Surroundings(NamedTuple):
    """What is known of addresses.

    Whether they are the site's, why they cannot be listed, and the language that the page behind
    one says it is in. ``complete`` says that no entry is missing.
    """

    is_own: Callable[[str], bool]
    explain: Callable[[str], Fault | None] = lambda _url: None
    language: Callable[[str], str | None] = lambda _url: None
    complete: bool = True


def list_urls(sitemaps: Sitemaps) -> dict[str, Listed]:
    """Return the entries by their addresses in normal form, and record which occur again.

    In another sitemap that stands by itself that is no fault, nor is it one that news are listed as
    pages too.
    """
    listed: dict[str, Listed] = {}
    for file in sitemaps.files.values():
        for row in file.rows:
            key, here = _key(row.loc), Listed(file, row)
            first = listed.setdefault(key, here)
            if first is here or "#" in row.loc:  # That it has a fragment is said already.
                continue
            is_elsewhere = first.file is not file
            once_as_news = first.row.is_news != row.is_news
            if first.file.root() is not file.root() or (is_elsewhere and once_as_news):
                if not first.row.links.pairs:
                    listed[key] = here
                continue
            where = f"on line {first.row.line}"
            if is_elsewhere:
                where += f" of {first.file.found.path}"
            code = "loc-duplicate" if first.row.loc == row.loc else "loc-duplicate.spelling"
            here.add(fault(code, where=where, url=first.row.loc))
    sitemaps.distinct += len(listed)
    return listed


def _key(url: str) -> str:
    """Return the normal form of an address; most have it, which is quicker to see than to make."""
    if "%" not in url and "/." not in url and SOUND.fullmatch(url):
        return url
    try:
        return normal_form(url)
    except ValueError:
        return url


class _Keys(NamedTuple):
    """A set of links with addresses in normal form."""

    pairs: tuple[tuple[str, str], ...]
    members: frozenset[str]


class _Sets(dict[LinkSet, _Keys]):
    """Sets of links by their addresses in normal form; what is listed so, is in it already."""

    def __init__(self, listed: Container[str]) -> None:
        super().__init__()
        self._listed = listed

    def __missing__(self, links: LinkSet) -> _Keys:
        pairs = tuple(
            (code.lower(), href if href in self._listed else _key(href))
            for code, href in links.pairs
        )
        keys = self[links] = _Keys(pairs, frozenset(href for _, href in pairs))
        return keys


def judge_links(listed: dict[str, Listed], around: Surroundings) -> None:
    """Tell which translations do not link back, differ in their sets, or are not listed."""
    sets = _Sets(listed)
    agreed: dict[LinkSet, bool] = {}
    for key, here in listed.items():
        links = here.row.links
        if not links.pairs:
            continue
        members = sets[links].members
        if links not in agreed:
            agreed[links] = all(
                href in listed and listed[href].row.links is links for href in members
            )
            _judge_set(here, sets[links], listed, around)
        if key not in members:
            here.add(fault("hreflang-no-self"))
        if not agreed[links]:
            _compare(key, here, sets, listed)


def _judge_set(here: Listed, keys: _Keys, listed: dict[str, Listed], around: Surroundings) -> None:
    """Judge each translation of a set once, at the first page that has the set."""
    seen: set[str] = set()
    for (code, href), (_, key) in zip(here.row.links.pairs, keys.pairs, strict=True):
        if key not in listed and key not in seen and around.is_own(href):
            seen.add(key)
            if found := around.explain(href):
                here.add(found)
            elif around.complete:
                here.add(fault("alternate-not-listed", url=href, code=code))
        language = around.language(href) if code.lower() != X_DEFAULT else None
        if language and _primary(language) != _primary(code):
            here.add(fault("hreflang-language-differs", url=href, code=code, language=language))


def _primary(code: str) -> str:
    primary = code.lower().replace("_", "-").partition("-")[0]
    return _SAME_LANGUAGE.get(primary, primary)


def _compare(key: str, here: Listed, sets: _Sets, listed: dict[str, Listed]) -> None:
    """Compare the links of an entry with those of the pages that it names."""
    own, differs = here.row.links, None
    for (code, href), (_, other_key) in zip(own.pairs, sets[own].pairs, strict=True):
        other = listed.get(other_key)
        if other is None or other_key == key or other.row.links is own or code.lower() == X_DEFAULT:
            continue
        theirs = sets[other.row.links]
        if key not in theirs.members:
            here.add(fault("hreflang-no-return", url=href, code=code))
        elif sorted(theirs.pairs) != sorted(sets[own].pairs):
            differs = differs or href
    if differs:
        here.add(fault("hreflang-sets-differ", url=differs))

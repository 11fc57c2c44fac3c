"""All entries of a check beside each other: duplicates, and whether translations agree."""

from collections.abc import Container
from typing import NamedTuple

from sitemap_plugin.commands.check.pages import Pages
from sitemap_plugin.commands.check.sitemaps import Row, Sitemaps
from sitemap_plugin.commands.check.values import SOUND
from sitemap_plugin.commands.reading.faults import fault
from sitemap_plugin.commands.reading.sitemap_document import LinkSet
from sitemap_plugin.common.urls import normal_form
from sitemap_plugin.languages import X_DEFAULT

# Codes that are old or wide names of the same language.
_SAME_LANGUAGE = {"iw": "he", "in": "id", "ji": "yi", "nb": "no", "nn": "no", "tl": "fil"}


def list_urls(sitemaps: Sitemaps) -> dict[str, Row]:
    """Return the entries by their addresses in normal form, and record which occur again.

    In another sitemap that stands by itself that is no fault, nor is it one that news are listed as
    pages too.
    """
    listed: dict[str, Row] = {}
    for file in sitemaps.files.values():
        for row in file.rows:
            key = _key(row.loc)
            first = listed.setdefault(key, row)
            if first is row or "#" in row.loc:  # That it has a fragment is said already.
                continue
            is_elsewhere = first.file is not file
            once_as_news = first.is_news != row.is_news
            if first.file.group is not file.group or (is_elsewhere and once_as_news):
                if not first.links.pairs:
                    listed[key] = row
                continue
            where = f"on line {first.line}" + f" of {first.file.name}" * is_elsewhere
            code = "loc-duplicate" if first.loc == row.loc else "loc-duplicate.spelling"
            row.add(fault(code, where=where, url=first.loc))
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


def judge_links(listed: dict[str, Row], pages: Pages, *, complete: bool) -> None:
    """Tell which translations do not link back, differ in their sets, or are not listed.

    ``complete`` says that no entry is missing.
    """
    sets = _Sets(listed)
    agreed: dict[LinkSet, bool] = {}
    for key, row in listed.items():
        links = row.links
        if not links.pairs:
            continue
        members = sets[links].members
        if links not in agreed:
            agreed[links] = all(href in listed and listed[href].links is links for href in members)
            _judge_set(row, sets[links], listed, pages, complete=complete)
        if key not in members:
            row.add(fault("hreflang-no-self"))
        if not agreed[links]:
            _compare(key, row, sets, listed)


def _judge_set(
    row: Row, keys: _Keys, listed: Container[str], pages: Pages, *, complete: bool
) -> None:
    """Judge each translation of a set once, at the first page that has the set."""
    seen: set[str] = set()
    for (code, href), (_, key) in zip(row.links.pairs, keys.pairs, strict=True):
        if key not in listed and key not in seen and pages.is_own(href):
            seen.add(key)
            if found := pages.explain(href):
                row.add(found)
            elif complete:
                row.add(fault("alternate-not-listed", url=href, code=code))
        language = pages.language(href) if code.lower() != X_DEFAULT else None
        if language and _primary(language) != _primary(code):
            row.add(fault("hreflang-language-differs", url=href, code=code, language=language))


def _primary(code: str) -> str:
    primary = code.lower().replace("_", "-").partition("-")[0]
    return _SAME_LANGUAGE.get(primary, primary)


def _compare(key: str, row: Row, sets: _Sets, listed: dict[str, Row]) -> None:
    """Compare the links of an entry with those of the pages that it names."""
    own, differs = row.links, None
    for (code, href), (_, other_key) in zip(own.pairs, sets[own].pairs, strict=True):
        other = listed.get(other_key)
        if other is None or other_key == key or other.links is own or code.lower() == X_DEFAULT:
            continue
        theirs = sets[other.links]
        if key not in theirs.members:
            row.add(fault("hreflang-no-return", url=href, code=code))
        elif sorted(theirs.pairs) != sorted(sets[own].pairs):
            differs = differs or href
    if differs:
        row.add(fault("hreflang-sets-differ", url=differs))

"""All entries of a check beside each other: duplicates, and whether translations agree."""

from collections.abc import Callable, Container
from functools import cache

from sitemap_plugin.commands.check.pages import Pages
from sitemap_plugin.commands.check.sitemaps import Row, Sitemaps
from sitemap_plugin.commands.check.values import SOUND
from sitemap_plugin.commands.reading.faults import fault
from sitemap_plugin.commands.reading.sitemap_document import LinkSet
from sitemap_plugin.common.urls import normal_form
from sitemap_plugin.errors import or_none
from sitemap_plugin.languages.codes import X_DEFAULT

# Codes that are old or wide names of the same language.
_SAME_LANGUAGE = {"iw": "he", "in": "id", "ji": "yi", "nb": "no", "nn": "no", "tl": "fil"}


def list_urls(sitemaps: Sitemaps) -> dict[str, Row]:
    """Return the entries by their addresses in normal form, and record which occur again.

    A page may be listed in another sitemap that stands by itself, and news as pages too.
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
    return or_none(normal_form, url) or url


Pairs = tuple[tuple[str, str], ...]
"""A set of links: codes in lower case, and addresses in normal form."""


def judge_links(listed: dict[str, Row], pages: Pages, *, complete: bool) -> None:
    """Tell which translations do not link back, differ, or (if all is read) are not listed."""

    @cache
    def normal_pairs(links: LinkSet) -> Pairs:
        # What is listed is in normal form already.
        return tuple(
            (code.lower(), href if href in listed else _key(href)) for code, href in links.pairs
        )

    members: dict[LinkSet, frozenset[str]] = {}
    agreed: dict[LinkSet, bool] = {}
    for key, row in listed.items():
        links = row.links
        if not links.pairs:
            continue
        if links not in members:
            hrefs = members[links] = frozenset(href for _, href in normal_pairs(links))
            agreed[links] = all(href in listed and listed[href].links is links for href in hrefs)
            _judge_set(row, normal_pairs(links), listed, pages, complete=complete)
        if key not in members[links]:
            row.add(fault("hreflang-no-self"))
        if not agreed[links]:
            _compare(key, row, normal_pairs, listed)


def _judge_set(
    row: Row, normal: Pairs, listed: Container[str], pages: Pages, *, complete: bool
) -> None:
    """Judge each translation of a set once, at the first page that has the set."""
    seen: set[str] = set()
    for (code, href), (_, key) in zip(row.links.pairs, normal, strict=True):
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


def _compare(
    key: str, row: Row, normal_pairs: Callable[[LinkSet], Pairs], listed: dict[str, Row]
) -> None:
    """Compare the links of an entry with those of the pages that it names."""
    own, differs = normal_pairs(row.links), None
    for (code, href), (_, other_key) in zip(row.links.pairs, own, strict=True):
        other = listed.get(other_key)
        is_same = other_key == key or code.lower() == X_DEFAULT
        if other is None or is_same or other.links is row.links:
            continue
        theirs = normal_pairs(other.links)
        if key not in (link for _, link in theirs):
            row.add(fault("hreflang-no-return", url=href, code=code))
        elif sorted(theirs) != sorted(own):
            differs = differs or href
    if differs:
        row.add(fault("hreflang-sets-differ", url=differs))

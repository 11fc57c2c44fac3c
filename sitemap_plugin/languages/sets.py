"""Find out which pages say the same in different languages.

Pages belong together when they share a translation key, or when one declares the other. An
untranslated copy belongs to no set: it has its original's front matter, and says nothing in
another language. Pages are told by their number.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import NamedTuple

from sitemap_plugin.common.text import quoted
from sitemap_plugin.common.urls import is_below
from sitemap_plugin.languages.by_path import path_keys
from sitemap_plugin.languages.codes import X_DEFAULT
from sitemap_plugin.languages.page_languages import PageLanguages
from sitemap_plugin.languages.targets import UNLINKED, Targets, absolute_url
from sitemap_plugin.models import Page


class Declared(NamedTuple):
    """What pages say of the versions of their sets.

    ``languages`` has the code under which a page was first named by another one, and that other
    one. ``elsewhere`` has, by declaring page, the versions that are no members: code to URL, on
    another host, or the page for all other languages.
    """

    languages: dict[int, tuple[str, int]]
    elsewhere: dict[int, dict[str, str]]


def find_sets(
    languages: PageLanguages, left_out: Collection[Page]
) -> tuple[list[list[int]], Declared]:
    """Return the members of each set, sets and members in the order of their URLs."""
    joined = _Joined()
    _join_keys(languages, joined)
    declared = Declared({}, {})
    both = zip(languages.listed, languages.entries, strict=True)
    named = {
        # What is said for the sitemap wins over the flat key.
        number: {**(item.settings.translations or {}), **dict(entry.alternates)}
        for number, (item, entry) in enumerate(both)
        if (item.settings.translations or entry.alternates) and not item.page.fallback
    }
    if named:
        targets = Targets(languages, left_out)
        for number, versions in named.items():
            for code, version in _versions(languages, number, versions, targets).items():
                if isinstance(version, str):
                    joined.join(number, number)
                    declared.elsewhere.setdefault(number, {})[code] = version
                else:
                    joined.join(number, version)
                    _note_language(languages, declared, number, version, code)
    return joined.groups(), declared


def _join_keys(languages: PageLanguages, joined: _Joined) -> None:
    """Join the pages that share a key: their generator's, their front matter's or their path's."""
    first: dict[tuple[str, str], int] = {}
    by_path = path_keys(languages) if languages.site.config.translations_by_path else {}
    for number, item in enumerate(languages.listed):
        if item.page.fallback:
            continue
        keys = (
            ("generator", item.page.translation_key or None),
            ("page", item.settings.translation_key),
            ("path", by_path.get(number)),
        )
        for kind, key in keys:
            if key is not None:
                joined.join(number, first.setdefault((kind, key), number))


def _versions(
    languages: PageLanguages, number: int, named: Mapping[str, str], targets: Targets
) -> dict[str, int | str]:
    """Return the listed pages, and URLs elsewhere, that a page names as versions, by code."""
    page = languages.listed[number].page
    bases = (languages.site.base_url, *languages.site.other_bases)
    versions: dict[str, int | str] = {}
    for name, target in named.items():
        if (code := languages.read(name, languages.listed[number].where).code) is None:
            continue
        url = absolute_url(page.url, target)
        fault = "which is not the address of a page"
        if url is not None and target.partition("#")[0].strip():
            other = targets.find(page, target)
            if other is None and not any(is_below(url, base) for base in bases):
                versions[code] = url
            elif other is not None and other != UNLINKED:
                # A page where the reader chooses a language need not be a version itself.
                versions[code] = languages.entries[other].loc if code == X_DEFAULT else other
            if other is not None or code in versions:
                continue
            fault = "but this build has no such page"
        message = f"names {quoted(target)} as its {code} version, {fault}"
        languages.warn(number, f"{message}; give its URL or its source path")
    return versions


def _note_language(
    languages: PageLanguages, declared: Declared, number: int, other: int, code: str
) -> None:
    """Note the language that page ``number`` gives to another one; warn of a contradiction."""
    where, own = languages.listed[other].where, languages.own(other)
    known, by = declared.languages.setdefault(other, (code, number))
    said_by = languages.listed[by].where
    if own and own.code:
        known, said_by = own.code, where
    if known != code:
        message = f"names {where} as its {code} version, but {said_by} says that it is {known}"
        languages.warn(number, f"{message}; {known} is used")


class _Joined:
    """Numbers that belong together (disjoint sets)."""

    def __init__(self) -> None:
        self._parent: dict[int, int] = {}

    def join(self, number: int, other: int) -> None:
        first, second = self._root(number), self._root(other)
        # The smaller number is the root, so that sets come in the order of their first URL.
        self._parent[max(first, second)] = min(first, second)

    def groups(self) -> list[list[int]]:
        groups: defaultdict[int, list[int]] = defaultdict(list)
        for number in sorted(self._parent):
            groups[self._root(number)].append(number)
        return [*groups.values()]

    def _root(self, number: int) -> int:
        parents = self._parent
        parents.setdefault(number, number)
        while (parent := parents[number]) != number:
            parents[number] = number = parents[parent]
        return number

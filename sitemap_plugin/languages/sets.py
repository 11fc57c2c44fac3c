"""Find out which pages say the same in different languages.

Pages belong together when they share a translation key, or when one declares the other. An
untranslated copy belongs to no set: it has its original's front matter, and says nothing in
another language. Pages are told by their number: ``entries[i]`` belongs to ``listed[i]``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from sitemap_plugin.common.text import quoted
from sitemap_plugin.common.urls import is_below
from sitemap_plugin.errors import Problem
from sitemap_plugin.languages.by_path import path_keys
from sitemap_plugin.languages.listed import ListedPage
from sitemap_plugin.languages.names import X_DEFAULT
from sitemap_plugin.languages.page_languages import LanguageReader
from sitemap_plugin.languages.targets import UNLINKED, Targets, absolute_url
from sitemap_plugin.models import Entry, Page, Site

__all__ = ["Declared", "find_sets"]


class Declared(NamedTuple):
    """What pages say of the versions of their sets.

    ``languages`` has the code under which a page was first named by another one, and that other
    one. ``elsewhere`` has, by declaring page, the versions that are no members: code to URL, on
    another host, or the page for all other languages.
    """

    languages: dict[int, tuple[str, int]]
    elsewhere: dict[int, dict[str, str]]


def find_sets(
    site: Site,
    listed: Sequence[ListedPage],
    entries: Sequence[Entry],
    left_out: Collection[Page],
    reader: LanguageReader,
) -> tuple[list[list[int]], Declared]:
    """Return the members of each set, sets and members in the order of their URLs."""
    joined = _Joined()
    by_path = path_keys(site, listed, reader) if site.config.translations_by_path else {}
    _join_keys(listed, by_path, joined)
    declared = {
        number: {**(item.settings.translations or {}), **dict(entry.alternates)}
        for number, (item, entry) in enumerate(zip(listed, entries, strict=True))
        # What is said for the sitemap wins over the flat key.
        if not item.page.fallback and (item.settings.translations or entry.alternates)
    }
    if not declared:
        return joined.groups(), Declared({}, {})
    declarations = _Declarations(site, listed, entries, reader, joined)
    targets = Targets(site, listed, entries, left_out)
    for number, named in declared.items():
        declarations.take(number, named, targets)
    return joined.groups(), declarations.found


def _join_keys(listed: Sequence[ListedPage], by_path: Mapping[int, str], joined: _Joined) -> None:
    """Join the pages that share a key: their generator's, their front matter's or their path's."""
    first: dict[tuple[str, str], int] = {}
    for number, item in enumerate(listed):
        if item.page.fallback:
            continue
        keys = {
            "generator": item.page.translation_key or None,
            "page": item.settings.translation_key,
            "path": by_path.get(number),
        }
        for kind, key in keys.items():
            if key is not None:
                joined.join(number, first.setdefault((kind, key), number))


class _Declarations:
    """Joins each page with those that it declares to be its translations."""

    def __init__(
        self,
        site: Site,
        listed: Sequence[ListedPage],
        entries: Sequence[Entry],
        reader: LanguageReader,
        joined: _Joined,
    ) -> None:
        self.found = Declared({}, {})
        self._bases = (site.base_url, *site.other_bases)
        self._listed = listed
        self._entries = entries
        self._reader = reader
        self._joined = joined

    def take(self, number: int, named: Mapping[str, str], targets: Targets) -> None:
        """Take what page ``number`` names: code to URL or source path."""
        page = self._listed[number].page
        for name, target in named.items():
            code = self._reader.read(name, page.where).code
            if code is None:
                continue
            version = self._version(page, code, target, targets)
            if isinstance(version, str):
                self._joined.join(number, number)
                self.found.elsewhere.setdefault(number, {})[code] = version
            elif version is not None:
                self._joined.join(number, version)
                self._note_language(version, code, number)

    def _version(self, page: Page, code: str, target: str, targets: Targets) -> int | str | None:
        """Return the page, or the URL elsewhere, that a page names as a version; None for none."""
        url = absolute_url(page.url, target)
        fault = "which is not the address of a page"
        if url is not None and target.partition("#")[0].strip():
            other = targets.find(page, target)
            if other is None and not any(is_below(url, base) for base in self._bases):
                return url
            if other == UNLINKED:
                return None
            if other is not None:
                # A page where the reader chooses a language need not be a version itself.
                return self._entries[other].loc if code == X_DEFAULT else other
            fault = "but this build has no such page"
        message = f"names {quoted(target)} as its {code} version, {fault}"
        self._warn(page, f"{message}; give its URL or its source path")
        return None

    def _note_language(self, other: int, code: str, number: int) -> None:
        """Note the language that page ``number`` gives to another one; warn of a contradiction."""
        listed = self._listed
        page, own = listed[other].page, self._reader.own(listed[other])
        known, by = self.found.languages.setdefault(other, (code, number))
        said_by = listed[by].page.where
        if own and own.code:
            known, said_by = own.code, page.where
        if known != code:
            message = (
                f"names {page.where} as its {code} version, but {said_by} says that it is {known}; "
                f"{known} is used"
            )
            self._warn(listed[number].page, message)

    def _warn(self, page: Page, message: str) -> None:
        self._reader.problems.append(Problem("warning", message, page.where))


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

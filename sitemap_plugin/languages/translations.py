"""Find out which pages say the same in different languages.

Pages belong together when they share a translation key, or when one declares the other. An
untranslated copy belongs to no set: it has its original's front matter, and says nothing in
another language.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from sitemap_plugin.common.urls import is_below
from sitemap_plugin.languages import X_DEFAULT
from sitemap_plugin.languages.page_index import PageIndex, resolve
from sitemap_plugin.languages.page_languages import PageLanguages
from sitemap_plugin.models import Entry, Page, Site
from sitemap_plugin.pages.front_matter import FrontMatter
from sitemap_plugin.report import Report

__all__ = ["Translations"]


class Translations:
    """The sets of a build's listed pages, with what is known of each member.

    Pages are told by their number; ``entries[i]`` belongs to ``pages[i]``, in the order of their
    URLs. ``elsewhere`` holds what a page declares about its set that is no member of it: code to
    URL, on another host, or the page for all other languages.
    """

    def __init__(
        self,
        site: Site,
        pages: Sequence[Page],
        entries: Sequence[Entry],
        languages: PageLanguages,
        report: Report,
    ) -> None:
        self.pages = pages
        self.entries = entries
        self.elsewhere: dict[int, dict[str, str]] = {}
        self._site = site
        self._bases = (site.base_url, *site.other_bases)
        self._languages = languages
        self._report = report
        self._parent: dict[int, int] = {}
        self._first_with_key: dict[tuple[str, str], int] = {}
        self._named: dict[int, tuple[str, int]] = {}
        self._index: PageIndex | None = None

    def join_keys(self) -> None:
        """Join the pages that share a key, their generator's or one from their front matter."""
        for number, page in enumerate(self.pages):
            if page.fallback:
                continue
            if page.translation_key:
                self._join_key(number, ("generator", page.translation_key))
            own = page.metadata.get("translation_key") if page.metadata else None
            if own is not None and own != "" and not isinstance(own, bool):
                self._join_key(number, ("page", str(own)))

    def join_declared(self, front_matter: FrontMatter) -> None:
        """Join each page with those that it declares to be its translations."""
        for number, (page, entry) in enumerate(zip(self.pages, self.entries, strict=True)):
            if page.fallback or not (entry.alternates or "translations" in page.metadata):
                continue
            for name, target in _declared(page, entry, front_matter).items():
                code = self._languages.read(name, page).code
                if code is not None:
                    self._declare(number, code, target)

    def sets(self) -> Iterator[list[int]]:
        """Yield the members of each set, in the order of their URLs."""
        groups: defaultdict[int, list[int]] = defaultdict(list)
        for number in sorted(self._parent):
            groups[self._root(number)].append(number)
        yield from groups.values()

    def named_language(self, number: int) -> str | None:
        """Return the code under which another page has named this one first."""
        named = self._named.get(number)
        return named[0] if named else None

    def listed_at(self, url: str) -> int | None:
        """Return the page that is listed under a URL."""
        return self._pages_by_name().at(url)

    def _declare(self, number: int, code: str, target: str) -> None:
        page = self.pages[number]
        url = resolve(page.url, target)
        if url is None or not target.partition("#")[0].strip():
            message = (
                f"names {target!r} as its {code} version, which is not the address of a page; give "
                "its URL or its source path"
            )
            self._report.add("warning", message, page.where)
            return
        other = self._pages_by_name().find(page, target)
        if other is not None and code != X_DEFAULT:
            self._join(number, other)
            self._check_language(other, code, number)
            return
        if other is not None:
            # A page where the reader chooses a language need not be a version itself.
            url = self.entries[other].loc
        elif any(is_below(url, base) for base in self._bases):
            if not self._pages_by_name().is_unlinked(page, target):
                message = (
                    f"names {target!r} as its {code} version, but this build has no "
                    "such page; give its URL or its source path"
                )
                self._report.add("warning", message, page.where)
            return
        self._join(number, number)
        self.elsewhere.setdefault(number, {})[code] = url

    def _check_language(self, other: int, code: str, number: int) -> None:
        """Note the language that page ``number`` gives to another one; warn of a contradiction."""
        page = self.pages[other]
        own = self._languages.own(page)
        earlier = self._named.setdefault(other, (code, number))
        known, said_by = earlier[0], self.pages[earlier[1]].where
        if own and own.code:
            known, said_by = own.code, page.where
        if known != code:
            message = (
                f"names {page.where} as its {code} version, but {said_by} says that "
                f"it is {known}; {known} is used"
            )
            self._report.add("warning", message, self.pages[number].where)

    def _pages_by_name(self) -> PageIndex:
        """Return the index, which most sites have no need of."""
        if self._index is None:
            self._index = PageIndex(
                self._site.base_url, self.pages, self.entries, self._report.left_out
            )
        return self._index

    def _join_key(self, number: int, key: tuple[str, str]) -> None:
        self._join(number, self._first_with_key.setdefault(key, number))

    def _join(self, number: int, other: int) -> None:
        parent = self._parent
        parent.setdefault(number, number)
        if number == other:
            return
        parent.setdefault(other, other)
        first, second = self._root(number), self._root(other)
        # The smaller number is the root, so that sets come in the order of their first URL.
        parent[max(first, second)] = min(first, second)

    def _root(self, number: int) -> int:
        while (parent := self._parent[number]) != number:
            self._parent[number] = number = self._parent[parent]
        return number


def _declared(page: Page, entry: Entry, front_matter: FrontMatter) -> dict[str, str]:
    """Return the page's own declarations, those for the sitemap winning over flat ones."""
    declared: dict[str, str] = {}
    value = page.metadata.get("translations")
    if isinstance(value, Mapping):
        declared.update(front_matter.links(page, "translations", value))
    elif value is not None:
        front_matter.warn(page, "translations", value, "write a mapping of code to URL or path")
    declared.update(entry.alternates)
    return declared

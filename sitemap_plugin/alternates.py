"""Link translations: find the sets of pages that say the same in different languages.

A set is built from entries that are really listed, so it cannot name a page that is not, and each
member carries the same full set, itself included; Google ignores a pair that does not point both
ways (protocol: hreflang). Pages belong together when they share a translation key, or when one
declares the other. All members share one tuple, which the writer renders once.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from sitemap_plugin.frontmatter import FrontMatter
from sitemap_plugin.languages import X_DEFAULT, normalize
from sitemap_plugin.models import Alternate, Entry, Page, Site
from sitemap_plugin.report import Report
from sitemap_plugin.urls import is_below, join_url

__all__ = ["link_translations"]


def link_translations(
    site: Site,
    pages: Sequence[Page],
    entries: Sequence[Entry],
    front_matter: FrontMatter,
    report: Report,
) -> list[Entry]:
    """Return the entries with their alternates; ``entries[i]`` belongs to ``pages[i]``."""
    if not site.config.alternates:
        return [entry._replace(alternates=()) if entry.alternates else entry for entry in entries]
    linker = _Linker(site, pages, entries, report)
    for index, page in enumerate(pages):
        linker.join_keys(index, page)
    for index, (page, entry) in enumerate(zip(pages, entries, strict=True)):
        if entry.alternates or "translations" in page.metadata:
            linker.join_declared(index, _declared(page, entry, front_matter))
    linked = [entry._replace(alternates=()) if entry.alternates else entry for entry in entries]
    for alternates, members in _complete(linker, report):
        for index in members:
            linked[index] = linked[index]._replace(alternates=alternates)
    return linked


def _complete(linker: _Linker, report: Report) -> Iterator[tuple[tuple[Alternate, ...], list[int]]]:
    """Yield each set's links with the entries that carry them.

    Those are the entries that the links name, an x-default outside the set included; one that
    several sets name can carry none of them, so they do without.
    """
    sets = [(linker.alternates(members), members) for members in linker.sets()]
    named = [{href for _, href in alternates} for alternates, _ in sets]
    carriers = [
        [i for i in members if linker.loc(i) in locs]
        for (_, members), locs in zip(sets, named, strict=True)
    ]
    taken = Counter(index for indexes in carriers for index in indexes)
    outside = [
        linker.x_default_outside(alternates, indexes)
        for (alternates, _), indexes in zip(sets, carriers, strict=True)
    ]
    taken.update(index for index in outside if index is not None)
    for (alternates, _), indexes, extra in zip(sets, carriers, outside, strict=True):
        if extra is not None and taken[extra] > 1:
            message = (
                "is the x-default of more than one set of translations, and can link back to one "
                "only; these sets are written without x-default"
            )
            report.add("warning", message, linker.where(extra))
            yield tuple(item for item in alternates if item.hreflang != X_DEFAULT), indexes
        else:
            yield alternates, indexes if extra is None else [*indexes, extra]


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


class _Linker:
    """A disjoint-set forest over the listed pages, with what pages declare about each other."""

    def __init__(
        self, site: Site, pages: Sequence[Page], entries: Sequence[Entry], report: Report
    ) -> None:
        self._site = site
        self._pages = pages
        self._entries = entries
        self._report = report
        self._parent: dict[int, int] = {}
        self._first_with_key: dict[str, int] = {}
        self._indexes: tuple[dict[str, int], dict[str, int]] | None = None
        self._declared_language: dict[int, tuple[str, int]] = {}
        self._elsewhere: dict[int, dict[str, str]] = {}
        self._codes: dict[str, str | None] = {}

    def loc(self, index: int) -> str:
        """Return the URL that an entry is listed under."""
        return self._entries[index].loc

    def where(self, index: int) -> str:
        """Return the place of a page for messages."""
        return self._pages[index].where

    def x_default_outside(
        self, alternates: Sequence[Alternate], members: Sequence[int]
    ) -> int | None:
        """Return the listed page that is a set's x-default without being one of its versions."""
        href = next((href for code, href in alternates if code == X_DEFAULT), None)
        if href is None or any(self.loc(index) == href for index in members):
            return None
        return self._index()[0].get(href)

    def join_keys(self, index: int, page: Page) -> None:
        """Join the page with those that share its translation key."""
        own = page.metadata.get("translation_key") if page.metadata else None
        keys = [page.translation_key and f"generator {page.translation_key}"]
        keys.append(None if own is None or own == "" else f"page {own}")
        for key in keys:
            if key:
                self._join(index, self._first_with_key.setdefault(key, index))

    def join_declared(self, index: int, declared: Mapping[str, str]) -> None:
        """Join the page with those that it declares to be its translations."""
        page = self._pages[index]
        for spelling, target in declared.items():
            code = self._code(spelling, page)
            if code is None:
                continue
            url = self._resolve(page, target)
            other = self._find_page(page, target, url)
            if other is not None and code == X_DEFAULT:
                # A page where the reader chooses a language need not be a version itself.
                self._join(index, index)
                self._elsewhere.setdefault(index, {})[code] = self._entries[other].loc
            elif other is not None:
                self._join(index, other)
                self._declare_language(other, code, index)
            elif not is_below(url, self._site.base_url):
                self._join(index, index)
                self._elsewhere.setdefault(index, {})[code] = url
            elif not self._is_left_out(url, target):
                message = (
                    f"front matter names {target!r} as its {code} version, but this build has no "
                    "such page; give its URL or its source path"
                )
                self._report.add("warning", message, page.where)

    def sets(self) -> Iterator[list[int]]:
        """Yield the members of each set, in the order of their URLs."""
        groups: defaultdict[int, list[int]] = defaultdict(list)
        for index in sorted(self._parent):
            groups[self._root(index)].append(index)
        yield from groups.values()

    def alternates(self, members: Sequence[int]) -> tuple[Alternate, ...]:
        """Return the set's links, sorted; nothing for a set of one."""
        links: dict[str, str] = {}
        elsewhere: dict[str, str] = {}
        for index in members:
            elsewhere.update(self._elsewhere.get(index, {}))
        for index in members:
            code = self._language(index)
            if code is None:
                continue
            loc = self._entries[index].loc
            if code in links:
                message = (
                    f"two {code} pages in one set of translations; {links[code]} stays in the "
                    "set, this page is listed without links"
                )
                self._report.add("warning", message, self._pages[index].where)
            else:
                links[code] = loc
        x_default = elsewhere.pop(X_DEFAULT, None)
        for code, url in elsewhere.items():
            links.setdefault(code, url)
        if len(links) < 2:  # noqa: PLR2004 - a set of one says nothing
            return ()
        x_default = x_default or self._x_default(links)
        if x_default:
            links[X_DEFAULT] = x_default
        return tuple(sorted(Alternate(code, url) for code, url in links.items()))

    def _x_default(self, links: Mapping[str, str]) -> str | None:
        wanted = self._site.config.x_default
        if wanted is False:
            return None
        if wanted == "auto":
            language = self._site.language
            wanted = (language and self._code(language, None)) or ""
        return links.get(wanted)

    def _language(self, index: int) -> str | None:
        page = self._pages[index]
        spelling = (page.metadata.get("lang") if page.metadata else None) or page.language
        if not isinstance(spelling, str) or not spelling:
            declared = self._declared_language.get(index)
            if declared:
                return declared[0]
            spelling = self._site.language
        if not spelling:
            message = "has translations, but no language; set 'lang' in its front matter"
            self._report.add("warning", message, page.where)
            return None
        code = self._code(spelling, page)
        return None if code == X_DEFAULT else code

    def _declare_language(self, other: int, code: str, index: int) -> None:
        page = self._pages[other]
        spelling = (page.metadata.get("lang") if page.metadata else None) or page.language
        own = self._code(spelling, page) if isinstance(spelling, str) and spelling else None
        earlier = self._declared_language.setdefault(other, (code, index))
        known, said_by = (own, page.where) if own else (earlier[0], self._pages[earlier[1]].where)
        if known != code:
            message = (
                f"front matter names {page.where} as its {code} version, but {said_by} says that "
                f"it is {known}; {known} is used"
            )
            self._report.add("warning", message, self._pages[index].where)

    def _code(self, spelling: str, page: Page | None) -> str | None:
        """Return the hreflang code for a spelling; a doubtful one is reported once per site."""
        try:
            return self._codes[spelling]
        except KeyError:
            code, problem = normalize(spelling, self._site.config.languages)
            if problem:
                self._report.add("warning", problem, page.where if page else None)
            self._codes[spelling] = code
            return code

    def _resolve(self, page: Page, target: str) -> str:
        try:
            return join_url(page.url, target)
        except ValueError:
            return page.url

    def _index(self) -> tuple[dict[str, int], dict[str, int]]:
        """Return the entries by URL and by source path; made when first needed."""
        if self._indexes is None:
            by_url = {entry.loc: index for index, entry in enumerate(self._entries)}
            by_source: dict[str, int] = {}
            for index, page in enumerate(self._pages):
                by_url.setdefault(page.url, index)
                if page.source_path:
                    by_source[page.source_path] = index
            self._indexes = by_url, by_source
        return self._indexes

    def _find_page(self, page: Page, target: str, url: str) -> int | None:
        by_url, by_source = self._index()
        candidates = [target.lstrip("/")]
        if page.source_path and "/" in page.source_path:
            folder = page.source_path.rsplit("/", 1)[0]
            candidates.append(_without_dots(f"{folder}/{target}"))
        found = [by_source[path] for path in candidates if path in by_source]
        if found:
            return found[0]
        if url in by_url:
            return by_url[url]
        try:
            below_base = join_url(self._site.base_url, target.lstrip("/"))
        except ValueError:
            return None
        return by_url.get(below_base)

    def _is_left_out(self, url: str, target: str) -> bool:
        """Tell whether a declared page exists but is not listed, which needs no warning."""
        try:
            below_base = join_url(self._site.base_url, target.lstrip("/"))
        except ValueError:
            below_base = url
        return any(
            page.url in (url, below_base) or page.source_path == target.lstrip("/")
            for page in self._report.left_out
        )

    def _join(self, index: int, other: int) -> None:
        for node in (index, other):
            self._parent.setdefault(node, node)
        # The smaller index is the root, so that sets come in the order of their first URL.
        first, second = sorted((self._root(index), self._root(other)))
        self._parent[second] = first

    def _root(self, index: int) -> int:
        while (parent := self._parent[index]) != index:
            self._parent[index] = self._parent[parent]
            index = parent
        return index


def _without_dots(path: str) -> str:
    parts: list[str] = []
    for part in path.split("/"):
        if part == ".." and parts:
            parts.pop()
        elif part not in ("", ".", ".."):
            parts.append(part)
    return "/".join(parts)

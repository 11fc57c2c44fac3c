"""Find out which pages say the same in different languages.

Pages belong together when they share a translation key, or when one declares the other. An
untranslated copy belongs to no set: it has its original's front matter, and says nothing in
another language. Pages are told by their number.
"""

import posixpath
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import count
from typing import NamedTuple

from sitemap_plugin.common.text import quoted
from sitemap_plugin.common.urls import is_below, join_url, normal_form
from sitemap_plugin.errors import Problem
from sitemap_plugin.languages.codes import X_DEFAULT, normalize
from sitemap_plugin.languages.folders import path_keys
from sitemap_plugin.models import Entry, Page, Site
from sitemap_plugin.pages.addresses import ServedFiles
from sitemap_plugin.pages.selection import ListedPage

_UNLINKED = -1
"""Stands for all pages that exist without being linked."""


class PageLanguages:
    """The pages of a build, told by their number, their languages, and what is wrong with them.

    ``entries[i]`` belongs to ``listed[i]``. A doubtful name of a language is reported once.
    """

    def __init__(self, site: Site, listed: Sequence[ListedPage], entries: Sequence[Entry]) -> None:
        self.site, self.listed, self.entries = site, listed, entries
        self.problems: dict[Problem, None] = {}
        self._known: dict[object, str | None] = {}

    @cached_property
    def default(self) -> str | None:
        """The language of pages about which nobody says anything."""
        return self.read(self.site.language) if self.site.language else None

    def read(self, name: object, where: str | None = None, key: str = "") -> str | None:
        """Return the code for a name, which ``key`` of a page's front matter gives."""
        known_as = name if isinstance(name, str) else quoted(name)
        if known_as not in self._known:
            self._known[known_as], problem = normalize(name, self.site.config.languages)
            if problem:
                place = f"front matter {key!r}: " if key else ""
                self.problems[Problem("warning", place + problem, where)] = None
        return self._known[known_as]

    def own(self, number: int) -> str | None:
        """Return what a page's front matter says, else its generator; empty if it is no code."""
        item = self.listed[number]
        if item.settings.language not in (None, ""):
            return self.read(item.settings.language, item.where, "lang") or ""
        return (self.read(item.page.language, item.where) or "") if item.page.language else None

    def warn(self, number: int, message: str) -> None:
        """Report a problem of a page."""
        self.problems[Problem("warning", message, self.listed[number].where)] = None


class Sets(NamedTuple):
    """Pages that belong together, sets and members in the order of their URLs.

    ``languages`` has the code under which a page was first named by another one. ``elsewhere`` has,
    by declaring page, the versions that are no members: code to URL, on another host, or the page
    for all other languages.
    """

    members: Sequence[Sequence[int]]
    languages: dict[int, str]
    elsewhere: dict[int, dict[str, str]]


def find_sets(pages: PageLanguages, left_out: Collection[Page]) -> Sets:
    """Return the sets of translations; ``left_out`` are pages that exist and are not linked."""
    groups: dict[int, list[int]] = {}
    found = Sets([], {}, {})
    _join_keys(pages, groups)
    _join_declared(pages, left_out, groups, found)
    members = sorted(map(sorted, {id(group): group for group in groups.values()}.values()))
    return found._replace(members=members)


def _join(groups: dict[int, list[int]], number: int, other: int) -> None:
    """Put the groups of two pages into one."""
    small, large = sorted((groups.setdefault(n, [n]) for n in (number, other)), key=len)
    if small is not large:
        large += small
        groups.update(dict.fromkeys(small, large))


def _join_keys(pages: PageLanguages, groups: dict[int, list[int]]) -> None:
    """Join the pages that share a key: their generator's, their front matter's or their path's."""
    originals = [(n, item) for n, item in enumerate(pages.listed) if not item.page.fallback]
    by_path: Mapping[int, str] = {}
    if pages.site.config.translations_by_path:
        written = ((n, item.page) for n, item in originals if item.page.output)
        by_path = path_keys(
            pages.site,
            {n: (page, code) for n, page in written if (code := pages.own(n))},
            pages.default,
        )
    first: dict[tuple[str, str], int] = {}
    for number, item in originals:
        keys = {
            "generator": item.page.translation_key or None,
            "page": item.settings.translation_key,
            "path": by_path.get(number),
        }
        for kind, key in keys.items():
            if key is not None:
                _join(groups, number, first.setdefault((kind, key), number))


def _join_declared(
    pages: PageLanguages, left_out: Collection[Page], groups: dict[int, list[int]], found: Sets
) -> None:
    """Join the pages that declare each other, and note under which codes they do so."""
    both = enumerate(zip(pages.listed, pages.entries, strict=True))
    named = {
        # What is said for the sitemap wins over the flat key.
        number: {**(item.settings.translations or {}), **dict(entry.alternates)}
        for number, (item, entry) in both
        if (item.settings.translations or entry.alternates) and not item.page.fallback
    }
    if not named:
        return
    targets = _Targets(pages, left_out)
    for number, versions in named.items():
        for code, version in _versions(pages, number, versions, targets):
            if isinstance(version, str):
                _join(groups, number, number)
                found.elsewhere.setdefault(number, {})[code] = version
                continue
            _join(groups, number, version)
            known = pages.own(version) or found.languages.setdefault(version, code)
            if known != code:
                message = f"names {pages.listed[version].where} as its {code} version, but it is"
                pages.warn(number, f"{message} {known}")


def _versions(
    pages: PageLanguages, number: int, named: Mapping[str, str], targets: "_Targets"
) -> Iterator[tuple[str, int | str]]:
    """Yield the listed pages, and URLs elsewhere, that a page names as versions, with codes."""
    item = pages.listed[number]
    bases = (pages.site.base_url, *pages.site.other_bases)
    for name, target in named.items():
        if (code := pages.read(name, item.where)) is None:
            continue
        url, other = targets.find(item.page, target)
        if other is not None and other != _UNLINKED:
            # A page where the reader chooses a language need not be a version itself.
            yield code, pages.entries[other].loc if code == X_DEFAULT else other
        elif other is None and url and not any(is_below(url, base) for base in bases):
            yield code, url
        elif other is None:
            fault = "but this build has no such page" if url else "which is not a page's address"
            message = f"names {quoted(target)} as its {code} version, {fault}"
            pages.warn(number, f"{message}; give its URL or its source path")


class _Targets:
    """The numbers of a build's pages by their URLs, their source paths and their files.

    An untranslated copy is not linked: it is the original again, under another URL.
    """

    def __init__(self, pages: PageLanguages, left_out: Collection[Page]) -> None:
        self._site = pages.site
        self._numbers: dict[str, int] = {}
        for page in left_out:
            self._add(page, page.url, _UNLINKED)
        for item, entry, number in zip(pages.listed, pages.entries, count()):
            self._add(item.page, entry.loc, _UNLINKED if item.page.fallback else number)
        files = (name[1:] for name in self._numbers if name.startswith("/"))
        self._served = ServedFiles(self._site.base_url, files)

    def find(self, page: Page, target: str) -> tuple[str | None, int | None]:
        """Return the URL and the number of what a page's front matter names; each may be None.

        ``target`` is a source path, from the page's own folder or from the source folder, or a URL,
        absolute, relative to the page or below the base URL.
        """
        url = _absolute_url(page.url, target) if target.partition("#")[0].strip() else None
        names = self._names(page, target, url) if url else ()
        return url, next((self._numbers[name] for name in names if name in self._numbers), None)

    def _names(self, page: Page, target: str, url: str) -> Iterator[str]:
        """Yield the keys under which a page may be known, as links between sources are read."""
        folder = (page.source_path or "").rpartition("/")[0]
        if folder and not target.startswith("/"):
            yield posixpath.normpath(f"/{folder}/{target}")[1:]
        yield target.lstrip("/")
        for address in (url, _absolute_url(self._site.base_url, target.lstrip("/"))):
            if address:
                yield normal_form(address)
                yield f"/{self._served.file_of(address)}"

    def _add(self, page: Page, url: str, number: int) -> None:
        self._numbers[normal_form(url)] = number
        names = [page.source_path] if page.source_path and not page.fallback else []
        if page.output and page.output.is_relative_to(self._site.output_dir):
            names.append(f"/{page.output.relative_to(self._site.output_dir).as_posix()}")
        for name in names:
            if self._numbers.get(name, _UNLINKED) == _UNLINKED:
                self._numbers[name] = number


def _absolute_url(base: str, target: str) -> str | None:
    """Return the address of the page that a reference leads to, None if it is none."""
    try:
        address = join_url(base, target)
    except ValueError:
        return None
    return address if address.startswith(("https://", "http://")) else None

"""Link translations: give each page the hreflang links of its set.

Pages belong together when they share a translation key, or when one declares the other. An
untranslated copy belongs to no set: it says nothing in another language. A set's links are those of
entries that are really listed, and each member carries the same full set, itself included, in one
tuple; Google ignores a pair that does not point both ways (protocol: hreflang).
"""

import posixpath
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, count

from sitemap_plugin.common.text import quoted, shown
from sitemap_plugin.common.urls import is_below, join_url, normal_form
from sitemap_plugin.describe.entries import Transformed
from sitemap_plugin.errors import Problem, or_none
from sitemap_plugin.languages.codes import X_DEFAULT, normalize
from sitemap_plugin.languages.folders import path_keys
from sitemap_plugin.models import Alternate, Entry, Page, Site
from sitemap_plugin.pages.addresses import ServedFiles

_UNLINKED = -1
"""Stands for all pages that exist without being linked."""


def link_translations(
    site: Site, changed: Transformed, left_out: Collection[Page]
) -> tuple[list[Entry], list[Problem]]:
    """Return the entries, in the order of their URLs, with their alternates, and the problems.

    What alternates the entries have are what their pages declare. ``left_out`` are pages that exist
    and are not to be linked.
    """
    entries = changed.entries
    linked = [entry.replace(alternates=()) if entry.alternates else entry for entry in entries]
    if not site.config.alternates:
        return linked, []
    pages = _Pages(site, changed)
    _join_keys(pages)
    _join_declared(pages, left_out)
    sets = sorted(map(sorted, {id(group): group for group in pages.groups.values()}.values()))
    found = [links for members in sets if (links := _set_links(pages, members))]
    numbers = {entry.loc: number for number, entry in enumerate(entries)} if found else {}
    times = Counter(chain.from_iterable(set(links.values()) for links in found))
    for links in found:
        default = links.get(X_DEFAULT, "")
        if default in numbers and times[default] > 1 and [*links.values()].count(default) == 1:
            del links[X_DEFAULT]
            message = "is the x-default of more than one set of translations, and can link back to "
            message += "one only; these sets are written without x-default"
            pages.warn(numbers[default], message)
        alternates = tuple(sorted(Alternate(code, url) for code, url in links.items()))
        for number in map(numbers.get, set(links.values())):
            if number is not None:
                linked[number] = linked[number].replace(alternates=alternates)
    return linked, [*pages.problems]


class _Pages:
    """The pages of a build, told by their number, their languages, and what is wrong with them.

    ``groups`` has for each page its set, and ``named`` the code under which another one first named
    it. ``elsewhere`` has, by declaring page, code and URL of versions on another host, and of the
    page for all other languages.
    """

    def __init__(self, site: Site, changed: Transformed) -> None:
        self.site = site
        self.pages, self.settings, self.entries, *_ = changed
        self.groups: dict[int, list[int]] = {}
        self.named: dict[int, str] = {}
        self.elsewhere: defaultdict[int, dict[str, str]] = defaultdict(dict)
        self.problems: dict[Problem, None] = {}
        self._known: dict[object, str | None] = {}

    @property
    def default(self) -> str | None:
        """The language of pages about which nobody says anything."""
        return self.read(self.site.language) if self.site.language else None

    def read(self, name: object, where: str | None = None, key: str = "") -> str | None:
        """Return the code for a name, which ``key`` gives; what is doubtful is reported once."""
        known_as = name if isinstance(name, str) else quoted(name)
        if known_as not in self._known:
            self._known[known_as], problem = normalize(name, self.site.config.languages)
            if problem:
                place = f"front matter {key!r}: " if key else ""
                self.problems[Problem("warning", place + problem, where)] = None
        return self._known[known_as]

    def own(self, number: int) -> str | None:
        """Return what a page's front matter says, else its generator; empty if it is no code."""
        said, language = self.settings[number].language, self.pages[number].language
        if said not in (None, ""):
            return self.read(said, self.where(number), "lang") or ""
        return (self.read(language, self.where(number)) or "") if language else None

    def where(self, number: int) -> str:
        """Return the place to name in a message about a page."""
        return self.settings[number].where(self.pages[number])

    def warn(self, number: int, message: str) -> None:
        """Report a problem of a page."""
        self.problems[Problem("warning", message, self.where(number))] = None

    def join(self, number: int, other: int) -> None:
        """Put the groups of two pages into one."""
        small, large = sorted((self.groups.setdefault(n, [n]) for n in (number, other)), key=len)
        if small is not large:
            large += small
            self.groups.update(dict.fromkeys(small, large))


def _join_keys(pages: _Pages) -> None:
    """Join the pages that share a key: their generator's, their front matter's or their path's."""
    by_path: Mapping[int, str] = {}
    if pages.site.config.translations_by_path:
        written = ((n, page) for n, page in enumerate(pages.pages) if page.output)
        originals = ((n, page) for n, page in written if not page.fallback)
        known = {n: (page, code) for n, page in originals if (code := pages.own(n))}
        by_path = path_keys(pages.site, known, pages.default)
    first: dict[tuple[str, str | None], int] = {}
    for number, page, settings in zip(count(), pages.pages, pages.settings):
        if (page.translation_key or settings.translation_key or by_path) and not page.fallback:
            own, path = settings.translation_key, by_path.get(number)
            for key in (("generator", page.translation_key or None), ("page", own), ("path", path)):
                if key[1] is not None:  # The home page's path is empty.
                    pages.join(number, first.setdefault(key, number))


def _join_declared(pages: _Pages, left_out: Collection[Page]) -> None:
    """Join the pages that declare each other, and note under which codes they do so."""
    named = {
        # What is said for the sitemap wins over the flat key.
        number: {**(settings.translations or {}), **dict(entry.alternates)}
        for number, page, settings, entry in zip(
            count(), pages.pages, pages.settings, pages.entries
        )
        if (settings.translations or entry.alternates) and not page.fallback
    }
    if not named:
        return
    targets = _Targets(pages, left_out)
    for number, versions in named.items():
        for name, target in versions.items():
            if code := pages.read(name, pages.where(number)):
                _join_version(pages, number, code, target, targets)


def _join_version(pages: _Pages, number: int, code: str, target: str, targets: "_Targets") -> None:
    """Join a page with what it names as its version in a language, or note where that is."""
    url, other = targets.find(pages.pages[number], target)
    bases = (pages.site.base_url, *pages.site.other_bases)
    if other == _UNLINKED:
        return
    if other is not None and code != X_DEFAULT:
        pages.join(number, other)
        known = pages.own(other) or pages.named.setdefault(other, code)
        if known != code:
            message = f"names {pages.where(other)} as its {code} version, but it is {known}"
            pages.warn(number, message)
    elif other is not None or (url and not any(is_below(url, base) for base in bases)):
        # A page where the reader chooses a language need not be a version itself.
        pages.join(number, number)
        pages.elsewhere[number][code] = pages.entries[other].loc if other is not None else str(url)
    else:
        fault = "but this build has no such page" if url else "which is not a page's address"
        message = f"names {quoted(target)} as its {code} version, {fault}"
        pages.warn(number, f"{message}; give its URL or its source path")


class _Targets:
    """The numbers of a build's pages by their URLs, their source paths and their files.

    An untranslated copy is not linked: it is the original again, under another URL.
    """

    def __init__(self, pages: _Pages, left_out: Collection[Page]) -> None:
        self._site = pages.site
        self._numbers: dict[str, int] = {}
        for page in left_out:
            self._add(page, page.url, _UNLINKED)
        for page, entry, number in zip(pages.pages, pages.entries, count()):
            self._add(page, entry.loc, _UNLINKED if page.fallback else number)
        files = (name[1:] for name in self._numbers if name.startswith("/"))
        self._served = ServedFiles(self._site.base_url, files)

    def find(self, page: Page, target: str) -> tuple[str | None, int | None]:
        """Return the URL and the number of what a page names, by URL or source path, or None."""
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
        if form := or_none(normal_form, url):  # What is left out may have no URL at all.
            self._numbers[form] = number
        names = [page.source_path] if page.source_path and not page.fallback else []
        if page.output and page.output.is_relative_to(self._site.output_dir):
            names.append(f"/{page.output.relative_to(self._site.output_dir).as_posix()}")
        for name in names:
            if self._numbers.get(name, _UNLINKED) == _UNLINKED:
                self._numbers[name] = number


def _absolute_url(base: str, target: str) -> str | None:
    """Return the address of the page that a reference leads to, None if it is none."""
    address = or_none(join_url, base, target) or ""
    return address if address.startswith(("https://", "http://")) else None


def _set_links(pages: _Pages, members: Sequence[int]) -> dict[str, str]:
    """Return a set's URLs by their codes; nothing for a set of one, which says nothing."""
    links: dict[str, str] = {}
    staying: list[int] = []
    for number in members:
        url, code = pages.entries[number].loc, pages.own(number)
        if code is None:
            code = pages.named.get(number) or pages.default
        if code is None:
            cure = "set 'lang' in its front matter, or name it among its own 'alternates'"
            pages.warn(number, f"has translations, but no language; {cure}")
        elif code and links.setdefault(code, url) != url:
            message = f"two {code} pages in one set of translations; {links[code]} stays in the set"
            pages.warn(number, f"{message}, this page is listed without links")
        elif code:
            staying.append(number)
    for number in staying:
        for code, url in pages.elsewhere.get(number, {}).items():
            if (stays := links.setdefault(code, url)) != url:
                message = f"names {shown(url)} as its {code} version, but {shown(stays)} is that"
                pages.warn(number, f"{message} version already; the latter is used")
    x_default = links.pop(X_DEFAULT, None)
    wanted = pages.site.config.x_default
    if len(links) > 1 and wanted is not False:
        x_default = x_default or links.get((pages.default if wanted == "auto" else wanted) or "")
        links |= {X_DEFAULT: x_default} if x_default else {}
    return links if len(links) > 1 else {}

"""Which file an address leads to, and what a page's own address is.

Hosts of static files serve ``guide/index.html`` as ``guide/``, ``guide/index.html`` and ``guide``;
``guide.html`` as ``guide.html``, ``guide`` and ``guide/``. Where it fits two, the exact one wins.
"""

import os
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple
from urllib.parse import unquote

from sitemap_plugin.common.urls import encode_path, is_below, normal_form, path_below, same_page
from sitemap_plugin.errors import or_none
from sitemap_plugin.html.head import Head
from sitemap_plugin.models import Page, Site

INDEX_FILES = ("index.html", "index.htm", "index.xhtml")
_SUFFIXES = (".html", ".htm", ".xhtml")

# The key under which an adapter names the settings or headers that gave a page's URL.
GIVEN_BY = "url_given_by_host"


def served_paths(path: str) -> tuple[str, ...]:
    """Return the paths, not percent-encoded, at which a file is served, the usual one first."""
    folder, slash, name = path.rpartition("/")
    if name in INDEX_FILES:
        return (folder + slash, path, folder) if folder else ("", path)
    stem, dot, suffix = path.rpartition(".")
    return (path, stem, f"{stem}/") if dot + suffix in _SUFFIXES else (path,)


def candidates(path: str) -> list[str]:
    """Return the files that may be served for a path, the exact one first."""
    stem = path.removesuffix("/")
    indexes = [f"{stem}/{name}" if stem else name for name in INDEX_FILES]
    named = [stem + suffix for suffix in _SUFFIXES] if stem else []
    is_folder = path.endswith("/") or not path
    return [*indexes, *named] if is_folder else [path, *named, *indexes]


class ServedFiles:
    """The files that lie below one base URL, found by any address that leads to them."""

    def __init__(self, base_url: str, paths: Iterable[str]) -> None:
        self._base = normal_form(base_url)
        self._paths = frozenset(paths)

    def path_of(self, url: str) -> str | None:
        """Return the decoded path of an address below the base, None for one that is elsewhere."""
        address = (or_none(normal_form, url) or "").partition("?")[0]
        path = "" if address == self._base[:-1] else address.removeprefix(self._base)
        is_below = path != address and "%2F" not in path
        return unquote(path, errors="surrogateescape") if is_below else None

    def file_of(self, url: str) -> str | None:
        """Return the path of the file that an address leads to, None where there is none."""
        path = self.path_of(url)
        return None if path is None else self.first(candidates(path))

    def first(self, names: Iterable[str]) -> str | None:
        """Return the first of some paths that is a file's."""
        return next((name for name in names if name in self._paths), None)


def base_of(url: str, site: Site) -> str | None:
    """Return the base URL that a URL lies below: the site's own, else the nearest other one."""
    return site.base_url if url.startswith(site.base_url) else _served_at(url, site)


def _served_at(url: str, site: Site) -> str | None:
    """Return the nearest base that a URL lies below, also one that has no sitemap of its own."""
    if not site.other_bases:
        return site.base_url if url.startswith(site.base_url) else None
    bases = (site.base_url, *site.other_bases)
    return max((base for base in bases if url.startswith(base)), key=len, default=None)


def respell(url: str, site: Site) -> str:
    """Return an encoded URL as one below the base URL, also from the generator's own setting."""
    for known in () if url.startswith(site.base_url) else (site.base_url, site.host_url):
        if known and is_below(url, known):
            path, folder = url.split("/", 3)[3], known.split("/", 3)[3]
            if path.startswith(folder):
                return site.base_url + path[len(folder) :]
    return url


def output_path(page: Page, site: Site) -> str | None:
    """Return a written file's path below the output folder of its base, with ``/``."""
    if page.output is None:
        return None
    folder = site.other_bases.get(_served_at(page.url, site) or "", site.output_dir)
    # For each page, twice: pathlib would take ten times as long.
    path, start = os.fspath(page.output), f"{folder}{os.sep}"
    if path.startswith(start):
        return path[len(start) :].replace(os.sep, "/")
    is_inside = page.output.is_relative_to(folder)
    return page.output.relative_to(folder).as_posix() if is_inside else None


class Lead(NamedTuple):
    """Where a link of a page leads: to the page itself, or elsewhere."""

    target: str
    is_own: bool
    is_broken: bool = False  # It leads to a file of this site that is not there.


_NO_HEAD = Head()


class SiteFiles:
    """The written files of the pages of a site, below each of its bases."""

    def __init__(self, site: Site, pages: Sequence[Page]) -> None:
        self._site = site
        self._pages = pages
        self._folders = {**site.other_bases, site.base_url: site.output_dir}
        found: dict[str, list[str]] = {base: [] for base in self._folders}
        for page in pages:
            if page.output and (path := output_path(page, site)) is not None:
                found[_served_at(page.url, site) or site.base_url].append(path)
        self._served = {base: ServedFiles(base, paths) for base, paths in found.items()}

    @cached_property
    def _urls(self) -> frozenset[str]:
        return frozenset(page.url for page in self._pages)

    def own_address(self, page: Page) -> str | None:
        """Return the usual address of the file that a page was written to."""
        path, base = output_path(page, self._site), _served_at(page.url, self._site)
        return None if path is None or not base else base + encode_path(served_paths(path)[0])

    def is_served(self, page: Page) -> bool:
        """Tell whether a page's URL leads to the file that it was written to, or may do so."""
        path, base = output_path(page, self._site), _served_at(page.url, self._site)
        if path is None or base is None or "?" in page.url:
            return True
        return path_below(page.url, base) in served_paths(path)

    def address_in_place(self, page: Page) -> str | None:
        """Return the address of a page's file where no file at all lies behind the page's URL."""
        base = _served_at(page.url, self._site)
        if page.output is None or base is None or self.is_served(page):
            return None
        is_there = self._file(path_below(page.url, base), base) or not page.output.is_file()
        return None if is_there else self.own_address(page)

    def file_at(self, url: str) -> str | None:
        """Return the base and path of the page's file that an address leads to, as one string."""
        base = _served_at(url, self._site)
        path = self._served[base].file_of(url) if base else None
        return None if path is None else f"{base} {path}"

    def follow(self, page: Page, link: str, head: Head = _NO_HEAD) -> Lead | None:
        """Tell where a link of a page leads; None for one that is no address of a page."""
        if link == page.url:
            return Lead(link, is_own=True)
        target = head.resolve(page.url, link)
        if target is None or not target.startswith(("https://", "http://")):
            return None
        target = respell(target, self._site)
        base = _served_at(page.url, self._site) or self._site.base_url
        if same_page(target, page.url):
            return Lead(target if target.startswith(base) else page.url, is_own=True)
        path = self._served[base].path_of(target)
        if path is None:
            return Lead(target, is_own=False)
        own = output_path(page, self._site)
        if own is None:  # Nobody says which file it is.
            known = {*candidates(path_below(page.url, base))}
            return Lead(target, "?" not in target and not known.isdisjoint(candidates(path)))
        file = self._file(path, base)
        if file == own:
            return Lead(target if path else base + target.partition("?")[2], is_own=True)
        return Lead(target, is_own=False, is_broken=file is None and target not in self._urls)

    def _file(self, path: str, base: str) -> str | None:
        """Return the file that is served at a path: a page's, or another one on disk."""
        names, folder = candidates(path), self._folders[base]
        # Unlike Path.is_file, this raises nothing.
        others = (name for name in names if os.path.isfile(folder / name))  # noqa: PTH113
        return self._served[base].first(names) or next(others, None)

"""Turn HTML files into the core's pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from sitemap_plugin.common.files import read_start
from sitemap_plugin.common.urls import same_page
from sitemap_plugin.hookspecs import hookimpl
from sitemap_plugin.html import Head
from sitemap_plugin.models import Page, Site
from sitemap_plugin.pages.exclusions import ERROR_PAGES, SEARCH_PAGES
from sitemap_plugin_folder.files import Files
from sitemap_plugin_folder.links import Links
from sitemap_plugin_folder.spellings import INDEX_FILES, is_index, spellings

__all__ = ["FolderPages"]

_DOCUMENT = re.compile(rb"<!doctype|<html[\s>]|<head[\s>]|<body[\s>]|<frameset[\s>]", re.IGNORECASE)
_REASONS = {
    **dict.fromkeys(ERROR_PAGES, "error page"),
    **dict.fromkeys(SEARCH_PAGES, "search page"),
}


class FolderPages:
    """The plugin that contributes a folder's pages, and knows which files are no pages."""

    def __init__(
        self, folder: Path, files: Files, heads: Mapping[Path, Head], *, extensionless: bool
    ) -> None:
        self._folder = folder
        self._files = files
        self._heads = heads
        self._extensionless = extensionless

    @property
    def language(self) -> str | None:
        """The language that the home page says it is in."""
        home = (self._heads.get(self._folder / name) for name in INDEX_FILES)
        return next((head.language for head in home if head is not None), None)

    @hookimpl
    def sitemap_pages(self, site: Site) -> Iterator[Page]:
        """Yield a page for each file."""
        names = {path: path.relative_to(self._folder).as_posix() for path in self._heads}
        urls: dict[Path, str] = {}
        page_at: dict[str, str] = {}
        for path, name in names.items():
            possible = spellings(name, site.base_url, self._files.aliases)
            urls[path] = self._choose(possible, self._heads[path], is_index(name))
            for url in possible:
                page_at.setdefault(url, urls[path])
        links = Links(self._heads, urls, page_at.get)
        for path, head in self._heads.items():
            url = urls[path]
            yield Page(
                url=url,
                source=path,
                source_path=names[path],
                output=path,
                metadata=_metadata(head, links.translations(url)),
                title=head.title,
                language=links.language(url) or head.language,
            )

    @hookimpl
    def sitemap_exclusion(self, site: Site) -> Callable[[Page], str | None]:  # noqa: ARG002 - the hook's argument
        """Leave out what is a part of pages and no page, and special pages of sites within."""
        heads, sites = self._heads, self._files.sites

        def reason(page: Page) -> str | None:
            if page.output is None or (head := heads.get(page.output)) is None:
                return None
            if special := _special(page.source_path or "", sites):
                return special
            if head.title is not None or head.refresh:
                return None
            return "fragment" if _is_fragment(page.output) else None

        return reason

    def _choose(self, urls: list[str], head: Head, is_index_file: bool) -> str:
        """Return the one of a page's possible URLs that its canonical link names.

        Without such a link, its link to itself as one of its translations tells.
        """
        usual = urls[1] if self._extensionless and not is_index_file else urls[0]
        if head.canonical:
            canonical = head.resolve(usual, head.canonical) or ""
            return next((url for url in urls if same_page(url, canonical)), usual)
        links = {head.resolve(usual, href) for _, href in head.alternates}
        return next((url for url in urls if url in links), usual)


def _special(name: str, sites: set[str]) -> str | None:
    """Return what a file is in the site within the folder that it belongs to."""
    folder, slash, file = name.rpartition("/")
    outer, slash_before, last = folder.rpartition("/")
    if folder + slash in sites and file in _REASONS:
        return _REASONS[file]
    return _REASONS.get(f"{last}/{file}") if outer + slash_before in sites else None


def _metadata(head: Head, translations: Mapping[str, str]) -> Mapping[str, Any]:
    """Return what the core reads from front matter elsewhere."""
    values = {"modified": head.modified, "date": head.published, "translations": translations}
    return {key: value for key, value in values.items() if value}


def _is_fragment(path: Path) -> bool:
    """Tell whether a file without a title has none of the marks of a document either."""
    try:
        return _DOCUMENT.search(read_start(path, 4096)) is None
    except OSError:
        return False

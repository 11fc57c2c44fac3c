"""Find the page that another one names, by its URL or by its source path."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterator

from sitemap_plugin.common.urls import join_url, normal_form
from sitemap_plugin.languages.page_languages import PageLanguages
from sitemap_plugin.models import Page
from sitemap_plugin.pages.addresses import ServedFiles

UNLINKED = -1
"""Stands for all pages that exist without being linked."""


class Targets:
    """The numbers of a build's pages by the pages' names.

    An untranslated copy is not linked: it is the original again, under another URL.
    """

    def __init__(self, languages: PageLanguages, left_out: Collection[Page]) -> None:
        self._site = languages.site
        self._numbers: dict[str, int] = {}
        self._files: dict[str, int] = {}
        for page in left_out:
            self._add(page, page.url, UNLINKED)
        for number, (page, *_) in enumerate(languages.listed):
            url = languages.entries[number].loc
            self._add(page, url, UNLINKED if page.fallback else number)
        self._served = ServedFiles(self._site.base_url, self._files)

    def find(self, page: Page, target: str) -> int | None:
        """Return the page that ``target`` names in the front matter of ``page``, None for none.

        That is a source path, from the page's own folder or from the source folder, or a URL,
        absolute, relative to the page or below the base URL.
        """
        return next((found for found in self._matches(page, target) if found is not None), None)

    def _matches(self, page: Page, target: str) -> Iterator[int | None]:
        yield from map(self._numbers.get, _source_paths(page, target))
        for base, reference in ((page.url, target), (self._site.base_url, target.lstrip("/"))):
            if url := absolute_url(base, reference):
                yield self._numbers.get(normal_form(url))
                yield self._files.get(self._served.file_of(url) or "")

    def _add(self, page: Page, url: str, number: int) -> None:
        self._numbers[normal_form(url)] = number
        names = [(self._numbers, page.source_path)] if not page.fallback else []
        if page.output and page.output.is_relative_to(self._site.output_dir):
            path = page.output.relative_to(self._site.output_dir).as_posix()
            names.append((self._files, path))
        for known, name in names:
            if name and known.get(name, UNLINKED) == UNLINKED:
                known[name] = number


def absolute_url(base: str, target: str) -> str | None:
    """Return the address of the page that a reference leads to, None if it is none."""
    try:
        address = join_url(base, target)
    except ValueError:
        return None
    return address if address.startswith(("https://", "http://")) else None


def _source_paths(page: Page, target: str) -> Iterator[str]:
    folder = (page.source_path or "").rpartition("/")[0]
    if folder and not target.startswith("/"):
        # As links between sources are read; what stands there comes before what has the same path.
        yield posixpath.normpath(f"/{folder}/{target}")[1:]
    yield target.lstrip("/")

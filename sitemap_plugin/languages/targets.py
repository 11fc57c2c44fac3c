"""Find the page that another one names, by its URL or by its source path."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from itertools import chain

from sitemap_plugin.common.urls import encode_path, join_url, normal_form
from sitemap_plugin.languages.listed import ListedPage
from sitemap_plugin.models import Entry, Page, Site
from sitemap_plugin.pages.addresses import served_paths

__all__ = ["Targets", "absolute_url"]


class Targets:
    """The pages of a build: those that can be linked, and those that exist without being linked.

    ``entries[i]`` belongs to ``listed[i]``; pages are told by that number. An untranslated copy is
    never found: it is the original again, under another URL.
    """

    def __init__(
        self,
        site: Site,
        listed: Sequence[ListedPage],
        entries: Sequence[Entry],
        left_out: Collection[Page],
    ) -> None:
        self.listed = listed
        self.entries = entries
        self._site = site
        self._left_out = left_out

    def at(self, url: str) -> int | None:
        """Return the page that is listed under a URL."""
        return self._numbers.get(normal_form(url))

    def find(self, page: Page, target: str) -> int | None:
        """Return the page that ``target`` names in the front matter of ``page``.

        That is a source path, from the page's own folder or from the source folder, or a URL,
        absolute, relative to the page or below the base URL.
        """
        found = map(self._numbers.get, self._names(page, target))
        return next((number for number in found if number is not None), None)

    def is_unlinked(self, page: Page, target: str) -> bool:
        """Tell whether ``target`` names a page that exists, but that no page is to link."""
        return not self._unlinked.isdisjoint(self._names(page, target))

    def _names(self, page: Page, target: str) -> Iterator[str]:
        yield from _source_paths(page, target)
        for base, reference in ((page.url, target), (self._site.base_url, target.lstrip("/"))):
            if url := absolute_url(base, reference):
                yield normal_form(url)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """Each linked page by its names: its URL, other addresses of its file, its source path."""
        pages = [
            (number, item.page, entry.loc)
            for number, (item, entry) in enumerate(zip(self.listed, self.entries, strict=True))
            if not item.page.fallback
        ]
        numbers = {normal_form(loc): number for number, _, loc in pages}
        for number, page, _ in pages:
            numbers.setdefault(normal_form(page.url), number)
            if page.source_path:
                numbers.setdefault(page.source_path, number)
            for address in self._addresses(page):
                numbers.setdefault(normal_form(address), number)
        return numbers

    @cached_property
    def _unlinked(self) -> set[str]:
        names: set[str] = set()
        copies = (item.page for item in self.listed if item.page.fallback)
        for page in chain(copies, self._left_out):
            names.update(map(normal_form, (page.url, *self._addresses(page))))
            if page.source_path and not page.fallback:
                names.add(page.source_path)
        return names

    def _addresses(self, page: Page) -> Iterator[str]:
        """Yield all addresses of a page's file below the base URL."""
        if page.output and page.output.is_relative_to(self._site.output_dir):
            path = page.output.relative_to(self._site.output_dir).as_posix()
            for served in served_paths(path):
                yield self._site.base_url + encode_path(served)


def absolute_url(base: str, target: str) -> str | None:
    """Return the address of the page that a reference leads to, None if it is none."""
    try:
        address = join_url(base, target)
    except ValueError:
        return None
    return address if address.startswith(("https://", "http://")) else None


def _source_paths(page: Page, target: str) -> Iterator[str]:
    if page.source_path and "/" in page.source_path and not target.startswith("/"):
        folder = page.source_path.rpartition("/")[0]
        # As links between sources are read; what stands there comes before what has the same path.
        yield posixpath.normpath(f"/{folder}/{target}")[1:]
    yield target.lstrip("/")

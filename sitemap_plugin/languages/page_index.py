"""Find the page that another one names, by its URL or by its source path."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sitemap_plugin.common.urls import join_url
from sitemap_plugin.models import Entry, Page

__all__ = ["PageIndex"]


class PageIndex:
    """The pages of a build: those that can be linked, and those that exist without being linked.

    ``entries[i]`` belongs to ``pages[i]``; pages are told by that number. An untranslated copy is
    never found: it is the original again, under another URL.
    """

    def __init__(
        self,
        base_url: str,
        pages: Sequence[Page],
        entries: Sequence[Entry],
        left_out: Iterable[Page],
    ) -> None:
        self._base_url = base_url
        self._by_url: dict[str, int] = {}
        self._by_source: dict[str, int] = {}
        self._unlinked: set[str] = set()
        for index, (page, entry) in enumerate(zip(pages, entries, strict=True)):
            if page.fallback:
                self._unlinked.add(page.url)
                continue
            self._by_url[entry.loc] = index
            self._by_url.setdefault(page.url, index)
            if page.source_path:
                self._by_source.setdefault(page.source_path, index)
        for page in left_out:
            self._unlinked.add(page.url)
            if page.source_path:
                self._unlinked.add(page.source_path)

    def at(self, url: str) -> int | None:
        """Return the page that is listed under a URL."""
        return self._by_url.get(url)

    def find(self, page: Page, target: str) -> int | None:
        """Return the page that ``target`` names in the front matter of ``page``.

        That is a source path, from the page's own folder or from the source folder, or a URL,
        absolute, relative to the page or below the base URL.
        """
        for path in _source_paths(page, target):
            if path in self._by_source:
                return self._by_source[path]
        for url in self._urls(page, target):
            if url in self._by_url:
                return self._by_url[url]
        return None

    def is_unlinked(self, page: Page, target: str) -> bool:
        """Tell whether ``target`` names a page that exists, but that no page is to link."""
        names = (*_source_paths(page, target), *self._urls(page, target))
        return not self._unlinked.isdisjoint(names)

    def _urls(self, page: Page, target: str) -> list[str]:
        found = (resolve(page.url, target), resolve(self._base_url, target.lstrip("/")))
        return [url for url in found if url is not None]


def resolve(url: str, target: str) -> str | None:
    """Return the address of the page that a reference leads to, None if it is none."""
    try:
        address = join_url(url, target)
    except ValueError:
        return None
    return address if address.startswith(("https://", "http://")) else None


def _source_paths(page: Page, target: str) -> list[str]:
    paths = [target.lstrip("/")]
    if page.source_path and "/" in page.source_path and not target.startswith("/"):
        folder = page.source_path.rpartition("/")[0]
        # As links between sources are read; what stands there comes before what has the same path.
        paths.insert(0, _without_dots(f"{folder}/{target}"))
    return paths


def _without_dots(path: str) -> str:
    parts: list[str] = []
    for part in path.split("/"):
        if part == ".." and parts:
            parts.pop()
        elif part not in ("", ".", ".."):
            parts.append(part)
    return "/".join(parts)

"""Turn HTML files into the core's pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from sitemap_plugin.hookspecs import hookimpl
from sitemap_plugin.html import Head
from sitemap_plugin.languages import X_DEFAULT
from sitemap_plugin.models import Page, Site
from sitemap_plugin.urls import encode_path, same_page

__all__ = ["FolderPages"]

_INDEX = ("index.html", "index.htm", "index.xhtml")
_DOCUMENT = re.compile(rb"<!doctype|<html[\s>]|<head[\s>]|<body[\s>]|<frameset[\s>]", re.IGNORECASE)


class FolderPages:
    """The plugin that contributes a folder's pages, and knows which files are no pages."""

    def __init__(self, folder: Path, heads: Mapping[Path, Head], *, extensionless: bool) -> None:
        self._folder = folder
        self._heads = heads
        self._extensionless = extensionless

    @property
    def language(self) -> str | None:
        """The language that the home page says it is in."""
        home = (self._heads.get(self._folder / name) for name in _INDEX)
        return next((head.language for head in home if head is not None), None)

    @hookimpl
    def sitemap_pages(self, site: Site) -> Iterator[Page]:
        """Yield a page for each file."""
        for path, head in self._heads.items():
            name = path.relative_to(self._folder).as_posix()
            url = self._url(name, head, site.base_url)
            yield Page(
                url=url,
                source=path,
                source_path=name,
                output=path,
                metadata=_metadata(head),
                title=head.title,
                language=_own_hreflang(url, head) or head.language,
            )

    @hookimpl
    def sitemap_exclusion(self, site: Site) -> Callable[[Page], str | None]:  # noqa: ARG002 - the hook's argument
        """Leave out what is a part of pages and no page."""
        heads = self._heads

        def reason(page: Page) -> str | None:
            head = heads.get(page.output) if page.output else None
            if head is None or head.title is not None:
                return None
            return "fragment" if page.output and _is_fragment(page.output) else None

        return reason

    def _url(self, name: str, head: Head, base_url: str) -> str:
        """Return the URL of a file: the one among its possible ones that its canonical names."""
        urls = [base_url + encode_path(spelling) for spelling in _spellings(name)]
        is_index = name.rpartition("/")[2] in _INDEX
        usual = urls[1] if self._extensionless and not is_index else urls[0]
        canonical = head.resolve(usual, head.canonical) if head.canonical else None
        if canonical is None:
            return usual
        return next((url for url in urls if same_page(url, canonical)), usual)


def _spellings(name: str) -> list[str]:
    """Return the paths below the base at which hosts serve a file, the usual one first."""
    folder, slash, file = name.rpartition("/")
    if file in _INDEX:
        return [folder + slash, name, folder] if folder else ["", name]
    stem = name.rpartition(".")[0]
    return [name, stem, f"{stem}/"]


def _own_hreflang(url: str, head: Head) -> str | None:
    """Return the language that the page's own links give it, which is finer than the markup's."""
    for code, href in head.alternates:
        target = head.resolve(url, href)
        if code.lower() != X_DEFAULT and target is not None and same_page(url, target):
            return code
    return None


def _metadata(head: Head) -> Mapping[str, Any]:
    """Return what the core reads from front matter elsewhere."""
    values = {"modified": head.modified, "date": head.published}
    metadata: dict[str, Any] = {key: value for key, value in values.items() if value}
    if head.alternates:
        metadata["translations"] = dict(head.alternates)
    return metadata


def _is_fragment(path: Path) -> bool:
    """Tell whether a file without a title has none of the marks of a document either."""
    try:
        with path.open("rb") as file:
            return _DOCUMENT.search(file.read(4096)) is None
    except OSError:
        return False

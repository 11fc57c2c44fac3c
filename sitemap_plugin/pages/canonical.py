"""A page's address: what its own canonical link says, if that leads to the page's own file."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from sitemap_plugin.common.urls import encode_path, path_below, same_page
from sitemap_plugin.html import Head
from sitemap_plugin.models import Page, Site
from sitemap_plugin.pages.addresses import ServedFiles, candidates, served_paths
from sitemap_plugin.pages.bases import base_of, respell

__all__ = ["Lead", "SiteFiles", "output_path"]

_NO_HEAD = Head()


class Lead(NamedTuple):
    """Where a link of a page leads: to the page itself, or elsewhere.

    ``is_broken`` is true of a link to a file of this site that is not there.
    """

    target: str
    is_own: bool
    is_broken: bool = False


def output_path(page: Page, site: Site) -> str | None:
    """Return a written file's path below the output folder of its base, with ``/``."""
    if page.output is None:
        return None
    base = base_of(page.url, site)
    folder = site.other_bases.get(base or "", site.output_dir)
    path, start = str(page.output), f"{folder}{os.sep}"
    if str(folder) == "." and not page.output.is_absolute():
        start = ""
    if not path.startswith(start):
        return None
    return path[len(start) :].replace(os.sep, "/")


class SiteFiles:
    """The written files of the pages of a site, below each of its bases."""

    def __init__(self, site: Site, pages: Iterable[Page]) -> None:
        self._site = site
        found: dict[str, list[str]] = {base: [] for base in (site.base_url, *site.other_bases)}
        self._urls: set[str] = set()
        for page in pages:
            self._urls.add(page.url)
            path = output_path(page, site)
            if path is not None:
                found[base_of(page.url, site) or site.base_url].append(path)
        self._served = {base: ServedFiles(base, paths) for base, paths in found.items()}

    def own_address(self, page: Page) -> str | None:
        """Return the usual address of the file that a page was written to."""
        path, base = output_path(page, self._site), base_of(page.url, self._site)
        return None if path is None or base is None else base + encode_path(served_paths(path)[0])

    def is_served(self, page: Page) -> bool:
        """Tell whether a page's URL leads to the file that it was written to, or may do so."""
        path, base = output_path(page, self._site), base_of(page.url, self._site)
        if path is None or base is None or "?" in page.url:
            return True
        return path_below(page.url, base) in served_paths(path)

    def leads_nowhere(self, page: Page) -> bool:
        """Tell whether no file at all lies behind a page's URL."""
        base = base_of(page.url, self._site)
        return base is None or self._file(page.url, base) is None

    def file_at(self, url: str) -> str | None:
        """Return the base and path of the page's file that an address leads to, as one string."""
        base = base_of(url, self._site)
        path = self._served[base].file_of(url) if base else None
        return None if path is None else f"{base} {path}"

    def follow(self, page: Page, link: str, head: Head = _NO_HEAD) -> Lead | None:
        """Tell where a link of a page leads; None for one that is no address of a page."""
        target = page.url if link == page.url else head.resolve(page.url, link)
        if target is None or not target.startswith(("https://", "http://")):
            return None
        target = respell(target, self._site)
        base = base_of(page.url, self._site) or self._site.base_url
        if same_page(target, page.url):
            return Lead(target if target.startswith(base) else page.url, is_own=True)
        served = self._served[base]
        path = served.path_of(target)
        if path is None:
            return Lead(target, is_own=False)
        own = output_path(page, self._site)
        if own is None:
            guess = _guess(path_below(page.url, base))
            return Lead(target, is_own="?" not in target and path in served_paths(guess))
        file = self._file(target, base)
        if file == own:
            return Lead(target if path else base + target.partition("?")[2], is_own=True)
        is_broken = file is None and target not in self._urls
        return Lead(target, is_own=False, is_broken=is_broken)

    def _file(self, url: str, base: str) -> str | None:
        """Return the file that an address leads to: a page's, or another one on disk."""
        served = self._served[base]
        if (file := served.file_of(url)) is not None:
            return file
        folder = self._site.other_bases.get(base, self._site.output_dir)
        path = served.path_of(url)
        there = (name for name in candidates(path or "") if _is_file(folder / name))
        return None if path is None else next(there, None)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _guess(path: str) -> str:
    """Return the file that a path probably stands for, where nobody says which it is."""
    if not path or path.endswith("/"):
        return f"{path}index.html"
    return path if path.endswith((".html", ".htm", ".xhtml")) else f"{path}.html"

"""Which of the links between translations, as pages have them in their heads, to believe."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from sitemap_plugin.html import Head
from sitemap_plugin.languages import X_DEFAULT

__all__ = ["Links"]


class Links:
    """The links of all pages, each led to the page that it means.

    ``urls`` has the URL of each file, and ``page_at`` returns the URL of the page that is served at
    some URL, however that is spelt.
    """

    def __init__(
        self,
        heads: Mapping[Path, Head],
        urls: Mapping[Path, str],
        page_at: Callable[[str], str | None],
    ) -> None:
        self._of: dict[str, dict[str, str]] = {}
        for path, head in heads.items():
            if head.alternates:
                self._of[urls[path]] = _resolved(head, urls[path], page_at)

    def language(self, url: str) -> str | None:
        """Return the language that the page's own links give it, finer than the markup's."""
        own = self._of.get(url, {}).items()
        return next((code for code, href in own if href == url and code.lower() != X_DEFAULT), None)

    def translations(self, url: str) -> dict[str, str]:
        """Return the translations of the page at a URL, by language code.

        A page of the folder that has links, and none that leads back, is no translation: search
        engines ignore the pair, and what is meant is often a menu that leads to home pages.
        """
        return {
            code: href
            for code, href in self._of.get(url, {}).items()
            if href not in self._of or url in self._of[href].values()
        }


def _resolved(head: Head, url: str, page_at: Callable[[str], str | None]) -> dict[str, str]:
    links: dict[str, str] = {}
    for code, href in head.alternates:
        target = head.resolve(url, href)
        links[code] = (target and page_at(target)) or target or href
    return links

"""A sitemap plugin whose pages a test gives."""

from __future__ import annotations

from sitemap_plugin import Page, hookimpl


class GivenPages:
    """A plugin that gives pages."""

    def __init__(self, *pages: Page) -> None:
        self._pages = pages

    @hookimpl
    def sitemap_pages(self) -> tuple[Page, ...]:
        return self._pages

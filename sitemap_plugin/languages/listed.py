"""Stands in for pages.selection until that returns pages with their settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from sitemap_plugin.models import Page
from sitemap_plugin.pages.front_matter import FrontMatter

__all__ = ["ListedPage", "Settings", "list_pages"]


class Settings(NamedTuple):
    """What the front matter says of languages."""

    language: Any = None
    translation_key: str | None = None
    translations: Mapping[str, str] | None = None


class ListedPage(NamedTuple):
    """A page and its settings."""

    page: Page
    settings: Settings


def list_pages(pages: Iterable[Page], front_matter: FrontMatter) -> list[ListedPage]:
    """Read the settings of pages."""
    return [ListedPage(page, _settings(page, front_matter)) for page in pages]


def _settings(page: Page, front_matter: FrontMatter) -> Settings:
    given = page.metadata
    if not given:
        return Settings()
    key, value = given.get("translation_key"), given.get("translations")
    translations = None
    if isinstance(value, Mapping):
        translations = front_matter.links(page, "translations", value)
    elif value is not None:
        front_matter.warn(page, "translations", value, "write a mapping of code to URL or path")
    named = key is not None and key != "" and not isinstance(key, bool)
    return Settings(given.get("lang"), str(key) if named else None, translations)

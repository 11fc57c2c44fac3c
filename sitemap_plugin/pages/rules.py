"""The option ``rules``: what the user wants for the pages that match a pattern."""

from __future__ import annotations

from typing import NamedTuple

from sitemap_plugin.common.urls import path_below
from sitemap_plugin.config import Rule
from sitemap_plugin.models import Page, Site

__all__ = ["Effect", "Rules"]


class Effect(NamedTuple):
    """What all rules together say of one page; None where they say nothing."""

    changefreq: str | None = None
    priority: float | None = None
    lastmod: tuple[str, ...] | None = None
    excluded_by: str | None = None


NO_EFFECT = Effect()


class Rules:
    """The rules of one site, applied to a page in order; later rules win key by key."""

    def __init__(self, site: Site) -> None:
        self._rules: tuple[Rule, ...] = site.config.rules
        self._base_url = site.base_url
        self._effects: dict[tuple[str, str | None], Effect] = {}

    def __bool__(self) -> bool:
        return bool(self._rules)

    def effect(self, page: Page) -> Effect:
        """Return what the rules say of the page."""
        if not self._rules:
            return NO_EFFECT
        key = (page.url, page.source_path)
        effect = self._effects.get(key)
        if effect is None:
            effect = self._effects[key] = self._apply(page)
        return effect

    def _apply(self, page: Page) -> Effect:
        effect = NO_EFFECT
        url_path = path_below(page.url, self._base_url)
        for index, rule in enumerate(self._rules):
            if rule.match.match(page.source_path, url_path) is None:
                continue
            excluded_by = effect.excluded_by
            if rule.exclude is not None:
                excluded_by = f"rules[{index}]" if rule.exclude else None
            effect = Effect(
                effect.changefreq if rule.changefreq is None else rule.changefreq,
                effect.priority if rule.priority is None else rule.priority,
                effect.lastmod if rule.lastmod is None else rule.lastmod,
                excluded_by,
            )
        return effect

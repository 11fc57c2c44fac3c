"""The other sitemap plugins of Pelican: what to remove, and what to write instead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pelican.contents import Article
from pelican.contents import Page as ContentPage

from sitemap_plugin.common.urls import path_below
from sitemap_plugin.errors import Problem
from sitemap_plugin_pelican.collect import collect_pages
from sitemap_plugin_pelican.legacy import Grouped, rewrite
from sitemap_plugin_pelican.writes import Writes

__all__ = ["group_pages", "problems"]

EXTENDED = "EXTENDED_SITEMAP_PLUGIN"
EXTENDED_GROUPS = ("others", "index", "articles", "pages")
EXTENDED_KEYS = {"priorities": "priority", "changefrequencies": "changefreq"}


def problems(writes: Writes, bases: Mapping[int, str], base_url: str) -> Iterator[Problem]:
    """Yield what there is to know about other plugins that write a sitemap."""
    settings = writes.main.settings
    active = {str(name).rpartition(".")[2] for name in settings["PLUGINS"]}
    if "sitemap" in active:
        message = (
            "pelican-sitemap is active too and writes the same file, which this sitemap replaces; "
            "remove 'sitemap' from PLUGINS or, where PLUGINS is not set, uninstall pelican-sitemap"
        )
        yield Problem("warning", message, "PLUGINS")
    if "extended_sitemap" in active or settings.get(EXTENDED):
        pages = group_pages(writes, bases, base_url)
        others = [
            page._replace(group="others") if page.group == "indexes" else page for page in pages
        ]
        pages = [page._replace(group="index") if not page.url_path else page for page in others]
        options = rewrite({}, _extended(settings.get(EXTENDED)), pages)
        same = f"SITEMAP = {options!r} says the same" if options else "SITEMAP need not be set"
        if "extended_sitemap" in active:
            message = (
                "pelican-extended-sitemap is active too and writes the same file, which this "
                "sitemap replaces; remove 'extended_sitemap' from PLUGINS or, where PLUGINS is "
                f"not set, uninstall pelican-extended-sitemap; {same}"
            )
            yield Problem("warning", message, "PLUGINS")
        else:
            message = f"is a setting of pelican-extended-sitemap; remove it; {same}"
            yield Problem("notice", message, EXTENDED)


def group_pages(writes: Writes, bases: Mapping[int, str], base_url: str) -> list[Grouped]:
    """Return the pages of a run in the groups of pelican-sitemap."""
    contents = {write.path: write.content for write in writes}
    found: list[Grouped] = []
    for page in collect_pages(writes, bases):
        content = contents[str(page.output)]
        is_page = isinstance(content, ContentPage)
        group = "articles" if isinstance(content, Article) else "pages" if is_page else "indexes"
        found.append(Grouped(group, page.source_path, path_below(page.url, base_url)))
    return found


def _extended(given: Any) -> dict[str, dict[str, Any]]:
    """Return what pelican-extended-sitemap's settings give to its groups of pages."""
    wanted: dict[str, dict[str, Any]] = {group: {} for group in EXTENDED_GROUPS}
    for key, option in EXTENDED_KEYS.items():
        values = given.get(key) if isinstance(given, Mapping) else None
        for group, value in dict(values or {}).items():
            if group in wanted:
                wanted[group][option] = value
    return wanted

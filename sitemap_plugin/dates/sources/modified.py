"""The date source ``modified``: front matter that says when the page changed."""

from __future__ import annotations

from sitemap_plugin.dates.sources.front_matter_date import FrontMatterDate
from sitemap_plugin.hookspecs import LastmodFunction, hookimpl
from sitemap_plugin.models import Site

KEYS = (
    "lastmod",
    "last_modified_at",
    "last_modified",
    "modified",
    "updated",
    "last_update",
    "last_update.date",
    "revision_date",
    "date.updated",
)


@hookimpl
def sitemap_lastmod_source(site: Site, name: str) -> LastmodFunction | None:
    """Provide ``modified``."""
    return FrontMatterDate(KEYS, site.timezone) if name == "modified" else None

"""The date source ``date``: front matter that says when the page was published."""

from __future__ import annotations

from sitemap_plugin.dates.sources.front_matter_date import FrontMatterDate
from sitemap_plugin.hookspecs import LastmodFunction, hookimpl
from sitemap_plugin.models import Site

KEYS = ("date", "date.created", "created", "published")


@hookimpl
def sitemap_lastmod_source(site: Site, name: str) -> LastmodFunction | None:
    """Provide ``date``."""
    return FrontMatterDate(KEYS, site.timezone) if name == "date" else None

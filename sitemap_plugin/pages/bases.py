"""The base URLs of a site: its own, and those of languages that have one of their own."""

from __future__ import annotations

from sitemap_plugin.models import Site

__all__ = ["base_of"]


def base_of(url: str, site: Site) -> str | None:
    """Return the base URL that a URL lies below: the site's own, else the nearest other one."""
    if url.startswith(site.base_url):
        return site.base_url
    return max((base for base in site.other_bases if url.startswith(base)), key=len, default=None)

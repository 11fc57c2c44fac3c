"""The base URLs of a site: its own, and those of languages that have one of their own."""

from __future__ import annotations

from sitemap_plugin.common.urls import is_below
from sitemap_plugin.models import Site

__all__ = ["base_of", "respell"]


def base_of(url: str, site: Site) -> str | None:
    """Return the base URL that a URL lies below: the site's own, else the nearest other one."""
    if url.startswith(site.base_url):
        return site.base_url
    return max((base for base in site.other_bases if url.startswith(base)), key=len, default=None)


def respell(url: str, site: Site) -> str:
    """Return an encoded URL as one below the base URL, where it is one in another spelling.

    That is: host and port spelt otherwise, or the address of the generator's own setting where the
    option ``base_url`` says something else.
    """
    base = site.base_url
    if url.startswith(base):
        return url
    for known in (base, site.host_url):
        if known and is_below(url, known):
            path, folder = url.split("/", 3)[3], known.split("/", 3)[3]
            if path.startswith(folder):
                return base + path[len(folder) :]
    return url

"""A true sitemap.xml for every static site, and the hooks to change it.

A plugin is a module that implements one or more hooks, announced as an entry point of the group
``sitemap_plugin``::

    # my_plugin.py
    from sitemap_plugin import Entry, Page, Site, hookimpl

    @hookimpl
    def sitemap_transform(site: Site):
        def prefer_guides(page: Page, entry: Entry) -> Entry:
            return entry.replace(priority=0.9) if "/guide/" in entry.loc else entry
        return prefer_guides

    # pyproject.toml
    [project.entry-points.sitemap_plugin]
    prefer_guides = "my_plugin"

:mod:`sitemap_plugin.hookspecs` describes every hook.
"""

from sitemap_plugin.errors import ConfigError, PluginError, Problem, SitemapError, WriteError
from sitemap_plugin.hookspecs import hookimpl
from sitemap_plugin.models import Alternate, Entry, Image, News, Page, Restriction, Site, Video
from sitemap_plugin.report import Report

__all__ = [
    "Alternate", "ConfigError", "Entry", "Image", "News", "Page", "PluginError", "Problem",
    "Report", "Restriction", "Site", "SitemapError", "Video", "WriteError", "hookimpl",
]  # fmt: skip

"""The module that Pelican finds as ``pelican.plugins.sitemap_plugin``."""

from sitemap_plugin_pelican import register

__all__ = ["register"]

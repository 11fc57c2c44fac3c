"""The Pelican adapter: tells the core which pages Pelican wrote.

Pelican finds the plugin by itself when ``PLUGINS`` is not set; a site that sets it adds
``"sitemap_plugin"``. Options go into ``SITEMAP = {...}``.
"""

from __future__ import annotations

from pelican.plugins import signals

from sitemap_plugin_pelican import runs


def register() -> None:
    """Connect to Pelican's signals; doing so twice has no further effect."""
    signals.initialized.connect(runs.on_initialized)
    signals.get_generators.connect(runs.on_get_generators)
    signals.static_generator_finalized.connect(runs.on_static_generator_finalized)
    signals.content_written.connect(runs.on_content_written)

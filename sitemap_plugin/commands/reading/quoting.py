"""Quote foreign text within a sentence."""

from __future__ import annotations

from sitemap_plugin.common.text import shown

__all__ = ["quote"]


def quote(value: str) -> str:
    """Quote what a file holds, so that it does nothing to a terminal."""
    return f"'{shown(value, 120)}'"

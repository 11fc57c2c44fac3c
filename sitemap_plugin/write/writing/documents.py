"""The frames of the two kinds of file, urlset and sitemap index."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sitemap_plugin.common.files import MARKER
from sitemap_plugin.models import Lastmod
from sitemap_plugin.write.writing.escaping import escape
from sitemap_plugin.write.writing.extensions import EXTENSIONS
from sitemap_plugin.write.writing.timestamps import timestamp

__all__ = ["URLSET_END", "index", "urlset_start"]

URLSET_END = b"</urlset>\n"
_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def urlset_start(stylesheet: str | None, prefixes: Collection[str]) -> bytes:
    """Render what precedes the first entry; ``prefixes`` are those of the extensions in use."""
    declared = "".join(f' xmlns:{e.prefix}="{e.uri}"' for e in EXTENSIONS if e.prefix in prefixes)
    return f'{_prologue(stylesheet)}<urlset xmlns="{_NAMESPACE}"{declared}>\n'.encode()


def index(stylesheet: str | None, children: Iterable[tuple[str, Lastmod | None]]) -> bytes:
    """Render a sitemap index of URLs, each with the newest ``lastmod`` of its entries."""
    lines = [_prologue(stylesheet), f'<sitemapindex xmlns="{_NAMESPACE}">\n']
    for url, lastmod in children:
        lines.append(f"  <sitemap>\n    <loc>{escape(url)}</loc>\n")
        if lastmod:
            lines.append(f"    <lastmod>{timestamp(lastmod)}</lastmod>\n")
        lines.append("  </sitemap>\n")
    return "".join((*lines, "</sitemapindex>\n")).encode()


def _prologue(stylesheet: str | None) -> str:
    style = (
        f'<?xml-stylesheet type="text/css" href="{escape(stylesheet)}"?>\n' if stylesheet else ""
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{MARKER.decode()}\n{style}'

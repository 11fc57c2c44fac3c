"""Two states of a site, as sitemaps."""

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from sitemap_plugin.commands.cli import main

BASE = "https://example.org/"
_SITEMAP = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
_MORE = (
    'xmlns:xhtml="http://www.w3.org/1999/xhtml" '
    'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
)


def entry(
    path: str = "",
    lastmod: str | None = None,
    links: Mapping[str, str] | None = None,
    images: tuple[str, ...] = (),
    base: str = BASE,
) -> str:
    """Return the entry of a page below the base URL."""
    parts = [f"<loc>{escape(base + path)}</loc>"]
    parts += [f"<lastmod>{lastmod}</lastmod>"] if lastmod else []
    parts += [
        f'<xhtml:link rel="alternate" hreflang="{code}" href="{escape(BASE + to)}"/>'
        for code, to in (links or {}).items()
    ]
    parts += [f"<image:image><image:loc>{BASE}{at}</image:loc></image:image>" for at in images]
    return f"<url>\n{''.join(parts)}\n</url>\n"


def urlset(*entries: str) -> str:
    """Return a sitemap."""
    return f'<?xml version="1.0"?>\n<urlset {_SITEMAP} {_MORE}>\n{"".join(entries)}</urlset>\n'


def index(*urls: str) -> str:
    """Return an index."""
    items = "".join(f"<sitemap><loc>{escape(url)}</loc></sitemap>\n" for url in urls)
    return f'<?xml version="1.0"?>\n<sitemapindex {_SITEMAP}>\n{items}</sitemapindex>\n'


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files, gzipped where their names say so; return the folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = content.encode() if isinstance(content, str) else content
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return folder


def diff(old: object, new: object, *arguments: str, output: Path) -> Any:
    """Run the command, which has to succeed; return its JSON."""

    flags = ["--format", "json", "--output", str(output), "--max-wait", "0"]
    assert main(["diff", str(old), str(new), *flags, *arguments]) == 0
    return json.loads(output.read_text(encoding="utf-8"))

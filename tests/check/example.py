"""What an example of a finding is, and short ways to write sitemaps and pages."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Literal

from sitemap_plugin.commands.check.findings import CheckOutcome, Finding
from sitemap_plugin.commands.check.run import check

__all__ = [
    "BASE",
    "Example",
    "Files",
    "codes",
    "entry",
    "findings",
    "image",
    "index",
    "link",
    "links",
    "packed",
    "page",
    "urlset",
    "write",
]

BASE = "https://example.org/"
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
EXTENSIONS = (
    ' xmlns:xhtml="http://www.w3.org/1999/xhtml"'
    ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
    ' xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'
    ' xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"'
)

Files = Mapping[str, str | bytes]
Content = str | bytes | Files
Oracle = Literal["xsd", "xml", "gzip", "language", "robots"]


@dataclass(frozen=True)
class Example:
    """A finding's code, files that have the fault and files that do not.

    A text or bytes alone are ``sitemap.xml``. ``also`` are codes that the fault brings with it.
    ``oracle`` says which independent judge finds the fault in the first and none in the second.
    """

    code: str
    bad: Content
    good: Content
    _: KW_ONLY
    name: str = ""
    target: str = "sitemap.xml"
    base_url: str | None = BASE
    also: tuple[str, ...] = ()
    oracle: Oracle | None = None

    def files(self, *, bad: bool) -> Files:
        """Return the files with or without the fault."""
        content = self.bad if bad else self.good
        return content if isinstance(content, Mapping) else {self.target: content}


def write(folder: Path, files: Files) -> None:
    """Write files below a folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def findings(target: Path, base_url: str | None = BASE) -> list[Finding]:
    """Return what a check finds."""
    return check(target, base_url=base_url).findings.sorted()


def codes(outcome: CheckOutcome) -> set[str]:
    """Return the codes of what was found."""
    return set(outcome.findings.counts)


def urlset(*entries: str, namespace: str = NAMESPACE) -> str:
    """Return a sitemap of entries."""
    body = "".join(f"  <url>{item}</url>\n" for item in entries)
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{namespace}"{EXTENSIONS}>\n'
        f"{body}</urlset>\n"
    )


def index(*locs: str, lastmod: str = "") -> str:
    """Return an index of sitemaps."""
    date = f"<lastmod>{lastmod}</lastmod>" if lastmod else ""
    body = "".join(f"  <sitemap><loc>{loc}</loc>{date}</sitemap>\n" for loc in locs)
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="{NAMESPACE}">\n'
        f"{body}</sitemapindex>\n"
    )


def entry(path: str = "", *more: str) -> str:
    """Return the content of an entry below the base URL."""
    return f"<loc>{BASE}{path}</loc>" + "".join(more)


def link(code: str, href: str) -> str:
    """Return a link to a translation."""
    return f'<xhtml:link rel="alternate" hreflang="{code}" href="{href}"/>'


def links(**paths: str) -> str:
    """Return links to translations below the base URL; ``_`` in a code becomes ``-``."""
    return "".join(link(code.replace("_", "-"), BASE + path) for code, path in paths.items())


def image(loc: str) -> str:
    """Return an image."""
    return f"<image:image><image:loc>{loc}</image:loc></image:image>"


def page(*head: str, language: str = "") -> str:
    """Return a page with something in its head."""
    return (
        f'<!doctype html>\n<html lang="{language}"><head><title>A page</title>{"".join(head)}'
        "</head>\n<body><p>Hello.</p></body></html>\n"
    )


def packed(text: str) -> bytes:
    """Return a text as gzipped bytes."""
    return gzip.compress(text.encode(), mtime=0)

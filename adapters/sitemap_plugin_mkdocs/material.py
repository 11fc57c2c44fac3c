"""What Material for MkDocs reads from ``sitemap.xml`` in the reader's browser, and what it misses.

Its instant navigation and its switchers of versions and languages ask whether a page is there. They
know no index and no other name; a page that is not listed is loaded whole, or the switcher leads to
the start page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from sitemap_plugin.common.text import counted
from sitemap_plugin.config import Config
from sitemap_plugin.errors import Problem
from sitemap_plugin.report import Report
from sitemap_plugin_mkdocs.templates import BUILT_IN

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig


_THEMES = frozenset({"material", "materialx"})
_NEWS_FILE = re.compile(r"-news(?:-\d+)?$")
_CHOSEN = frozenset(
    {"sitemap: false", "noindex", "private", "listing", "not in the navigation"}
    | {"excluded by pattern", "excluded by rule"}
)
"""Reasons that a setting of the site gives; readers still find these pages through links."""


def find_notices(config: MkDocsConfig, options: Config, report: Report) -> Iterator[Problem]:
    """Yield one notice for each cause by which Material misses pages."""
    readers = _readers(config)
    if not readers or not report.files:
        return
    who = f"Material's {' and '.join(readers)}"
    effect = "links load whole pages, and switchers lead to the start page"
    if options.filename != BUILT_IN:
        message = f"{who} can only read sitemap.xml: {effect}; leave 'filename' out"
        yield Problem("notice", message, "filename")
    elif report.is_split:
        has_news = any(_NEWS_FILE.search(path.stem) for path in report.files)
        causes = ["sections"] * bool(options.sections) + ["news"] * has_news
        cure = f"leave out {' and '.join(causes)}" if causes else "raise max_urls and max_bytes"
        message = f"the sitemap is split, and {who} cannot read an index: {effect}; {cure}"
        yield Problem("notice", message, options.filename)
    left_out = [page for page, why in report.left_out.items() if why.split(" (")[0] in _CHOSEN]
    if left_out:
        more = f"; {counted(len(left_out) - 1, 'more page')} like it" if left_out[1:] else ""
        message = f"is not listed, so {who} cannot find it in the sitemap: {effect}{more}"
        yield Problem("notice", message, min(left_out).where)


def _readers(config: MkDocsConfig) -> list[str]:
    """Return the parts of Material that read the sitemap of this site."""
    if config.theme.name not in _THEMES:
        return []
    version: Any = config.extra.get("version")
    provider = version.get("provider") if isinstance(version, Mapping) else None
    parts = {
        "instant navigation": "navigation.instant" in (config.theme.get("features") or ()),
        "version switcher": provider == "mike",
        "language switcher": bool(config.extra.get("alternate")),
    }
    return [name for name, is_used in parts.items() if is_used]

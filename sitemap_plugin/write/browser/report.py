"""The report of a build as a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sitemap_plugin.write.browser.page import Chart, Column, Note, Page, Total, render_page

__all__ = ["render_report"]

_WORDS = ("listed", "left out")
_COLUMNS = (
    Column("Page", ("url", "title", "source"), "url"),
    Column("Sitemap", ("listed", "file"), "flag", _WORDS),
    Column("Why it is left out", ("reason", "decided_by")),
    Column("Changed", ("lastmod", "lastmod_source"), "date"),
    Column("Translations", ("alternates",), "links"),
    Column("Kind", ("kind",)),
)
_ROBOTS = {
    "present": "names it already",
    "added": "line added",
    "created": "created",
    "skipped": "untouched",
}


def render_report(data: Mapping[str, Any]) -> str:
    """Return the page of a report, which is given in its JSON form."""
    pages = data["pages"]
    listed = [page["listed"] for page in pages]
    files = len(data["files"])
    warnings = sum(problem["severity"] == "warning" for problem in data["problems"])
    return render_page(
        Page(
            title="Sitemap report",
            lead="What became of each page of the site, why, and where its date comes from.",
            data=data,
            records="pages",
            noun=("page", "pages"),
            columns=_COLUMNS,
            totals=(
                Total("in the sitemap", data["entries"], "good" if data["entries"] else "bad"),
                Total("left out", listed.count(False)),
                Total("file" if files == 1 else "files", files),
                Total(
                    "warning" if warnings == 1 else "warnings",
                    warnings,
                    "bad" if warnings else "plain",
                ),
                Total("robots.txt", _ROBOTS[data["robots"]]),
            ),
            charts=(
                Chart(
                    "Listed or left out", ["listed" if is_in else "left out" for is_in in listed]
                ),
                Chart("Why pages are left out", [_reason(page) for page in pages]),
                Chart("When pages changed", [page.get("lastmod") for page in pages], timeline=True),
                Chart("Where dates come from", [_origin(page) for page in pages]),
            ),
            notes=[
                Note(problem["severity"], problem["where"], problem["message"])
                for problem in data["problems"]
            ],
        )
    )


def _reason(page: Mapping[str, Any]) -> str | None:
    """Return a page's reason without what differs from page to page."""
    reason = page["reason"]
    return None if reason is None else str(reason).split(" (", 1)[0]


def _origin(page: Mapping[str, Any]) -> str | None:
    """Return the kind of a date's source: that it is git, not from which commit."""
    if not page["listed"]:
        return None
    source = page["lastmod_source"]
    if source is None:
        return "no date" if page["lastmod"] is None else "a plugin"
    kind = str(source)
    if kind.startswith("git "):
        return "git"
    return "newest of the pages that it lists" if kind.startswith("newest of ") else kind

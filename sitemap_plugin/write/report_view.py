"""The report of a build as a file: JSON, or a page for people that holds the JSON form as well."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sitemap_plugin.common.files import (
    read_file,
    refuse_other_kinds,
    reported,
    write_whole,
)
from sitemap_plugin.errors import Problem, WriteError
from sitemap_plugin.models import Site
from sitemap_plugin.write.view import Chart, Column, Total, View, render_view

_MAX_BYTES = 1 << 30
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
_MARKS = (b'"version"', b'"left_out"', b'"problems"')


def check_report_file(site: Site) -> None:
    """Raise WriteError if the report would take the place of anything but a report.

    Asked before the sitemap is written, since a build that fails leaves the one before in place.
    """
    path = _report_path(site)
    if path is None:
        return
    try:
        with reported(path):
            refuse_other_kinds(path)
            data = read_file(path, limit=_MAX_BYTES)
    except WriteError as error:
        if isinstance(error.__cause__, FileNotFoundError):
            return
        raise
    if data.strip() and not all(mark in data for mark in _MARKS):
        raise WriteError(f"{path}: not overwritten, since it is no report; choose another 'report'")


def write_report(site: Site, data: Mapping[str, Any]) -> None:
    """Write the report's file, given its JSON form, if the option asks for one."""
    path = _report_path(site)
    if path is None:
        return
    check_report_file(site)
    if path.suffix.lower() in {".html", ".htm"}:
        text = render_report(data, urlsplit(site.base_url).netloc)
    else:
        text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    write_whole(path, text.encode("utf-8", "backslashreplace"))


def _report_path(site: Site) -> Path | None:
    return None if site.config.report is None else site.config_dir / str(site.config.report)


def render_report(data: Mapping[str, Any], site_name: str) -> str:
    """Return the page of a report, which is given in its JSON form; its title names the site."""
    pages = data["pages"]
    listed = [page["listed"] for page in pages]
    files = len(data["files"])
    warnings = sum(problem["severity"] == "warning" for problem in data["problems"])
    return render_view(
        View(
            title=f"Sitemap report: {site_name}",
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
                Chart("Why pages are left out", [_reason(page) for page in pages]),
                Chart("When pages changed", [_year(page) for page in pages], newest_first=True),
                Chart("Where dates come from", [_origin(page) for page in pages]),
            ),
            notes=[Problem(**problem) for problem in data["problems"]],
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
    kind = page["lastmod_source"]
    if kind is None:
        return "no date" if page["lastmod"] is None else "a plugin"
    kinds = {"git ": "git", "newest of ": "newest of the pages that it lists"}
    return next((text for start, text in kinds.items() if kind.startswith(start)), str(kind))


def _year(page: Mapping[str, Any]) -> str | None:
    year = str(page.get("lastmod"))[:4]
    return year if year.isdigit() else None

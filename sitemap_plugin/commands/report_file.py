"""Read back the file that the option ``report`` has written."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import UnionType
from typing import Any

from sitemap_plugin.common.files import read_file
from sitemap_plugin.errors import SitemapError
from sitemap_plugin.write.view import read_data

Record = Mapping[str, Any]
"""A report, or one of its pages or problems."""

_VERSION = 1
_MAX_BYTES = 1 << 30
_Kinds = Mapping[str, type | UnionType]
_TEXT = str | None
_PAGE: _Kinds = {"url": str, "listed": bool, "reason": _TEXT, "decided_by": _TEXT}
_LISTED: _Kinds = {
    **_PAGE,
    "loc": str,
    "file": _TEXT,
    "lastmod": _TEXT,
    "lastmod_source": _TEXT,
    "alternates": dict,
}
_SOMETIMES: _Kinds = {
    "source": _TEXT,
    "loc": _TEXT,
    "news": dict | None,
    "videos": int | None,
}
_NEWS: _Kinds = {"publication_date": _TEXT, "file": _TEXT}
_PROBLEM: _Kinds = {"severity": str, "message": str, "where": _TEXT}


def read_report(path: Path) -> Record:
    """Read a report of either form; raise SitemapError where it is none."""
    try:
        return parse_report(read_file(path, limit=_MAX_BYTES), str(path))
    except OSError as error:
        cure = "name the file that the option 'report' has written"
        raise SitemapError(f"{path}: cannot be read: {error.strerror or error}; {cure}") from error


def parse_report(data: bytes, name: str) -> Record:
    """Read the bytes of a report; ``name`` is what messages call it."""
    try:
        report = read_data(data.decode())
    except (ValueError, RecursionError) as error:
        raise SitemapError(f"{name}: this is neither JSON nor a report as HTML") from error
    if not isinstance(report, dict) or not {"version", "pages", "problems"} <= report.keys():
        raise SitemapError(
            f"{name}: this is no report; name the file that the option 'report' has written"
        )
    if report["version"] != _VERSION or not _is_whole(report):
        raise SitemapError(f"{name}: another version of sitemap-plugin has written this report")
    return report


def _is_whole(report: Mapping[str, Any]) -> bool:
    """Tell whether all that is used of a report is there, and of the kind that is written."""
    pages, problems = report["pages"], report["problems"]
    return (
        isinstance(pages, list)
        and all(isinstance(page, dict) and _is_page(page) for page in pages)
        and isinstance(problems, list)
        and all(isinstance(item, dict) and _has(item, _PROBLEM) for item in problems)
    )


def _is_page(page: Mapping[str, Any]) -> bool:
    sometimes = {key: kind for key, kind in _SOMETIMES.items() if key in page}
    return (
        _has(page, _LISTED if page.get("listed") else _PAGE)
        and _has(page, sometimes)
        and (not page.get("news") or _has(page["news"], _NEWS))
    )


def _has(record: Mapping[str, Any], kinds: _Kinds) -> bool:
    return all(key in record and isinstance(record[key], kind) for key, kind in kinds.items())

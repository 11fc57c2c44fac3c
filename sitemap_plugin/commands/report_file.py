"""Read back the file that the option ``report`` has written."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sitemap_plugin.common.files import read_file
from sitemap_plugin.errors import SitemapError
from sitemap_plugin.write.view import read_data

Record = Mapping[str, Any]
"""A report, or one of its pages or problems."""

_VERSION = 1
_MAX_BYTES = 1 << 30
_CURE = "name the file that the option 'report' has written"
_TEXT, _WORDS = (str,), (str, type(None))
_REPORT = {"pages": (list,), "problems": (list,)}
_PROBLEM = {"severity": _TEXT, "message": _TEXT, "where": _WORDS}
_PAGE = {"url": _TEXT, "source": _WORDS, "listed": (bool,), "reason": _WORDS, "decided_by": _WORDS}
_LISTED = {
    "loc": _TEXT,
    "alternates": (dict,),
    "news": (dict, type(None)),
    "videos": (int, type(None)),
    **dict.fromkeys(("file", "lastmod", "lastmod_source"), _WORDS),
}
_NEWS = {"publication_date": _WORDS, "file": _WORDS}


def read_report(path: Path) -> Record:
    """Read a report of either form; raise SitemapError where it is none."""
    try:
        return parse_report(read_file(path, limit=_MAX_BYTES), str(path))
    except OSError as error:
        reason = error.strerror or error
        raise SitemapError(f"{path}: cannot be read: {reason}; {_CURE}") from error


def parse_report(data: bytes, name: str) -> Record:
    """Read the bytes of a report; ``name`` is what messages call it."""
    try:
        report = read_data(data.decode())
    except (ValueError, RecursionError) as error:
        raise SitemapError(f"{name}: this is neither JSON nor a report as HTML") from error
    if not isinstance(report, dict) or not {"version", *_REPORT} <= report.keys():
        raise SitemapError(f"{name}: this is no report; {_CURE}")
    is_whole = (
        _has(report, _REPORT)
        and all(map(_is_page, report["pages"]))
        and all(_has(problem, _PROBLEM) for problem in report["problems"])
    )
    if report["version"] != _VERSION or not is_whole:
        raise SitemapError(f"{name}: another version of sitemap-plugin has written this report")
    return report


def _is_page(page: Any) -> bool:
    is_left_out = _has(page, _PAGE) and not page["listed"]
    return is_left_out or (
        _has(page, {**_PAGE, **_LISTED})
        and all(isinstance(url, str) for url in page["alternates"].values())
        and (not page["news"] or _has(page["news"], _NEWS))
    )


def _has(record: Any, kinds: Mapping[str, tuple[type, ...]]) -> bool:
    """Tell whether all that is used of a record is there, and of the kind that is written."""
    return isinstance(record, dict) and all(
        key in record and isinstance(record[key], kind) for key, kind in kinds.items()
    )

"""Read the translation keys of pages from the reports of the builds."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from sitemap_plugin.commands.report_file import read_report

__all__ = ["read_keys"]


def read_keys(reports: Iterable[Path]) -> dict[str, str]:
    """Return the translation key of each listed page that has one, by its URL.

    A report is what the option ``report`` has written. Raises SitemapError for a file that is none.
    """
    keys: dict[str, str] = {}
    for path in reports:
        for record in read_report(path)["pages"]:
            key = record.get("translation_key")
            if record["listed"] and isinstance(key, str) and key:
                keys[record["loc"]] = key
    return keys

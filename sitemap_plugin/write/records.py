"""What became of each page, as data for the report's file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from sitemap_plugin.dates.parse import format_lastmod
from sitemap_plugin.models import Entry, Page

__all__ = ["REFUSED", "Listed", "page_records"]

REFUSED = "refused"
"""The reason of pages whose entry the writer cannot write; a warning tells what is wrong."""

class Listed(NamedTuple):
    """The listed pages with their entries, and a function that tells where a date came from."""

    pages: Sequence[Page] = ()
    entries: Sequence[Entry] = ()
    origin: Callable[[Page], str | None] = lambda _: None


def page_records(
    listed: Listed,
    left_out: Mapping[Page, str],
    decided_by: Mapping[Page, str],
    file_of: Mapping[str, str],
    news_file_of: Mapping[str, str],
) -> list[dict[str, Any]]:
    """Return a record for each page, in the order of their URLs.

    ``file_of`` and ``news_file_of`` name the files that list each URL.
    """
    remaining = dict(file_of)
    records = [
        {
            **_identity(page),
            # Of several entries with one address the first is listed.
            **_listed_record(page, entry, listed.origin(page), remaining.pop(entry.loc, None)),
            "news": _news_record(entry, news_file_of),
            "videos": len(entry.videos),
        }
        for page, entry in zip(listed.pages, listed.entries, strict=True)
    ]
    for page, reason in left_out.items():
        decision = {"listed": False, "reason": reason, "decided_by": decided_by.get(page)}
        records.append({**_identity(page), **decision})
    return sorted(records, key=lambda record: (record["url"], not record["listed"]))


def _identity(page: Page) -> dict[str, Any]:
    return {"url": page.url, "source": page.source_path, "title": page.title, "kind": page.kind}


def _listed_record(
    page: Page, entry: Entry, origin: str | None, file: str | None
) -> dict[str, Any]:
    return {
        "loc": entry.loc,
        "listed": file is not None,
        "reason": None if file else f"{REFUSED} (see the warnings)",
        "decided_by": None if file else "sitemap-plugin",
        "file": file,
        "lastmod": None if entry.lastmod is None else format_lastmod(entry.lastmod),
        "lastmod_source": None if entry.lastmod is None else origin,
        "changefreq": entry.changefreq,
        "priority": entry.priority,
        "alternates": dict(entry.alternates),
        "translation_key": _translation_key(page),
    }


def _translation_key(page: Page) -> str | None:
    """Return the key that tells a page's translations, in other builds too."""
    own = page.metadata.get("translation_key")
    return page.translation_key if own is None or own == "" else str(own)


def _news_record(entry: Entry, file_of: Mapping[str, str]) -> dict[str, Any] | None:
    """Return what a news article is, None for a page that is none.

    There is no file for one that is older than two days.
    """
    if not entry.news:
        return None
    return {
        "publication_date": format_lastmod(entry.news.publication_date),
        "file": file_of.get(entry.loc),
    }

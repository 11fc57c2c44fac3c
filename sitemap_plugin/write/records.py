"""What became of each page, as data for the report's file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_plugin.dates.parse import format_lastmod
from sitemap_plugin.models import Entry, News, Page
from sitemap_plugin.write.writing.validity import is_date

__all__ = ["REFUSED", "Listed", "listed_urls", "page_records"]

REFUSED = "refused"
"""The reason of pages whose entry the writer cannot write; a warning tells what is wrong."""

_LOC = re.compile(r"<loc>([^<]*)</loc>")


class Listed(NamedTuple):
    """The listed pages with their entries, and a function that tells where a date came from."""

    pages: Sequence[Page] = ()
    entries: Sequence[Entry] = ()
    origin: Callable[[Page], str | None] = lambda _: None


def page_records(
    listed: Listed,
    left_out: Mapping[Page, str],
    decided_by: Mapping[Page, str],
    files: Sequence[Path],
) -> list[dict[str, Any]]:
    """Return a record for each page, in the order of their URLs.

    ``files`` are the written sitemaps; each is read for the URLs that it lists.
    """
    file_of: dict[str, str] = {}
    news_file_of: dict[str, str] = {}
    for url, name, is_news in _urls(files):
        (news_file_of if is_news else file_of)[url] = name
    records = [
        {
            **_listed_record(page, entry, listed.origin(page), file_of),
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
    page: Page, entry: Entry, origin: str | None, file_of: dict[str, str]
) -> dict[str, Any]:
    # Of several entries with one address the writer takes the first.
    file = file_of.pop(entry.loc, None)
    return {
        **_identity(page),
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
    if not isinstance(entry.news, News):
        return None
    published = entry.news.publication_date
    return {
        "publication_date": format_lastmod(published) if is_date(published) else None,
        "file": file_of.get(entry.loc),
    }


def listed_urls(files: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """Yield each URL that one of our own files lists, with the file's name.

    What is listed once more as news does not count.
    """
    return ((url, name) for url, name, is_news in _urls(files) if not is_news)


def _urls(files: Iterable[Path]) -> Iterator[tuple[str, str, bool]]:
    """Yield each URL, the name of its file, and whether that is one of news."""
    for path in files:
        if path.suffix != ".xml":
            continue
        text = path.read_text(encoding="utf-8")
        if "<urlset" in text:
            is_news = "<news:news>" in text
            for match in _LOC.finditer(text):
                yield unescape(match[1]), path.name, is_news

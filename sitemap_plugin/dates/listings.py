"""The dates of listings: an archive is as new as the newest page in it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sitemap_plugin.common.text import counted
from sitemap_plugin.dates.parse import PageDate, newest
from sitemap_plugin.models import Page

__all__ = ["date_listings"]


def date_listings(
    pages: Sequence[Page], dates: Sequence[PageDate | None], fixed: Collection[str]
) -> list[PageDate | None]:
    """Give listings the date of their newest listed member, those that list listings last.

    A date of its own that is newer stays, and so does that of the pages in ``fixed``, by URL.
    """
    result = list(dates)
    where = {page.url: index for index, page in enumerate(pages)}

    def members(index: int) -> list[int]:
        page = pages[index]
        return [where[url] for url in page.members if url in where and url != page.url]

    def lists_listings(index: int) -> bool:
        return any(pages[member].members for member in members(index))

    listings = [index for index, page in enumerate(pages) if page.members]
    for index in sorted(listings, key=lists_listings):
        if pages[index].url in fixed:
            continue
        own = result[index]
        found = [date for member in members(index) if (date := result[member])]
        latest = newest(date.lastmod for date in found)
        if latest and (own is None or newest([latest, own.lastmod]) is not own.lastmod):
            result[index] = PageDate(latest, f"newest of {counted(len(found), 'page')}")
    return result

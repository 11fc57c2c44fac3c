"""Takes out of an entry what may not stand in a sitemap, and says what and why."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from sitemap_plugin.models import Alternate, Entry, Image, Lastmod, News, Video
from sitemap_plugin.write.writing.articles import sound_news
from sitemap_plugin.write.writing.timestamps import FIRST_YEAR, timestamp
from sitemap_plugin.write.writing.validity import (
    CHANGEFREQS,
    MAX_IMAGES,
    Warn,
    is_hreflang,
    is_priority,
    loc_fault,
    quoted,
    shown,
    url_fault,
)
from sitemap_plugin.write.writing.videos import sound_video

__all__ = ["clean_entry"]


def clean_entry(entry: Any, base_url: str, warn: Warn) -> Entry | None:
    """Return the entry without what is invalid in it, or None when its ``loc`` is."""
    if not isinstance(entry, Entry):
        warn(f"left out of the sitemap: {quoted(entry)} is not an Entry")
        return None
    fault = loc_fault(entry.loc, base_url)
    if fault:
        warn(f"left out of the sitemap: {fault}")
        return None
    changefreq, priority = entry.changefreq, entry.priority
    if changefreq is not None and not (isinstance(changefreq, str) and changefreq in CHANGEFREQS):
        warn(f"changefreq left out: {quoted(changefreq)} is none of {', '.join(CHANGEFREQS)}")
        changefreq = None
    if priority is not None and not is_priority(priority):
        warn(f"priority left out: {quoted(priority)} is not a number from 0.0 to 1.0")
        priority = None
    return Entry(
        entry.loc,
        _clean_lastmod(entry.lastmod, warn),
        changefreq,
        priority,
        tuple(_clean_alternates(entry.alternates, warn)),
        tuple(_clean_images(entry.images, warn)),
        _clean_news(entry.news, warn),
        tuple(_clean_videos(entry.videos, entry.loc, warn)),
    )


def _clean_lastmod(value: Any, warn: Warn) -> Lastmod | None:
    if value is None:
        return None
    if not isinstance(value, dt.date):
        warn(f"lastmod left out: {quoted(value)} is neither a date nor a datetime")
    elif value.year < FIRST_YEAR:
        warn(f"lastmod left out: {value} is before {FIRST_YEAR}")
    elif not isinstance(value, dt.datetime):
        return dt.date(value.year, value.month, value.day)
    elif value.utcoffset() is None:
        warn(f"lastmod left out: {value} has no time zone; give it one, or use a date")
    else:
        moment = dt.datetime.combine(value.date(), value.timetz())
        with suppress(OverflowError):
            timestamp(moment)
            return moment
        warn(f"lastmod left out: {value} is too late to be written")
    return None


def _clean_alternates(alternates: Any, warn: Warn) -> Iterator[Alternate]:
    codes = set()
    for code, href in _rows(alternates, 2, "alternate", warn):
        if not is_hreflang(code):
            warn(f"alternate left out: {quoted(code)} is not a language code")
        elif code.lower() in codes:
            warn(f"alternate {shown(str(href))} left out: there is another for {code}")
        elif not isinstance(href, str):
            warn(f"alternate {code} left out: its URL is not a string but {quoted(href)}")
        elif fault := url_fault(href):
            warn(f"alternate {code} left out: {shown(href)}: {fault}")
        else:
            codes.add(code.lower())
            yield Alternate(code, href)


def _clean_images(images: Any, warn: Warn) -> Iterator[Image]:
    count = 0
    for (loc,) in _rows(images, 1, "image", warn):
        if not isinstance(loc, str):
            warn(f"image left out: its URL is not a string but {quoted(loc)}")
        elif fault := url_fault(loc):
            warn(f"image left out: {shown(loc)}: {fault}")
        else:
            count += 1
            if count <= MAX_IMAGES:
                yield Image(loc)
    if count > MAX_IMAGES:
        warn(f"{count - MAX_IMAGES} images left out: at most {MAX_IMAGES} are allowed on a page")


def _clean_news(news: Any, warn: Warn) -> News | None:
    if not news:
        return None
    if not isinstance(news, News):
        warn(f"news left out: {quoted(news)} is not a News")
        return None

    def refuse(field: str, value: object, cure: str) -> None:
        warn(f"news left out: its {field} is {quoted(value)}; {cure}")

    return sound_news(news, refuse)


def _clean_videos(videos: Any, loc: str, warn: Warn) -> Iterator[Video]:
    def refuse(field: str, value: object, cure: str) -> None:
        warn(f"{field} of a video left out: it is {quoted(value)}; {cure}")

    for row in _rows(videos, len(Video._fields), "video", warn):
        video = sound_video(Video(*row), loc, refuse)
        if video is not None:
            yield video


def _rows(value: Any, size: int, kind: str, warn: Warn) -> Iterator[tuple[Any, ...]]:
    """Iterate over what should be a tuple of alternates, images or videos."""
    if not value:
        return
    if not isinstance(value, list | tuple):
        warn(f"{kind}s left out: {quoted(value)} is not a tuple")
        return
    for row in value:
        if isinstance(row, tuple) and len(row) == size:
            yield row
        else:
            article = "an" if kind[0] in "ai" else "a"
            warn(f"{kind} left out: {quoted(row)} is not {article} {kind.capitalize()}")

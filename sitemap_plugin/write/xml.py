"""Entries to XML: each is judged once, while it is written, and what is invalid is left out."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import Any

from sitemap_plugin.common.files import MARKER
from sitemap_plugin.common.text import quoted, shown
from sitemap_plugin.config.checks import CHANGEFREQS
from sitemap_plugin.dates.parse import Lastmod, format_lastmod
from sitemap_plugin.errors import Problem
from sitemap_plugin.models import Entry, News, Restriction, Video
from sitemap_plugin.write.protocol import (
    MAX_IMAGES,
    MAX_LOC,
    PLAIN,
    is_hreflang,
    is_priority,
    lastmod_fault,
    loc_fault,
    one_line,
    plain_date,
    url_fault,
)

__all__ = ["URLSET_END", "Rendered", "render_entries", "render_index", "urlset_start"]

URLSET_END = b"</urlset>\n"
_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
_EXTENSIONS = {
    "xhtml": "http://www.w3.org/1999/xhtml",
    "image": "http://www.google.com/schemas/sitemap-image/1.1",
    "news": "http://www.google.com/schemas/sitemap-news/0.9",
    "video": "http://www.google.com/schemas/sitemap-video/1.1",
}
_NONE: frozenset[str] = frozenset()
_LINKS = frozenset({"xhtml"})
_FIRST_YEAR = 1970
_MAX_TITLE, _MAX_DESCRIPTION, _MAX_UPLOADER = 100, 2048, 255
_plain_url = re.compile(rf"https?://(?![/?]){PLAIN}").fullmatch


Rendered = tuple[str, str, Lastmod | None, frozenset[str]]
"""The text of one entry, which is ASCII; ``loc``, ``lastmod``, and the prefixes that it uses."""


def render_entries(
    entries: Iterable[Entry], base_url: str, problems: list[Problem]
) -> Iterator[Rendered]:
    """Render entries, which are sorted by ``loc`` and lie below a base URL.

    ``news`` and ``videos`` have been checked (``describe.news``, ``describe.videos``). What is left
    out, an entry or something in it, is added to ``problems``. Raises ValueError for entries that
    are not sorted.
    """
    is_plain = re.compile(rf"{re.escape(base_url)}{PLAIN}").fullmatch
    faults: list[str] = []
    last = ""
    for entry in entries:
        loc, lastmod, changefreq, priority, alternates, images, news, videos = entry
        escaped, date, hints, extra, prefixes = loc, "", "", "", _NONE
        if type(loc) is not str or not is_plain(loc) or len(loc) > MAX_LOC:
            if fault := loc_fault(loc, base_url):
                problems.append(_problem(loc, f"left out of the sitemap: {fault}"))
                continue
            escaped = _escape(loc)
        if loc <= last:
            if loc < last:
                raise ValueError(f"entries are not sorted by loc: {loc} after {last}")
            problems.append(_problem(loc, "listed more than once; the first entry is kept"))
            continue
        last = loc
        if type(lastmod) is dt.date and (day := _day(lastmod)):
            date = day
        elif lastmod is not None:
            lastmod = _sound_date(lastmod, faults)
            date = f"\n    <lastmod>{_date(lastmod)}</lastmod>" if lastmod else ""
        if changefreq is not None or priority is not None:
            try:
                hints, found = _hints(changefreq, priority)
            except TypeError:  # A value that is not hashable is wrong, and is told as such.
                hints, found = _hints.__wrapped__(changefreq, priority)
            if found:
                faults += found
        if alternates:
            try:
                extra, found = _links(alternates)
            except TypeError:
                extra, found = _links.__wrapped__(alternates)
            if found:
                faults += found
            prefixes = _LINKS if extra else _NONE
        if images or news or videos:
            media = _media(entry, faults)
            extra += "".join(media.values())
            prefixes = prefixes.union(media)
        if faults:
            problems += [_problem(loc, fault) for fault in faults]
            faults.clear()
        text = f"  <url>\n    <loc>{escaped}</loc>{date}{hints}{extra}\n  </url>\n"
        yield text, loc, lastmod, prefixes


def _problem(loc: object, message: str) -> Problem:
    return Problem("warning", message, shown(str(loc)))


# Datetimes that are equal in two zones are not written alike, so they have no such memory.
@lru_cache(maxsize=4096)
def _day(value: dt.date) -> str:
    return f"\n    <lastmod>{value.isoformat()}</lastmod>" if value.year >= _FIRST_YEAR else ""


def _sound_date(value: Any, faults: list[str]) -> Lastmod | None:
    fault = lastmod_fault(value)
    if fault is None:
        return plain_date(value)
    faults.append(f"lastmod left out: {fault}")
    return None


# Typed, since True equals 1.0 and is no number.
@lru_cache(maxsize=1024, typed=True)
def _hints(changefreq: Any, priority: Any) -> tuple[str, tuple[str, ...]]:
    """Return the elements of changefreq and priority, and what is wrong with them."""
    text, faults = "", []
    if changefreq is not None:
        if isinstance(changefreq, str) and changefreq in CHANGEFREQS:
            text = f"\n    <changefreq>{changefreq}</changefreq>"
        else:
            words = ", ".join(CHANGEFREQS)
            faults.append(f"changefreq left out: {quoted(changefreq)} is none of {words}")
    if priority is not None:
        if is_priority(priority):
            text = f"{text}\n    <priority>{_decimal(float(priority))}</priority>"
        else:
            fault = f"priority left out: {quoted(priority)} is not a number from 0.0 to 1.0"
            faults.append(fault)
    return text, tuple(faults)


def _decimal(number: float) -> str:
    """Write a number from 0 to 1 in the shortest way that is not in exponential notation."""
    text = repr(abs(number))
    if "e" in text:
        text = f"{number:.20f}".rstrip("0")
    return f"{text}0" if text.endswith(".") else text


def _media(entry: Entry, faults: list[str]) -> dict[str, str]:
    """Render images, news and videos; return the text for each prefix that is used."""
    texts = {
        "image": _images(entry.images, faults) if entry.images else "",
        "news": _news(entry.news) if entry.news else "",
        "video": "".join(map(_video, entry.videos)) if entry.videos else "",
    }
    return {prefix: text for prefix, text in texts.items() if text}


# All members of a set of translations have the same links.
@lru_cache(maxsize=1 << 15)
def _links(alternates: Any) -> tuple[str, tuple[str, ...]]:
    """Return the links of a set of translations, and what is wrong with them."""
    faults: list[str] = []
    links: dict[str, str] = {}
    for code, href in _rows(alternates, 2, "an Alternate", "alternate", faults):
        if not is_hreflang(code):
            faults.append(f"alternate left out: {quoted(code)} is not a language code")
        elif code.lower() in links:
            faults.append(f"alternate {shown(str(href))} left out: there is another for {code}")
        elif url := _url(href, f"alternate {code}", faults):
            link = f'\n    <xhtml:link rel="alternate" hreflang="{code}" href="{url}"/>'
            links[code.lower()] = link
    return "".join(links.values()), tuple(faults)


def _images(images: Any, faults: list[str]) -> str:
    rows = _rows(images, 1, "an Image", "image", faults)
    urls = [url for (loc,) in rows if (url := _url(loc, "image", faults))]
    if len(urls) > MAX_IMAGES:
        surplus = len(urls) - MAX_IMAGES
        faults.append(f"{surplus} images left out: at most {MAX_IMAGES} are allowed on a page")
    return "".join(
        f"\n    <image:image>\n      <image:loc>{url}</image:loc>\n    </image:image>"
        for url in urls[:MAX_IMAGES]
    )


def _rows(value: Any, size: int, kind: str, name: str, faults: list[str]) -> list[tuple[Any, ...]]:
    """Return the sound rows of what should be a tuple of alternates or images."""
    if not isinstance(value, list | tuple):
        faults.append(f"{name}s left out: {quoted(value)} is not a tuple")
        return []
    sound = [row for row in value if isinstance(row, tuple) and len(row) == size]
    if len(sound) < len(value):
        bad = [row for row in value if not (isinstance(row, tuple) and len(row) == size)]
        faults += [f"{name} left out: {quoted(row)} is not {kind}" for row in bad]
    return sound


def _url(url: Any, kind: str, faults: list[str]) -> str | None:
    """Return a URL for XML; None, and a fault, when it is invalid."""
    if type(url) is str and _plain_url(url):
        return url
    if fault := url_fault(url):
        place = f"{shown(url)}: " if isinstance(url, str) else ""
        faults.append(f"{kind} left out: {place}{fault}")
        return None
    return _escape(url)


def _news(news: News) -> str:
    return (
        "\n    <news:news>\n      <news:publication>"
        f"\n        <news:name>{_text(news.publication)}</news:name>"
        f"\n        <news:language>{news.language}</news:language>"
        "\n      </news:publication>"
        "\n      <news:publication_date>"
        f"{_date(news.publication_date)}</news:publication_date>"
        f"\n      <news:title>{_text(news.title)}</news:title>"
        "\n    </news:news>"
    )


def _video(video: Video) -> str:
    lines = "".join(
        f"\n      <video:{name}>{text}</video:{name.partition(' ')[0]}>"
        for name, text in _video_elements(video)
        if text is not None
    )
    return f"\n    <video:video>{lines}\n    </video:video>"


def _video_elements(video: Video) -> Iterator[tuple[str, str | None]]:
    """Yield start tags and texts in the order of Google's schema; None is not written."""
    yield "thumbnail_loc", _escape(video.thumbnail_loc)
    yield "title", _text(video.title, _MAX_TITLE)
    yield "description", _text(video.description, _MAX_DESCRIPTION)
    yield "content_loc", video.content_loc and _escape(video.content_loc)
    yield "player_loc", video.player_loc and _escape(video.player_loc)
    yield "duration", None if video.duration is None else str(int(video.duration))
    yield "expiration_date", _date(video.expiration_date)
    yield "rating", None if video.rating is None else f"{video.rating:.1f}"
    yield "view_count", None if video.view_count is None else str(int(video.view_count))
    yield "publication_date", _date(video.publication_date)
    for tag in video.tags:
        yield "tag", _text(tag)
    yield "family_friendly", _yes_or_no(video.family_friendly)
    yield _restriction("restriction", video.restriction)
    yield "requires_subscription", _yes_or_no(video.requires_subscription)
    info = f' info="{_escape(video.uploader_info)}"' if video.uploader_info else ""
    uploader = video.uploader
    yield f"uploader{info}", None if uploader is None else _text(uploader, _MAX_UPLOADER)
    yield _restriction("platform", video.platform)
    yield "live", _yes_or_no(video.live)


def _date(value: Lastmod | None) -> str | None:
    return None if value is None else format_lastmod(plain_date(value))


def _yes_or_no(value: bool | None) -> str | None:
    return None if value is None else "yes" if value else "no"


def _restriction(name: str, value: Restriction | None) -> tuple[str, str | None]:
    if value is None:
        return name, None
    return f'{name} relationship="{value.relationship}"', " ".join(value.names)


def urlset_start(stylesheet: str | None, prefixes: Collection[str]) -> bytes:
    """Render what precedes the first entry; ``prefixes`` are those of the namespaces in use."""
    declared = "".join(f' xmlns:{p}="{uri}"' for p, uri in _EXTENSIONS.items() if p in prefixes)
    return f'{_prologue(stylesheet)}<urlset xmlns="{_NAMESPACE}"{declared}>\n'.encode()


def render_index(stylesheet: str | None, children: Iterable[tuple[str, Lastmod | None]]) -> bytes:
    """Render a sitemap index of URLs, each with the newest ``lastmod`` of its entries."""
    lines = [_prologue(stylesheet), f'<sitemapindex xmlns="{_NAMESPACE}">\n']
    for url, lastmod in children:
        lines.append(f"  <sitemap>\n    <loc>{_escape(url)}</loc>\n")
        if lastmod:
            lines.append(f"    <lastmod>{_date(lastmod)}</lastmod>\n")
        lines.append("  </sitemap>\n")
    return "".join((*lines, "</sitemapindex>\n")).encode()


def _prologue(stylesheet: str | None) -> str:
    style = (
        f'<?xml-stylesheet type="text/css" href="{_escape(stylesheet)}"?>\n' if stylesheet else ""
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{MARKER.decode()}\n{style}'


def _escape(text: str) -> str:
    """Escape a text for an XML element or a quoted attribute."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;").replace("'", "&apos;")


def _text(text: str, limit: int | None = None) -> str:
    """Escape a text of the user's into ASCII; what is longer than ``limit`` is shortened."""
    text = one_line(text)
    if limit is not None and len(text) > limit:
        text = f"{text[: limit - 1].rstrip()}\u2026"
    return _escape(text).encode("ascii", "xmlcharrefreplace").decode("ascii")

"""Entries to XML: each is judged once, while it is written, and what is invalid is left out."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import Any

from sitemap_plugin.common.files import MARKER
from sitemap_plugin.common.text import quoted, shown
from sitemap_plugin.dates.parse import Lastmod, format_lastmod
from sitemap_plugin.errors import Problem
from sitemap_plugin.models import Entry, News, Restriction, Video
from sitemap_plugin.write.protocol import (
    CHANGEFREQS,
    FIRST_YEAR,
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

URLSET_END = "</urlset>\n"
_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
_EXTENSIONS = {
    "xhtml": "http://www.w3.org/1999/xhtml",
    "image": "http://www.google.com/schemas/sitemap-image/1.1",
    "news": "http://www.google.com/schemas/sitemap-news/0.9",
    "video": "http://www.google.com/schemas/sitemap-video/1.1",
}
_CHANGEFREQ = {word: f"\n    <changefreq>{word}</changefreq>" for word in CHANGEFREQS}
_LONGEST = {"title": 100, "description": 2048, "uploader": 255}
_plain_url = re.compile(rf"https?://(?![/?]|[^/?]*@){PLAIN}").fullmatch


def render_entries(
    entries: Iterable[Entry], base_url: str, problems: list[Problem]
) -> Iterator[tuple[str, str, Lastmod | None]]:
    """Render entries, which are sorted by ``loc`` and lie below a base URL.

    Yields the text of each, which is ASCII, its ``loc`` and its ``lastmod``. ``news`` and
    ``videos`` have been checked (``describe.media``). What is left out, an
    entry or something in it, is added to ``problems``. Raises ValueError for entries that are not
    sorted.
    """
    is_plain = re.compile(rf"{re.escape(base_url)}{PLAIN}").fullmatch
    faults: list[str] = []
    last = ""
    for entry in entries:
        loc, lastmod, changefreq, priority, alternates, images, news, videos = entry
        escaped = loc
        date = hints = extra = ""
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
            lastmod, date = _lastmod(lastmod, faults)
        if changefreq is not None:
            hints = _CHANGEFREQ.get(changefreq, "") if type(changefreq) is str else ""
            if not hints:
                faults.append(_changefreq_fault(changefreq))
        if type(priority) is float and (decimal := _decimal(priority)):
            hints += decimal
        elif priority is not None:
            hints += _priority(priority, faults)
        if alternates:
            try:
                extra, found = _links(alternates)
            except TypeError:  # Something in it is not hashable, so it is wrong: it is told below.
                extra, found = _links.__wrapped__(alternates)
            faults += found
        if images:
            extra += _images(images, faults)
        if news:
            extra += _news(news)
        if videos:
            extra += "".join(map(_video, videos))
        if faults:
            problems += [_problem(loc, fault) for fault in faults]
            faults.clear()
        text = f"  <url>\n    <loc>{escaped}</loc>{date}{hints}{extra}\n  </url>\n"
        yield text, loc, lastmod


def _problem(loc: object, message: str) -> Problem:
    return Problem("warning", message, shown(str(loc)))


# A site has few different days and priorities, and a lookup takes a third of the time. Datetimes
# that are equal in two zones are not written alike, so they have no such memory.
@lru_cache(maxsize=4096)
def _day(value: dt.date) -> str:
    return f"\n    <lastmod>{value.isoformat()}</lastmod>" if value.year >= FIRST_YEAR else ""


def _lastmod(value: Any, faults: list[str]) -> tuple[Lastmod | None, str]:
    if fault := lastmod_fault(value):
        faults.append(f"lastmod left out: {fault}")
        return None, ""
    date = plain_date(value)
    return date, f"\n    <lastmod>{format_lastmod(date)}</lastmod>"


def _changefreq_fault(value: object) -> str:
    return f"changefreq left out: {quoted(value)} is none of {', '.join(CHANGEFREQS)}"


def _priority(value: Any, faults: list[str]) -> str:
    if is_priority(value):
        return _decimal(float(value))
    faults.append(f"priority left out: {quoted(value)} is not a number from 0.0 to 1.0")
    return ""


@lru_cache(maxsize=1024)
def _decimal(number: float) -> str:
    """Write a number from 0 to 1 in the shortest way that is not in exponential notation."""
    if not 0 <= number <= 1:
        return ""
    text = repr(abs(number))
    if "e" in text:
        text = f"{number:.20f}".rstrip("0")
        text = f"{text}0" if text.endswith(".") else text
    return f"\n    <priority>{text}</priority>"


# All members of a set of translations have the same links.
@lru_cache(maxsize=1 << 15)
def _links(alternates: Any) -> tuple[str, list[str]]:
    """Return the links of a set of translations, and what is wrong with them."""
    faults: list[str] = []
    links: dict[str, str] = {}
    for code, href in _rows(alternates, 2, "an Alternate", "alternate", faults):
        if not is_hreflang(code):
            faults.append(f"alternate left out: {quoted(code)} is not a language code")
            continue
        key = code.lower()
        if key in links:
            faults.append(f"alternate {shown(str(href))} left out: there is another for {code}")
            continue
        is_plain = type(href) is str and _plain_url(href)
        if url := href if is_plain else _url(href, f"alternate {code}", faults):
            links[key] = f'\n    <xhtml:link rel="alternate" hreflang="{code}" href="{url}"/>'
    return "".join(links.values()), faults


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


def _rows(
    value: Any, size: int, kind: str, name: str, faults: list[str]
) -> Iterator[tuple[Any, ...]]:
    """Yield the sound rows of what should be a tuple of alternates or images."""
    if not isinstance(value, list | tuple):
        faults.append(f"{name}s left out: {quoted(value)} is not a tuple")
        return
    for row in value:
        if isinstance(row, tuple) and len(row) == size:
            yield row
        else:
            faults.append(f"{name} left out: {quoted(row)} is not {kind}")


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
        f"{_text(news.publication_date)}</news:publication_date>"
        f"\n      <news:title>{_text(news.title)}</news:title>"
        "\n    </news:news>"
    )


def _video(video: Video) -> str:
    """Render a video, whose fields are in the order of Google's schema."""
    elements: list[tuple[str, str, object]] = []
    for name, value in zip(video._fields, video, strict=True):
        if name == "tags":
            elements += [("tag", "", tag) for tag in video.tags]
        elif isinstance(value, Restriction):
            attribute = f' relationship="{value.relationship}"'
            elements.append((name, attribute, " ".join(value.names)))
        elif name == "uploader" and video.uploader_info:
            elements.append((name, f' info="{_escape(video.uploader_info)}"', value))
        elif name == "rating" and isinstance(value, int | float):
            elements.append((name, "", f"{abs(value):.1f}"))
        elif name != "uploader_info":
            elements.append((name, "", value))
    lines = "".join(
        f"\n      <video:{name}{attribute}>{_text(value, _LONGEST.get(name))}</video:{name}>"
        for name, attribute, value in elements
        if value is not None
    )
    return f"\n    <video:video>{lines}\n    </video:video>"


def urlset_start(stylesheet: str | None, prefixes: Collection[str]) -> str:
    """Render what precedes the first entry; ``prefixes`` are those of the namespaces in use."""
    declared = "".join(f' xmlns:{p}="{uri}"' for p, uri in _EXTENSIONS.items() if p in prefixes)
    return f'{_prologue(stylesheet)}<urlset xmlns="{_NAMESPACE}"{declared}>\n'


def render_index(stylesheet: str | None, children: Iterable[tuple[str, Lastmod | None]]) -> str:
    """Render a sitemap index of URLs, each with the newest ``lastmod`` of its entries."""
    lines = [_prologue(stylesheet), f'<sitemapindex xmlns="{_NAMESPACE}">\n']
    for url, lastmod in children:
        lines.append(f"  <sitemap>\n    <loc>{_escape(url)}</loc>\n")
        if lastmod:
            lines.append(f"    <lastmod>{format_lastmod(lastmod)}</lastmod>\n")
        lines.append("  </sitemap>\n")
    return "".join((*lines, "</sitemapindex>\n"))


def _prologue(stylesheet: str | None) -> str:
    style = f'<?xml-stylesheet type="text/css" href="{_text(stylesheet)}"?>\n' if stylesheet else ""
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{MARKER.decode()}\n{style}'


def _escape(text: str) -> str:
    """Escape a text for an XML element or a quoted attribute."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;").replace("'", "&apos;")


def _text(value: object, limit: int | None = None) -> str:
    """Write a checked value in ASCII; a text that is longer than ``limit`` is shortened."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dt.date):
        return format_lastmod(plain_date(value))
    text = one_line(str(value))
    if limit is not None and len(text) > limit:
        text = f"{text[: limit - 1].rstrip()}\u2026"
    return _escape(text).encode("ascii", "xmlcharrefreplace").decode("ascii")

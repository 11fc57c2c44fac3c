"""Entries to XML: each is judged once, while it is written, and what is invalid is left out."""

import datetime as dt
import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from html import escape
from typing import Any

from sitemap_plugin.common.files import MARKER
from sitemap_plugin.common.text import quoted, shown
from sitemap_plugin.dates.parse import DateError, Lastmod, format_lastmod
from sitemap_plugin.errors import Problem
from sitemap_plugin.models import Alternate, Entry, Image, News, Restriction, Video
from sitemap_plugin.write import protocol
from sitemap_plugin.write.protocol import MAX_IMAGES, MAX_LOC

URLSET_END = "</urlset>\n"
_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
_EXTENSIONS = {
    "xhtml": "http://www.w3.org/1999/xhtml",
    "image": "http://www.google.com/schemas/sitemap-image/1.1",
    "news": "http://www.google.com/schemas/sitemap-news/0.9",
    "video": "http://www.google.com/schemas/sitemap-video/1.1",
}
_LONGEST = {"title": 100, "description": 2048, "uploader": 255}
_is_hreflang = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*+").fullmatch
_plain_url = re.compile(rf"https?://(?![/?]|[^/?]*@){protocol.PLAIN}").fullmatch


def render_entries(
    entries: Iterable[Entry], base_url: str, problems: list[Problem]
) -> Iterator[tuple[str, str, Lastmod | None]]:
    """Yield the text of each entry, which is ASCII, its ``loc`` and its ``lastmod``.

    ``describe`` has checked that links and images are tuples of strings, and all of ``news`` and
    ``videos``. What is left out, an entry or something in it, is added to ``problems``. Raises
    ValueError for entries that are not sorted by ``loc``.
    """
    is_plain = re.compile(rf"{re.escape(base_url)}{protocol.PLAIN}").fullmatch
    faults: list[str] = []
    last, freq, importance, hints = "", None, None, ""
    doubts: Collection[str] = ()
    for loc, lastmod, changefreq, priority, alternates, images, news, videos in entries:
        escaped = loc
        if not is_plain(loc) or len(loc) > MAX_LOC:
            if fault := protocol.loc_fault(loc, base_url):
                problems.append(_problem(loc, f"left out of the sitemap: {fault}"))
                continue
            escaped = _escape(loc)
        if loc <= last:
            if loc < last:
                raise ValueError(f"entries are not sorted by loc: {loc} after {last}")
            problems.append(_problem(loc, "listed more than once; the first entry is kept"))
            continue
        last = loc
        day, date, extra = None, "", ""
        if lastmod is not None:
            # Datetimes that are equal in two zones are not written alike, so none is remembered.
            write = _lastmod if type(lastmod) is dt.date else _lastmod.__wrapped__
            day, date, found = write(lastmod)
            if found:
                faults += found
        if changefreq is not freq or priority is not importance:  # Most are as those before.
            freq, importance = changefreq, priority
            hints, doubts = _hints(changefreq, priority)
        if doubts:
            faults += doubts
        if alternates:
            extra, found = _links(alternates)
            if found:
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
        yield f"  <url>\n    <loc>{escaped}</loc>{date}{hints}{extra}\n  </url>\n", loc, day


def _problem(loc: str, message: str) -> Problem:
    return Problem("warning", message, shown(loc))


# A site has few different days, and each page of a set of translations the same links.
@lru_cache(maxsize=4096)
def _lastmod(value: Any) -> tuple[Lastmod | None, str, Collection[str]]:
    try:
        date, text = protocol.read_lastmod(value)
    except DateError as error:
        return None, "", (f"lastmod left out: {error}",)
    return date, f"\n    <lastmod>{text}</lastmod>", ()


def _hints(changefreq: Any, priority: Any) -> tuple[str, Collection[str]]:
    text, faults = "", []
    if isinstance(changefreq, str) and changefreq in protocol.CHANGEFREQS:
        text = f"\n    <changefreq>{changefreq}</changefreq>"
    elif changefreq is not None:
        words = ", ".join(protocol.CHANGEFREQS)
        faults.append(f"changefreq left out: {quoted(changefreq)} is none of {words}")
    number = protocol.read_priority(priority)
    if number is not None:
        decimal = f"{abs(number):.6f}".rstrip("0")
        text += f"\n    <priority>{decimal}{'0' * decimal.endswith('.')}</priority>"
    elif priority is not None:
        faults.append(f"priority left out: {quoted(priority)} is not a number from 0.0 to 1.0")
    return text, faults


@lru_cache(maxsize=1 << 15)
def _links(alternates: tuple[Alternate, ...]) -> tuple[str, Collection[str]]:
    faults: list[str] = []
    links: dict[str, str] = {}
    for code, href in alternates:
        key = code.lower()
        if not _is_hreflang(code):
            faults.append(f"alternate left out: {quoted(code)} is not a language code")
        elif key in links:
            faults.append(f"alternate {shown(href)} left out: there is another for {code}")
        elif url := _url(href, f"alternate {code}", faults):
            links[key] = f'\n    <xhtml:link rel="alternate" hreflang="{code}" href="{url}"/>'
    return "".join(links.values()), faults


def _images(images: Iterable[Image], faults: list[str]) -> str:
    urls = [url for (loc,) in images if (url := _url(loc, "image", faults))]
    if (surplus := len(urls) - MAX_IMAGES) > 0:
        faults.append(f"{surplus} images left out: at most {MAX_IMAGES} are allowed on a page")
    return "".join(
        f"\n    <image:image>\n      <image:loc>{url}</image:loc>\n    </image:image>"
        for url in urls[:MAX_IMAGES]
    )


def _url(url: str, kind: str, faults: list[str]) -> str | None:
    """Return a URL for XML; None, and a fault, when it is invalid."""
    if _plain_url(url):
        return url
    if fault := protocol.url_fault(url):
        faults.append(f"{kind} left out: {shown(url)}: {fault}")
        return None
    return _escape(url)


def _news(news: News) -> str:
    date = _text(news.publication_date)
    return (
        "\n    <news:news>\n      <news:publication>"
        f"\n        <news:name>{_text(news.publication)}</news:name>"
        f"\n        <news:language>{news.language}</news:language>\n      </news:publication>"
        f"\n      <news:publication_date>{date}</news:publication_date>"
        f"\n      <news:title>{_text(news.title)}</news:title>\n    </news:news>"
    )


def _video(video: Video) -> str:
    """Render a video, whose fields are in the order of Google's schema."""
    given, attributes = video._asdict(), {}
    if info := given.pop("uploader_info"):
        attributes["uploader"] = f' info="{_escape(info)}"'
    for name, value in given.items():
        if isinstance(value, Restriction):
            attributes[name] = f' relationship="{value.relationship}"'
            given[name] = " ".join(value.names)
    if video.rating is not None:
        given["rating"] = f"{abs(video.rating):.1f}"
    lines = "".join(
        f"\n      <video:{tag}{attributes.get(tag, '')}>"
        f"{_text(each, _LONGEST.get(tag))}</video:{tag}>"
        for name, value in given.items()
        for tag, each in ([("tag", it) for it in value] if name == "tags" else [(name, value)])
        if each is not None
    )
    return f"\n    <video:video>{lines}\n    </video:video>"


def urlset_start(stylesheet: str | None, prefixes: Collection[str]) -> str:
    """Render what precedes the first entry; ``prefixes`` are those of the namespaces in use."""
    declared = "".join(f' xmlns:{p}="{uri}"' for p, uri in _EXTENSIONS.items() if p in prefixes)
    return f'{_prologue(stylesheet)}<urlset xmlns="{_NAMESPACE}"{declared}>\n'


def render_index(stylesheet: str | None, children: Iterable[tuple[str, Lastmod | None]]) -> str:
    """Render a sitemap index of URLs, each with the newest ``lastmod`` of its entries."""
    text = f'{_prologue(stylesheet)}<sitemapindex xmlns="{_NAMESPACE}">\n'
    for url, lastmod in children:
        date = f"    <lastmod>{format_lastmod(lastmod)}</lastmod>\n" if lastmod else ""
        text += f"  <sitemap>\n    <loc>{_escape(url)}</loc>\n{date}  </sitemap>\n"
    return f"{text}</sitemapindex>\n"


def _prologue(stylesheet: str | None) -> str:
    style = f'<?xml-stylesheet type="text/css" href="{_text(stylesheet)}"?>\n' if stylesheet else ""
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{MARKER.decode()}\n{style}'


def _escape(text: str) -> str:
    """Escape a text for an XML element or a quoted attribute."""
    return escape(text).replace("&#x27;", "&apos;")


def _text(value: object, limit: int | None = None) -> str:
    """Write a checked value in ASCII; a text that is longer than ``limit`` is shortened."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dt.date):
        return format_lastmod(value)
    text = protocol.one_line(str(value))
    if limit is not None and len(text) > limit:
        text = f"{text[: limit - 1].rstrip()}\u2026"
    return _escape(text).encode("ascii", "xmlcharrefreplace").decode("ascii")

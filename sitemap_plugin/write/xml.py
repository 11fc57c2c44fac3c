"""Entries to XML: each is judged once, while it is written, and what is invalid is left out."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, NamedTuple

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
    hreflang_fault,
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
_FIRST_YEAR = 1970
_MAX_TITLE, _MAX_DESCRIPTION, _MAX_UPLOADER = 100, 2048, 255
_plain_url = re.compile(rf"https?://(?![/?]){PLAIN}").fullmatch

_Warn = Callable[[str], None]


class Rendered(NamedTuple):
    """The text of one entry, which is ASCII, and the prefixes of the namespaces that it uses."""

    text: str
    loc: str
    lastmod: Lastmod | None
    prefixes: frozenset[str]


def render_entries(
    entries: Iterable[Entry], base_url: str, problems: list[Problem]
) -> Iterator[Rendered]:
    """Render entries, which are sorted by ``loc`` and lie below a base URL.

    ``news`` and ``videos`` have been checked (``describe.news``, ``describe.videos``). What is left
    out, an entry or something in it, is added to ``problems``. Raises ValueError for entries that
    are not sorted.
    """
    is_plain = re.compile(rf"{re.escape(base_url)}{PLAIN}").fullmatch
    last = ""
    for entry in entries:
        loc, lastmod, changefreq, priority, alternates, images, news, videos = entry

        def warn(message: str, loc: object = loc) -> None:
            problems.append(Problem("warning", message, shown(str(loc))))

        if isinstance(loc, str) and is_plain(loc) and len(loc) <= MAX_LOC:
            text = f"  <url>\n    <loc>{loc}</loc>"
        elif fault := loc_fault(loc, base_url):
            warn(f"left out of the sitemap: {fault}")
            continue
        else:
            text = f"  <url>\n    <loc>{_escape(loc)}</loc>"
        if loc <= last:
            if loc < last:
                raise ValueError(f"entries are not sorted by loc: {loc} after {last}")
            warn("listed more than once; the first entry is kept")
            continue
        last = loc
        if type(lastmod) is dt.date and lastmod.year >= _FIRST_YEAR:
            text = f"{text}\n    <lastmod>{lastmod.isoformat()}</lastmod>"
        elif lastmod is not None:
            lastmod = _sound_date(lastmod, warn)
            if lastmod is not None:
                text = f"{text}\n    <lastmod>{format_lastmod(lastmod)}</lastmod>"
        if changefreq is not None:
            text += _changefreq(changefreq, warn)
        if priority is not None:
            text += _priority(priority, warn)
        prefixes = _NONE
        if alternates or images or news or videos:
            extra, prefixes = _extensions(entry, warn)
            text += extra
        yield Rendered(f"{text}\n  </url>\n", loc, lastmod, prefixes)


def _sound_date(value: Any, warn: _Warn) -> Lastmod | None:
    fault = lastmod_fault(value)
    if fault is None:
        return plain_date(value)
    warn(f"lastmod left out: {fault}")
    return None


def _changefreq(value: Any, warn: _Warn) -> str:
    if isinstance(value, str) and value in CHANGEFREQS:
        return f"\n    <changefreq>{value}</changefreq>"
    warn(f"changefreq left out: {quoted(value)} is none of {', '.join(CHANGEFREQS)}")
    return ""


def _priority(value: Any, warn: _Warn) -> str:
    if not is_priority(value):
        warn(f"priority left out: {quoted(value)} is not a number from 0.0 to 1.0")
        return ""
    number = abs(float(value))
    text = repr(number)
    if "e" in text:  # The protocol knows decimal numbers only.
        text = f"{number:.20f}".rstrip("0")
    return f"\n    <priority>{text}{'0' if text.endswith('.') else ''}</priority>"


def _extensions(entry: Entry, warn: _Warn) -> tuple[str, frozenset[str]]:
    """Render what lies beyond the protocol's own elements, with the prefixes that it uses."""
    texts = {
        "xhtml": _links(entry.alternates, warn) if entry.alternates else "",
        "image": _images(entry.images, warn) if entry.images else "",
        "news": _news(entry.news) if entry.news else "",
        "video": "".join(map(_video, entry.videos)),
    }
    return "".join(texts.values()), frozenset(prefix for prefix, text in texts.items() if text)


def _links(alternates: Any, warn: _Warn) -> str:
    text = ""
    codes = set()
    for code, href in _rows(alternates, 2, "an Alternate", "alternate", warn):
        if fault := hreflang_fault(code):
            warn(f"alternate left out: {fault}")
        elif code.lower() in codes:
            warn(f"alternate {shown(str(href))} left out: there is another for {code}")
        elif url := _url(href, f"alternate {code}", warn):
            codes.add(code.lower())
            text += f'\n    <xhtml:link rel="alternate" hreflang="{code}" href="{url}"/>'
    return text


def _images(images: Any, warn: _Warn) -> str:
    rows = _rows(images, 1, "an Image", "image", warn)
    urls = [url for (loc,) in rows if (url := _url(loc, "image", warn))]
    if len(urls) > MAX_IMAGES:
        surplus = len(urls) - MAX_IMAGES
        warn(f"{surplus} images left out: at most {MAX_IMAGES} are allowed on a page")
    return "".join(
        f"\n    <image:image>\n      <image:loc>{url}</image:loc>\n    </image:image>"
        for url in urls[:MAX_IMAGES]
    )


def _rows(value: Any, size: int, kind: str, name: str, warn: _Warn) -> Iterator[tuple[Any, ...]]:
    """Iterate over what should be a tuple of alternates or images."""
    if not isinstance(value, list | tuple):
        warn(f"{name}s left out: {quoted(value)} is not a tuple")
        return
    for row in value:
        if isinstance(row, tuple) and len(row) == size:
            yield row
        else:
            warn(f"{name} left out: {quoted(row)} is not {kind}")


def _url(url: Any, name: str, warn: _Warn) -> str | None:
    """Return a URL for XML; None with a warning when it is invalid."""
    if isinstance(url, str) and _plain_url(url):
        return url
    if fault := url_fault(url):
        place = f"{shown(url)}: " if isinstance(url, str) else ""
        warn(f"{name} left out: {place}{fault}")
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

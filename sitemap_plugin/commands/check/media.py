"""What is wrong with images, news articles and videos (Google's extensions of the protocol)."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping, Sequence

from sitemap_plugin.commands.check.findings import FileFindings
from sitemap_plugin.commands.check.values import lower_first, url_fault
from sitemap_plugin.commands.reading.document import Fault, Medium
from sitemap_plugin.commands.reading.quoting import quote
from sitemap_plugin.common.urls import same_page
from sitemap_plugin.dates.parse import DateError, parse_w3c
from sitemap_plugin.describe.news import is_new
from sitemap_plugin.write.protocol import MAX_IMAGES, MAX_NEWS, MAX_TAGS

__all__ = ["MediaRules"]

_WITHOUT_EFFECT = ("caption", "title", "geo_location", "license")
_NEWS_PARTS = ("publication/name", "publication/language", "publication_date", "title")
_VIDEO_PARTS = ("thumbnail_loc", "title", "description")
_VIDEO_URLS = ("thumbnail_loc", "content_loc", "player_loc", "uploader@info", "gallery_loc")
_PAGE_SUFFIXES = (".html", ".htm", ".php")

_YES_NO = ("yes or no", re.compile("yes|no", re.IGNORECASE))
_RELATION = ("allow or deny", re.compile("allow|deny"))
_SECONDS = r"0*(?:[1-9]\d{0,3}|1\d{4}|2[0-7]\d{3}|28[0-7]\d{2}|28800)"
_VALUES: Mapping[str, Mapping[str, tuple[str, re.Pattern[str]]]] = {
    "news": {
        "publication/language": (
            "a language code of two or three letters, zh-cn or zh-tw",
            re.compile("zh-cn|zh-tw|[a-z]{2,3}"),
        ),
        "access": ("Subscription or Registration", re.compile("Subscription|Registration")),
    },
    "video": {
        "duration": ("a number of seconds from 1 to 28800", re.compile(_SECONDS, re.ASCII)),
        "rating": ("a number from 0.0 to 5.0", re.compile(r"[0-4](\.\d*)?|5(\.0*)?", re.ASCII)),
        "title": ("a text of at most 100 characters", re.compile(r"[\s\S]{0,100}")),
        "player_loc@allow_embed": _YES_NO,
        "view_count": ("a whole number", re.compile(r"\d+", re.ASCII)),
        "description": ("a text of at most 2048 characters", re.compile(r"[\s\S]{0,2048}")),
        "uploader": ("a text of at most 255 characters", re.compile(r"[\s\S]{0,255}")),
        "restriction": (
            "a list of countries' two letters",
            re.compile(r"[A-Z]{2}(?: +[A-Z]{2})*", re.ASCII),
        ),
        "platform": (
            "a list of web, mobile and tv",
            re.compile(r"(?:web|mobile|tv)(?: +(?:web|mobile|tv))*"),
        ),
        "family_friendly": _YES_NO,
        "requires_subscription": _YES_NO,
        "live": _YES_NO,
        "restriction@relationship": _RELATION,
        "platform@relationship": _RELATION,
    },
    "image": {},
}
_DATES = {"news": ("publication_date",), "video": ("publication_date", "expiration_date")}


class MediaRules:
    """Judges the images, articles and videos of one file."""

    def __init__(self, found: FileFindings, now: dt.datetime) -> None:
        self._found, self._now = found, now
        self._articles = 0
        self._said_without_effect = False

    def judge(self, media: Sequence[Medium], loc: str | None) -> None:
        """Record what is wrong with those of one entry."""
        for medium in media:
            for fault in self._faults(medium, loc):
                self._found.add_fault(fault, line=medium.line, url=loc)
        images, articles = (
            [medium for medium in media if medium.kind == kind] for kind in ("image", "news")
        )
        if len(images) > MAX_IMAGES:
            fault = Fault(
                "too-many-images",
                f"The page has {len(images):,} images; {MAX_IMAGES:,} are allowed.",
                "Keep the ones that matter most.",
            )
            self._found.add_fault(fault, line=images[MAX_IMAGES].line, url=loc)
        for article in articles[1:]:
            message = "The entry has more than one news article."
            fault = Fault("repeated-element", message, "Keep one of them.")
            self._found.add_fault(fault, line=article.line, url=loc)

    def _faults(self, medium: Medium, loc: str | None) -> Iterator[Fault]:
        parts = dict(medium.parts)
        if medium.kind == "image":
            yield from _image_faults(parts)
            useless = [part for part in _WITHOUT_EFFECT if part in parts]
            if useless and not self._said_without_effect:
                self._said_without_effect = True
                message = f"Images have the element {useless[0]}, without effect since 2022."
                yield Fault("image-deprecated", message, "Leave it out.")
        elif medium.kind == "news":
            self._articles += 1
            if self._articles == MAX_NEWS + 1:
                message = f"The file has more than {MAX_NEWS:,} news articles."
                yield Fault("too-many-news", message, "Split it into several sitemaps.")
            yield from _news_faults(parts, self._now)
        else:
            yield from _video_faults(parts, loc)
            if sum(name == "tag" for name, _ in medium.parts) > MAX_TAGS:
                message = f"The video has more than {MAX_TAGS} tags."
                yield Fault("media-value-invalid", message, "Keep the ones that matter most.")


def _image_faults(parts: Mapping[str, str]) -> Iterator[Fault]:
    """Judge an image by its elements."""
    if not parts.get("loc"):
        message = "The image has no address."
        yield Fault("image-incomplete", message, "Write <image:loc>, or remove the image.")
    yield from _url_faults(parts, ("loc",), "image")


def _news_faults(parts: Mapping[str, str], now: dt.datetime) -> Iterator[Fault]:
    """Judge a news article by its elements."""
    for part in _NEWS_PARTS:
        if not parts.get(part):
            message = f"The news article has no {part.replace('/', ' > ')}."
            yield Fault("news-incomplete", message, "Add it; search engines ask for it.")
    yield from _value_faults(parts, "news")
    try:
        published, granularity = parse_w3c(parts.get("publication_date", ""))
    except DateError:
        return
    if granularity not in {"year", "month"} and not is_new(published, now):
        message = f"The article of {quote(parts['publication_date'])} is older than two days."
        cure = "Remove its news element; the page itself may stay in the sitemap."
        yield Fault("news-old", message, cure)


def _video_faults(parts: Mapping[str, str], loc: str | None) -> Iterator[Fault]:
    """Judge a video by its elements, and by the address of the page that shows it."""
    missing = [part for part in _VIDEO_PARTS if not parts.get(part)]
    if not (parts.get("content_loc") or parts.get("player_loc")):
        missing.append("content_loc or player_loc")
    missing += [
        f"attribute relationship of {name}"
        for name in ("restriction", "platform")
        if name in parts and f"{name}@relationship" not in parts
    ]
    for part in missing:
        message = f"The video has no {part}."
        yield Fault("video-incomplete", message, "Add it; search engines ask for it.")
    if _is_page(parts.get("content_loc", "")):
        message = f"The video's content_loc {quote(parts['content_loc'])} is a page and no video."
        cure = "Write the address of the video file, or that of a player as player_loc."
        yield Fault("media-value-invalid", message, cure)
    for part in ("content_loc", "player_loc"):
        if loc and parts.get(part) and same_page(parts[part], loc):
            message = f"The video's {part} is the address of the page that shows it."
            cure = "Write the address of the video file or of the player itself."
            yield Fault("video-is-page", message, cure)
    yield from _url_faults(parts, _VIDEO_URLS, "video")
    yield from _value_faults(parts, "video")


def _is_page(url: str) -> bool:
    path = url.partition("#")[0].partition("?")[0].partition("://")[2].partition("/")[2]
    return path.lower().endswith(_PAGE_SUFFIXES)


def _url_faults(parts: Mapping[str, str], names: tuple[str, ...], kind: str) -> Iterator[Fault]:
    for name in names:
        fault = url_fault(parts[name]) if parts.get(name) else None
        if fault:
            message = f"The {name} of the {kind}: {lower_first(fault.message)}"
            yield Fault("media-url-invalid", message, fault.cure)


def _value_faults(parts: Mapping[str, str], kind: str) -> Iterator[Fault]:
    for name, (expected, pattern) in _VALUES[kind].items():
        value = parts.get(name)
        if value and not pattern.fullmatch(value):
            message = f"The {kind}'s {name} is {quote(value)}, not {expected}."
            yield Fault("media-value-invalid", message, f"Write {expected}, or leave it out.")
    for name in _DATES[kind]:
        try:
            _, granularity = parse_w3c(parts.get(name) or "2000-01-01")
            is_date = granularity not in {"year", "month"}
        except DateError:
            is_date = False
        if not is_date:
            message = f"The {kind}'s {name} is {quote(parts[name])}, which is no complete date."
            cure = "Write YYYY-MM-DD or YYYY-MM-DDThh:mm:ss+hh:mm."
            yield Fault("media-value-invalid", message, cure)

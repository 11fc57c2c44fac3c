"""What is wrong with images, news articles and videos (Google's extensions of the protocol)."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping, Sequence

from sitemap_plugin.commands.check.values import lower_first, url_fault
from sitemap_plugin.commands.reading.faults import Fault, fault
from sitemap_plugin.commands.reading.sitemap_document import Medium
from sitemap_plugin.common.urls import same_page
from sitemap_plugin.dates.parse import DateError, W3CDate, parse_w3c
from sitemap_plugin.describe.media import is_new
from sitemap_plugin.write.protocol import MAX_IMAGES, MAX_NEWS, MAX_TAGS

_WITHOUT_EFFECT = ("caption", "title", "geo_location", "license")
_REQUIRED = {
    "image": (),
    "news": ("publication/name", "publication/language", "publication_date", "title"),
    "video": ("thumbnail_loc", "title", "description"),
}
_URLS = {
    "image": ("loc",),
    "news": (),
    "video": ("thumbnail_loc", "content_loc", "player_loc", "uploader@info", "gallery_loc"),
}
_DATES = {
    "image": (),
    "news": ("publication_date",),
    "video": ("publication_date", "expiration_date"),
}
_PAGE = re.compile(r"[^?#]*://[^/?#]*/[^?#]*\.(?:html?|php)(?:[?#].*)?", re.IGNORECASE | re.DOTALL)
_YES_NO = ("yes or no", "(?i:yes|no)")
_RELATION = ("allow or deny", "allow|deny")
_VALUES = {
    "image": {},
    "news": {
        "publication/language": (
            "a language code of two or three letters, zh-cn or zh-tw",
            "zh-cn|zh-tw|[a-z]{2,3}",
        ),
        "access": ("Subscription or Registration", "Subscription|Registration"),
    },
    "video": {
        "duration": (
            "a number of seconds from 1 to 28800",
            r"0*(?:[1-9]\d{0,3}|1\d{4}|2[0-7]\d{3}|28[0-7]\d{2}|28800)",
        ),
        "rating": ("a number from 0.0 to 5.0", r"[0-4](\.\d*)?|5(\.0*)?"),
        "title": ("a text of at most 100 characters", r"[\s\S]{0,100}"),
        "player_loc@allow_embed": _YES_NO,
        "view_count": ("a whole number", r"\d+"),
        "description": ("a text of at most 2048 characters", r"[\s\S]{0,2048}"),
        "uploader": ("a text of at most 255 characters", r"[\s\S]{0,255}"),
        "restriction": ("a list of countries' two letters", "[A-Z]{2}(?: +[A-Z]{2})*"),
        "platform": (
            "a list of web, mobile and tv",
            "(?:web|mobile|tv)(?: +(?:web|mobile|tv))*",
        ),
        "family_friendly": _YES_NO,
        "requires_subscription": _YES_NO,
        "live": _YES_NO,
        "restriction@relationship": _RELATION,
        "platform@relationship": _RELATION,
    },
}


class MediaRules:
    """Judges the images, articles and videos of one file."""

    def __init__(self, now: dt.datetime) -> None:
        self._now, self._articles, self._said_without_effect = now, 0, False

    def faults(self, media: Sequence[Medium], loc: str | None) -> Iterator[tuple[Fault, int]]:
        """Yield what is wrong with those of one entry, with the lines."""
        for medium in media:
            for found in self._faults(medium, loc):
                yield found, medium.line
        images = [medium for medium in media if medium.kind == "image"]
        if len(images) > MAX_IMAGES:
            count = len(images)
            yield fault("too-many-images", count=count, limit=MAX_IMAGES), images[MAX_IMAGES].line
        for article in [medium for medium in media if medium.kind == "news"][1:]:
            yield fault("repeated-element", parent="entry", element="news article"), article.line

    def _faults(self, medium: Medium, loc: str | None) -> Iterator[Fault]:
        kind, parts = medium.kind, dict(medium.parts)
        if kind == "image":
            yield from self._image_faults(parts)
        elif kind == "news":
            yield from self._news_faults(parts)
        else:
            yield from _video_faults(parts, loc)
            if sum(name == "tag" for name, _ in medium.parts) > MAX_TAGS:
                yield fault("media-value-invalid.tags", limit=MAX_TAGS)
        for part in _URLS[kind]:
            found = url_fault(parts[part]) if parts.get(part) else None
            if found:
                reason = lower_first(found.message)
                yield fault(
                    "media-url-invalid", part=part, kind=kind, reason=reason, cure=found.cure
                )
        yield from _value_faults(parts, kind)

    def _image_faults(self, parts: Mapping[str, str]) -> Iterator[Fault]:
        if not parts.get("loc"):
            yield fault("image-incomplete")
        useless = next((part for part in _WITHOUT_EFFECT if part in parts), None)
        if useless and not self._said_without_effect:
            self._said_without_effect = True
            yield fault("image-deprecated", element=useless)

    def _news_faults(self, parts: Mapping[str, str]) -> Iterator[Fault]:
        self._articles += 1
        if self._articles == MAX_NEWS + 1:
            yield fault("too-many-news", limit=MAX_NEWS)
        for part in _REQUIRED["news"]:
            if not parts.get(part):
                yield fault("news-incomplete", part=part.replace("/", " > "))
        date = _whole_date(parts.get("publication_date", ""))
        if date and not is_new(date.value, self._now):
            yield fault("news-old", value=parts["publication_date"])


def _video_faults(parts: Mapping[str, str], loc: str | None) -> Iterator[Fault]:
    """Judge a video by its elements, and by the address of the page that shows it."""
    for part in _REQUIRED["video"]:
        if not parts.get(part):
            yield fault("video-incomplete", part=part)
    if not (parts.get("content_loc") or parts.get("player_loc")):
        yield fault("video-incomplete", part="content_loc or player_loc")
    for part in ("restriction", "platform"):
        if part in parts and f"{part}@relationship" not in parts:
            yield fault("video-incomplete", part=f"attribute relationship of {part}")
    if _PAGE.fullmatch(content := parts.get("content_loc", "")):
        yield fault("media-value-invalid.page", value=content)
    for part in ("content_loc", "player_loc"):
        if loc and parts.get(part) and same_page(parts[part], loc):
            yield fault("video-is-page", part=part)


def _value_faults(parts: Mapping[str, str], kind: str) -> Iterator[Fault]:
    for part, (expected, pattern) in _VALUES[kind].items():
        value = parts.get(part)
        if value and not re.fullmatch(pattern, value, re.ASCII):
            yield fault("media-value-invalid", kind=kind, part=part, value=value, expected=expected)
    for part in _DATES[kind]:
        if parts.get(part) and not _whole_date(parts[part]):
            yield fault("media-value-invalid.date", kind=kind, part=part, value=parts[part])


def _whole_date(text: str) -> W3CDate | None:
    """Return a date that names at least a day."""
    try:
        date = parse_w3c(text)
    except DateError:
        return None
    return None if date.granularity in {"year", "month"} else date

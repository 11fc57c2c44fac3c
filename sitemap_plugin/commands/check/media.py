"""What is wrong with images, news articles and videos (Google's extensions of the protocol)."""

import datetime as dt
import re
from collections.abc import Iterator, Mapping, Sequence

from sitemap_plugin.commands.check.values import lower_first, url_fault
from sitemap_plugin.commands.reading.faults import Fault, fault
from sitemap_plugin.commands.reading.sitemap_document import Medium
from sitemap_plugin.common.urls import same_page
from sitemap_plugin.dates.parse import W3CDate, parse_w3c
from sitemap_plugin.describe.media import is_new
from sitemap_plugin.errors import or_none
from sitemap_plugin.write.protocol import MAX_IMAGES, MAX_NEWS, MAX_TAGS

_WITHOUT_EFFECT = ("caption", "title", "geo_location", "license")
_REQUIRED = {
    "image": ("loc",),
    "news": ("publication/name", "publication/language", "publication_date", "title"),
    "video": ("thumbnail_loc", "title", "description"),
}
_PAGE = re.compile(r"[^?#]*://[^/?#]*/[^?#]*\.(?:html?|php)(?:[?#].*)?", re.IGNORECASE | re.DOTALL)
_VIDEO_URLS = ("thumbnail_loc", "content_loc", "player_loc", "uploader@info", "gallery_loc")
_URLS = frozenset({"image loc", *(f"video {part}" for part in _VIDEO_URLS)})
_DATES = frozenset({"news publication_date", "video publication_date", "video expiration_date"})
_NEWS_CODE = "zh-cn|zh-tw|[a-z]{2,3}"
_DURATION = r"0*(?:[1-9]\d{0,3}|1\d{4}|2[0-7]\d{3}|28[0-7]\d{2}|28800)"
_YES_NO = "yes or no", "(?i:yes|no)"
_RELATION = "allow or deny", "allow|deny"
_VALUES = {
    "news publication/language": ("a code of two or three letters, zh-cn or zh-tw", _NEWS_CODE),
    "news access": ("Subscription or Registration", "Subscription|Registration"),
    "video duration": ("a number of seconds from 1 to 28800", _DURATION),
    "video rating": ("a number from 0.0 to 5.0", r"[0-4](\.\d*)?|5(\.0*)?"),
    "video view_count": ("a whole number", r"\d+"),
    "video title": ("a text of at most 100 characters", r"[\s\S]{0,100}"),
    "video description": ("a text of at most 2048 characters", r"[\s\S]{0,2048}"),
    "video uploader": ("a text of at most 255 characters", r"[\s\S]{0,255}"),
    "video restriction": ("a list of countries' two letters", "[A-Z]{2}(?: +[A-Z]{2})*"),
    "video platform": ("a list of web, mobile and tv", "(?:web|mobile|tv)(?: +(?:web|mobile|tv))*"),
    **dict.fromkeys(("video family_friendly", "video requires_subscription"), _YES_NO),
    **dict.fromkeys(("video live", "video player_loc@allow_embed"), _YES_NO),
    **dict.fromkeys(("video restriction@relationship", "video platform@relationship"), _RELATION),
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
        lines = {kind: [item.line for item in media if item.kind == kind] for kind in _REQUIRED}
        for line in lines["image"][MAX_IMAGES : MAX_IMAGES + 1]:
            yield fault("too-many-images", count=len(lines["image"]), limit=MAX_IMAGES), line
        for line in lines["news"][1:]:
            yield fault("repeated-element", parent="entry", element="news article"), line

    def _faults(self, medium: Medium, loc: str | None) -> Iterator[Fault]:
        kind, parts = medium.kind, dict(medium.parts)
        for part in _REQUIRED[kind]:
            if not parts.get(part):
                yield fault(f"{kind}-incomplete", part=part.replace("/", " > "))
        for part, value in parts.items():
            if value and (wrong := _value_fault(kind, part, value)):
                yield wrong
        if kind == "image":
            useless = next((part for part in _WITHOUT_EFFECT if part in parts), None)
            if useless and not self._said_without_effect:
                self._said_without_effect = True
                yield fault("image-deprecated", element=useless)
        elif kind == "news":
            self._articles += 1
            if self._articles == MAX_NEWS + 1:
                yield fault("too-many-news", limit=MAX_NEWS)
            date = _whole_date(parts.get("publication_date", ""))
            if date and not is_new(date.value, self._now):
                yield fault("news-old", value=parts["publication_date"])
        else:
            yield from _video_faults(parts, loc)
            if sum(name == "tag" for name, _ in medium.parts) > MAX_TAGS:
                yield fault("media-value-invalid.tags", limit=MAX_TAGS)


def _video_faults(parts: Mapping[str, str], loc: str | None) -> Iterator[Fault]:
    """Judge a video's addresses, by that of the page that shows it too."""
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


def _value_fault(kind: str, part: str, value: str) -> Fault | None:
    name, said = f"{kind} {part}", {"kind": kind, "part": part, "value": value}
    if name in _URLS and (wrong := url_fault(value)):
        said |= {"reason": lower_first(wrong.message), "cure": wrong.cure}
        return fault("media-url-invalid", **said)
    if name in _DATES and not _whole_date(value):
        return fault("media-value-invalid.date", **said)
    expected, pattern = _VALUES.get(name, ("", r"[\s\S]*"))
    if re.fullmatch(pattern, value, re.ASCII):
        return None
    return fault("media-value-invalid", **said, expected=expected)


def _whole_date(text: str) -> W3CDate | None:
    """Return a date that names at least a day."""
    date = or_none(parse_w3c, text)
    return None if date and date.granularity in {"year", "month"} else date

"""Videos: what may stand in a sitemap, and the elements that it becomes.

Google: video sitemaps; its schema for the order of the elements and the length of a title.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from sitemap_plugin.models import Restriction, Video
from sitemap_plugin.write.writing.articles import Refuse
from sitemap_plugin.write.writing.escaping import FaultError, escape, escape_text
from sitemap_plugin.write.writing.timestamps import timestamp
from sitemap_plugin.write.writing.validity import is_date, is_text, is_url

__all__ = ["MAX_TAGS", "Videos", "sound_video"]

MAX_TITLE, MAX_DESCRIPTION, MAX_UPLOADER = 100, 2048, 255
MAX_TAGS = 32
_LONGEST, _BEST = 28_800, 5
_AFTER_HOST = re.compile("[/?]")
_COUNTRY, _PLATFORM = re.compile("[A-Z]{2}"), re.compile("web|mobile|tv")
_REQUIRED = ("thumbnail_loc", "title", "description")
_NEVER_NONE = (*_REQUIRED, "tags")
_ADDRESSES = ("content_loc", "player_loc")
_MOST_VIEWS = 10**18
_UNSAID: Mapping[str, Any] = Video._field_defaults


def _is_whole(value: object, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _is_rating(value: object) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return 0 <= value <= _BEST


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _are_tags(value: object) -> bool:
    return isinstance(value, tuple) and len(value) <= MAX_TAGS and all(map(is_text, value))


def _restricts(name: re.Pattern[str]) -> Callable[[Any], bool]:
    def is_restriction(value: object) -> bool:
        return (
            isinstance(value, Restriction)
            and value.relationship in ("allow", "deny")
            and isinstance(value.names, tuple)
            and len(value.names) > 0
            and all(isinstance(item, str) and name.fullmatch(item) for item in value.names)
        )

    return is_restriction


_LEFT_OUT = "without it the video is left out"
_URL = "write an absolute URL, percent-encoded"
_DATE = "write a date, or a moment with its time zone"
_FLAG = "write true or false"
_CHECKS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "thumbnail_loc": (is_url, f"{_URL}; {_LEFT_OUT}"),
    "title": (is_text, f"write a text; {_LEFT_OUT}"),
    "description": (is_text, f"write a text; {_LEFT_OUT}"),
    "content_loc": (is_url, _URL),
    "player_loc": (is_url, _URL),
    "duration": (
        lambda value: _is_whole(value, 1, _LONGEST),
        f"write a whole number of seconds from 1 to {_LONGEST}",
    ),
    "expiration_date": (is_date, _DATE),
    "rating": (_is_rating, "write a number from 0.0 to 5.0"),
    "view_count": (lambda value: _is_whole(value, 0, _MOST_VIEWS), "write a whole number"),
    "publication_date": (is_date, _DATE),
    "tags": (_are_tags, f"write a list of at most {MAX_TAGS} texts"),
    "family_friendly": (_is_flag, _FLAG),
    "restriction": (
        _restricts(_COUNTRY),
        "write allow or deny, and countries by their two letters (ISO 3166)",
    ),
    "requires_subscription": (_is_flag, _FLAG),
    "uploader": (is_text, "write a name"),
    "uploader_info": (is_url, _URL),
    "platform": (_restricts(_PLATFORM), "write allow or deny, and web, mobile or tv"),
    "live": (_is_flag, _FLAG),
}
_IS_PAGE = "that is the page itself; write the URL of the video's file or of its player"
_CHECKS_WITH_PAGE: Mapping[str, tuple[Callable[[str, str], bool], str]] = {
    "content_loc": (str.__eq__, _IS_PAGE),
    "player_loc": (str.__eq__, _IS_PAGE),
    "uploader_info": (
        lambda url, loc: _host(url) != _host(loc),
        "write a page of this site; search engines read no other",
    ),
}


def _host(url: str) -> str:
    return _AFTER_HOST.split(url, maxsplit=3)[2].lower()


def sound_video(video: Video, loc: str, refuse: Refuse) -> Video | None:
    """Return a video of the page ``loc`` without what is wrong in it; None if too little is left.

    That is so when it lacks its thumbnail, its title, its description, or any address of its own.
    """
    bad: dict[str, Any] = {}
    for field, (is_right, cure) in _CHECKS.items():
        value = getattr(video, field)
        if not is_right(value) and (value is not None or field in _NEVER_NONE):
            refuse(field, value, cure)
            bad[field] = _UNSAID.get(field)
    for field, (clashes, cure) in _CHECKS_WITH_PAGE.items():
        value = getattr(video, field)
        if value and field not in bad and clashes(value, loc):
            refuse(field, value, cure)
            bad[field] = None
    if not bad.keys().isdisjoint(_REQUIRED):
        return None
    sound = video.replace(**bad) if bad else video
    if sound.content_loc is None and sound.player_loc is None:
        cure = f"write the URL of the video's file, or player_loc; {_LEFT_OUT}"
        refuse("content_loc", sound.content_loc, cure)
        return None
    return sound


class Videos:
    """Videos of a page."""

    prefix = "video"
    uri = "http://www.google.com/schemas/sitemap-video/1.1"
    nothing = ()

    def __init__(self, _base_url: str) -> None:
        pass

    def render(self, column: Sequence[tuple[Video, ...]], locs: Sequence[str]) -> Iterable[str]:
        """Return the videos of each entry of a batch; raises as Links does."""
        if set(map(type, column)) != {tuple}:
            raise FaultError
        return [
            "".join([_render(video, loc) for video in videos])
            for videos, loc in zip(column, locs, strict=True)
        ]


def _render(video: Video, loc: str) -> str:
    if not isinstance(video, Video) or sound_video(video, loc, lambda *_: None) is not video:
        raise FaultError
    lines = "".join(f"\n      <video:{line}" for line in _lines(video))
    return f"\n    <video:video>{lines}\n    </video:video>"


def _lines(video: Video) -> Iterator[str]:
    """Yield the elements in the order of the schema, from the name of their start tag on."""
    yield _element("thumbnail_loc", escape(video.thumbnail_loc))
    yield _element("title", escape_text(video.title, MAX_TITLE))
    yield _element("description", escape_text(video.description, MAX_DESCRIPTION))
    for field in _ADDRESSES:
        if url := getattr(video, field):
            yield _element(field, escape(url))
    if video.duration is not None:
        yield _element("duration", str(int(video.duration)))
    if video.expiration_date is not None:
        yield _element("expiration_date", timestamp(video.expiration_date))
    if video.rating is not None:
        yield _element("rating", f"{video.rating:.1f}")
    if video.view_count is not None:
        yield _element("view_count", str(int(video.view_count)))
    if video.publication_date is not None:
        yield _element("publication_date", timestamp(video.publication_date))
    yield from (_element("tag", escape_text(tag)) for tag in video.tags)
    yield from _flag("family_friendly", video.family_friendly)
    yield from _restriction("restriction", video.restriction)
    yield from _flag("requires_subscription", video.requires_subscription)
    if video.uploader is not None:
        info = f' info="{escape(video.uploader_info)}"' if video.uploader_info else ""
        yield _element("uploader", escape_text(video.uploader, MAX_UPLOADER), info)
    yield from _restriction("platform", video.platform)
    yield from _flag("live", video.live)


def _element(name: str, text: str, attribute: str = "") -> str:
    return f"{name}{attribute}>{text}</video:{name}>"


def _flag(name: str, value: bool | None) -> Iterator[str]:
    if value is not None:
        yield _element(name, "yes" if value else "no")


def _restriction(name: str, value: Restriction | None) -> Iterator[str]:
    if value is not None:
        yield _element(name, " ".join(value.names), f' relationship="{value.relationship}"')

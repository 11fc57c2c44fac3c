"""Videos: what front matter says of them, and what may be written (Google: video sitemaps)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from sitemap_plugin.common.urls import join_url
from sitemap_plugin.dates.parse import parse_date
from sitemap_plugin.describe.images import named_image
from sitemap_plugin.describe.news import Refuse
from sitemap_plugin.errors import Problem
from sitemap_plugin.models import Page, Restriction, Site, Video
from sitemap_plugin.pages.front_matter import bad_value, read_date, truth, unknown_keys
from sitemap_plugin.write.protocol import MAX_TAGS, is_text, is_url, lastmod_fault

__all__ = ["KEYS", "check_video", "read_videos"]

_PLACE = "sitemap.video"
_LONGEST, _BEST, _MOST_VIEWS = 28_800, 5, 10**18
_AFTER_HOST = re.compile("[/?]")
_UPLOADER = ("name", "info")
_UNSAID: Mapping[str, Any] = Video._field_defaults


def read_videos(page: Page, value: Any, site: Site) -> tuple[tuple[Video, ...], list[Problem]]:
    """Return the videos that can be listed, and what is wrong with what front matter says of them.

    A video without a title or a description has those of the page.
    """
    if value is False:
        return (), []
    items = value if isinstance(value, list | tuple) else [value]
    videos: list[Video] = []
    problems: list[Problem] = []
    for number, item in enumerate(items):
        place = f"{_PLACE}[{number}]" if isinstance(value, list | tuple) else _PLACE
        if not isinstance(item, Mapping):
            problems.append(bad_value(page, place, item, "write a mapping, or a list of mappings"))
        elif video := _read_video(page, item, place, site, problems):
            videos.append(video)
    return tuple(videos), problems


def _read_video(
    page: Page, given: Mapping[Any, Any], place: str, site: Site, problems: list[Problem]
) -> Video | None:
    problems += unknown_keys(page, place, given, tuple(KEYS))
    values: dict[str, Any] = {
        "thumbnail_loc": None,
        "title": page.title,
        "description": page.metadata.get("description"),
    }
    told: set[str] = set()
    for key, read in KEYS.items():
        value = given.get(key)
        if value is None:
            continue
        try:
            values["tags" if key == "tag" else key] = read(value, page, site)
        except ValueError as error:
            told.add(key)
            problems.append(bad_value(page, f"{place}.{key}", value, str(error)))
    uploader = values.get("uploader")
    if isinstance(uploader, Mapping):
        problems += unknown_keys(page, f"{place}.uploader", given["uploader"], _UPLOADER)
        values.update(uploader)

    def refuse(field: str, value: object, cure: str) -> None:
        key = {"uploader_info": "uploader.info", "tags": "tag"}.get(field, field)
        if field not in told:
            shown = None if value is None else given.get(key, value)
            problems.append(bad_value(page, f"{place}.{key}", shown, cure))

    return check_video(Video(**values), page.url, refuse)


def _as_it_is(value: Any, _page: Page, _site: Site) -> Any:
    return value


def _file(value: Any, page: Page, site: Site) -> str:
    url = named_image(value, page, site) if isinstance(value, str) else None
    if url is None:
        raise ValueError("there is no such file; write its path, or an absolute URL")
    return url


def _address(value: Any, page: Page, _site: Site) -> str:
    if not isinstance(value, str):
        raise ValueError("write a URL")  # noqa: TRY004 - as all others
    try:
        return join_url(page.url, value.strip())
    except ValueError as error:
        raise ValueError(f"it is no URL: {error}") from error


def _number(value: Any, _page: Page, _site: Site) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return int(value) if value.strip().isdecimal() else float(value)
    except ValueError:
        raise ValueError("write a number") from None


def _date(value: Any, _page: Page, site: Site) -> Any:
    return read_date(value, site.timezone)


def _coming_date(value: Any, _page: Page, site: Site) -> Any:
    return parse_date(value, site.timezone)


def _flag(value: Any, _page: Page, _site: Site) -> Any:
    answer = truth(value)
    return value if answer is None else answer


def _tags(value: Any, _page: Page, _site: Site) -> Any:
    return tuple(value) if isinstance(value, list | tuple) else (value,)


def _uploader(value: Any, page: Page, site: Site) -> Any:
    if not isinstance(value, Mapping):
        return value
    if value.get("name") is None:
        raise ValueError("write {name: ...} with or without info")
    info = value.get("info")
    address = None if info is None else _address(info, page, site)
    return {"uploader": value.get("name"), "uploader_info": address}


def _restriction(cased: Callable[[str], str]) -> Callable[[Any, Page, Site], Restriction]:
    def read(value: Any, _page: Page, _site: Site) -> Restriction:
        if not isinstance(value, Mapping) or len(value) != 1:
            raise ValueError("write {allow: [...]} or {deny: [...]}")
        relationship, names = next(iter(value.items()))
        if isinstance(names, str):
            names = names.replace(",", " ").split()
        if not isinstance(names, list | tuple):
            raise ValueError(f"write {{{relationship}: [...]}}")  # noqa: TRY004 - as all others
        if any(name is False for name in names):
            raise ValueError("YAML reads a bare NO as false; write 'NO'")
        return Restriction(relationship, tuple(cased(str(name)) for name in names))

    return read


KEYS: Mapping[str, Callable[[Any, Page, Site], Any]] = {
    "thumbnail_loc": _file,
    "title": _as_it_is,
    "description": _as_it_is,
    "content_loc": _file,
    "player_loc": _address,
    "duration": _number,
    "expiration_date": _coming_date,
    "rating": _number,
    "view_count": _number,
    "publication_date": _date,
    "tag": _tags,
    "family_friendly": _flag,
    "restriction": _restriction(str.upper),
    "requires_subscription": _flag,
    "uploader": _uploader,
    "platform": _restriction(str.lower),
    "live": _flag,
}
"""The keys of a video, by the names of Google's elements, and how each is read."""


class _Check(NamedTuple):
    """Whether a field's value is right, and what to write instead."""

    is_right: Callable[[Any], bool]
    cure: str


def _is_date(value: object) -> bool:
    return lastmod_fault(value) is None


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_whole(low: int, high: int) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and low <= value <= high


def _is_rating(value: object) -> bool:
    return type(value) in {int, float} and 0 <= value <= _BEST  # type: ignore[operator]


def _are_tags(value: object) -> bool:
    return isinstance(value, tuple) and len(value) <= MAX_TAGS and all(map(is_text, value))


def _restricts(pattern: str) -> Callable[[Any], bool]:
    return lambda value: (
        isinstance(value, Restriction)
        and value.relationship in ("allow", "deny")
        and isinstance(value.names, tuple)
        and len(value.names) > 0
        and all(isinstance(name, str) and re.fullmatch(pattern, name) for name in value.names)
    )


_LEFT_OUT = "without it the video is left out"
_URL = "write an absolute URL, percent-encoded"
_DATE = _Check(_is_date, "write a date, or a moment with its time zone")
_FLAG = _Check(_is_flag, "write true or false")
_TEXT = _Check(is_text, f"write a text; {_LEFT_OUT}")
_REQUIRED = {
    "thumbnail_loc": _Check(is_url, f"{_URL}; {_LEFT_OUT}"),
    "title": _TEXT,
    "description": _TEXT,
}
_CHECKS: Mapping[str, _Check] = {
    **_REQUIRED,
    "content_loc": _Check(is_url, _URL),
    "player_loc": _Check(is_url, _URL),
    "duration": _Check(
        _is_whole(1, _LONGEST), f"write a whole number of seconds from 1 to {_LONGEST}"
    ),
    "expiration_date": _DATE,
    "rating": _Check(_is_rating, "write a number from 0.0 to 5.0"),
    "view_count": _Check(_is_whole(0, _MOST_VIEWS), "write a whole number"),
    "publication_date": _DATE,
    "tags": _Check(_are_tags, f"write a list of at most {MAX_TAGS} texts"),
    "family_friendly": _FLAG,
    "restriction": _Check(
        _restricts("[A-Z]{2}"), "write allow or deny, and countries by their two letters (ISO 3166)"
    ),
    "requires_subscription": _FLAG,
    "uploader": _Check(is_text, "write a name"),
    "uploader_info": _Check(is_url, _URL),
    "platform": _Check(_restricts("web|mobile|tv"), "write allow or deny, and web, mobile or tv"),
    "live": _FLAG,
}
_IS_PAGE = "that is the page itself; write the URL of the video's file or of its player"


def check_video(video: Video, loc: str, refuse: Refuse) -> Video | None:
    """Return a video of the page ``loc`` without what is wrong in it; None if too little is left.

    That is so when it lacks its thumbnail, its title, its description, or any address of its own.
    """
    bad: dict[str, Any] = {}
    for field, (is_right, cure) in _CHECKS.items():
        value = getattr(video, field)
        if value is None and field in _UNSAID and field != "tags":
            continue
        if not is_right(value):
            refuse(field, value, cure)
        elif field in {"content_loc", "player_loc"} and value == loc:
            refuse(field, value, _IS_PAGE)
        elif field == "uploader_info" and _host(value) != _host(loc):
            refuse(field, value, "write a page of this site; search engines read no other")
        else:
            continue
        bad[field] = _UNSAID.get(field)
    if not bad.keys().isdisjoint(_REQUIRED):
        return None
    sound = video.replace(**bad) if bad else video
    if sound.content_loc is None and sound.player_loc is None:
        refuse(
            "content_loc", None, f"write the URL of the video's file, or player_loc; {_LEFT_OUT}"
        )
        return None
    return sound


def _host(url: str) -> str:
    return _AFTER_HOST.split(url, maxsplit=3)[2].lower()

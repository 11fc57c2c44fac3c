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

_PLACE = "sitemap.video"
_LONGEST, _BEST, _MOST_VIEWS = 28_800, 5, 10**18
_AFTER_HOST = re.compile("[/?]")
_UNSAID: Mapping[str, Any] = Video._field_defaults
_REQUIRED = frozenset({"thumbnail_loc", "title", "description"})


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
    problems += unknown_keys(page, place, given, KEYS)
    uploader = given.get("uploader")
    if isinstance(uploader, Mapping):
        problems += unknown_keys(page, f"{place}.uploader", uploader, ("name", "info"))
        if uploader.get("name") is not None:
            given = {**given, "uploader": uploader["name"], "uploader.info": uploader.get("info")}
    values: dict[str, Any] = {
        "thumbnail_loc": None,
        "title": page.title,
        "description": page.metadata.get("description"),
    }
    told: set[str] = set()
    for field, (read, _, _) in _FIELDS.items():
        key = _KEY_OF.get(field, field)
        if (value := given.get(key)) is not None:
            try:
                values[field] = read(value, page, site)
            except ValueError as error:
                told.add(field)
                problems.append(bad_value(page, f"{place}.{key}", value, str(error)))

    def refuse(field: str, value: object, cure: str) -> None:
        key = _KEY_OF.get(field, field)
        if field not in told:
            shown = None if value is None else given.get(key, value)
            problems.append(bad_value(page, f"{place}.{key}", shown, cure))

    return check_video(Video(**values), page.url, refuse)


# How front matter is read; the results are checked below, as those of plugins are.


def _file(value: Any, page: Page, site: Site) -> str:
    url = named_image(value, page, site) if isinstance(value, str) else None
    if url is None:
        raise ValueError("there is no such file; write its path, or an absolute URL")
    return url


def _address(value: Any, page: Page, _site: Site) -> str:
    if not isinstance(value, str):
        raise ValueError("write a URL")  # noqa: TRY004 - one kind of error for the caller
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


def _name(value: Any, _page: Page, _site: Site) -> Any:
    if isinstance(value, Mapping):
        raise ValueError("write {name: ...} with or without info")  # noqa: TRY004 - as all others
    return value


def _restriction(value: Any, cased: Callable[[str], str]) -> Restriction:
    if not isinstance(value, Mapping) or len(value) != 1:
        raise ValueError("write {allow: [...]} or {deny: [...]}")
    relationship, names = next(iter(value.items()))
    if isinstance(names, str):
        names = names.replace(",", " ").split()
    if not isinstance(names, list | tuple):
        raise ValueError(f"write {{{relationship}: [...]}}")  # noqa: TRY004 - as all others
    if any(name is False for name in names):
        raise ValueError("YAML reads a bare NO as false; write 'NO'")
    return Restriction(relationship, tuple(map(cased, map(str, names))))


def _flag(value: Any, _page: Page, _site: Site) -> Any:
    answer = truth(value)
    return value if answer is None else answer


class _Field(NamedTuple):
    """How front matter is read, what is right, and what to write instead of anything else."""

    read: Callable[[Any, Page, Site], Any]
    is_right: Callable[[Any], bool]
    cure: str


def _is_date(value: object) -> bool:
    return lastmod_fault(value) is None


def _is_whole(low: int, high: int) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and low <= value <= high


def _is_rating(value: Any) -> bool:
    return type(value) in {int, float} and 0 <= value <= _BEST


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


_IS_PAGE = "that is the page itself; write the URL of the video's file or of its player"
_LEFT_OUT = "without it the video is left out"
_URL = "write an absolute URL, percent-encoded"
_DATE = "write a date, or a moment with its time zone"
_SECONDS = f"write a whole number of seconds from 1 to {_LONGEST}"
_COUNTRIES = "write allow or deny, and countries by their two letters (ISO 3166)"
_PLATFORMS = "write allow or deny, and web, mobile or tv"
_TEXT = _Field(lambda value, _page, _site: value, is_text, f"write a text; {_LEFT_OUT}")
_FLAG = _Field(_flag, lambda value: isinstance(value, bool), "write true or false")
_FIELDS: Mapping[str, _Field] = {
    "thumbnail_loc": _Field(_file, is_url, f"{_URL}; {_LEFT_OUT}"),
    "title": _TEXT,
    "description": _TEXT,
    "content_loc": _Field(_file, is_url, _URL),
    "player_loc": _Field(_address, is_url, _URL),
    "duration": _Field(_number, _is_whole(1, _LONGEST), _SECONDS),
    "expiration_date": _Field(
        lambda value, _, site: parse_date(value, site.timezone), _is_date, _DATE
    ),
    "rating": _Field(_number, _is_rating, "write a number from 0.0 to 5.0"),
    "view_count": _Field(_number, _is_whole(0, _MOST_VIEWS), "write a whole number"),
    "publication_date": _Field(
        lambda value, _, site: read_date(value, site.timezone), _is_date, _DATE
    ),
    "tags": _Field(
        lambda value, *_: tuple(value) if isinstance(value, list | tuple) else (value,),
        _are_tags,
        f"write a list of at most {MAX_TAGS} texts",
    ),
    "family_friendly": _FLAG,
    "restriction": _Field(
        lambda value, *_: _restriction(value, str.upper), _restricts("[A-Z]{2}"), _COUNTRIES
    ),
    "requires_subscription": _FLAG,
    "uploader": _Field(_name, is_text, "write a name"),
    "uploader_info": _Field(_address, is_url, _URL),
    "platform": _Field(
        lambda value, *_: _restriction(value, str.lower),
        _restricts("web|mobile|tv"),
        _PLATFORMS,
    ),
    "live": _FLAG,
}
_KEY_OF = {"tags": "tag", "uploader_info": "uploader.info"}
KEYS = tuple(_KEY_OF.get(field, field) for field in _FIELDS if field != "uploader_info")
"""The keys of a video in front matter, by the names of Google's elements."""


def check_video(video: Video, loc: str, refuse: Refuse) -> Video | None:
    """Return a video of the page ``loc`` without what is wrong in it; None if too little is left.

    That is so when it lacks its thumbnail, its title, its description, or any address of its own.
    """
    bad: dict[str, Any] = {}
    for field, (_, is_right, cure) in _FIELDS.items():
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
        cure = f"write the URL of the video's file, or player_loc; {_LEFT_OUT}"
        refuse("content_loc", None, cure)
        return None
    return sound


def _host(url: str) -> str:
    return _AFTER_HOST.split(url, maxsplit=3)[2].lower()

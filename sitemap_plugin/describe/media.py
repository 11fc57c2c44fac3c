"""News and videos: what front matter says of them, and what may be written of them (Google)."""

import datetime as dt
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from sitemap_plugin.common.text import quoted, shown
from sitemap_plugin.common.urls import join_url, path_below
from sitemap_plugin.dates.parse import parse_date, read_date, sort_key
from sitemap_plugin.dates.sources import publication_date
from sitemap_plugin.describe.images import named_image
from sitemap_plugin.errors import Problem
from sitemap_plugin.languages.codes import normalize
from sitemap_plugin.models import Entry, Lastmod, News, Page, Restriction, Site, Video
from sitemap_plugin.pages.front_matter import bad_value, truth, unknown_keys
from sitemap_plugin.write.protocol import MAX_TAGS, is_lastmod, is_text, is_url

_NEWS, _VIDEO = "sitemap.news", "sitemap.video"
_AGE, _DAY = dt.timedelta(days=2), dt.timedelta(days=1)
_MOST_VIEWS, _RELATIONS = 10**18, ("allow", "deny")
_AFTER_HOST = re.compile("[/?]")
_LANGUAGE = re.compile("zh-cn|zh-tw|[a-z]{2,3}")
_CHINESE = dict.fromkeys(("hant", "tw", "hk", "mo"), "zh-tw")
_CHINESE |= dict.fromkeys(("hans", "cn", "sg"), "zh-cn")
_REQUIRED = object()
Medium = TypeVar("Medium", News, Video)


class _Field(NamedTuple):
    """What is right, what to write instead, and how front matter is read before it is checked."""

    is_right: Callable[[Any], bool]
    cure: str
    read: Callable[[Any, Page, Site], Any] = lambda value, _page, _site: value


def _file(value: Any, page: Page, site: Site) -> str:
    url = named_image(value, page, site) if isinstance(value, str) else None
    if url is None:
        raise ValueError("there is no such file; write its path, or an absolute URL")
    return url


def _address(value: Any, page: Page, _site: Site) -> Any:
    return join_url(page.url, value.strip()) if isinstance(value, str) else value


def _number(value: Any, _page: Page, _site: Site) -> Any:
    if isinstance(value, str):
        with suppress(ValueError):
            return int(value) if value.strip().isdecimal() else float(value)
    return value


def _language(value: Any, _page: Page, site: Site) -> str:
    code, problem = normalize(value, site.config.languages)
    if code is None:
        raise ValueError(problem)
    return news_language(code)


def _is_code(value: Any) -> bool:
    return isinstance(value, str) and _LANGUAGE.fullmatch(value) is not None


def _within(low: int, high: int, *kinds: type) -> Callable[[Any], bool]:
    return lambda value: type(value) in kinds and low <= value <= high


def _restriction(what: str, pattern: str, cased: Callable[[str], str]) -> _Field:
    """Return the field for where a video may be played: names that match a pattern."""

    def is_right(value: Any) -> bool:
        names = value.names if isinstance(value, Restriction) else None
        if not isinstance(names, tuple) or not names or value.relationship not in _RELATIONS:
            return False
        return all(isinstance(name, str) and re.fullmatch(pattern, name) for name in names)

    def read(value: Any, *_: object) -> Any:
        if not isinstance(value, Mapping) or len(value) != 1:
            return value
        [(relationship, names)] = value.items()
        if isinstance(names, str):
            names = names.replace(",", " ").split()
        is_list = isinstance(names, list | tuple)
        return Restriction(relationship, tuple(map(cased, map(str, names)))) if is_list else value

    return _Field(is_right, f"write {{allow: [...]}} or {{deny: [...]}}, of {what}", read)


_URL = "write an absolute URL, percent-encoded"
_LOCATION = f"{_URL}, of a file or a player; the page itself is neither"
_WHOLE, _COUNTRIES = "write a whole number", "countries by their two letters (ISO 3166)"
_TEXT = _Field(is_text, "write a text")
_FLAG = _Field(
    lambda value: isinstance(value, bool),
    "write true or false",
    lambda value, *_: value if truth(value) is None else truth(value),
)
_MOMENT = "write a date, or a moment with its time zone"
_PUBLISHED = _Field(is_lastmod, _MOMENT, lambda value, _, site: read_date(value, site.timezone))
_EXPIRES = _Field(is_lastmod, _MOMENT, lambda value, _, site: parse_date(value, site.timezone))
_TAGS = _Field(
    lambda value: isinstance(value, tuple) and len(value) <= MAX_TAGS and all(map(is_text, value)),
    f"write a list of at most {MAX_TAGS} texts",
    lambda value, *_: tuple(value) if isinstance(value, list | tuple) else (value,),
)
_FIELDS: Mapping[type, Mapping[str, _Field]] = {
    News: {
        "publication": _TEXT._replace(cure="write the publication's name"),
        "language": _Field(_is_code, "write a code such as en, zh-cn or zh-tw", _language),
        "publication_date": _PUBLISHED,
        "title": _TEXT._replace(cure="write the article's title"),
    },
    Video: {
        "thumbnail_loc": _Field(is_url, _URL, _file),
        "title": _TEXT,
        "description": _TEXT,
        "content_loc": _Field(is_url, _LOCATION, _file),
        "player_loc": _Field(is_url, _LOCATION, _address),
        "duration": _Field(
            _within(1, 28_800, int), f"{_WHOLE} of seconds from 1 to 28800", _number
        ),
        "expiration_date": _EXPIRES,
        "rating": _Field(_within(0, 5, int, float), "write a number from 0.0 to 5.0", _number),
        "view_count": _Field(_within(0, _MOST_VIEWS, int), _WHOLE, _number),
        "publication_date": _PUBLISHED,
        "tags": _TAGS,
        "family_friendly": _FLAG,
        "restriction": _restriction(_COUNTRIES, "[A-Z]{2}", str.upper),
        "requires_subscription": _FLAG,
        "uploader": _TEXT._replace(cure="write a name, or {name: ..., info: ...}"),
        "uploader_info": _Field(is_url, "write the URL of a page of this site", _address),
        "platform": _restriction("web, mobile or tv", "web|mobile|tv", str.lower),
        "live": _FLAG,
    },
}
_KEY_OF = {"tags": "tag", "uploader_info": "uploader.info"}
KEYS = tuple(_KEY_OF.get(field, field) for field in _FIELDS[Video] if field != "uploader_info")
"""The keys of a video in front matter, by the names of Google's elements."""


def read_news(page: Page, value: Any, site: Site, problems: list[Problem]) -> News | None:
    """Return a page as an article; what is wrong with its front matter is added to ``problems``.

    A page that asks to be an article and lacks something gets a warning; one that only matches the
    option's patterns does not: it may be an overview.
    """
    option, given = site.config.news, value
    if value is None:
        below = path_below(page.url, site.base_url)
        given = page.kind == "page" and bool(option and option.match.match(page.source_path, below))
    if not isinstance(given, Mapping):
        is_article = truth(given)
        if is_article is None:
            problems.append(bad_value(page, _NEWS, value, "write true, false or a mapping"))
        if not is_article:
            return None
        given = {}
    published = publication_date(page, site.timezone)
    if value is None and (published is None or page.title is None):
        return None
    names = (page.metadata.get("lang"), page.language, option and option.language, site.language)
    codes = (normalize(name, site.config.languages).code for name in names if name)
    language = next((news_language(code) for code in codes if code), None)
    if option and not language and given.get("language") is None:
        message = "the language of the site is not known; write it here, as a code such as en"
        problems.append(Problem("warning", message, "news.language"))
        return None
    problems += unknown_keys(page, _NEWS, given, News._fields)
    name, date = option and option.publication, published and published.lastmod
    default = News._make((name, language, date, page.title))
    article, found = _read(default, _NEWS, given, page, site)
    problems += found
    return article


def read_videos(page: Page, value: Any, site: Site, problems: list[Problem]) -> tuple[Video, ...]:
    """Return the videos of a page; what is wrong with its front matter is added to ``problems``."""
    videos: list[Video | None] = []
    is_list, is_none = isinstance(value, list | tuple), value is None or value is False
    for number, given in enumerate(value if is_list else () if is_none else [value]):
        place = f"{_VIDEO}[{number}]" if is_list else _VIDEO
        if not isinstance(given, Mapping):
            problems.append(bad_value(page, place, given, "write a mapping, or a list of mappings"))
            continue
        problems += unknown_keys(page, place, given, KEYS)
        said, uploader = dict(given), given.get("uploader")
        if isinstance(uploader, Mapping) and "name" in uploader:
            problems += unknown_keys(page, f"{place}.uploader", uploader, ("name", "info"))
            said |= {"uploader": uploader["name"], "uploader.info": uploader.get("info")}
        defaults: Any = (None, page.title, page.metadata.get("description"))
        video, found = _read(Video(*defaults), place, said, page, site)
        videos.append(video)
        problems += found
    return tuple(filter(None, videos))


def _read(
    item: Medium, place: str, given: Mapping[Any, Any], page: Page, site: Site
) -> tuple[Medium | None, Iterable[Problem]]:
    """Put what front matter says in the place of an item's defaults, and check the result."""
    values: dict[str, Any] = {}
    told: dict[str, Problem] = {}

    def refuse(name: str, value: Any, cure: str) -> None:
        key = _KEY_OF.get(name, name)
        told.setdefault(name, bad_value(page, f"{place}.{key}", given.get(key, value), cure))

    for name, field in _FIELDS[type(item)].items():
        if (value := given.get(_KEY_OF.get(name, name))) is not None:
            try:
                values[name] = field.read(value, page, site)
            except ValueError as error:
                refuse(name, value, str(error))
                values[name] = None
    return _check(item._replace(**values), page.url, refuse), told.values()


def _check(item: Medium, loc: str, refuse: Callable[[str, Any, str], None]) -> Medium | None:
    """Return what can be written of an item of the page ``loc``; None if too little is left."""
    bad: dict[str, Any] = {}
    for name, field in _FIELDS[type(item)].items():
        value, default = getattr(item, name), item._field_defaults.get(name, _REQUIRED)
        if value is not default and not (field.is_right(value) and _is_apt(name, value, loc)):
            refuse(name, value, field.cure)
            bad[name] = default
    if _REQUIRED in bad.values():
        return None
    sound = item._replace(**bad)
    if isinstance(sound, Video) and sound.content_loc is None and sound.player_loc is None:
        refuse("content_loc", None, "write the URL of the video's file, or player_loc")
        return None
    return sound


def _is_apt(name: str, value: Any, loc: str) -> bool:
    """Tell whether an address is one that search engines read in a video of the page ``loc``."""
    if name == "uploader_info":
        return len({_AFTER_HOST.split(url, maxsplit=3)[2].lower() for url in (loc, value)}) == 1
    return name not in {"content_loc", "player_loc"} or value != loc


def check_media(entry: Entry, original: Entry, problems: list[Problem]) -> Entry:
    """Return an entry that plugins changed without what is wrong in its news and videos."""

    def warn(message: str) -> None:
        problems.append(Problem("warning", message, shown(entry.loc)))

    def sound(item: Any, kind: type[Medium]) -> Medium | None:
        def refuse(name: str, value: Any, cure: str) -> None:
            warn(f"{name} of a {kind.__name__} left out: it is {quoted(value)}; {cure}")

        if type(item) is kind:
            return _check(item, entry.loc, refuse)
        warn(f"left out: {quoted(item)} is not a {kind.__name__}")
        return None

    if entry.news is not original.news:
        entry = entry.replace(news=sound(entry.news, News) if entry.news else None)
    if entry.videos is not original.videos:
        given: Any = entry.videos or ()
        videos = given if isinstance(given, list | tuple) else [given]
        checked = (sound(video, Video) for video in videos)
        entry = entry.replace(videos=tuple(filter(None, checked)))
    return entry


def news_language(code: str) -> str:
    """Return the code that news sitemaps want for an hreflang code: no region but for Chinese."""
    language, *others = code.lower().split("-")
    if language != "zh":
        return language
    return next((_CHINESE[part] for part in others if part in _CHINESE), language)


def is_new(published: Lastmod, now: dt.datetime) -> bool:
    """Tell whether an article is of the last two days; a date may be the end of that day."""
    age = _AGE if isinstance(published, dt.datetime) else _AGE + _DAY
    return sort_key(published)[0] >= sort_key(now - age)[0]


def is_recent(news: News, now: dt.datetime) -> bool:
    """Tell whether an article is new and not of the future, as by SOURCE_DATE_EPOCH it may be."""
    published = news.publication_date
    return is_new(published, now) and sort_key(published)[0] < sort_key(now + _DAY)[0]

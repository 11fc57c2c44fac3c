"""Read, once for each page, what its front matter says about its place in the sitemap.

A bad value is a warning with file, key and value; the thing is then left out. Values come from YAML
and TOML with their types, and from MultiMarkdown, reST and Pelican headers as strings. Dates stay
as written: the date sources parse them.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sitemap_plugin.common.text import as_text, did_you_mean, quoted
from sitemap_plugin.config.checks import CHANGEFREQS
from sitemap_plugin.dates.parse import check_range, parse_date
from sitemap_plugin.errors import Problem
from sitemap_plugin.models import Lastmod, Page

_TRUE = frozenset({"true", "yes", "on", "1"})
_FALSE = frozenset({"false", "no", "off", "0"})
_OUT_KEYS = ("exclude", "disable", "ignore")
_SITEMAP_KEYS = (
    *_OUT_KEYS, "lastmod", "changefreq", "priority", "alternates", "images", "dependencies",
    "news", "video",
)  # fmt: skip
MODIFIED_KEYS = (
    "lastmod", "lastmodifiedat", "lastmodified", "modified", "modifieddate", "datemodified",
    "updated", "updatedat", "update", "updatedate", "dateupdated", "lastupdate", "lastupdated",
    "revisiondate",
)  # fmt: skip
"""In order of precedence, letters' case, ``-``, ``_`` and spaces aside."""
DATE_KEYS = ("date", "created", "published")
_SPACING = str.maketrans("", "", "-_ ")
_BETWEEN = re.compile(r"[,\s]+")
_LONGEST_VALUE = 80


class Settings(NamedTuple):
    """What a page sets for itself; None where it says nothing.

    ``place`` is the element of the option ``extra_urls`` that the page is, if it is one.
    ``wanted`` is true for ``sitemap: true`` and false for ``sitemap: false``. ``lastmod`` is False
    where the page wants none, whatever the date sources say. ``alternates`` and ``translations``
    are the language versions that the page declares, by code. ``images`` replace those found in
    the page, ``more_images`` are added. ``language``, ``news`` and ``video`` are as written; other
    modules read them.
    """

    place: str | None = None
    draft: bool = False
    noindex: bool = False
    private: bool = False
    wanted: bool | None = None
    canonical: str | None = None
    changefreq: str | None = None
    priority: float | None = None
    lastmod: Lastmod | bool | None = None
    language: Any = None
    translation_key: str | None = None
    translations: Mapping[str, str] | None = None
    alternates: Mapping[str, str] | None = None
    images: tuple[str, ...] | None = None
    more_images: tuple[str, ...] = ()
    dependencies: tuple[str, ...] = ()
    news: Any = None
    video: Any = None


NO_SETTINGS = Settings()


def read_settings(page: Page, timezone: dt.tzinfo) -> tuple[Settings, list[Problem]]:
    """Return what a page's front matter sets, and what is wrong with it.

    ``timezone`` is that of a datetime without one. Keys under ``sitemap`` win over the flat ones.
    """
    if not page.metadata:
        return NO_SETTINGS, []
    reader = _FrontMatterReader(page, timezone)
    return reader.read(), reader.problems


class _FrontMatterReader:
    """Reads the front matter of one page and gathers what is wrong with it."""

    def __init__(self, page: Page, timezone: dt.tzinfo) -> None:
        self.problems: list[Problem] = []
        self._page = page
        self._timezone = timezone
        nested = page.metadata.get("sitemap")
        self._nested: Mapping[Any, Any] = nested if isinstance(nested, Mapping) else {}

    def read(self) -> Settings:
        nested, flat = self._nested, self._page.metadata
        self.problems += unknown_keys(self._page, "sitemap", nested, _SITEMAP_KEYS)
        if flat.get("alternates") is not None:
            cure = "write 'translations' (code to URL or source path), or 'sitemap.alternates'"
            self._warn("alternates", flat["alternates"], f"this key is not read; {cure}")
        images, more_images = self._images(nested.get("images"))
        key = flat.get("translation_key")
        return Settings(
            draft=self._flag("draft"),
            noindex=self._noindex(flat.get("robots")),
            private=self._flag("private"),
            wanted=self._wanted(flat.get("sitemap")),
            canonical=self._canonical(),
            changefreq=self._first("changefreq", _changefreq),
            priority=self._first("priority", _priority),
            lastmod=self._read("sitemap.lastmod", nested.get("lastmod"), self._lastmod),
            language=flat.get("lang"),
            translation_key=None if key in (None, "", True, False) else as_text(key),
            translations=self._links("translations", flat.get("translations")),
            alternates=self._links("sitemap.alternates", nested.get("alternates")),
            images=images,
            more_images=more_images,
            dependencies=self._dependencies(nested.get("dependencies")),
            news=nested.get("news"),
            video=nested.get("video"),
        )

    def _warn(self, key: str, value: Any, cure: str) -> None:
        self.problems.append(bad_value(self._page, key, value, cure))

    def _flag(self, key: str) -> bool:
        """Read a key that is true or false, absent meaning false."""
        group, _, name = key.rpartition(".")
        value = (self._nested if group else self._page.metadata).get(name)
        if value is not None and truth(value) is None:
            self._warn(key, value, "write true or false")
        return bool(truth(value))

    def _wanted(self, value: Any) -> bool | None:
        if not isinstance(value, Mapping):
            if value is not None and truth(value) is None:
                self._warn("sitemap", value, "write true, false or a mapping")
            return truth(value)
        if any([self._flag(f"sitemap.{key}") for key in _OUT_KEYS]):  # noqa: C419 - warn of all
            return False
        return True if any(truth(value.get(key)) is False for key in _OUT_KEYS) else None

    def _noindex(self, value: Any) -> bool:
        """Tell whether ``robots`` or ``noindex`` keeps search engines from indexing the page."""
        if value is not None and not isinstance(value, str | list | tuple):
            self._warn("robots", value, "write rules such as noindex")
        words = value if isinstance(value, list | tuple) else [value]
        text = " ".join(word for word in words if isinstance(word, str)).lower()
        return self._flag("noindex") or not {"noindex", "none"}.isdisjoint(_BETWEEN.split(text))

    def _canonical(self) -> str | None:
        """Return the canonical link that the front matter gives, as written."""
        for key in ("canonical", "canonical_url"):
            value = self._page.metadata.get(key)
            if isinstance(value, str) and value.strip():
                return value.strip()
            if value is not None and not isinstance(value, str):
                self._warn(key, value, "write a URL")
        return None

    def _first(self, key: str, read: Callable[[Any], Any]) -> Any:
        found = self._read(f"sitemap.{key}", self._nested.get(key), read)
        return self._read(key, self._page.metadata.get(key), read) if found is None else found

    def _read(self, key: str, value: Any, read: Callable[[Any], Any]) -> Any:
        try:
            return None if value is None else read(value)
        except ValueError as error:
            self._warn(key, value, str(error))
            return None

    def _lastmod(self, value: Any) -> Lastmod | bool:
        return False if value is False else read_date(value, self._timezone)

    def _links(self, key: str, value: Any) -> Mapping[str, str] | None:
        """Return the entries of a mapping of language code to URL that can be used."""
        if value is None:
            return None
        if not isinstance(value, Mapping):
            kind = "URL" if "." in key else "URL or path"
            self._warn(key, value, f"write a mapping of code to {kind}")
            return None
        good: dict[str, str] = {}
        for code, link in value.items():
            if isinstance(code, str) and isinstance(link, str) and link.strip():
                good[code] = link.strip()
            else:
                name = code if isinstance(code, str) else quoted(code)
                self._warn(f"{key}.{name}", link, "write a language code and a URL")
        return good

    def _images(self, value: Any) -> tuple[tuple[str, ...] | None, tuple[str, ...]]:
        """Return the images that replace those of the page, and those to add to them."""
        if value is None or value is False:
            return (None if value is None else ()), ()
        added = value.get("add") if isinstance(value, Mapping) and len(value) == 1 else None
        links = value if added is None else added
        if not isinstance(links, str | list | tuple):
            cure = "write a list of URLs, or {add: [...]} to add to those found"
            self._warn("sitemap.images", value, cure)
            return None, ()
        good = self._strings("sitemap.images", links, "write a URL or a path")
        return (good, ()) if added is None else (None, good)

    def _dependencies(self, value: Any) -> tuple[str, ...]:
        cure = "write a path or a pattern, or a list of them"
        given = () if value is None else value if isinstance(value, str | list | tuple) else [value]
        return self._strings("sitemap.dependencies", given, cure)

    def _strings(self, key: str, value: str | Sequence[Any], cure: str) -> tuple[str, ...]:
        items = [value] if isinstance(value, str) else value
        for item in items:
            if not isinstance(item, str):
                self._warn(key, item, cure)
        return tuple(item for item in items if isinstance(item, str))


def truth(value: Any) -> bool | None:
    """Read a yes or no from a boolean or a string; None for anything else."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        word = value.strip().lower()
        return True if word in _TRUE else False if word in _FALSE else None
    return None


def bad_value(page: Page, key: str, value: Any, cure: str) -> Problem:
    """Return the warning for a value that cannot be used, or that is missing."""
    state = "missing" if value is None else quoted(value, _LONGEST_VALUE)
    return Problem("warning", f"front matter {quoted(key)} is {state}: {cure}", page.where)


def unknown_keys(
    page: Page, place: str, given: Mapping[Any, Any], known: Sequence[str]
) -> Iterator[Problem]:
    """Yield a warning for each key of a mapping that nobody knows."""
    for key in given:
        if key not in known:
            cure = did_you_mean(key, known) or f"; there are {', '.join(known)}"
            message = f"front matter {place!r} has an unknown key {quoted(key)}{cure}"
            yield Problem("warning", message, page.where)


def read_date(value: Any, timezone: dt.tzinfo) -> Lastmod:
    """Read a date and check that it is neither before 1970 nor in the future.

    Raises DateError.
    """
    date = parse_date(value, timezone)
    check_range(date)
    return date


def raw_dates(flat: Mapping[Any, Any], source: str) -> Iterator[tuple[str, Any]]:
    """Yield what the date source ``modified`` or ``date`` is to parse, first what it asks first.

    Keys are as they are written.
    """
    folded = _folded(flat)
    if source == "date":
        yield from _named(folded, DATE_KEYS, "created")
        return
    yield from _named(folded, MODIFIED_KEYS, "date")
    both = folded.get("date")
    if both and isinstance(both[1], Mapping) and (updated := _folded(both[1]).get("updated")):
        yield f"{both[0]}.{updated[0]}", updated[1]


def _named(
    folded: Mapping[str, tuple[str, Any]], names: Sequence[str], part: str
) -> Iterator[tuple[str, Any]]:
    """Yield keys and values; of a mapping (``last_update: {date: ...}``) the part with the date."""
    for name in names:
        if name not in folded:
            continue
        key, value = folded[name]
        if isinstance(value, Mapping):
            inner, found = _folded(value).get(part, (part, None))
            if found is not None or name == "date":  # `date: {updated: ...}` need not say more.
                key, value = f"{key}.{inner}", found
        if value is not None:
            yield key, value


def _folded(given: Mapping[Any, Any]) -> dict[str, tuple[str, Any]]:
    """Return keys and values by the form in which keys are compared; the first one stays."""
    folded: dict[str, tuple[str, Any]] = {}
    for key, value in given.items():
        if isinstance(key, str) and value is not None:
            folded.setdefault(key.translate(_SPACING).lower(), (key, value))
    return folded


def _changefreq(value: Any) -> str:
    word = value.strip().lower() if isinstance(value, str) else value
    if word not in CHANGEFREQS:
        raise ValueError(f"write one of {', '.join(CHANGEFREQS)}")
    return str(word)


def _priority(value: Any) -> float:
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not 0 <= number <= 1:
        raise ValueError("write a number from 0.0 to 1.0")
    return number

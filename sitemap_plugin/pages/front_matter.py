"""Read, once for each page, what its front matter says about its place in the sitemap.

A bad value is a warning with file, key and value, and is left out. Values come from YAML and TOML
with their types, from other headers as strings. Dates stay as written: the date sources parse them.
"""

import datetime as dt
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

from sitemap_plugin.common.text import as_text, did_you_mean, quoted
from sitemap_plugin.dates.parse import read_date
from sitemap_plugin.errors import Problem
from sitemap_plugin.models import Lastmod, Page
from sitemap_plugin.write.protocol import CHANGEFREQS, read_priority

_TRUTH = dict.fromkeys(("true", "yes", "on", "1"), True)
_TRUTH |= dict.fromkeys(("false", "no", "off", "0"), False)
_FLAG, _WISH = "write true or false", "write true, false or a mapping"
_LINKS, _PRIORITY = "write a mapping of code to URL", "write a number from 0.0 to 1.0"
_OUT_KEYS = ("exclude", "disable", "ignore")
_SITEMAP_KEYS = (
    *_OUT_KEYS, "lastmod", "changefreq", "priority", "alternates", "images", "dependencies",
    "news", "video",
)  # fmt: skip
# In order of precedence, letters' case, "-", "_" and spaces aside.
MODIFIED_KEYS = (
    "lastmod", "lastmodifiedat", "lastmodified", "modified", "modifieddate", "datemodified",
    "updated", "updatedat", "update", "updatedate", "dateupdated", "lastupdate", "lastupdated",
    "revisiondate",
)  # fmt: skip
_KEYS = frozenset({
    "sitemap", "draft", "noindex", "robots", "private", "canonical", "canonical_url", "lang",
    "changefreq", "priority", "translation_key", "translations", "alternates",
})  # fmt: skip
DATE_KEYS = ("date", "created", "published")
_SPACING, _BETWEEN = str.maketrans("", "", "-_ "), re.compile(r"[,\s]+")


class Settings(NamedTuple):
    """What a page sets for itself; None where it says nothing."""

    place: str | None = None  # The element of `extra_urls` that the page is.
    draft: bool = False
    noindex: bool = False
    private: bool = False
    wanted: bool | None = None  # `sitemap: true` or false.
    canonical: str | None = None
    changefreq: str | None = None
    priority: float | None = None
    lastmod: Lastmod | bool | None = None  # False for none, whatever the date sources say.
    language: Any = None  # As written, like news and video.
    translation_key: str | None = None
    translations: Mapping[str, str] | None = None
    alternates: Mapping[str, str] | None = None
    images: tuple[str, ...] | None = None  # Instead of those found in the page.
    more_images: tuple[str, ...] = ()
    dependencies: tuple[str, ...] = ()
    news: Any = None
    video: Any = None

    def where(self, page: Page) -> str:
        """Return the place to name in a message about the page."""
        return self.place or page.where


NO_SETTINGS = Settings()


def read_settings(page: Page, timezone: dt.tzinfo) -> tuple[Settings, list[Problem]]:
    """Return what a page's front matter sets, and what is wrong with it; nested keys win."""
    if _KEYS.isdisjoint(page.metadata):  # Of most pages: there is a title or a date, at most.
        return NO_SETTINGS, []
    flat, given = page.metadata, page.metadata.get("sitemap")
    nested = given if isinstance(given, Mapping) else {}
    problems = list(unknown_keys(page, "sitemap", nested, _SITEMAP_KEYS))

    def warn(key: str, value: Any, cure: str) -> None:
        problems.append(bad_value(page, key, value, cure))

    def first(read: Callable[[Any], Any], cure: str, *keys: str) -> Any:
        """Return what is read from the first of some keys that has a good value and is not empty.

        ``read`` returns None for a bad value, or says in a ValueError what is wrong with it.
        """
        for key in keys:
            value = (nested if "." in key else flat).get(key.removeprefix("sitemap."))
            try:
                found = "" if value is None else read(value)
            except ValueError as error:
                warn(key, value, str(error))
                continue
            if found is None:
                warn(key, value, cure)
            elif found != "":
                return found
        return None

    def links(key: str, value: Any) -> Mapping[str, str] | None:
        if not isinstance(value, Mapping):
            return None
        good: dict[str, str] = {}
        for code, link in value.items():
            if isinstance(code, str) and isinstance(link, str) and link.strip():
                good[code] = link.strip()
            else:
                name = code if isinstance(code, str) else quoted(code)
                warn(f"{key}.{name}", link, "write a language code and a URL")
        return good

    def texts(key: str, cure: str, value: Any) -> tuple[str, ...] | str:
        items = value if isinstance(value, list | tuple) else [value]
        for item in items:
            if not isinstance(item, str):
                warn(key, item, cure)
        good = tuple(item for item in items if isinstance(item, str))
        return good if good or not items else ""

    def images(value: Any) -> tuple[str, ...] | str:
        cure = "write a list of URLs, or {add: [...]} to add to those found"
        return () if value is False else texts(image_key, cure, value["add"] if is_more else value)

    def lastmod(value: Any) -> Lastmod | bool:
        return value is not False and read_date(value, timezone)

    if flat.get("alternates") is not None:
        cure = "write 'translations' (code to URL or source path), or 'sitemap.alternates'"
        warn("alternates", flat["alternates"], f"this key is not read; {cure}")
    out = {first(truth, _FLAG, f"sitemap.{key}") for key in _OUT_KEYS}
    wanted = False if True in out else True if False in out else None
    image_key, more = "sitemap.images", nested.get("images")
    is_more = isinstance(more, Mapping) and list(more) == ["add"]
    named = first(images, "", image_key)
    files = partial(texts, "sitemap.dependencies", "write a path or a pattern, or a list of them")
    robots, frequency = "write rules such as noindex", f"write one of {', '.join(CHANGEFREQS)}"
    settings = Settings(
        draft=first(truth, _FLAG, "draft") or False,
        noindex=first(truth, _FLAG, "noindex") or first(_keeps_out, robots, "robots") or False,
        private=first(truth, _FLAG, "private") or False,
        wanted=first(truth, _WISH, "sitemap") if wanted is None and nested is not given else wanted,
        canonical=first(_link, "write a URL", "canonical", "canonical_url"),
        changefreq=first(_changefreq, frequency, "sitemap.changefreq", "changefreq"),
        priority=first(read_priority, _PRIORITY, "sitemap.priority", "priority"),
        lastmod=first(lastmod, "", "sitemap.lastmod"),
        language=flat.get("lang"),
        translation_key=first(_key, "", "translation_key"),
        translations=first(partial(links, "translations"), _LINKS, "translations"),
        alternates=first(partial(links, "sitemap.alternates"), _LINKS, "sitemap.alternates"),
        images=None if is_more else named,
        more_images=named or () if is_more else (),
        dependencies=first(files, "", "sitemap.dependencies") or (),
        news=nested.get("news"),
        video=nested.get("video"),
    )
    return settings, problems


def _keeps_out(value: Any) -> bool | None:
    words = [value] if isinstance(value, str) else value
    if not isinstance(words, list | tuple):
        return None
    text = " ".join(word for word in words if isinstance(word, str)).lower()
    return not {"noindex", "none"}.isdisjoint(_BETWEEN.split(text))


def _link(value: Any) -> str | None:
    return value.strip() if isinstance(value, str) else None


def _key(value: Any) -> str:
    return "" if isinstance(value, bool) else as_text(value)


def _changefreq(value: Any) -> str | None:
    word = value.strip().lower() if isinstance(value, str) else None
    return word if word in CHANGEFREQS else None


def truth(value: Any) -> bool | None:
    """Read a yes or no from a boolean or a string; None for anything else."""
    if isinstance(value, str):
        return _TRUTH.get(value.strip().lower())
    return value if isinstance(value, bool) else None


def bad_value(page: Page, key: str, value: Any, cure: str) -> Problem:
    """Return the warning for a value that cannot be used, or that is missing."""
    state = "missing" if value is None else quoted(value, 80)
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


def raw_dates(flat: Mapping[Any, Any], source: str) -> Iterator[tuple[str, Any]]:
    """Yield what the date source ``modified`` or ``date`` is to parse, first what it asks first.

    Keys are as they are written. Of a mapping (``last_update: {date: ...}``) a part has the date.
    """
    folded = _folded(flat)
    names, part = (DATE_KEYS, "created") if source == "date" else (MODIFIED_KEYS, "date")
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
    both = folded.get("date") if source == "modified" else None
    if both and isinstance(both[1], Mapping) and (updated := _folded(both[1]).get("updated")):
        yield f"{both[0]}.{updated[0]}", updated[1]


def _folded(given: Mapping[Any, Any]) -> dict[str, tuple[str, Any]]:
    """Return keys and values by the form in which keys are compared; the first one stays."""
    folded: dict[str, tuple[str, Any]] = {}
    for key, value in given.items():
        if isinstance(key, str) and value is not None:
            folded.setdefault(_fold(key), (key, value))
    return folded


@lru_cache(1000)  # A site's pages have the same few keys.
def _fold(key: str) -> str:
    return key.translate(_SPACING).lower()

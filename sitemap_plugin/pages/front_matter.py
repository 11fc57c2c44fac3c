"""Read what a page's front matter says about its place in the sitemap.

A bad value is reported as a warning with file, key and value; the thing is then left out.
Values come from YAML with their types, and from MultiMarkdown and Pelican headers as texts.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sitemap_plugin.common.text import did_you_mean, quoted
from sitemap_plugin.config.checks import CHANGEFREQS
from sitemap_plugin.dates.parse import DateError, check_range, parse_date
from sitemap_plugin.errors import Problem
from sitemap_plugin.models import Lastmod, Page

__all__ = ["FrontMatter", "Settings", "read_date", "wants_in"]

_TRUE = frozenset({"true", "yes", "on", "1"})
_FALSE = frozenset({"false", "no", "off", "0"})
_OUT_KEYS = ("exclude", "disable", "ignore")
_SITEMAP_KEYS = (
    *_OUT_KEYS, "lastmod", "changefreq", "priority", "alternates", "images", "news", "video",
)  # fmt: skip


class Settings(NamedTuple):
    """What the front matter sets for a page's entry; None where it says nothing.

    ``lastmod`` is False where the page wants none, whatever the date sources say. ``alternates``
    are the language versions that the page declares, code to URL. ``images`` replace those found
    in the page, ``more_images`` are added. ``news`` and ``video`` are as written; they have
    modules of their own that read them.
    """

    changefreq: str | None = None
    priority: float | None = None
    lastmod: Lastmod | bool | None = None
    alternates: Mapping[str, str] | None = None
    images: tuple[str, ...] | None = None
    more_images: tuple[str, ...] = ()
    news: Any = None
    video: Any = None


NOTHING = Settings()


def wants_in(page: Page) -> bool:
    """Tell whether the front matter asks for the page to be listed (``sitemap: true``)."""
    value = page.metadata.get("sitemap")
    if isinstance(value, Mapping):
        return any(truth(value.get(key)) is False for key in _OUT_KEYS)
    return truth(value) is True


def truth(value: Any) -> bool | None:
    """Read a yes or no from a boolean or a text; None for anything else."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        word = value.strip().lower()
        return True if word in _TRUE else False if word in _FALSE else None
    return None


class FrontMatter:
    """Reads pages' front matter and keeps the problems it met, each once."""

    def __init__(self, timezone: dt.tzinfo = dt.UTC) -> None:
        self.problems: list[Problem] = []
        self._known: set[Problem] = set()
        self._timezone = timezone

    def says_out(self, page: Page) -> bool:
        """Tell whether the page asks to be left out (``sitemap: false`` and its kin)."""
        value = page.metadata.get("sitemap")
        if value is None:
            return False
        if not isinstance(value, Mapping):
            answer = truth(value)
            if answer is None:
                self.warn(page, "sitemap", value, "write true, false or a mapping")
            return answer is False
        flags = [self.flag(page, key, value, prefix="sitemap.") for key in _OUT_KEYS]
        return any(flags)

    def flag(
        self, page: Page, key: str, metadata: Mapping[str, Any] | None = None, prefix: str = ""
    ) -> bool:
        """Read a key that is true or false, absent meaning false."""
        value = (page.metadata if metadata is None else metadata).get(key)
        if value is None:
            return False
        answer = truth(value)
        if answer is None:
            self.warn(page, prefix + key, value, "write true or false")
        return bool(answer)

    def noindex(self, page: Page) -> bool:
        """Tell whether ``robots`` or ``noindex`` keeps search engines from indexing the page."""
        value = page.metadata.get("robots")
        if value is not None and not isinstance(value, str | list | tuple):
            self.warn(page, "robots", value, "write rules such as noindex")
        words = value if isinstance(value, list | tuple) else [value]
        tokens = {
            token.lower()
            for word in words
            if isinstance(word, str)
            for token in re.split(r"[,\s]+", word)
        }
        return bool(tokens & {"noindex", "none"}) or self.flag(page, "noindex")

    def canonical(self, page: Page) -> str | None:
        """Return the canonical link that the front matter gives, as written."""
        for key in ("canonical", "canonical_url"):
            value = page.metadata.get(key)
            if value is None or value == "":
                continue
            if isinstance(value, str):
                return value.strip()
            self.warn(page, key, value, "write a URL")
        return None

    def settings(self, page: Page) -> Settings:
        """Return what the page sets for its entry, the keys under ``sitemap`` first."""
        metadata = page.metadata
        if not metadata:
            return NOTHING
        nested = metadata.get("sitemap")
        if not isinstance(nested, Mapping):
            if "changefreq" not in metadata and "priority" not in metadata:
                return NOTHING
            nested = {}
        self.check_keys(page, "sitemap", nested, _SITEMAP_KEYS)
        images, more_images = self._images(page, nested.get("images"))
        return Settings(
            changefreq=self._first(page, nested, "changefreq", _changefreq),
            priority=self._first(page, nested, "priority", _priority),
            lastmod=self._lastmod(page, nested.get("lastmod")),
            alternates=self._alternates(page, nested.get("alternates")),
            images=images,
            more_images=more_images,
            news=nested.get("news"),
            video=nested.get("video"),
        )

    def check_keys(
        self, page: Page, place: str, given: Mapping[Any, Any], known: Sequence[str]
    ) -> None:
        """Warn of the keys of a mapping that nobody knows."""
        for key in given:
            if key not in known:
                cure = did_you_mean(key, known) or f"; there are {', '.join(known)}"
                self._add(page, f"front matter {place!r} has an unknown key {quoted(key)}{cure}")

    def _first(self, page: Page, nested: Mapping[Any, Any], key: str, read: Any) -> Any:
        for metadata, prefix in ((nested, "sitemap."), (page.metadata, "")):
            value = metadata.get(key)
            if value is None:
                continue
            try:
                return read(value)
            except ValueError as error:
                self.warn(page, prefix + key, value, str(error))
        return None

    def _lastmod(self, page: Page, value: Any) -> Lastmod | bool | None:
        if value is None or value is False:
            return value
        try:
            return read_date(value, self._timezone)
        except DateError as error:
            self.warn(page, "sitemap.lastmod", value, str(error))
            return None

    def _alternates(self, page: Page, value: Any) -> Mapping[str, str] | None:
        if value is None:
            return None
        if not isinstance(value, Mapping):
            self.warn(page, "sitemap.alternates", value, "write a mapping of code to URL")
            return None
        return self.links(page, "sitemap.alternates", value)

    def links(self, page: Page, key: str, value: Mapping[Any, Any]) -> dict[str, str]:
        """Return the entries of a mapping of language code to URL that can be used."""
        good: dict[str, str] = {}
        for code, link in value.items():
            if isinstance(code, str) and isinstance(link, str) and link.strip():
                good[code] = link.strip()
            else:
                self.warn(page, f"{key}.{code}", link, "write a language code and a URL")
        return good

    def _images(self, page: Page, value: Any) -> tuple[tuple[str, ...] | None, tuple[str, ...]]:
        """Return the images that replace those of the page, and those to add to them."""
        if value is None:
            return None, ()
        if value is False:
            return (), ()
        added = value.get("add") if isinstance(value, Mapping) and len(value) == 1 else None
        links = value if added is None else added
        if isinstance(links, str):
            links = [links]
        if isinstance(links, list | tuple):
            for item in links:
                if not isinstance(item, str):
                    self.warn(page, "sitemap.images", item, "write a URL or a path")
            good = tuple(item for item in links if isinstance(item, str))
            return (good, ()) if added is None else (None, good)
        cure = "write a list of URLs, or {add: [...]} to add to those found"
        self.warn(page, "sitemap.images", value, cure)
        return None, ()

    def warn(self, page: Page, key: str, value: Any, cure: str) -> None:
        """Record that a key's value cannot be used."""
        shown = quoted(value)
        shown = shown if len(shown) <= 80 else shown[:77] + "..."  # noqa: PLR2004 - one line
        self._add(page, f"front matter {key!r} is {shown}: {cure}")

    def miss(self, page: Page, key: str, cure: str) -> None:
        """Record that a key is not there though something depends on it."""
        self._add(page, f"front matter {key!r} is missing: {cure}")

    def _add(self, page: Page, message: str) -> None:
        self.add(Problem("warning", message, page.where))

    def add(self, problem: Problem) -> None:
        """Record a problem."""
        if problem not in self._known:
            self._known.add(problem)
            self.problems.append(problem)


def read_date(value: Any, timezone: dt.tzinfo) -> Lastmod:
    """Read a date and check that it is neither before 1970 nor in the future.

    Raises DateError.
    """
    date = parse_date(value, timezone)
    check_range(date)
    return date


def lookup(metadata: Mapping[str, Any], key: str) -> Any:
    """Return the value of a key, ``date.updated`` being a key of the mapping ``date``."""
    value: Any = metadata
    for part in key.split("."):
        if not isinstance(value, Mapping):
            return None
        value = value.get(part)
    return value


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

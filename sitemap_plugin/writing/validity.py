"""What may stand in a sitemap: judges one entry at a time and takes out what may not.

The renderer checks batches of entries in bulk and turns to this module only for a batch in which
something is wrong, so a problem costs time and a sound entry none.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from numbers import Number
from typing import Any
from urllib.parse import quote

from sitemap_plugin.models import Alternate, Entry, Image, Lastmod
from sitemap_plugin.writing.timestamps import FIRST_YEAR, timestamp

__all__ = [
    "CHANGEFREQS",
    "MAX_IMAGES",
    "MAX_LOC",
    "clean_entry",
    "is_hreflang",
    "is_priority",
    "is_url",
    "loc_fault",
    "shown",
    "url_fault",
]

CHANGEFREQS = ("always", "hourly", "daily", "weekly", "monthly", "yearly", "never")
MAX_LOC = 2047
"""The protocol's prose says fewer than 2,048 characters; its schema allows one more."""
MAX_IMAGES = 1000

# RFC 3986 allows brackets around an IPv6 address and nowhere else.
_CHARACTER = r"[A-Za-z0-9\-._~:/?@!$&'()*+,;=]|%[0-9A-Fa-f]{2}"
_HOST_6 = r"\[[0-9A-Fa-f:.]+\]"
_URL = re.compile(rf"https?://(?:{_HOST_6}(?:{_CHARACTER})*+|(?![/?])(?:{_CHARACTER})++)")
_LEGAL = re.compile(rf"(?:https?://{_HOST_6})?+(?:{_CHARACTER})*+")
_HREFLANG = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*+")

Warn = Callable[[str], None]


def is_url(value: object) -> bool:
    """Tell whether this is an absolute http(s) URL, percent-encoded and without a fragment."""
    return isinstance(value, str) and url_fault(value) is None


def url_fault(url: str) -> str | None:
    """Say what is wrong with a URL, or None when nothing is."""
    if not url.startswith(("http://", "https://")):
        return "it is not an absolute URL that begins with http:// or https://"
    if _URL.fullmatch(url):
        return None
    bad = _LEGAL.sub("", url, count=1)[:1]
    if bad == "#":
        return "it has a fragment; leave out '#' and what follows"
    if bad == "%":
        return "'%' is not followed by two hexadecimal digits; a literal '%' is written %25"
    if bad:
        return f"{bad!r} is not allowed in a URL; write {quote(bad, safe='', errors='replace')}"
    return "it names no host"


def is_hreflang(code: object) -> bool:
    """Tell whether a code has the shape of a language tag (BCP 47) or is ``x-default``."""
    return isinstance(code, str) and _HREFLANG.fullmatch(code) is not None


def is_priority(value: object) -> bool:
    """Tell whether this is a number from 0.0 to 1.0."""
    if isinstance(value, bool) or not isinstance(value, Number):
        return False
    try:
        return 0 <= float(value) <= 1  # type: ignore[arg-type]  # complex is a Number: see below
    except (TypeError, OverflowError):
        return False


def shown(text: str) -> str:
    """Make a text of the user's fit into a message."""
    text = text if text.isprintable() else ascii(text)
    return text if len(text) <= 200 else f"{text[:197]}..."  # noqa: PLR2004 - fits a terminal


def _quoted(value: object) -> str:
    return shown(repr(value))


def clean_entry(entry: Any, base_url: str, warn: Warn) -> Entry | None:
    """Return the entry without what is invalid in it, or None when its ``loc`` is."""
    if not isinstance(entry, Entry):
        warn(f"left out of the sitemap: {_quoted(entry)} is not an Entry")
        return None
    fault = loc_fault(entry.loc, base_url)
    if fault:
        warn(f"left out of the sitemap: {fault}")
        return None
    changefreq, priority = entry.changefreq, entry.priority
    if changefreq is not None and not (isinstance(changefreq, str) and changefreq in CHANGEFREQS):
        warn(f"changefreq left out: {_quoted(changefreq)} is none of {', '.join(CHANGEFREQS)}")
        changefreq = None
    if priority is not None and not is_priority(priority):
        warn(f"priority left out: {_quoted(priority)} is not a number from 0.0 to 1.0")
        priority = None
    return Entry(
        entry.loc,
        _clean_lastmod(entry.lastmod, warn),
        changefreq,
        priority,
        tuple(_clean_alternates(entry.alternates, warn)),
        tuple(_clean_images(entry.images, warn)),
    )


def loc_fault(loc: Any, base_url: str) -> str | None:
    """Say why a sitemap below a base URL cannot list a URL, or None when it can."""
    if not isinstance(loc, str):
        return f"its URL is not a string but {_quoted(loc)}"
    fault = url_fault(loc)
    if fault:
        return fault
    if len(loc) > MAX_LOC:
        return f"its URL has {len(loc)} characters; fewer than {MAX_LOC + 1} are allowed"
    if not loc.startswith(base_url):
        return f"it is not below {base_url}, the only place this sitemap may speak for"
    return None


def _clean_lastmod(value: Any, warn: Warn) -> Lastmod | None:
    if value is None:
        return None
    if not isinstance(value, dt.date):
        warn(f"lastmod left out: {_quoted(value)} is neither a date nor a datetime")
    elif value.year < FIRST_YEAR:
        warn(f"lastmod left out: {value} is before {FIRST_YEAR}")
    elif not isinstance(value, dt.datetime):
        return dt.date(value.year, value.month, value.day)
    elif value.utcoffset() is None:
        warn(f"lastmod left out: {value} has no time zone; give it one, or use a date")
    else:
        moment = dt.datetime.combine(value.date(), value.timetz())
        with suppress(OverflowError):
            timestamp(moment)
            return moment
        warn(f"lastmod left out: {value} is too late to be written")
    return None


def _clean_alternates(alternates: Any, warn: Warn) -> Iterator[Alternate]:
    codes = set()
    for code, href in _rows(alternates, 2, "alternate", warn):
        if not is_hreflang(code):
            warn(f"alternate left out: {_quoted(code)} is not a language code")
        elif code.lower() in codes:
            warn(f"alternate {shown(str(href))} left out: there is another for {code}")
        elif not isinstance(href, str):
            warn(f"alternate {code} left out: its URL is not a string but {_quoted(href)}")
        elif fault := url_fault(href):
            warn(f"alternate {code} left out: {shown(href)}: {fault}")
        else:
            codes.add(code.lower())
            yield Alternate(code, href)


def _clean_images(images: Any, warn: Warn) -> Iterator[Image]:
    count = 0
    for (loc,) in _rows(images, 1, "image", warn):
        if not isinstance(loc, str):
            warn(f"image left out: its URL is not a string but {_quoted(loc)}")
        elif fault := url_fault(loc):
            warn(f"image left out: {shown(loc)}: {fault}")
        else:
            count += 1
            if count <= MAX_IMAGES:
                yield Image(loc)
    if count > MAX_IMAGES:
        warn(f"{count - MAX_IMAGES} images left out: at most {MAX_IMAGES} are allowed on a page")


def _rows(value: Any, size: int, kind: str, warn: Warn) -> Iterator[tuple[Any, ...]]:
    """Iterate over what should be a tuple of alternates or images."""
    if not value:
        return
    if not isinstance(value, list | tuple):
        warn(f"{kind}s left out: {_quoted(value)} is not a tuple")
        return
    for row in value:
        if isinstance(row, tuple) and len(row) == size:
            yield row
        else:
            warn(f"{kind} left out: {_quoted(row)} is not an {kind.capitalize()}")

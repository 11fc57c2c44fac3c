"""What may stand in a sitemap, value by value.

The renderer checks batches of entries in bulk and turns to this module only for a batch in which
something is wrong, so a problem costs time and a sound entry none.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from numbers import Number
from typing import Any
from urllib.parse import quote

from sitemap_plugin.write.writing.timestamps import FIRST_YEAR, timestamp

__all__ = [
    "CHANGEFREQS",
    "MAX_IMAGES",
    "MAX_LOC",
    "MAX_NEWS",
    "Warn",
    "is_date",
    "is_hreflang",
    "is_priority",
    "is_text",
    "is_url",
    "loc_fault",
    "plain_text",
    "quoted",
    "shown",
    "url_fault",
]

CHANGEFREQS = ("always", "hourly", "daily", "weekly", "monthly", "yearly", "never")
MAX_LOC = 2047
"""The protocol's prose says fewer than 2,048 characters; its schema allows one more."""
MAX_IMAGES = 1000
MAX_NEWS = 1000
"""News articles in one file (Google: news sitemaps)."""

# RFC 3986 allows brackets around an IPv6 address and nowhere else.
_CHARACTER = r"[A-Za-z0-9\-._~:/?@!$&'()*+,;=]|%[0-9A-Fa-f]{2}"
_HOST_6 = r"\[[0-9A-Fa-f:.]+\]"
_URL = re.compile(rf"https?://(?:{_HOST_6}(?:{_CHARACTER})*+|(?![/?])(?:{_CHARACTER})++)")
_LEGAL = re.compile(rf"(?:https?://{_HOST_6})?+(?:{_CHARACTER})*+")
_NOT_XML = re.compile("[\x00-\x08\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
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


def is_date(value: object) -> bool:
    """Tell whether this is a date or an aware datetime that can be written."""
    if not isinstance(value, dt.date) or value.year < FIRST_YEAR:
        return False
    try:
        timestamp(value)
    except (ValueError, OverflowError):
        return False
    return True


def plain_text(text: str) -> str:
    """Return a text in one line, without the characters that XML cannot hold."""
    return " ".join(_NOT_XML.sub("", text).split())


def is_text(value: object) -> bool:
    """Tell whether this is a text that says something."""
    return isinstance(value, str) and plain_text(value) != ""


def shown(text: str) -> str:
    """Make a text of the user's fit into a message."""
    text = text if text.isprintable() else ascii(text)
    return text if len(text) <= 200 else f"{text[:197]}..."  # noqa: PLR2004 - fits a terminal


def quoted(value: object) -> str:
    """Make a value of the user's fit into a message."""
    try:
        return shown(repr(value))
    except ValueError:  # Python refuses to write integers of thousands of digits.
        return "a huge number"


def loc_fault(loc: Any, base_url: str) -> str | None:
    """Say why a sitemap below a base URL cannot list a URL, or None when it can."""
    if not isinstance(loc, str):
        return f"its URL is not a string but {quoted(loc)}"
    fault = url_fault(loc)
    if fault:
        return fault
    if len(loc) > MAX_LOC:
        return f"its URL has {len(loc)} characters; fewer than {MAX_LOC + 1} are allowed"
    if not loc.startswith(base_url):
        return f"it is not below {base_url}, the only place this sitemap may speak for"
    return None

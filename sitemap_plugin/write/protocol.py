"""What may stand in a sitemap, value by value, and the limits of a file (protocol 0.9, Google)."""

import datetime as dt
import math
import re
from typing import Any
from urllib.parse import quote

from sitemap_plugin.common.text import quoted
from sitemap_plugin.dates.parse import FIRST_YEAR, DateError, Lastmod, format_lastmod
from sitemap_plugin.errors import or_none

CHANGEFREQS = ("always", "hourly", "daily", "weekly", "monthly", "yearly", "never")
MAX_URLS = 50_000
MAX_BYTES = 52_428_800
MAX_PARTS = 50_000
"""Files that an index may name."""
MAX_LOC = 2047
"""The protocol's prose says fewer than 2,048 characters; its schema allows one more."""
MAX_IMAGES = MAX_NEWS = 1000
"""Images of a page, and news articles in a file (Google)."""
MAX_TAGS = 32

_SAFE = r"[A-Za-z0-9\-._~:/?@!$()*+,;=]*+"
PLAIN = rf"{_SAFE}(?:%[0-9A-Fa-f]{{2}}{_SAFE})*+"
"""What a URL is made of after its host, characters that XML wants escaped aside."""

# RFC 3986 allows brackets around an IPv6 address and nowhere else.
_REST = r"(?:[A-Za-z0-9\-._~:/?@!$&'()*+,;=]++|%[0-9A-Fa-f]{2})"
_HOST_6 = r"\[[0-9A-Fa-f:.]+\]"
_URL = re.compile(rf"https?://(?:{_HOST_6}{_REST}*+|(?![/?]){_REST}++)")
_LEGAL = re.compile(rf"(?:https?://{_HOST_6})?+{_REST}*+")
_USER = re.compile(r"https?://[^/?]*@")
_FAULTS = {
    "": "it names no host",
    "#": "it has a fragment; leave out '#' and what follows",
    "%": "'%' is not followed by two hexadecimal digits; a literal '%' is written %25",
}
_NOT_XML = re.compile("[\x00-\x08\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def is_url(value: object) -> bool:
    """Tell whether this is an absolute http(s) URL, percent-encoded and without a fragment."""
    return url_fault(value) is None


def url_fault(url: Any) -> str | None:
    """Say what is wrong with a URL, or None when nothing is."""
    if not isinstance(url, str):
        return f"its URL is not a string but {quoted(url)}"
    if not url.startswith(("http://", "https://")):
        return "it is not an absolute URL that begins with http:// or https://"
    if _USER.match(url):
        return "it has a user name or a password, which would be published; take it out"
    if _URL.fullmatch(url):
        return None
    bad = _LEGAL.sub("", url, count=1)[:1]
    other = f"{bad!r} is not allowed in a URL; write {quote(bad, safe='', errors='replace')}"
    return _FAULTS.get(bad, other)


def loc_fault(loc: Any, base_url: str) -> str | None:
    """Say why a sitemap below a base URL cannot list a URL, or None when it can."""
    if fault := url_fault(loc):
        return fault
    if len(loc) > MAX_LOC:
        return f"its URL has {len(loc)} characters; fewer than {MAX_LOC + 1} are allowed"
    if not loc.startswith(base_url):
        return f"it is not below {base_url}, the only place this sitemap may speak for"
    return None


def read_priority(value: Any) -> float | None:
    """Return a number from 0.0 to 1.0, which may be written as a text; None for anything else."""
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if 0 <= number <= 1 else None


def read_lastmod(value: object) -> tuple[Lastmod, str]:
    """Return a date or datetime of the standard library's own type, and how it is written."""
    if not isinstance(value, dt.date):
        raise DateError(f"{quoted(value)} is neither a date nor a datetime")
    try:
        date: Lastmod = dt.date(value.year, value.month, value.day)
        if isinstance(value, dt.datetime):
            date = dt.datetime.combine(date, value.timetz())
        text = format_lastmod(date)
    except DateError:
        raise
    except Exception as error:  # A subclass may do anything, and so may a plugin's time zone.
        raise DateError(f"{quoted(value)} has a time zone that cannot be written") from error
    if date.year < FIRST_YEAR:
        raise DateError(f"{text[:10]} is before {FIRST_YEAR}")
    return date, text


def is_lastmod(value: object) -> bool:
    """Tell whether this is a date, or a datetime with a time zone, that can be written."""
    return or_none(read_lastmod, value) is not None


def one_line(text: str) -> str:
    """Return a text in one line, without the characters that XML cannot hold."""
    return " ".join(_NOT_XML.sub("", text).split())


def is_text(value: object) -> bool:
    """Tell whether this is a text that says something."""
    return isinstance(value, str) and one_line(value) != ""

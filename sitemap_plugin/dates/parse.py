"""Read dates without guessing, and write them as W3C Datetime (the protocol's ``lastmod``)."""

import contextlib
import datetime as dt
import os
import re
from collections.abc import Iterable
from email.utils import format_datetime, parsedate_tz
from typing import Literal, NamedTuple

from sitemap_plugin.common.text import quoted

Lastmod = dt.date | dt.datetime
"""A plain date, or a datetime that knows its zone."""

Granularity = Literal["year", "month", "day", "minute", "second", "fraction"]

_CURE = "write YYYY-MM-DD or YYYY-MM-DDThh:mm:ss+hh:mm"
_DAY = dt.timedelta(days=1)
FIRST_YEAR = 1970
_FARTHEST_OFFSET = dt.timedelta(hours=14)  # The limit of XML Schema's dateTime.
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_EPOCH_DAY = _EPOCH.toordinal()

_W3C = re.compile(
    r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?"
    r"(Z|[+-]\d\d:\d\d))?)?)?",
    re.ASCII,
)
_ISO = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)"
    r"(?:(?:[Tt](?=\d\d:)|[ \t]+)(\d\d?):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?"
    r"(?:[ \t]*([Zz]|(?i:UTC|GMT)|[+-]\d\d(?::?\d\d)?))?)?",
    re.ASCII,
)
_RFC822 = re.compile(
    r"(?:(mon|tue|wed|thu|fri|sat|sun),[ \t]*)?\d{1,2}[ \t]+"
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[ \t]+(?:\d{4}|\d\d)"
    r"[ \t]+\d\d:\d\d(?::\d\d)?([ \t]+(?:Z|UTC?|GMT|[ECMP][SD]T|[+-]\d{4}))?(?:[ \t]*\([^()]*\))?",
    re.ASCII | re.IGNORECASE,
)
_NEARLY_ISO = re.compile(
    r"(\d{4})(?:[-/.](\d{1,2})[-/.](\d{1,2})(?:[Tt,\s]+(\d{1,2})(:\d\d.*))?|(\d\d)(\d\d))", re.ASCII
)


class DateError(ValueError):
    """A value that gives no date; the message names it and says what to write instead."""


class PageDate(NamedTuple):
    """The date of a page, and in words where it comes from, for the report."""

    lastmod: Lastmod
    origin: str


class W3CDate(NamedTuple):
    """A W3C Datetime as read: a year or a month stands for its first day."""

    value: Lastmod
    granularity: Granularity


def parse_date(value: object, timezone: dt.tzinfo = dt.UTC) -> Lastmod:
    """Return the date, or the aware datetime, that a front-matter value or a header states.

    Native dates and datetimes, ISO 8601 with a full date, RFC 822, and ``YYYY-MM-DD hh:mm[:ss]``
    with or without a zone are read; anything else is a ``DateError``, for a guess would be worse
    than no date. What has no zone is in ``timezone``.
    """
    if isinstance(value, dt.datetime):
        try:
            is_naive = value.utcoffset() is None
        except Exception:  # noqa: BLE001 - a plugin's time zone may raise anything
            raise DateError(f"its time zone cannot be used; {_CURE}") from None
        return value.replace(tzinfo=timezone) if is_naive else value
    if isinstance(value, dt.date):
        return value
    if not isinstance(value, str):
        raise DateError(_explain(value))
    text = value.strip()
    try:
        date = _read(text, timezone)
    except ValueError as error:
        raise DateError(f"{quoted(text, 60)} is no date: {error}; {_CURE}") from None
    if date is None:
        raise DateError(_explain(text))
    return date


def _read(text: str, timezone: dt.tzinfo | None) -> Lastmod | None:
    """Return None for a text in an unknown form; a ``ValueError`` says what cannot exist."""
    if match := _ISO.fullmatch(text):
        return _from_iso(match, timezone)
    if not (match := _RFC822.fullmatch(text)) or not (numbers := parsedate_tz(text)):
        return None
    zone = dt.timezone(dt.timedelta(seconds=numbers[9] or 0)) if match[2] else timezone
    value = dt.datetime(*numbers[:6], tzinfo=zone)
    actual = format_datetime(value)[:3]
    if match[1] and match[1].title() != actual:
        raise ValueError(f"{value.date()} is a {actual}, not a {match[1].title()}")
    return value


def _from_iso(match: re.Match[str], timezone: dt.tzinfo | None) -> Lastmod:
    *numbers, fraction, zone = match.groups()
    year, month, day, hour, minute, second = (int(number or 0) for number in numbers)
    if numbers[3] is None:
        return dt.date(year, month, day)
    microsecond = int((fraction or "")[:6].ljust(6, "0"))
    if zone:
        timezone = _zone(zone)
    return dt.datetime(year, month, day, hour, minute, second, microsecond, tzinfo=timezone)


def _zone(text: str) -> dt.tzinfo:
    if text[0] not in "+-":
        return dt.UTC
    digits = text[1:].replace(":", "").ljust(4, "0")
    offset = dt.timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    if offset > _FARTHEST_OFFSET or int(digits[2:]) > 59:  # noqa: PLR2004 - minutes of an hour
        raise ValueError(f"the offset {text} does not exist")
    return dt.timezone(-offset if text[0] == "-" else offset)


def read_date(value: object, timezone: dt.tzinfo = dt.UTC) -> Lastmod:
    """Parse a date that is neither before 1970 nor in the future; else raise DateError."""
    check_range(date := parse_date(value, timezone))
    return date


def check_range(value: Lastmod, now: dt.datetime | None = None) -> None:
    """Raise a ``DateError`` for a date before 1970, or more than a day ahead by the real clock."""
    if value.year < FIRST_YEAR:
        raise DateError(f"{value} is before {FIRST_YEAR}; correct it or take it out")
    limit = sort_key((now or dt.datetime.now(dt.UTC)) + _DAY)
    if sort_key(value)[0] >= limit[0]:
        raise DateError(f"{value} is in the future; a page has changed only in the past")


def parse_w3c(text: str) -> W3CDate:
    """Read a W3C Datetime strictly, in any of its six granularities; else raise DateError."""
    match = _W3C.fullmatch(text)
    if match is None:
        raise DateError(_explain(text))
    year, month, day, hour, _, second, fraction, _ = match.groups()
    try:
        if hour is None:
            names: tuple[Granularity, ...] = ("year", "month", "day")
            granularity = names[(month is not None) + (day is not None)]
            return W3CDate(dt.date(int(year), int(month or 1), int(day or 1)), granularity)
        granularity = "fraction" if fraction else "second" if second else "minute"
        return W3CDate(_from_iso(match, dt.UTC), granularity)
    except ValueError as error:
        raise DateError(f"{quoted(text, 60)} is no date: {error}; {_CURE}") from None


def format_lastmod(value: Lastmod) -> str:
    """Write a date as ``YYYY-MM-DD``, an aware datetime as ``YYYY-MM-DDThh:mm:ss+hh:mm``.

    The two forms that satisfy both W3C and the sitemap schema. An offset stays as given unless
    the form cannot hold it (seconds, or beyond 14 hours): then the time is given in UTC.
    """
    if not isinstance(value, dt.datetime):
        return value.isoformat()
    offset = value.utcoffset()
    if offset is None:
        raise DateError(f"{value} has no time zone")
    if abs(offset) > _FARTHEST_OFFSET or offset % dt.timedelta(minutes=1):
        try:
            value = value.astimezone(dt.UTC)
        except OverflowError:
            raise DateError(f"{value} is out of range; {_CURE}") from None
    return value.isoformat(timespec="seconds")


def sort_key(value: Lastmod) -> tuple[float, bool, float]:
    """Order dates and aware datetimes: a date counts as its start in UTC, ties by precision."""
    if not isinstance(value, dt.datetime):
        return (value.toordinal() - _EPOCH_DAY) * 86400.0, False, 0.0
    offset = value.utcoffset()
    if offset is None:
        raise DateError(f"{value} has no time zone")
    # The third part makes the order of equal moments a function of the values.
    return (value - _EPOCH).total_seconds(), True, -abs(offset.total_seconds())


def newest(values: Iterable[Lastmod | None]) -> Lastmod | None:
    """Return the newest of some dates and aware datetimes, None where there is none."""
    return max((value for value in values if value is not None), key=sort_key, default=None)


def _explain(value: object) -> str:
    """Say why a value gives no date, and what to write where only one day can be meant."""
    if isinstance(value, bool | None):
        return f"expected a date, got {value}; {_CURE}"
    if not isinstance(value, str | int | float):
        return f"expected a date, got a value of type {type(value).__name__}; {_CURE}"
    shown = quoted(value, 60)
    text = shown.strip("'")
    if re.fullmatch(r"\d{4}(?:-\d\d)?", text, re.ASCII):
        return f"{shown} gives no day; {_CURE}"
    nearest = _nearest(text)
    return f"{shown} is not a date in a known form; {f'write {nearest}' if nearest else _CURE}"


def _nearest(text: str) -> str | None:
    with contextlib.suppress(ValueError):
        if date := _read(text.strip(), None):
            return format_lastmod(date)
        if match := _NEARLY_ISO.fullmatch(text):
            year, month, day, hour, rest, *compact = match.groups()
            month, day = (month, day) if month else compact
            nearest = f"{year}-{month:0>2}-{day:0>2}" + (f"T{hour:0>2}{rest}" if hour else "")
            return nearest if nearest != text and _read(nearest, None) else None
    return None


def build_time() -> dt.datetime:
    """Return the moment of the build in UTC, by SOURCE_DATE_EPOCH (reproducible-builds.org)."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    with contextlib.suppress(ValueError, OverflowError, OSError):
        if epoch.isascii() and epoch.isdigit():
            return dt.datetime.fromtimestamp(int(epoch), dt.UTC)
    return dt.datetime.now(dt.UTC)

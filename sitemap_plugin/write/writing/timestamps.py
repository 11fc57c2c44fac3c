"""The one form in which a moment is written: W3C Datetime that also satisfies the schema."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from operator import attrgetter

from sitemap_plugin.dates.parse import Lastmod

__all__ = ["FIRST_YEAR", "Timestamps", "newest", "timestamp"]

FIRST_YEAR = 1970
_MINUTE = dt.timedelta(minutes=1)
_FURTHEST_ZONE = dt.timedelta(hours=14)
_KINDS = {dt.date, dt.datetime, type(None)}
MEMO_SIZE = 10_000
_zone = attrgetter("tzinfo")


def timestamp(value: Lastmod) -> str:
    """Write a date as ``YYYY-MM-DD``, a datetime as ``YYYY-MM-DDThh:mm:ss+hh:mm``.

    The offset stays as given, in whole minutes, since neither form knows seconds, and within the
    14 hours that the schema knows. Raises ValueError for a naive datetime and OverflowError for
    one on the last day of the year 9999 that would have to be moved into the next.
    """
    if not isinstance(value, dt.datetime):
        return value.isoformat()
    if value.tzinfo is dt.UTC:
        moment = (value.year, value.month, value.day, value.hour, value.minute, value.second)
        return "%04d-%02d-%02dT%02d:%02d:%02d+00:00" % moment  # noqa: UP031 - twice as fast as isoformat
    offset = value.utcoffset()
    if offset is None:
        raise ValueError(f"{value} has no time zone")
    if abs(offset) > _FURTHEST_ZONE:
        value = value.astimezone(dt.UTC)
    elif offset % _MINUTE:
        value = value.astimezone(dt.timezone(round(offset / _MINUTE) * _MINUTE))
    return value.isoformat(timespec="seconds")


def newest(values: Iterable[Lastmod | None]) -> Lastmod | None:
    """Return the latest of dates and aware datetimes; a date counts from midnight in UTC."""
    known = list(filter(None, values))
    try:
        return max(known, default=None)
    except TypeError:  # Dates and datetimes do not compare.
        return max(known, key=_moment)


def _moment(value: Lastmod) -> dt.datetime:
    if isinstance(value, dt.datetime):
        return value
    return dt.datetime.combine(value, dt.time(), dt.UTC)


class Timestamps(dict[Lastmod | None, str]):
    """Renders ``lastmod`` elements and remembers them."""

    def __init__(self) -> None:
        super().__init__()
        self._zone: dt.tzinfo | None = None

    def __missing__(self, value: Lastmod | None) -> str:
        text = self[value] = _element(value)
        return text

    def render(self, column: Sequence[Lastmod | None]) -> Iterable[str]:
        """Return the element for each value; raises ValueError or TypeError for an invalid one.

        Datetimes that are equal in two zones, or that come twice when summer time ends, are not
        written alike: only those of one fixed zone are looked up.
        """
        kinds = set(map(type, column))
        if not kinds <= _KINDS:
            raise TypeError(kinds)
        if len(self) > MEMO_SIZE:
            self.clear()
        if dt.datetime in kinds:
            zones = set(map(_zone, filter(_is_datetime, column) if len(kinds) > 1 else column))
            zone = zones.pop()
            if zones or type(zone) is not dt.timezone:
                return map(_element, column)
            if zone != self._zone:
                self.clear()
                self._zone = zone
        return map(self.__getitem__, column)


def _is_datetime(value: Lastmod | None) -> bool:
    return isinstance(value, dt.datetime)


def _element(value: Lastmod | None) -> str:
    if value is None:
        return ""
    if value.year < FIRST_YEAR:
        raise ValueError(value)
    return f"\n    <lastmod>{timestamp(value)}</lastmod>"

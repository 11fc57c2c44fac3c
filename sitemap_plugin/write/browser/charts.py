"""Charts of a page: how many records have each label, as bars or along a line of time.

Every bar is a button, which narrows the page's table to the records that it counts.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple

__all__ = ["Chart", "Drawing", "draw"]

MAX_PERIODS = 60
_MAX_DAYS = 45
_TICKS = 3
_DAY, _MONTH, _YEAR = 10, 7, 4
"""How much of ``YYYY-MM-DD`` names a period."""


class Chart(NamedTuple):
    """What to count: ``labels`` holds one for each record, None for a record that has none.

    With ``timeline`` the labels are dates, ``YYYY-MM-DD`` and more, and are counted by day, month
    or year. ``counts`` are given where more was counted than there are records.
    """

    title: str
    labels: Sequence[str | None]
    timeline: bool = False
    counts: Mapping[str, int] | None = None


class Drawing(NamedTuple):
    """A chart as HTML, the names of its bars, and for each record the number of its bar, or -1."""

    html: str
    names: list[str]
    bars: list[int]


def draw(chart: Chart) -> Drawing | None:
    """Draw a chart; None where there is nothing to count."""
    labels = list(chart.labels)
    names: list[str] = []
    if chart.timeline:
        labels, names = _periods(labels)
    counts = dict(chart.counts or Counter(label for label in labels if label is not None))
    if not counts:
        return None
    names = names or sorted(counts, key=lambda name: (-counts[name], name))
    place = {name: index for index, name in enumerate(names)}
    figure = _timeline(names, counts) if chart.timeline else _bars(names, counts)
    html = f'<section class="chart">\n<h2>{escape(chart.title)}</h2>\n{figure}</section>\n'
    bars = [-1 if label is None else place.get(label, -1) for label in labels]
    return Drawing(html, names, bars)


def _bars(names: Sequence[str], counts: Mapping[str, int]) -> str:
    most = max(counts.values())
    items = "".join(
        f'<li><button type="button" data-bar="{number}" aria-pressed="false">'
        f'<span class="label">{escape(name)}</span> <span class="count">{counts[name]:,}</span>'
        f'<svg aria-hidden="true"><rect width="{100 * counts[name] / most:.4g}%" height="100%"/>'
        "</svg></button></li>\n"
        for number, name in enumerate(names)
    )
    return f'<ul class="bars">\n{items}</ul>\n'


def _timeline(names: Sequence[str], counts: Mapping[str, int]) -> str:
    most = max(counts.values())
    items = "".join(
        _column(number, name, counts[name], most)
        if name in counts
        else '<li aria-hidden="true"></li>\n'
        for number, name in enumerate(names)
    )
    ticks = min(len(names), _TICKS)
    marked = [names[tick * (len(names) - 1) // max(ticks - 1, 1)] for tick in range(ticks)]
    kind = "each" if ticks == len(names) else "some"
    axis = "".join(f"<span>{escape(name)}</span>" for name in marked)
    return (
        f'<p class="scale" aria-hidden="true">{most:,}</p>\n'
        f'<ul class="timeline">\n{items}</ul>\n'
        f'<p class="axis {kind}" aria-hidden="true">{axis}</p>\n'
    )


def _column(number: int, name: str, count: int, most: int) -> str:
    height = 100 * count / most
    told = f"{escape(name)}: {count:,}"
    return (
        f'<li><button type="button" data-bar="{number}" aria-pressed="false" aria-label="{told}" '
        f'title="{told}"><svg aria-hidden="true"><rect width="100%" y="{100 - height:.4g}%" '
        f'height="{height:.4g}%"/></svg></button></li>\n'
    )


def _periods(labels: Sequence[str | None]) -> tuple[list[str | None], list[str]]:
    """Return the period of each date, and the names of all periods from the first to the last."""
    days = [_day(label) for label in labels]
    known = [day for day in days if day]
    if not known:
        return [None] * len(days), []
    first, last = min(known), max(known)
    size = _MONTH
    if (last - first).days < _MAX_DAYS:
        size = _DAY
    elif _months(last) - _months(first) >= MAX_PERIODS:
        size = _YEAR
    names = list(_span(first, last, size))[-MAX_PERIODS:]
    earlier = f"before {names[0]}"
    periods = [day.isoformat()[:size] if day else None for day in days]
    if first.isoformat()[:size] < names[0]:
        periods = [earlier if period and period < names[0] else period for period in periods]
        names.insert(0, earlier)
    return periods, names


def _day(label: str | None) -> dt.date | None:
    try:
        return dt.date.fromisoformat(label[:_DAY]) if label else None
    except ValueError:
        return None


def _months(day: dt.date) -> int:
    return day.year * 12 + day.month - 1


def _span(first: dt.date, last: dt.date, size: int) -> Iterator[str]:
    if size == _DAY:
        for number in range((last - first).days + 1):
            yield (first + dt.timedelta(number)).isoformat()
    elif size == _MONTH:
        for month in range(_months(first), _months(last) + 1):
            yield f"{month // 12:04}-{month % 12 + 1:02}"
    else:
        yield from (f"{year:04}" for year in range(first.year, last.year + 1))

"""A page that stands alone: totals, bars, and a table to search and sort.

All of it is in one file, which opens from a disk and asks the network for nothing. The data lies in
it as it would in a JSON file, so that a program can read the page as well. Nothing in the data can
become markup or script: as data it has no ``<``, what is shown of it is set as text, and the page's
policy allows no script and no style but its own.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, Literal, NamedTuple

from sitemap_plugin.errors import Problem

_HERE = Path(__file__).parent
_DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.DOTALL)
_MOST_NOTES = 200


class Total(NamedTuple):
    """A number, or a word, at the top of the page; ``tone`` sets it off."""

    label: str
    value: int | str
    tone: Literal["plain", "good", "bad", "warning", "notice"] = "plain"


class Column(NamedTuple):
    """A column of the table, and which keys of a record it shows.

    The first key holds the value that the column is sorted by, and the others stand below it in
    small print. The kind tells what the first value is: ``links`` is a mapping of names to URLs,
    ``flag`` is true or false and is shown as one of two ``words``, ``grade`` is one of the
    ``words``, which are given in order and name colours. A ``code`` is linked to its explanation,
    an address that begins with ``link``.
    """

    title: str
    keys: tuple[str, ...]
    kind: Literal["text", "url", "date", "number", "links", "flag", "grade", "code"] = "text"
    words: tuple[str, ...] = ("yes", "no")
    link: str = ""


class Chart(NamedTuple):
    """Bars that narrow the table: ``labels`` has one for each record, None for one without.

    ``counts`` are given where more was counted than there are records. Bars are in the order of
    their counts, or with ``newest_first`` of their names.
    """

    title: str
    labels: Sequence[str | None]
    counts: Mapping[str, int] | None = None
    newest_first: bool = False


class View(NamedTuple):
    """What the page shows.

    ``data`` is the JSON form as a whole, and ``records`` the key in it of a list of mappings, the
    rows of the table. ``noun`` is what one of them is called, and several. The labels of charts
    are in the order of the records.
    """

    title: str
    lead: str
    data: Mapping[str, Any]
    records: str
    noun: tuple[str, str]
    columns: Sequence[Column]
    totals: Sequence[Total] = ()
    charts: Sequence[Chart] = ()
    notes: Sequence[Problem] = ()


def render_view(page: View) -> str:
    """Return the page as HTML."""
    charts = [(chart, counts) for chart in page.charts if (counts := _counts(chart))]
    view = {
        "records": page.records,
        "noun": page.noun,
        "columns": [column._asdict() for column in page.columns],
        "charts": [
            {"names": [*counts], "bars": _bars(chart, [*counts])} for chart, counts in charts
        ],
    }
    style, script = ((_HERE / name).read_text(encoding="utf-8") for name in ("view.css", "view.js"))
    values = {
        "policy": f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'",
        "title": escape(page.title),
        "style": style,
        "lead": escape(page.lead),
        "totals": "".join(map(_total, page.totals)),
        "charts": "".join(_draw(chart.title, counts) for chart, counts in charts),
        "notes": _notes(page.notes),
        "noun": escape(page.noun[1]),
        "data": _json(page.data),
        "view": _json(view),
        "script": script,
    }
    template = (_HERE / "view.html").read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], template)


def read_data(text: str) -> Any:
    """Return the data that a page holds, or that is JSON itself; ValueError if it is neither."""
    match = _DATA.search(text)
    return json.loads(match[1] if match else text)


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"


def _json(data: Any) -> str:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&":  # str.translate takes twenty times as long.
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _total(total: Total) -> str:
    value = f"{total.value:,}" if isinstance(total.value, int) else escape(total.value)
    return f'<div class="{total.tone}"><dt>{escape(total.label)}</dt><dd>{value}</dd></div>\n'


def _notes(notes: Sequence[Problem]) -> str:
    if not notes:
        return ""
    items = ""
    for note in notes[:_MOST_NOTES]:
        where = f"<code>{escape(note.where)}</code> " if note.where else ""
        severity = f'<li class="{note.severity}"><b>{note.severity}</b> '
        items += f"{severity}{where}{escape(note.message)}</li>\n"
    more = len(notes) - _MOST_NOTES
    rest = f"<p>… and {more:,} more</p>\n" if more > 0 else ""
    return f'<section class="notes">\n<h2>Notes</h2>\n<ul>\n{items}</ul>\n{rest}</section>\n'


def _counts(chart: Chart) -> dict[str, int]:
    """Return the bars of a chart in their order, each with its count."""
    counts = chart.counts or Counter(label for label in chart.labels if label is not None)
    if chart.newest_first:
        return dict(sorted(counts.items(), reverse=True))
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _bars(chart: Chart, names: Sequence[str]) -> list[int]:
    """Return for each record the number of its bar, or -1."""
    place: dict[str | None, int] = {name: number for number, name in enumerate(names)}
    return [place.get(label, -1) for label in chart.labels]


def _draw(title: str, counts: Mapping[str, int]) -> str:
    most = max(counts.values())
    items = "".join(
        f'<li><button type="button" data-bar="{number}" aria-pressed="false">'
        f'<span class="label">{escape(name)}</span> <span class="count">{count:,}</span>'
        f'<svg aria-hidden="true"><rect width="{100 * count / most:.4g}%" height="100%"/>'
        "</svg></button></li>\n"
        for number, (name, count) in enumerate(counts.items())
    )
    return (
        f'<section class="chart">\n<h2>{escape(title)}</h2>\n'
        f'<ul class="bars">\n{items}</ul>\n</section>\n'
    )

"""A page that stands alone: totals, charts, and a table to search and sort.

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
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, Literal, NamedTuple

from sitemap_plugin.write.browser.charts import Chart, draw

__all__ = ["Chart", "Column", "Note", "Page", "Total", "read_data", "render_page"]

_HERE = Path(__file__).parent
_DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.DOTALL)
_MOST_NOTES = 200


class Total(NamedTuple):
    """A number, or a word, at the top of the page; ``tone`` sets it off."""

    label: str
    value: int | str
    tone: Literal["plain", "good", "bad"] = "plain"


class Note(NamedTuple):
    """Something to read before the table: how grave it is, what it is about, and what it says."""

    severity: str
    where: str | None
    message: str


class Column(NamedTuple):
    """A column of the table, and which keys of a record it shows.

    The first key holds the value that the column is sorted by, and the others stand below it in
    small print. The kind tells what the first value is: ``links`` is a mapping of names to URLs,
    ``flag`` is true or false and is shown as one of two ``words``, ``grade`` is one of the
    ``words``, which are given in order.
    """

    title: str
    keys: tuple[str, ...]
    kind: Literal["text", "url", "date", "number", "links", "flag", "grade"] = "text"
    words: tuple[str, ...] = ("yes", "no")


class Page(NamedTuple):
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
    notes: Sequence[Note] = ()


def render_page(page: Page) -> str:
    """Return the page as HTML."""
    drawings = [drawing for chart in page.charts if (drawing := draw(chart))]
    view = {
        "records": page.records,
        "noun": page.noun,
        "columns": [column._asdict() for column in page.columns],
        "charts": [{"names": drawing.names, "bars": drawing.bars} for drawing in drawings],
    }
    style, script = ((_HERE / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    values = {
        "policy": f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'",
        "title": escape(page.title),
        "style": style,
        "lead": escape(page.lead),
        "totals": "".join(map(_total, page.totals)),
        "charts": "".join(drawing.html for drawing in drawings),
        "notes": _notes(page.notes),
        "noun": escape(page.noun[1]),
        "data": _json(page.data),
        "view": _json(view),
        "script": script,
    }
    template = (_HERE / "page.html").read_text(encoding="utf-8")
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


def _notes(notes: Sequence[Note]) -> str:
    if not notes:
        return ""
    items = "".join(map(_note, notes[:_MOST_NOTES]))
    more = len(notes) - _MOST_NOTES
    rest = f"<p>… and {more:,} more</p>\n" if more > 0 else ""
    return f'<section class="notes">\n<h2>Notes</h2>\n<ul>\n{items}</ul>\n{rest}</section>\n'


def _note(note: Note) -> str:
    severity = escape(note.severity)
    where = f"<code>{escape(note.where)}</code> " if note.where else ""
    return f'<li class="{severity}"><b>{severity}</b> {where}{escape(note.message)}</li>\n'

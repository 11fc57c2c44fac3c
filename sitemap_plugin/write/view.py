"""A page that stands alone: totals, bars, and a table to search and sort; and a build's report.

One file that opens from a disk and asks the network for nothing. A program can read its data as it
would read a JSON file. Nothing in the data can become markup or script: as data it has no ``<``,
what is shown of it is set as text, and the page's policy allows no script and style but its own.
"""

import base64
import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, Literal, NamedTuple
from urllib.parse import urlsplit

from sitemap_plugin.common.files import read_file, reported, write_whole
from sitemap_plugin.errors import Problem, WriteError
from sitemap_plugin.models import Site
from sitemap_plugin.report import ROBOTS_WORDS

_HERE = Path(__file__).parent
_DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.DOTALL)
_MAX_BYTES = 1 << 30
_MARKS = (b'"version"', b'"left_out"', b'"problems"')


Tone = Literal["plain", "good", "bad", "warning", "notice"]


class Total(NamedTuple):
    """A number, or a word, at the top of the page."""

    label: str
    value: int | str
    tone: Tone = "plain"


class Column(NamedTuple):
    """A column of the table, and which keys of a record it shows.

    It is sorted by the value of the first key, whose kind is given; the others stand below in small
    print. ``links`` is a mapping of names to URLs, a ``flag`` is shown as one of two ``words``, a
    ``grade`` is one of the ``words``, which are in order and name colours, and the explanation of a
    ``code`` has an address that begins with ``link``.
    """

    title: str
    keys: tuple[str, ...]
    kind: Literal["text", "url", "date", "number", "links", "flag", "grade", "code"] = "text"
    words: tuple[str, ...] = ("yes", "no")
    link: str = ""


class Chart(NamedTuple):
    """Bars that narrow the table: a label for each record, and counts if there are more."""

    title: str
    labels: Sequence[str | None]
    counts: Mapping[str, int] | None = None
    newest_first: bool = False


class View(NamedTuple):
    """What the page shows.

    ``data`` is the JSON form as a whole, and ``records`` the key in it of a list of mappings, the
    rows of the table, which are called so. The labels of charts are in the order of the records.
    """

    title: str
    lead: str
    data: Mapping[str, Any]
    records: Literal["pages", "findings"]
    columns: Sequence[Column]
    totals: Sequence[Total]
    charts: Sequence[Chart]
    notes: Sequence[Problem] = ()


def render_view(page: View) -> str:
    """Return the page as HTML."""
    charts = [(chart, counts) for chart in page.charts if (counts := _counts(chart))]
    view = {
        "records": page.records,
        "columns": [column._asdict() for column in page.columns],
        "charts": [{"names": [*counts], "labels": chart.labels} for chart, counts in charts],
    }
    files = ("view.html", "view.css", "view.js")
    template, style, script = ((_HERE / name).read_text(encoding="utf-8") for name in files)
    values = {
        "policy": f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'",
        "title": escape(page.title),
        "style": style,
        "lead": escape(page.lead),
        "totals": "".join(map(_total, page.totals)),
        "charts": "".join(_draw(chart.title, counts) for chart, counts in charts),
        "notes": _notes(page.notes) if page.notes else "",
        "noun": page.records,
        "data": _json(page.data),
        "view": _json(view),
        "script": script,
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], template)


def read_data(text: str) -> Any:
    """Return the data that a page holds, or that is JSON itself; ValueError if it is neither."""
    return json.loads(match[1] if (match := _DATA.search(text)) else text)


def _counts(chart: Chart) -> dict[str, int]:
    """Return the bars of a chart in their order, each with its count."""
    counts = chart.counts or Counter(label for label in chart.labels if label is not None)
    by_count = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return dict(sorted(by_count, reverse=True) if chart.newest_first else by_count)


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _json(data: Any) -> str:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&":  # str.translate takes twenty times as long.
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _total(total: Total) -> str:
    value = f"{total.value:,}" if isinstance(total.value, int) else escape(total.value)
    return f'<div class="{total.tone}"><dt>{escape(total.label)}</dt><dd>{value}</dd></div>\n'


def _notes(notes: Sequence[Problem]) -> str:
    items = "".join(
        f'<li class="{note.severity}"><b>{note.severity}</b> '
        + (f"<code>{escape(note.where)}</code> " if note.where else "")
        + f"{escape(note.message)}</li>\n"
        for note in notes
    )
    return f'<section class="notes">\n<h2>Notes</h2>\n<ul>\n{items}</ul>\n</section>\n'


def _draw(title: str, counts: Mapping[str, int]) -> str:
    most = max(counts.values())
    items = "".join(
        f'<li><button type="button" data-bar="{number}" aria-pressed="false">'
        f'<span class="label">{escape(name)}</span> <span class="count">{count:,}</span>'
        f'<svg aria-hidden="true"><rect width="{100 * count / most:.4g}%" height="100%"/>'
        "</svg></button></li>\n"
        for number, (name, count) in enumerate(counts.items())
    )
    title = f"<h2>{escape(title)}</h2>"
    return f'<section class="chart">\n{title}\n<ul class="bars">\n{items}</ul>\n</section>\n'


_COLUMNS = (
    Column("Page", ("url", "title", "source"), "url"),
    Column("Sitemap", ("listed", "file"), "flag", ("listed", "left out")),
    Column("Why it is left out", ("reason", "decided_by")),
    Column("Changed", ("lastmod", "lastmod_source"), "date"),
    Column("Translations", ("alternates",), "links"),
    Column("Kind", ("kind",)),
)
_ORIGINS = {"git ": "git", "newest of ": "newest of the pages that it lists"}


def check_report_file(site: Site) -> None:
    """Raise WriteError if the report, which is written last, would displace anything else."""
    path = site.config_dir / str(site.config.report)
    if site.config.report is None or not path.exists():
        return
    with reported(path):
        data = read_file(path, limit=_MAX_BYTES)
    if data.strip() and not all(mark in data for mark in _MARKS):
        raise WriteError(f"{path}: not overwritten, since it is no report; choose another 'report'")


def write_report(site: Site, data: Mapping[str, Any]) -> None:
    """Write the file that the option ``report`` names, given the report's JSON form."""
    path = site.config_dir / str(site.config.report)
    if path.suffix.lower() in {".html", ".htm"}:
        text = render_report(data, urlsplit(site.base_url).netloc)
    else:
        text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    write_whole(path, text.encode("utf-8", "backslashreplace"))


def render_report(data: Mapping[str, Any], site_name: str) -> str:
    """Return the page of a report, which is given in its JSON form."""
    pages, files = data["pages"], len(data["files"])
    warnings = sum(problem["severity"] == "warning" for problem in data["problems"])
    totals = (
        Total("in the sitemap", data["entries"], "good" if data["entries"] else "bad"),
        Total("left out", sum(not page["listed"] for page in pages)),
        Total("file" if files == 1 else "files", files),
        Total("warning" if warnings == 1 else "warnings", warnings, "bad" if warnings else "plain"),
        Total("robots.txt", ROBOTS_WORDS[data["robots"]].removeprefix("robots.txt").strip(": ")),
    )
    # What follows a reason in brackets differs from page to page.
    reasons = [page["reason"] and str(page["reason"]).split(" (", 1)[0] for page in pages]
    years = [str(page.get("lastmod"))[:4] for page in pages]
    charts = (
        Chart("Why pages are left out", reasons),
        Chart("When pages changed", [y if y.isdigit() else None for y in years], newest_first=True),
        Chart("Where dates come from", [_origin(page) for page in pages]),
    )
    title = f"Sitemap report: {site_name}"
    lead = "What became of each page of the site, why, and where its date comes from."
    notes = [Problem(**problem) for problem in data["problems"]]
    return render_view(View(title, lead, data, "pages", _COLUMNS, totals, charts, notes))


def _origin(page: Mapping[str, Any]) -> str | None:
    """Return the kind of a date's source: that it is git, not from which commit."""
    if not page["listed"]:
        return None
    kind = str(page["lastmod_source"] or ("a plugin" if page["lastmod"] else "no date"))
    return next((text for start, text in _ORIGINS.items() if kind.startswith(start)), kind)

"""Findings as a page to open in a browser, which holds the JSON form as well."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from sitemap_plugin.commands.check.codes import RULES, SEVERITIES, Severity
from sitemap_plugin.commands.check.findings import KEPT_PER_CODE
from sitemap_plugin.commands.check.formats.json import content
from sitemap_plugin.commands.check.formats.text import plural, summary
from sitemap_plugin.commands.check.outcome import Outcome
from sitemap_plugin.write.view import Chart, Column, Note, Total, View, render_view

__all__ = ["render"]

_EXPLANATIONS = "https://sitemap-plugin.example/check/#"
_FILE = Column("File", ("file",))
_COLUMNS = (
    Column("What is wrong", ("message", "cure")),
    Column("Code", ("code",), "code", link=_EXPLANATIONS),
    Column("Severity", ("severity",), "grade", SEVERITIES),
    _FILE,
    Column("Line", ("line",), "number"),
    Column("Address", ("url",), "url"),
)
_TONES: dict[Severity, Literal["bad", "warning", "notice"]] = {
    "error": "bad",
    "warning": "warning",
    "notice": "notice",
}


def render(outcome: Outcome) -> str:
    """Return a page with totals, the counts of the codes, and a table of all findings."""
    data = content(outcome)
    found = data["findings"]
    has_files = len({finding["file"] for finding in found}) > 1
    return render_view(
        View(
            title=f"Sitemap check: {outcome.target}",
            lead=f"{summary(outcome)}{_published(outcome)}.",
            data=data,
            records="findings",
            noun=("finding", "findings"),
            columns=[column for column in _COLUMNS if has_files or column is not _FILE],
            totals=tuple(_totals(outcome)),
            charts=(
                Chart(
                    "Severity",
                    [finding["severity"] for finding in found],
                    counts={name: count for name, count in data["severities"].items() if count},
                ),
                Chart(
                    "What is wrong", [finding["code"] for finding in found], counts=data["codes"]
                ),
            ),
            notes=list(_notes(outcome)),
        )
    )


def _published(outcome: Outcome) -> str:
    if not outcome.base_url:
        return ""
    return f", published at {outcome.base_url}{' (a guess)' if outcome.guessed else ''}"


def _totals(outcome: Outcome) -> Iterator[Total]:
    for severity, count in outcome.findings.severities().items():
        tone = _TONES[severity] if count else "good" if severity != "notice" else "plain"
        yield Total(severity if count == 1 else f"{severity}s", count, tone)
    counted = {
        ("address", "addresses"): outcome.urls,
        ("sitemap", "sitemaps"): outcome.files,
        ("page", "pages"): outcome.pages,
    }
    for (one, many), count in counted.items():
        yield Total(one if count == 1 else many, count)


def _notes(outcome: Outcome) -> Iterator[Note]:
    """Say how a site is served, and of which codes the table does not have all findings."""
    for note in outcome.notes:
        yield Note("notice", None, note)
    for code, count in outcome.findings.counts.items():
        if count > KEPT_PER_CODE:
            more = plural(count - KEPT_PER_CODE, "more finding")
            message = f"{RULES[code].summary}: {more}, not shown here"
            yield Note(RULES[code].severity, code, message)

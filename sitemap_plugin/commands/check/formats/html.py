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

_COLUMNS = (
    Column("What is wrong", ("message", "cure")),
    Column("Code", ("code",)),
    Column("Severity", ("severity",), "grade", SEVERITIES),
    Column("File", ("file",)),
    Column("Line", ("line",), "number"),
    Column("Address", ("url",), "url"),
)


def render(outcome: Outcome) -> str:
    """Return a page with totals, a chart of the codes, and a table of all findings."""
    data = content(outcome)
    found = data["findings"]
    return render_view(
        View(
            title=f"Sitemap check: {outcome.target}",
            lead=f"{summary(outcome)}{_published(outcome)}.",
            data=data,
            records="findings",
            noun=("finding", "findings"),
            columns=_COLUMNS,
            totals=tuple(_totals(outcome)),
            charts=(
                Chart(
                    "How grave",
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
    return f", published at {outcome.base_url}" if outcome.base_url else ""


def _totals(outcome: Outcome) -> Iterator[Total]:
    severities = outcome.findings.severities()
    for severity, count in severities.items():
        yield Total(severity if count == 1 else f"{severity}s", count, _tone(severity, count))
    counted = {
        ("address", "addresses"): outcome.urls,
        ("sitemap", "sitemaps"): outcome.files,
        ("page", "pages"): outcome.pages,
    }
    for (one, many), count in counted.items():
        yield Total(one if count == 1 else many, count)


def _tone(severity: Severity, count: int) -> Literal["plain", "good", "bad"]:
    if severity == "notice":
        return "plain"
    return "bad" if count else "good"


def _notes(outcome: Outcome) -> Iterator[Note]:
    """Say of which codes the table does not have all findings."""
    for code, count in outcome.findings.counts.items():
        if count > KEPT_PER_CODE:
            more = plural(count - KEPT_PER_CODE, "more finding")
            message = f"{RULES[code].summary}: {more}, not shown here"
            yield Note(RULES[code].severity, code, message)

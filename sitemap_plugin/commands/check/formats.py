"""The forms of findings: text, JSON, SARIF, GitHub's annotations, and a page for a browser."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sitemap_plugin.commands.check.findings import KEPT_PER_CODE, CheckOutcome, Finding
from sitemap_plugin.commands.reading.faults import RULES, SEVERITIES
from sitemap_plugin.common.text import counted
from sitemap_plugin.common.urls import encode_path
from sitemap_plugin.errors import Problem, Severity
from sitemap_plugin.write.view import Chart, Column, Tone, Total, View, render_view

_SHOWN_PER_CODE = 10
_JSON_VERSION = 1  # Raised when a program that reads the JSON would have to change.
_LINE = {ord("%"): "%25", ord("\r"): "%0D", ord("\n"): "%0A"}
_PROPERTY = {**_LINE, ord(":"): "%3A", ord(","): "%2C"}
_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_LEVELS: dict[Severity, str] = {"error": "error", "warning": "warning", "notice": "note"}
_CODES = {code: number for number, code in enumerate(RULES)}

_EXPLANATIONS = "https://sitemap-plugin.example/check/#"
_COLUMNS = (
    Column("What is wrong", ("message", "cure")),
    Column("Code", ("code",), "code", link=_EXPLANATIONS),
    Column("Severity", ("severity",), "grade", SEVERITIES),
    Column("File", ("file",)),
    Column("Line", ("line",), "number"),
    Column("Address", ("url",), "url"),
)
# Of a total, if nothing is found and if something is.
_TONES: dict[str, tuple[Tone, Tone]] = {
    "error": ("good", "bad"),
    "warning": ("good", "warning"),
    "notice": ("plain", "notice"),
}


def _checked(outcome: CheckOutcome) -> dict[str, int]:
    return {"address": outcome.urls, "sitemap": outcome.files, "page": outcome.pages}


def _summary(outcome: CheckOutcome) -> str:
    severities, checked = outcome.findings.severities(), _checked(outcome)
    found = [counted(count, severity) for severity, count in severities.items() if count]
    read = [counted(count, noun) for noun, count in checked.items() if count or noun != "page"]
    return f"{', '.join(found) or 'nothing found'} in {', '.join(read)}"


def _text(outcome: CheckOutcome) -> str:
    """Return the first ten findings of each code, one line for a notice of many, and a summary."""
    lines = [*_text_lines(outcome), *outcome.notes]
    if outcome.guessed:
        cure = "give --base-url if it is another one"
        lines.append(f"The base URL is guessed: {outcome.base_url} ({cure})")
    return "\n".join((*lines, _summary(outcome), ""))


def _text_lines(outcome: CheckOutcome) -> Iterator[str]:
    counts, seen = outcome.findings.counts, Counter[str]()
    for finding in outcome.findings.sorted():
        code, severity = finding.code, finding.severity
        count = counts[code]
        seen[code] += 1
        at_most = 1 if severity == "notice" and count > _SHOWN_PER_CODE else _SHOWN_PER_CODE
        if seen[code] > at_most:
            continue
        # Editors and terminals make links of a file with a line.
        place = f"{finding.path}:{finding.line}" if finding.line else finding.path
        more = f" ({count:,} times)" if at_most == 1 else ""
        yield f"{place}: {severity}: {finding.message} [{code}]{more}"
        if finding.url:
            yield f"    {finding.url}"
        yield f"    {finding.cure}"
        if at_most > 1 and seen[code] == at_most < count:
            yield f"... and {count - at_most:,} more [{code}]"


def _json(outcome: CheckOutcome) -> str:
    return json.dumps(_content(outcome), indent=2) + "\n"


def _content(outcome: CheckOutcome) -> dict[str, Any]:
    """Return what the JSON form holds; ``codes`` counts all findings."""
    names = ("code", "severity", "file", "line", "url", "message", "cure")
    return {
        "version": _JSON_VERSION,
        "target": outcome.target,
        "base_url": outcome.base_url,
        "checked": {"files": outcome.files, "urls": outcome.urls, "pages": outcome.pages},
        "severities": outcome.findings.severities(),
        "codes": dict(sorted(outcome.findings.counts.items())),
        "notes": list(outcome.notes),
        "findings": [dict(zip(names, item, strict=True)) for item in outcome.findings.sorted()],
    }


def _sarif(outcome: CheckOutcome) -> str:
    """Return a log of one run in SARIF 2.1.0 (OASIS), which code scanners and editors read."""
    rules = [
        {
            "id": code,
            "shortDescription": {"text": f"{rule.summary}."},
            "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        }
        for code, rule in RULES.items()
    ]
    run = {
        "tool": {"driver": {"name": "sitemap-plugin check", "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "results": [_sarif_result(finding) for finding in outcome.findings.sorted()],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _sarif_result(finding: Finding) -> dict[str, Any]:
    # A relative address is relative to the root of the repository.
    uri = f"{'file://' * finding.path.startswith('/')}{encode_path(finding.path)}"
    place: dict[str, Any] = {"artifactLocation": {"uri": uri}}
    if finding.line:
        place["region"] = {"startLine": finding.line}
    subject = "\0".join((finding.code, finding.path, finding.url or finding.message))
    return {
        "ruleId": finding.code,
        "ruleIndex": _CODES[finding.code],
        "level": _LEVELS[finding.severity],
        "message": {"text": _sentences(finding)},
        "locations": [{"physicalLocation": place}],
        # The line is no part of it, so that a finding stays the same one when lines move.
        "partialFingerprints": {"subject/v1": hashlib.sha256(subject.encode()).hexdigest()},
    }


def _sentences(finding: Finding) -> str:
    return "\n".join(filter(None, (finding.message, finding.cure, finding.url)))


def _github(outcome: CheckOutcome) -> str:
    """Return a workflow command for each finding, which GitHub shows beside its line."""
    commands = map(_github_command, outcome.findings.sorted())
    return "\n".join((*commands, _summary(outcome), ""))


def _github_command(finding: Finding) -> str:
    properties = {"file": finding.path, "title": f"sitemap: {finding.code}"}
    if finding.line:
        properties["line"] = str(finding.line)
    given = ",".join(f"{key}={value.translate(_PROPERTY)}" for key, value in properties.items())
    return f"::{finding.severity} {given}::{_sentences(finding).translate(_LINE)}"


def _html(outcome: CheckOutcome) -> str:
    """Return a page with totals, the counts of the codes, and a table; it holds the JSON too."""
    data = _content(outcome)
    found, severities = data["findings"], outcome.findings.severities()
    there = {severity: count for severity, count in severities.items() if count}
    single = len({finding["file"] for finding in found}) <= 1
    lead = _summary(outcome)
    if outcome.base_url:
        lead += f", published at {outcome.base_url}{' (a guess)' * outcome.guessed}"
    notes = [Problem("notice", note) for note in outcome.notes]
    for code, count in outcome.findings.counts.items():
        if count > KEPT_PER_CODE:
            more = f"{counted(count - KEPT_PER_CODE, 'more finding')}, not shown here"
            notes.append(Problem(RULES[code].severity, f"{RULES[code].summary}: {more}", code))
    tones = {severity: _TONES[severity][count > 0] for severity, count in severities.items()}
    totals = [
        Total(counted(count, noun).partition(" ")[2], count, tones.get(noun, "plain"))
        for noun, count in {**severities, **_checked(outcome)}.items()
    ]
    charts = [
        Chart("Severity", [finding["severity"] for finding in found], counts=there),
        Chart("What is wrong", [finding["code"] for finding in found], counts=data["codes"]),
    ]
    return render_view(
        View(
            title=f"Sitemap check: {outcome.target}",
            lead=f"{lead}.",
            data=data,
            records="findings",
            columns=[column for column in _COLUMNS if not (single and column.title == "File")],
            totals=totals,
            charts=charts,
            notes=notes,
        )
    )


FORMATS: Mapping[str, Callable[[CheckOutcome], str]]
FORMATS = {"text": _text, "json": _json, "sarif": _sarif, "github": _github, "html": _html}

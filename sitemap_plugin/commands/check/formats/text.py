"""Findings for a person at a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sitemap_plugin.commands.check.findings import Finding
from sitemap_plugin.commands.check.run import Outcome

__all__ = ["place", "plural", "render", "summary"]

_SHOWN_PER_CODE = 10


def render(outcome: Outcome) -> str:
    """Return the first ten findings of each code, and a summary."""
    return "\n".join((*_lines(outcome), summary(outcome), ""))


def _lines(outcome: Outcome) -> Iterator[str]:
    shown: Counter[str] = Counter()
    for finding in outcome.findings.sorted():
        shown[finding.code] += 1
        if shown[finding.code] > _SHOWN_PER_CODE:
            continue
        yield f"{place(finding)}: {finding.severity}: {finding.message} [{finding.code}]"
        if finding.url:
            yield f"    {finding.url}"
        yield f"    {finding.cure}"
    for code, count in outcome.findings.counts.items():
        if count > _SHOWN_PER_CODE:
            yield f"... and {count - _SHOWN_PER_CODE:,} more [{code}]"


def place(finding: Finding) -> str:
    """Return file and line as editors and terminals make links of them."""
    return f"{finding.path}:{finding.line}" if finding.line else finding.path


def summary(outcome: Outcome) -> str:
    """Return one line about what was checked and what came out."""
    parts = [plural(outcome.urls, "address", "addresses"), plural(outcome.files, "sitemap")]
    if outcome.pages:
        parts.append(plural(outcome.pages, "page"))
    severities = outcome.findings.severities()
    found = [plural(count, severity) for severity, count in severities.items() if count]
    return f"{', '.join(found) or 'nothing found'} in {', '.join(parts)}"


def plural(count: int, one: str, many: str | None = None) -> str:
    """Return a number with the thing that is counted."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"

"""Findings for a person at a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sitemap_plugin.commands.check.findings import Finding
from sitemap_plugin.commands.check.outcome import Outcome

__all__ = ["place", "plural", "render", "summary"]

_SHOWN_PER_CODE = 10


def render(outcome: Outcome) -> str:
    """Return the first ten findings of each code, one line for a notice of many, and a summary."""
    lines = [*_lines(outcome), *outcome.notes]
    if outcome.guessed:
        lines.append(
            f"The base URL is guessed: {outcome.base_url} (give --base-url if it is another one)"
        )
    return "\n".join((*lines, summary(outcome), ""))


def _lines(outcome: Outcome) -> Iterator[str]:
    counts = outcome.findings.counts
    shown: Counter[str] = Counter()
    for finding in outcome.findings.sorted():
        shown[finding.code] += 1
        number, count = shown[finding.code], counts[finding.code]
        at_most = _SHOWN_PER_CODE
        if finding.severity == "notice" and count > _SHOWN_PER_CODE:
            at_most = 1
        if number > at_most:
            continue
        more = f" ({count:,} times)" if at_most == 1 else ""
        yield f"{place(finding)}: {finding.severity}: {finding.message} [{finding.code}]{more}"
        if finding.url:
            yield f"    {finding.url}"
        yield f"    {finding.cure}"
        if number == at_most and count > number > 1:
            yield f"... and {count - number:,} more [{finding.code}]"


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

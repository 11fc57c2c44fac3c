"""Findings as workflow commands, which GitHub shows beside the lines that they are about."""

from __future__ import annotations

from collections.abc import Mapping

from sitemap_plugin.commands.check.findings import Finding
from sitemap_plugin.commands.check.formats.text import summary
from sitemap_plugin.commands.check.outcome import Outcome

__all__ = ["render"]

_TEXT = {ord("%"): "%25", ord("\r"): "%0D", ord("\n"): "%0A"}
_PROPERTY = {**_TEXT, ord(":"): "%3A", ord(","): "%2C"}


def render(outcome: Outcome) -> str:
    """Return a command for each finding, and a summary."""
    commands = map(_command, outcome.findings.sorted())
    return "\n".join((*commands, summary(outcome), ""))


def _command(finding: Finding) -> str:
    properties = {"file": finding.path, "title": f"sitemap: {finding.code}"}
    if finding.line:
        properties["line"] = str(finding.line)
    given = ",".join(f"{key}={_escape(value, _PROPERTY)}" for key, value in properties.items())
    parts = (finding.message, finding.cure, finding.url)
    text = _escape("\n".join(filter(None, parts)), _TEXT)
    return f"::{finding.severity} {given}::{text}"


def _escape(text: str, table: Mapping[int, str]) -> str:
    return text.translate(table)

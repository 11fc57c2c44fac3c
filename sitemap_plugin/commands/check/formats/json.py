"""Findings as JSON, for other programs."""

from __future__ import annotations

import json
from typing import Any

from sitemap_plugin.commands.check.outcome import Outcome

__all__ = ["content", "render"]

VERSION = 1
"""Raised when a program that reads the output would have to change."""


def render(outcome: Outcome) -> str:
    """Return one object: what was checked, how much was found, and the findings."""
    return json.dumps(content(outcome), indent=2) + "\n"


def content(outcome: Outcome) -> dict[str, Any]:
    """Return what the JSON form holds.

    ``codes`` counts all findings; ``findings`` has the first thousand of each code. ``notes`` tell
    how a published site is served.
    """
    return {
        "version": VERSION,
        "target": outcome.target,
        "base_url": outcome.base_url,
        "checked": {"files": outcome.files, "urls": outcome.urls, "pages": outcome.pages},
        "severities": outcome.findings.severities(),
        "codes": dict(sorted(outcome.findings.counts.items())),
        "notes": list(outcome.notes),
        "findings": [
            {
                "code": finding.code,
                "severity": finding.severity,
                "file": finding.path,
                "line": finding.line,
                "url": finding.url,
                "message": finding.message,
                "cure": finding.cure,
            }
            for finding in outcome.findings.sorted()
        ],
    }

"""Findings as SARIF 2.1.0 (OASIS), which code scanners and editors read."""

from __future__ import annotations

import contextlib
import hashlib
import json
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from sitemap_plugin.commands.check.codes import RULES, Severity
from sitemap_plugin.commands.check.findings import Finding
from sitemap_plugin.commands.check.outcome import Outcome
from sitemap_plugin.common.urls import encode_path

__all__ = ["render"]

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_LEVELS: dict[Severity, str] = {"error": "error", "warning": "warning", "notice": "note"}
_CODES = list(RULES)


def render(outcome: Outcome) -> str:
    """Return a log of one run, with a result for each finding."""
    run = {
        "tool": {"driver": _driver()},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding) for finding in outcome.findings.sorted()],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _driver() -> dict[str, Any]:
    driver: dict[str, Any] = {
        "name": "sitemap-plugin check",
        "rules": [
            {
                "id": code,
                "shortDescription": {"text": f"{rule.summary}."},
                "defaultConfiguration": {"level": _LEVELS[rule.severity]},
            }
            for code, rule in RULES.items()
        ],
    }
    with contextlib.suppress(PackageNotFoundError):  # It may run from a checkout.
        driver["version"] = version("sitemap-plugin")
    return driver


def _result(finding: Finding) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": _uri(finding.path)}}
    if finding.line:
        place["region"] = {"startLine": finding.line}
    text = "\n".join(filter(None, (finding.message, finding.cure, finding.url)))
    subject = "\0".join((finding.code, finding.path, finding.url or finding.message))
    return {
        "ruleId": finding.code,
        "ruleIndex": _CODES.index(finding.code),
        "level": _LEVELS[finding.severity],
        "message": {"text": text},
        "locations": [{"physicalLocation": place}],
        # The line is no part of it, so that a finding stays the same one when lines move.
        "partialFingerprints": {"subject/v1": hashlib.sha256(subject.encode()).hexdigest()},
    }


def _uri(path: str) -> str:
    """Return a path as a URI; a relative one is relative to the root of the repository."""
    return f"file://{encode_path(path)}" if path.startswith("/") else encode_path(path)

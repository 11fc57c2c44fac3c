"""Findings as a page that needs no other file and no network."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import groupby

from sitemap_plugin.check.codes import RULES, SEVERITIES
from sitemap_plugin.check.findings import Finding
from sitemap_plugin.check.formats.text import place, plural, summary
from sitemap_plugin.check.run import Outcome

__all__ = ["render"]

_STYLE = """
:root { color-scheme: light dark; --error: #c62828; --warning: #b26a00; --notice: #1565c0; }
@media (prefers-color-scheme: dark) {
  :root { --error: #ff8a80; --warning: #ffc46b; --notice: #90c2ff; }
}
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin: 0; display: inline; }
summary { cursor: pointer; padding: .4rem 0; }
details { border-top: 1px solid #8886; }
.error { color: var(--error); } .warning { color: var(--warning); }
.notice { color: var(--notice); }
li { margin: .6rem 0; } code { overflow-wrap: anywhere; } .cure { opacity: .8; }
"""


def render(outcome: Outcome) -> str:
    """Return a page with the findings of each code in a section, the gravest first."""
    parts = (
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="robots" content="noindex">',
        f"<title>Sitemap check: {escape(outcome.target)}</title>",
        f"<style>{_STYLE}</style></head><body>",
        f"<h1>Sitemap check: <code>{escape(outcome.target)}</code></h1>",
        f"<p>{escape(summary(outcome))}.</p>",
        *_sections(outcome),
        "</body></html>",
        "",
    )
    return "\n".join(parts)


def _sections(outcome: Outcome) -> Iterator[str]:
    codes = list(RULES)
    order = {code: (SEVERITIES.index(RULES[code].severity), n) for n, code in enumerate(codes)}
    findings = sorted(outcome.findings.sorted(), key=lambda finding: order[finding.code])
    for code, group in groupby(findings, key=lambda finding: finding.code):
        rule, count = RULES[code], outcome.findings.counts[code]
        shown = list(group)
        yield "<details open><summary>"
        severity = f'<span class="{rule.severity}">{rule.severity}</span>'
        yield f"<h2>{severity}: {escape(rule.summary)}</h2>"
        yield f"(<code>{code}</code>, {count:,})</summary><ul>"
        yield from map(_item, shown)
        if count > len(shown):
            yield f"<li>{plural(count - len(shown), 'more finding')}, not shown here</li>"
        yield "</ul></details>"


def _item(finding: Finding) -> str:
    url = f"<br><code>{escape(finding.url)}</code>" if finding.url else ""
    return (
        f"<li><code>{escape(place(finding))}</code>{url}<br>{escape(finding.message)} "
        f'<span class="cure">{escape(finding.cure)}</span></li>'
    )

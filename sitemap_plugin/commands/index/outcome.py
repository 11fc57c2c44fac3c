"""What became of a root index and of the sitemaps that it may list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sitemap_plugin.commands.check.findings import Findings
from sitemap_plugin.errors import Problem
from sitemap_plugin.models import Lastmod
from sitemap_plugin.report import ROBOTS_WORDS, shown_path
from sitemap_plugin.write.robots_line import RobotsResult

__all__ = ["Outcome"]


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The outcome of one run.

    ``children`` are the URLs that the index lists, each with its newest ``lastmod``; ``entries``
    counts what those list that lie in the folder. ``left_out`` maps the paths of other sitemaps to
    reasons, and ``removed`` are those among them that are gone. ``rewritten`` are the sitemaps that
    got other links, ``languages`` the folders whose pages have translations, None if nobody asked.
    ``findings`` are those of the check of the result.
    """

    path: Path
    base_url: str
    children: Sequence[tuple[str, Lastmod | None]]
    entries: int
    left_out: Mapping[str, str]
    removed: Sequence[str] = ()
    rewritten: Sequence[str] = ()
    languages: Mapping[str, str] | None = None
    problems: Sequence[Problem] = ()
    findings: Findings = field(default_factory=Findings)
    robots: RobotsResult

    @property
    def errors(self) -> int:
        """How many errors there are, those that the check found among them."""
        own = sum(problem.severity == "error" for problem in self.problems)
        return own + self.findings.severities()["error"]

    @property
    def warnings(self) -> int:
        """How many warnings there are."""
        own = sum(problem.severity == "warning" for problem in self.problems)
        return own + self.findings.severities()["warning"]

    def summary(self) -> str:
        """Return the line that tells the outcome."""
        count = len(self.children)
        sitemaps = "1 sitemap" if count == 1 else f"{count:,} sitemaps"
        urls = "1 URL" if self.entries == 1 else f"{self.entries:,} URLs"
        parts = [f"{sitemaps} with {urls} in {shown_path(self.path)}"]
        if self.languages is not None:
            folders = [f"{code} ({path})" for path, code in sorted(self.languages.items())]
            rewritten = f"{len(self.rewritten):,} rewritten" if self.rewritten else "as before"
            linked = f"translations linked, {', '.join(folders)}" if folders else "no translations"
            parts.append(f"{linked}: {rewritten}")
        if self.left_out:
            reasons = Counter(reason.split(",", 1)[0] for reason in self.left_out.values())
            told = ", ".join(f"{number} {reason}" for reason, number in sorted(reasons.items()))
            parts.append(f"{len(self.left_out):,} left out ({told})")
        if self.removed:
            parts.append(f"{len(self.removed):,} of them removed")
        parts.append(ROBOTS_WORDS[self.robots.status])
        return "; ".join(parts)

"""What a build did: files written, pages left out and why, and what is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from sitemap_plugin.common.text import counted
from sitemap_plugin.errors import Problem, Severity
from sitemap_plugin.models import Page
from sitemap_plugin.write.records import REFUSED, Listed, page_records

__all__ = ["ROBOTS_WORDS", "Problem", "Report", "Severity", "shown_path"]


ROBOTS_WORDS: Mapping[str, str] = {
    "present": "robots.txt names it already",
    "added": "robots.txt: Sitemap line added",
    "created": "robots.txt created",
    "skipped": "robots.txt untouched",
}
"""What a summary says of robots.txt."""

MAX_REASON = 500
"""Characters of a reason that are kept; it stands in one line of a log."""


@dataclass
class Report:
    """The outcome of one build.

    ``entries`` counts the URLs written; ``files`` are the paths of the sitemap files, the index
    first; ``left_out`` maps each page to its reason; ``robots`` says what became of robots.txt.
    ``decided_by`` maps a page that was left out to the plugin that gave the reason. ``listed`` are
    the other pages with their entries. ``next_step`` tells what is left to do by hand, if anything.
    """

    entries: int = 0
    files: list[Path] = field(default_factory=list)
    left_out: dict[Page, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    robots: Literal["present", "added", "created", "skipped"] = "skipped"
    decided_by: dict[Page, str] = field(default_factory=dict)
    listed: Listed = field(default_factory=Listed, repr=False)
    file_of: dict[str, str] = field(default_factory=dict, repr=False)
    news_file_of: dict[str, str] = field(default_factory=dict, repr=False)
    next_step: str | None = None
    is_strict: bool = False
    _known: set[Problem] = field(default_factory=set, init=False, repr=False, compare=False)

    def add(self, severity: Severity, message: str, where: str | None = None) -> None:
        """Record a problem; one that is known already is not repeated."""
        self.extend([Problem(severity, message, where)])

    def extend(self, problems: Iterable[Problem]) -> None:
        """Record several problems."""
        for problem in problems:
            if problem not in self._known:
                self._known.add(problem)
                self.problems.append(problem)

    @property
    def is_split(self) -> bool:
        """Whether some folder has an index with parts instead of one file."""
        folders = Counter(path.parent for path in self.files if path.suffix == ".xml")
        return any(count > 1 for count in folders.values())

    @property
    def warnings(self) -> int:
        """How many warnings there are; under strict, one is enough to fail the build."""
        return sum(problem.severity == "warning" for problem in self.problems)

    @property
    def failure(self) -> str | None:
        """The message with which the host has to fail, None where the build is fine."""
        if self.is_strict and self.warnings:
            return f"{counted(self.warnings, 'warning')}, and the option 'strict' is set"
        return None

    def summary(self) -> str:
        """Return the one line that tells a build's outcome."""
        if not self.files:
            parts = ["no sitemap written"]
        else:
            urls = "1 URL" if self.entries == 1 else f"{self.entries:,} URLs"
            parts = [f"{urls} in {', '.join(self._sitemaps())}"]
        if counts := self.reasons():
            reasons = ", ".join(f"{count} {reason}" for reason, count in counts.items())
            parts.append(f"{sum(counts.values()):,} left out ({reasons})")
        parts.append(ROBOTS_WORDS[self.robots])
        if self.next_step:
            parts.append(self.next_step)
        return "; ".join(parts)

    def _sitemaps(self) -> Iterator[str]:
        """Yield each folder's sitemap, and how many parts it has."""
        folders: dict[Path, list[Path]] = {}
        for path in self.files:
            if path.suffix == ".xml":
                folders.setdefault(path.parent, []).append(path)
        for first, *others in folders.values():
            split = f" and {len(others)} part{'s' if len(others) > 1 else ''}" if others else ""
            yield f"{shown_path(first)}{split}"

    def reasons(self) -> dict[str, int]:
        """Count the pages left out by reason, most frequent first.

        The text before the first `` (`` is the reason; what follows differs from page to page.
        """
        counts = Counter(reason.split(" (", 1)[0] for reason in self.left_out.values())
        if len(self.listed.entries) > self.entries:
            counts[REFUSED] += len(self.listed.entries) - self.entries
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))

    def leave_out(self, page: Page, reason: str, plugin: str = "sitemap-plugin") -> None:
        """Record that a page is not listed, why, and which plugin decided it."""
        self.left_out[page] = " ".join(reason.split())[:MAX_REASON]
        self.decided_by[page] = plugin

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON-serialisable data, as the documentation describes it."""
        return {
            "version": 1,
            "entries": self.entries,
            "files": [path.as_posix() for path in self.files],
            "left_out": self.reasons(),
            "robots": self.robots,
            "problems": [problem._asdict() for problem in self.problems],
            "pages": page_records(
                self.listed, self.left_out, self.decided_by, self.file_of, self.news_file_of
            ),
        }


def shown_path(path: Path) -> str:
    """Return the path as seen from the current folder, where it lies below that."""
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)

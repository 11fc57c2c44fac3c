"""What a build did: files written, pages left out and why, and what is wrong."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

from sitemap_plugin.models import Page

__all__ = ["Problem", "Report"]

Severity = Literal["error", "warning", "notice"]


class Problem(NamedTuple):
    """Something the user should know; ``where`` is a file, a URL or a setting.

    An error fails the build, a warning fails it under strict, a notice never does.
    """

    severity: Severity
    message: str
    where: str | None = None

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message


@dataclass
class Report:
    """The outcome of one build.

    ``entries`` counts the URLs written; ``files`` are the paths of the sitemap files, the index
    first; ``left_out`` maps each page to its reason; ``robots`` is the path of robots.txt if it
    names the sitemap.
    """

    entries: int = 0
    files: list[Path] = field(default_factory=list)
    left_out: dict[Page, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    robots: Path | None = None

    def add(self, severity: Severity, message: str, where: str | None = None) -> None:
        """Record a problem."""
        self.problems.append(Problem(severity, message, where))

    def reasons(self) -> dict[str, int]:
        """Count the pages left out by reason, most frequent first.

        The text before the first ``": "`` is the reason; what follows differs from page to page.
        """
        counts = Counter(reason.split(": ", 1)[0] for reason in self.left_out.values())
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON-serialisable data."""
        return {
            "entries": self.entries,
            "files": [path.as_posix() for path in self.files],
            "left_out": [
                {"url": page.url, "source": page.source_path, "reason": reason}
                for page, reason in self.left_out.items()
            ],
            "problems": [problem._asdict() for problem in self.problems],
            "robots": self.robots.as_posix() if self.robots else None,
        }

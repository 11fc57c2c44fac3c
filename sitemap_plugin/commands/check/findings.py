"""What a check went through, and what it found."""

from collections import Counter
from collections.abc import Callable, Collection
from pathlib import Path
from typing import NamedTuple

from sitemap_plugin.commands.reading.faults import RULES, SEVERITIES, Fault
from sitemap_plugin.common.text import shown
from sitemap_plugin.errors import Severity

KEPT_PER_CODE = 1000
_LONGEST_URL = 2100

Add = Callable[..., None]
"""Records a fault of one file, with a line and the address of a page if there are any."""


class Finding(NamedTuple):
    """One thing that is wrong: where, what, and how to cure it, a sentence each."""

    code: str
    severity: Severity
    path: str
    line: int | None  # None where it is about the whole file.
    url: str | None  # Of the page concerned.
    message: str
    cure: str


class Findings:
    """All findings of a check, of which the first thousand of each code are kept."""

    def __init__(self, ignored: Collection[str] = ()) -> None:
        self._ignored = frozenset(ignored)
        self._kept: dict[Finding, None] = {}
        self.counts: Counter[str] = Counter()

    def add(self, fault: Fault, path: str, line: int | None, url: str | None) -> None:
        """Record a finding; one that is recorded already is not repeated."""
        code, message, cure = fault
        if code in self._ignored:
            return
        if self.counts[code] < KEPT_PER_CODE:
            address = None if url is None else shown(url, _LONGEST_URL)
            finding = Finding(code, RULES[code].severity, path, line, address, message, cure)
            if finding in self._kept:
                return
            self._kept[finding] = None
        self.counts[code] += 1

    def at(self, place: str | Path) -> Add:
        """Return a recorder of findings in one file, which is named by its path or its URL."""
        path = display(place)
        return lambda fault, line=None, url=None: self.add(fault, path, line, url)

    def sorted(self) -> list[Finding]:
        """Return the findings that were kept, in the order of files and lines."""
        return sorted(self._kept, key=lambda found: (found.path, found.line or 0, found.code))

    def severities(self) -> dict[str, int]:
        """Count all findings by severity, the gravest first."""
        totals: dict[str, int] = dict.fromkeys(SEVERITIES, 0)
        for code, count in self.counts.items():
            totals[RULES[code].severity] += count
        return totals


class CheckOutcome(NamedTuple):
    """What a check went through, and what it found."""

    target: str
    base_url: str | None
    files: int
    urls: int
    pages: int
    findings: Findings
    guessed: bool = False  # The base URL was found out.
    notes: tuple[str, ...] = ()  # Lines about how a published site is served.
    interrupted: bool = False  # By the user.


def display(place: str | Path) -> str:
    """Return a URL, or a path, as seen from the current folder where it lies below that."""
    if isinstance(place, Path) or "://" not in place:
        path, here = Path(place), Path.cwd()
        place = (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()
    return shown(place, _LONGEST_URL)

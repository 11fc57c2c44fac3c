"""What a build did: files written, pages left out and why, and what is wrong."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from sitemap_plugin.common.text import as_text, counted, shown, without_passwords
from sitemap_plugin.config import Config
from sitemap_plugin.dates.parse import PageDate, format_lastmod
from sitemap_plugin.errors import Problem
from sitemap_plugin.models import Entry, Lastmod, Page
from sitemap_plugin.write.protocol import is_lastmod

REFUSED = "refused"  # The reason of pages whose entry the writer cannot write.
ROBOTS_WORDS: Mapping[str, str] = {
    "present": "robots.txt names it already",
    "added": "robots.txt: Sitemap line added",
    "created": "robots.txt created",
    "skipped": "robots.txt untouched",
}


@dataclass
class Report:
    """The outcome of one build.

    ``entries`` counts the URLs written; ``files`` are the paths of the sitemap files, the index
    first; ``left_out`` maps each page to its reason, ``decided_by`` to the plugin that gave it.
    ``robots`` says what became of robots.txt. ``pages`` are the listed ones, each with its entry
    and its date by the sources; ``file_urls`` and ``news_file_urls`` tell which URLs a file lists.
    ``next_step`` tells what is left to do by hand. ``failure`` is the message with which the host
    has to fail.
    """

    entries: int = 0
    files: list[Path] = field(default_factory=list)
    left_out: dict[Page, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    remarks: list[Problem] = field(default_factory=list)
    robots: Literal["present", "added", "created", "skipped"] = "skipped"
    decided_by: dict[Page, str] = field(default_factory=dict)
    pages: Sequence[Page] = field(default=(), repr=False)
    page_entries: Sequence[Entry] = field(default=(), repr=False)
    page_dates: Sequence[PageDate | None] = field(default=(), repr=False)
    file_urls: Sequence[tuple[str, Sequence[str]]] = field(default=(), repr=False)
    news_file_urls: Sequence[tuple[str, Sequence[str]]] = field(default=(), repr=False)
    next_step: str | None = None
    failure: str | None = None

    def extend(self, problems: Iterable[Problem]) -> None:
        """Record problems; one that is known already is not repeated."""
        self.problems = list(dict.fromkeys([*self.problems, *problems]))

    def fail_on_warnings(self, config: Config) -> None:
        """Let the host fail if there are warnings and the option ``strict`` is set."""
        if config.strict and self.warnings:
            self.failure = f"{counted(self.warnings, 'warning')}, and the option 'strict' is set"

    @property
    def is_split(self) -> bool:
        """Whether some folder has an index with parts instead of one file."""
        return any(len(files) > 1 for files in self._folders())

    @property
    def warnings(self) -> int:
        """How many warnings there are; under strict, one is enough to fail the build."""
        return sum(problem.severity == "warning" for problem in self.problems)

    def summary(self) -> str:
        """Return the one line that tells a build's outcome."""
        sitemaps = ", ".join(
            shown_path(first) + (f" and {counted(len(parts), 'part')}" if parts else "")
            for first, *parts in self._folders()
        )
        written = f"{counted(self.entries, 'URL')} in {sitemaps}"
        parts = [written if sitemaps else "no sitemap written"]
        if counts := self.reasons():
            reasons = ", ".join(f"{count:,} {reason}" for reason, count in counts.items())
            parts.append(f"{sum(counts.values()):,} left out ({reasons})")
        if self.files or self.robots != "skipped":
            parts.append(ROBOTS_WORDS[self.robots])
        return "; ".join([*parts, self.next_step] if self.next_step else parts)

    def _folders(self) -> Iterable[list[Path]]:
        """Return the sitemap files of each folder, the index first."""
        folders: dict[Path, list[Path]] = {}
        for path in self.files:
            if path.suffix == ".xml":
                folders.setdefault(path.parent, []).append(path)
        return folders.values()

    def reasons(self) -> dict[str, int]:
        """Count the pages left out by reason, the text before `` (``, most frequent first."""
        counts = Counter(reason.split(" (", 1)[0] for reason in self.left_out.values())
        if len(self.pages) > self.entries:
            counts[REFUSED] += len(self.pages) - self.entries
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON-serialisable data, as the documentation describes it."""
        records = sorted(self._records(), key=lambda record: (record["url"], not record["listed"]))
        report = {
            "version": 1,
            "entries": self.entries,
            "files": [path.as_posix() for path in self.files],
            "left_out": self.reasons(),
            "robots": self.robots,
            "problems": [problem._asdict() for problem in (*self.problems, *self.remarks)],
            "pages": records,
        }
        # It may be published.
        return {key: _masked(value) for key, value in report.items()}

    def _records(self) -> Iterator[dict[str, Any]]:
        """Yield a record for each page, listed or not."""
        remaining = {url: name for name, urls in self.file_urls for url in urls}
        news_file_of = {url: name for name, urls in self.news_file_urls for url in urls}
        for page, entry, date in zip(self.pages, self.page_entries, self.page_dates, strict=True):
            # Of several entries with one address the first is listed.
            file = remaining.pop(entry.loc, None)
            own_key = page.metadata.get("translation_key")
            has_none = own_key in (None, "")
            day = _date(entry.news.publication_date) if entry.news else None
            news = {"publication_date": day, "file": news_file_of.get(entry.loc)}
            yield {
                **_identity(page),
                "loc": entry.loc,
                "listed": file is not None,
                "reason": None if file else f"{REFUSED} (see the warnings)",
                "decided_by": None if file else "sitemap-plugin",
                "file": file,
                "lastmod": _date(entry.lastmod),
                "lastmod_source": date.origin if date and entry.lastmod is not None else None,
                "changefreq": entry.changefreq if isinstance(entry.changefreq, str) else None,
                "priority": entry.priority if isinstance(entry.priority, int | float) else None,
                "alternates": dict(entry.alternates),
                "translation_key": page.translation_key if has_none else as_text(own_key),
                "news": entry.news and news,
                "videos": len(entry.videos),
            }
        for page, reason in self.left_out.items():
            decision = {"reason": reason, "decided_by": self.decided_by.get(page)}
            yield {**_identity(page), "listed": False, **decision}


def _masked(value: Any) -> Any:
    if isinstance(value, str):
        return without_passwords(value)
    if isinstance(value, dict):
        return {key: _masked(item) for key, item in value.items()}
    return [_masked(item) for item in value] if isinstance(value, list) else value


def _identity(page: Page) -> dict[str, Any]:
    return {"url": page.url, "source": page.source_path, "title": page.title, "kind": page.kind}


def _date(value: Lastmod | None) -> str | None:
    """Return a date as it is written; the writer has refused what a plugin set in its place."""
    return format_lastmod(value) if value is not None and is_lastmod(value) else None


def shown_path(path: Path) -> str:
    """Return the path as seen from the current folder, where it lies below that."""
    return shown(str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path))

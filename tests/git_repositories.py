"""Generated repositories, and the date source that is asked about them."""

from __future__ import annotations

import datetime as dt
import os
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from sitemap_plugin.dates.git import GitDates, sitemap_lastmod_source
from sitemap_plugin.models import Page, Site

EPOCH = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)


class Repo:
    """A repository to test with; times are days after ``EPOCH``."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def git(self, *arguments: str | Path, day: float = 0, text: str | None = None) -> str:
        """Run git here and return what it prints."""
        when = f"{int((EPOCH + dt.timedelta(days=day)).timestamp())} +0500"
        run = subprocess.run(
            ["git", *map(str, arguments)],
            cwd=self.path,
            env=os.environ | {"GIT_COMMITTER_DATE": when, "GIT_AUTHOR_DATE": "1000000000 +0000"},
            input=text,
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stderr
        return run.stdout.strip()

    def write(self, files: Mapping[str, str | None]) -> None:
        """Write files; None deletes one."""
        for name, content in files.items():
            file = self.path / name
            if content is None:
                file.unlink()
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(content)

    def commit(self, day: float, files: Mapping[str, str | None]) -> str:
        """Commit changes and return the commit's id."""
        self.write(files)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", f"Day {day}", day=day)
        return self.git("rev-parse", "HEAD")

    def move(self, day: float, old: str, new: str) -> str:
        """Move a file or folder and commit that."""
        (self.path / new).parent.mkdir(parents=True, exist_ok=True)
        self.git("mv", old, new)
        return self.commit(day, {})

    def merge(self, day: float, *branches: str) -> str:
        """Merge branches into the current one and return the merge's id."""
        self.git("merge", "--quiet", "--no-ff", "--no-edit", *branches, day=day)
        return self.git("rev-parse", "HEAD")

    def play(self, script: str) -> dict[str, str]:
        """Make commits, one a step, and return the ids of those that have a name.

        ``fork B`` begins a branch, ``on B`` goes to one. Else a step begins with a day; then
        ``merge B C`` merges branches, ``a=text`` writes a file, ``a=`` deletes one, ``a>b`` moves
        one, and ``as N`` names the commit. Each ``/`` in a text is a new line, ``_`` a space, and
        ``30`` stands for thirty lines.
        """
        names: dict[str, str] = {}
        lines = "".join(f"line {number}\n" for number in range(30))
        for day, *words in (line.split() for line in script.split("; ")):
            if day in {"fork", "on"}:
                self.git("checkout", "--quiet", *["-b"] * (day == "fork"), *words)
                continue
            files = dict(word.split("=", 1) for word in words if "=" in word)
            moves = [word.split(">") for word in words if ">" in word and "=" not in word]
            if words[0] == "merge":
                end = words.index("as") if "as" in words else len(words)
                branches = [word for word in words[1:end] if not {"=", ">"} & set(word)]
                more = ["--no-commit"] if files or moves else ["--no-edit"]
                self.git("merge", "--quiet", "--no-ff", *more, *branches, day=float(day))
            for old, new in moves:
                (self.path / new).parent.mkdir(parents=True, exist_ok=True)
                self.git("mv", old, new)
            texts = {
                name: text.replace("/", "\n").replace("_", " ").replace("30", lines) or None
                for name, text in files.items()
            }
            if texts or moves or words[0] != "merge":
                self.commit(float(day), texts)
            if "as" in words:
                names[words[words.index("as") + 1]] = self.git("rev-parse", "HEAD")
        return names

    def day(self, name: str) -> float | None:
        """Return the day on which the date source says that a file changed."""
        return self.days([name])[0]

    def days(self, names: Iterable[str]) -> list[float | None]:
        """Return the days on which the date source says that files changed."""
        return ask([self.path / name for name in names]).days


class Answer:
    """What the date source said of some pages."""

    def __init__(self, source: GitDates, pages: Sequence[Page]) -> None:
        self.source = source
        self.pages = pages
        self.dates = [source(page) for page in pages]
        self.days = [
            (date - EPOCH) / dt.timedelta(days=1) if isinstance(date, dt.datetime) else None
            for date in self.dates
        ]
        self.problems = [*source.problems, *source.remarks]

    @property
    def descriptions(self) -> list[str]:
        return [self.source.describe(page) for page in self.pages]


def ask(files: Iterable[Path | None]) -> Answer:
    """Ask the date source about files, as the pipeline does."""
    pages = [
        Page(url=f"https://example.org/{number}", source=file) for number, file in enumerate(files)
    ]
    source = sitemap_lastmod_source(Site("https://example.org/"), "git")
    assert isinstance(source, GitDates)
    source.prepare(pages)
    return Answer(source, pages)


def note_commands(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list to which the commands that git is started with are added from now on."""
    names: list[str] = []
    known = {"rev-parse", "config", "status", "ls-tree", "log", "diff-tree", "cat-file"}
    start = subprocess.Popen

    def note(arguments: tuple[str, ...], **options: Any) -> Any:
        names.extend(known.intersection(arguments))
        return start(arguments, **options)

    monkeypatch.setattr("sitemap_plugin.dates.git_process.subprocess.Popen", note)
    return names

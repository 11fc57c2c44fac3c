"""Generated repositories, and the date source that is asked about them."""

import datetime as dt
import os
import subprocess
from collections import ChainMap
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

from files import write_files
from sitemap_plugin.dates.git import GitDates
from sitemap_plugin.errors import Problem
from sitemap_plugin.models import Page, Site

EPOCH = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
WHO = {"GIT_AUTHOR_DATE": "1000000000 +0000"}
for role in ("AUTHOR", "COMMITTER"):
    WHO |= {f"GIT_{role}_NAME": "A", f"GIT_{role}_EMAIL": "a@example.org"}
LINES = "".join(f"line {number}\n" for number in range(30))

Tree = dict[str, str]


class Repo:
    """A repository to test with; times are days after ``EPOCH``."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def make(cls, path: Path, *scripts: str) -> Self:
        """Make a repository, with a history as ``play`` reads it."""
        path.mkdir(parents=True, exist_ok=True)
        repo = cls(path)
        repo.git("init", "--quiet", "--initial-branch=main")
        if scripts:
            repo.play(*scripts)
        return repo

    def git(self, *arguments: str | Path, day: float = 0, text: str | None = None) -> str:
        """Run git here and return what it prints."""
        when = f"{int((EPOCH + dt.timedelta(days=day)).timestamp())} +0500"
        run = subprocess.run(
            ["git", *map(str, arguments)],
            cwd=self.path,
            env=os.environ | WHO | {"GIT_COMMITTER_DATE": when},
            input=text,
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stderr
        return run.stdout.strip()

    def write(self, files: Mapping[str, str | None]) -> None:
        """Write files; None deletes one."""
        for name in (name for name, content in files.items() if content is None):
            (self.path / name).unlink()
        write_files(self.path, {name: text for name, text in files.items() if text is not None})

    def commit(self, day: float, files: Mapping[str, str | None]) -> str:
        """Commit changes and return the commit's id."""
        self.write(files)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", f"Day {day}", day=day)
        return self.git("rev-parse", "HEAD")

    def play(self, *scripts: str) -> list[str]:
        """Make a repository of commits, one a step, and return the ids of those that are marked.

        ``fork B`` begins a branch, ``on B`` goes to one. Else a step begins with a day; then
        ``merge B C`` merges branches, ``a=text`` writes a file, ``a=`` deletes one, ``a>b`` moves
        one, and ``as IGNORED`` marks the commit. Each ``/`` in a text is a new line, ``_`` a space,
        and ``30`` stands for thirty lines. Of several scripts each has a folder, ``0/`` and so on,
        and a history of its own; all are merged on day 999.
        """
        history, is_one = History(), len(scripts) == 1
        ends = [history.play(s, "" if is_one else f"{n}/") for n, s in enumerate(scripts)]
        mark, _ = ends[0]
        if not is_one:
            trees = [tree for _, tree in ends]
            mark = history.commit(999, [end for end, _ in ends], dict(ChainMap(*trees)))
        history.stream.append(f"reset refs/heads/main\nfrom :{mark}\n")
        stream = "\n".join(history.stream)
        self.git("fast-import", "--quiet", "--export-marks=.git/marks", text=stream)
        self.git("reset", "--quiet", "--hard", "main")
        lines = (self.path / ".git/marks").read_text().splitlines()
        ids = dict(line[1:].split() for line in lines)
        return [ids[str(mark)] for mark in history.marked]

    def days(self, names: Iterable[str]) -> list[float | None]:
        """Return the days on which the date source says that files changed."""
        return ask([self.path / name for name in names]).days


class History:
    """Commits as git fast-import reads them."""

    def __init__(self) -> None:
        self.stream: list[str] = []
        self.marked: list[int] = []
        self._mark = 0

    def play(self, script: str, folder: str = "") -> tuple[int, Tree]:
        """Add the commits of a script; return the main branch's last one and its files."""
        tips: dict[str, tuple[int, Tree]] = {"main": (0, {})}
        forks: dict[str, Tree] = {}
        branch = "main"
        for day, *words in (step.split() for step in script.split("; ")):
            if day == "fork":
                tips[words[0]], forks[words[0]] = tips[branch], tips[branch][1]
            if day in {"fork", "on"}:
                branch = words[0]
                continue
            parents, tree = [tips[branch][0]], dict(tips[branch][1])
            if words[-2:] == ["as", "IGNORED"]:
                self.marked.append(self._mark + 1)
                del words[-2:]
            for word in words:
                if "=" in word:
                    name, text = word.split("=", 1)
                    text = text.replace("/", "\n").replace("_", " ").replace("30", LINES)
                    tree |= {folder + name: text}
                elif ">" in word:
                    old, new = (folder + name for name in word.split(">"))
                    moved = {name for name in tree if f"{name}/".startswith(f"{old}/")}
                    tree |= {new + name[len(old) :]: tree.pop(name) for name in moved}
                elif word != "merge":
                    parents.append(tips[word][0])
                    theirs, base = tips[word][1], forks[word]
                    changed = {n for n in base | theirs if base.get(n) != theirs.get(n)}
                    tree |= {name: theirs.get(name, "") for name in changed}
            tree = {name: text for name, text in tree.items() if text}
            tips[branch] = self.commit(float(day), parents, tree), tree
        return tips["main"]

    def commit(self, day: float, parents: Sequence[int], tree: Tree) -> int:
        """Add a commit; return its number."""
        self._mark += 1
        when = int((EPOCH + dt.timedelta(days=day)).timestamp())
        lines = [f"commit refs/commits/{self._mark}", f"mark :{self._mark}"]
        lines += [f"committer A <a@example.org> {when} +0500", "data 0"]
        for number, parent in enumerate(parents):
            if parent:
                lines.append(f"{'merge' if number else 'from'} :{parent}")
        lines.append("deleteall")
        for name, text in tree.items():
            lines += [f"M 100644 inline {name}", f"data {len(text.encode())}", text]
        self.stream.append("\n".join(lines))
        return self._mark


class Answer(NamedTuple):
    """What the date source said of some pages."""

    dates: list[Any]
    days: list[float | None]
    problems: list[Problem]
    descriptions: list[str]


def ask(files: Iterable[Path | None], **site: object) -> Answer:
    """Ask the date source about files, as the pipeline does."""
    pages = [Page(f"https://example.org/{n}", source=file) for n, file in enumerate(files)]
    source = GitDates(Site("https://example.org/", **site))  # type: ignore[arg-type]
    source.prepare(pages)
    dates: list[Any] = [source(page) for page in pages]
    days = [None if date is None else (date - EPOCH) / dt.timedelta(days=1) for date in dates]
    descriptions = [source.describe(page) for page in pages]
    return Answer(dates, days, [*source.problems, *source.remarks], descriptions)

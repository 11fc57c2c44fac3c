"""On random histories every date is the one that git itself gives, and that a model gives."""

from __future__ import annotations

import os
import posixpath
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from git_repositories import Repo
from sitemap_plugin.dates.git.changes import find_changes, folders_of

Version = tuple[str, str]
"""Mode and content."""

PATHS = ("a.md", "docs/a.md", "docs/b.md", "docs/sub/a.md", "other/a.md", "docs/日.md")
MODES = ("100644", "100644", "100644", "100755")


@dataclass
class Snapshot:
    """One commit of a generated history; parents are numbers of earlier ones."""

    parents: tuple[int, ...]
    time: int
    files: dict[str, Version] = field(default_factory=dict)


@st.composite
def histories(draw: st.DrawFn, *, moves: bool) -> list[Snapshot]:
    """Draw a history whose last commit is to be HEAD.

    With ``moves`` contents are few, so that files come to be equal, moved and swapped by chance;
    without, no two files ever have the same content.
    """
    history: list[Snapshot] = []
    for number in range(draw(st.integers(1, 14))):
        recent = st.integers(max(0, number - 5), number - 1)
        some = st.lists(recent, unique=True, min_size=0 if draw(st.integers(0, 9)) == 0 else 1,
                        max_size=draw(st.sampled_from((1, 1, 2, 2, 3))))  # fmt: skip
        parents = tuple(draw(some)) if number else ()
        files = draw_files(draw, [history[parent].files for parent in parents], moves=moves)
        history.append(Snapshot(parents, 10**9 + draw(st.integers(0, 50)), files))
    return history


def draw_files(
    draw: st.DrawFn, parents: Sequence[Mapping[str, Version]], *, moves: bool
) -> dict[str, Version]:
    """Draw a commit's files: each as some parent has it, or new, or gone; some of them moved."""
    files: dict[str, Version] = {}
    for path in PATHS:
        source = draw(st.sampled_from((*parents, *parents, *parents, *parents, None)))
        if source is None and draw(st.booleans()):
            content = str(draw(st.integers(0, 2))) if moves else f"{path} {draw(st.integers(0, 3))}"
            files[path] = (draw(st.sampled_from(MODES)), content)
        elif source is not None and path in source:
            files[path] = source[path]
    if moves and files:
        for _ in range(draw(st.integers(0, 2))):
            old, new = draw(st.sampled_from(sorted(files))), draw(st.sampled_from(PATHS))
            if new not in files:
                files[new] = files.pop(old)
    return files


@pytest.fixture(scope="module")
def build(
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[list[Snapshot]], tuple[Path, list[str]]]:
    """Return a function that makes a repository of a history, and names its commits."""

    def make(history: list[Snapshot]) -> tuple[Path, list[str]]:
        folder = tmp_path_factory.mktemp("history")
        run("init", "--quiet", "--bare", folder)
        lines: list[str] = []
        for number, commit in enumerate(history, 1):
            lines += [f"commit refs/commits/{number}", f"mark :{number}"]
            lines += [f"committer A <a@example.org> {commit.time} +0000", "data 0"]
            for word, parent in zip(("from", *["merge"] * 9), commit.parents, strict=False):
                lines.append(f"{word} :{parent + 1}")
            lines.append("deleteall")
            for path, (mode, content) in commit.files.items():
                size = len(content.encode())
                lines += [f"M {mode} inline {path}", f"data {size}", content]
        run(
            "fast-import",
            "--quiet",
            "--export-marks=marks",
            cwd=folder,
            text="\n".join(lines) + "\n",
        )
        marks = dict(line.split() for line in (folder / "marks").read_text().splitlines())
        return folder, [marks[f":{number}"] for number in range(1, len(history) + 1)]

    return make


def run(*arguments: str | Path, cwd: Path | None = None, text: str = "") -> str:
    return subprocess.run(
        ["git", *arguments], cwd=cwd, input=text, capture_output=True, text=True, check=True
    ).stdout


def found(
    folder: Path, head: str, paths: Sequence[str], ignored: Sequence[str] = ()
) -> dict[str, str]:
    """Return the commit that the algorithm finds for each path."""
    changes = find_changes(
        str(folder),
        head.encode(),
        [path.encode() for path in paths],
        frozenset(commit.encode() for commit in ignored),
    )
    return {path.decode(): change.commit.decode() for path, change in changes.items()}


many = settings(
    deadline=None,
    max_examples=int(os.environ.get("SITEMAP_PLUGIN_TEST_HISTORIES", "60")),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@many
@given(histories(moves=False), st.data())
def test_every_date_is_the_one_that_git_log_gives_for_the_file(
    build: Callable[[list[Snapshot]], tuple[Path, list[str]]],
    history: list[Snapshot],
    data: st.DataObject,
) -> None:
    paths = sorted(history[-1].files)
    if paths:
        paths = data.draw(st.lists(st.sampled_from(paths), unique=True, min_size=1))
    folder, commits = build(history)

    expected = {
        path: run("log", "-1", "--format=%H", commits[-1], "--", path, cwd=folder).strip()
        for path in paths
    }

    assert found(folder, commits[-1], paths) == expected


class AmbiguousMoveError(Exception):
    """Several files that went away may be the origin of one that came."""


def model(
    history: Sequence[Snapshot], ignored: set[int], number: int, path: str
) -> tuple[int, str]:
    """Return the number of the commit that last changed a file, and the file's name there.

    One file at a time, one commit at a time, looking at whole snapshots.
    """
    while True:
        commit = history[number]
        same = [
            parent
            for parent in commit.parents
            if history[parent].files.get(path) == commit.files[path]
        ]
        if same:
            number = same[0]
            continue
        steps = [origin(history, number, parent, path) for parent in commit.parents]
        if number in ignored:
            steps += [
                (parent, path) if path in history[parent].files else None
                for parent in commit.parents
            ]
            if len(commit.parents) > 1:
                steps = steps[len(commit.parents) :] + steps[: len(commit.parents)]
        step = next((step for step in steps if step), None)
        if step is None:
            return number, path
        number, path = step


def origin(
    history: Sequence[Snapshot], number: int, parent: int, path: str
) -> tuple[int, str] | None:
    """Return the parent and the name under which it has a file that the commit only moved."""
    old, new = history[parent].files, history[number].files
    if path in old:
        return None
    names = [name for name in old if old[name] == new[path] and name not in new]
    if len(names) > 1:
        raise AmbiguousMoveError
    return (parent, names[0]) if names else None


@many
@given(histories(moves=True), st.data())
def test_moves_and_ignored_commits_are_passed_over(
    build: Callable[[list[Snapshot]], tuple[Path, list[str]]],
    history: list[Snapshot],
    data: st.DataObject,
) -> None:
    folder, commits = build(history)
    ignored = data.draw(st.sets(st.sampled_from(range(len(history)))))
    expected = {}
    for path in history[-1].files:
        try:
            number, _ = model(history, ignored, len(history) - 1, path)
        except AmbiguousMoveError:
            continue
        expected[path] = commits[number]
    assume(expected)

    answer = found(folder, commits[-1], sorted(expected), [commits[number] for number in ignored])

    assert answer == expected


@given(st.lists(st.text("ab/", min_size=1).map(posixpath.normpath), unique=True))
def test_few_folders_hold_all_files(names: list[str]) -> None:
    paths = [name.strip("/").encode() for name in names if name.strip("/.")]

    folders = folders_of(paths)

    assert len(folders) <= 8
    assert not folders or all(
        any(path == name.encode() or path.startswith(name.encode() + b"/") for name in folders)
        for path in paths
    )
    assert not any(
        one != other and one.startswith(other + "/") for one in folders for other in folders
    )


def test_too_many_files_at_the_top_stand_for_everything() -> None:
    assert folders_of([b"%d.md" % number for number in range(8)]) != []
    assert folders_of([b"%d.md" % number for number in range(9)]) == []
    assert folders_of([b"docs/%d/a.md" % number for number in range(9)]) == ["docs"]


@pytest.mark.skipif(
    "--recursive" not in subprocess.run(
        ["git", "last-modified", "-h"], capture_output=True, text=True, check=False
    ).stdout,
    reason="this git has no last-modified",
)  # fmt: skip
def test_dates_are_those_of_git_last_modified(repo: Repo) -> None:
    repo.commit(1, {"a.md": "a", "docs/b.md": "b", "docs/c.md": "c"})
    repo.git("checkout", "--quiet", "-b", "side")
    repo.commit(2, {"docs/b.md": "b2"})
    repo.git("checkout", "--quiet", "main")
    repo.commit(3, {"docs/c.md": "c3"})
    repo.merge(4, "side")

    lines = repo.git("last-modified", "--recursive", "HEAD").splitlines()

    expected = {path: commit for commit, path in (line.split("\t") for line in lines)}
    assert found(repo.path, repo.git("rev-parse", "HEAD"), sorted(expected)) == expected

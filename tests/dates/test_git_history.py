"""On random histories every date is the one that git itself gives."""

from __future__ import annotations

import os
import posixpath
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sitemap_plugin.dates.git_changes import Passing, find_changes
from sitemap_plugin.dates.git_log import folders_of
from sitemap_plugin.dates.git_process import Git

pytestmark = pytest.mark.slow

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
def histories(draw: st.DrawFn) -> list[Snapshot]:
    """Draw a history whose last commit is to be HEAD; no two commits make the same version."""
    history: list[Snapshot] = []
    for number in range(draw(st.integers(1, 14))):
        recent = st.integers(max(0, number - 5), number - 1)
        some = st.lists(recent, unique=True, min_size=0 if draw(st.integers(0, 9)) == 0 else 1,
                        max_size=draw(st.sampled_from((1, 1, 2, 2, 3))))  # fmt: skip
        parents = tuple(draw(some)) if number else ()
        files: dict[str, Version] = {}
        for path in PATHS:
            chosen = [history[parent].files for parent in parents]
            source = draw(st.sampled_from((*chosen, *chosen, *chosen, *chosen, None)))
            if source is None and draw(st.booleans()):
                files[path] = (draw(st.sampled_from(MODES)), f"{path} {number}")
            elif source is not None and path in source:
                files[path] = source[path]
        history.append(Snapshot(parents, 10**9 + draw(st.integers(0, 50)), files))
    return history


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


def found(folder: Path, head: str, paths: Sequence[str]) -> dict[str, str]:
    """Return the commit that is found for each path."""
    blobs = {
        path.encode(): run("rev-parse", f"{head}:{path}", cwd=folder).strip().encode()
        for path in paths
    }
    changes, _ = find_changes(Git(str(folder)), head.encode(), blobs, Passing(words=False))
    return {path.decode(): change.commit for path, change in changes.items()}


many = settings(
    deadline=None,
    max_examples=int(os.environ.get("SITEMAP_PLUGIN_TEST_HISTORIES", "25")),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@many
@given(histories(), st.data())
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

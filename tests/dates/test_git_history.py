"""On random histories every date is the one that git itself gives."""

import os
import posixpath
from dataclasses import dataclass, field

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from git_repositories import History, Repo
from sitemap_plugin.dates.git import date_files
from sitemap_plugin.dates.git_history import folders_of

PATHS = ("a.md", "docs/a.md", "docs/b.md", "docs/sub/a.md", "other/a.md", "docs/日.md")


@dataclass
class Snapshot:
    """One commit of a generated history; parents are numbers of earlier ones."""

    parents: tuple[int, ...]
    day: int
    files: dict[str, str] = field(default_factory=dict)


@st.composite
def histories(draw: st.DrawFn) -> list[Snapshot]:
    """Draw a history whose last commit is to be HEAD; no two commits make the same version."""
    history: list[Snapshot] = []
    for number in range(draw(st.integers(1, 14))):
        recent = st.integers(max(0, number - 5), number - 1)
        some = st.lists(recent, unique=True, min_size=0 if draw(st.integers(0, 9)) == 0 else 1,
                        max_size=draw(st.sampled_from((1, 1, 2, 2, 3))))  # fmt: skip
        parents = tuple(draw(some)) if number else ()
        files: dict[str, str] = {}
        for path in PATHS:
            chosen = [history[parent].files for parent in parents]
            source = draw(st.sampled_from((*chosen, *chosen, *chosen, *chosen, None)))
            if source is None and draw(st.booleans()):
                files[path] = f"{path} {number}"
            elif source is not None and path in source:
                files[path] = source[path]
        history.append(Snapshot(parents, draw(st.integers(0, 50)), files))
    return history


many = settings(
    deadline=None,
    max_examples=int(os.environ.get("SITEMAP_PLUGIN_TEST_HISTORIES", "5")),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@many
@given(histories())
def test_every_date_is_the_one_that_git_log_gives_for_the_file(
    tmp_path_factory: pytest.TempPathFactory, history: list[Snapshot]
) -> None:
    repo = Repo.make(tmp_path_factory.mktemp("history"))
    made = History()
    for number, commit in enumerate(history):
        assert made.commit(commit.day, [p + 1 for p in commit.parents], commit.files) == number + 1
    made.stream.append(f"reset refs/heads/main\nfrom :{len(history)}\n")
    repo.git("fast-import", "--quiet", text="\n".join(made.stream))
    repo.git("reset", "--quiet", "--hard", "main")
    paths = list(history[-1].files)
    files = [str(repo.path / path) for path in paths]

    dates, problems = date_files(files, minor_changes=True)

    found = [change.commit if change else None for change in map(dates.get, files)]
    log = ("log", "-1", "--format=%H", "--")
    assert (found, problems) == ([repo.git(*log, path) for path in paths], [])


@settings(max_examples=30)
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

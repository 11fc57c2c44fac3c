"""Which commit dates a file: histories, and the days that are right."""

from typing import Any

import pytest

from files import read_table
from git_repositories import History, Repo

EDITS = {
    f"a move to {new} with an edit": (
        f"1 old/a.md=30 other.md=o; 2 old/a.md= {new}=30{edit}; 3 other.md=o3",
        f"{new}:{day}",
    )
    for new in ("docs/b.md", "old/sub/a.md", "a.md")
    for edit, day in (("<!--_moved_-->", 1), ("more", 2))
}
GROUPS: dict[str, Any] = read_table(__file__, "git_rules.yaml")
CASES = {case: steps for group in GROUPS.values() for case, steps in group.items()} | EDITS


@pytest.fixture(scope="module")
def dated(tmp_path_factory: pytest.TempPathFactory) -> dict[str, float | None]:
    """Return the days of all files of one repository that has every case in a folder."""
    repo = Repo.make(tmp_path_factory.mktemp("rules"))
    ignored = repo.play(*(script for script, _ in CASES.values()))
    repo.write({".git-blame-ignore-revs": "\n".join(ignored)})
    names = repo.git("ls-files").splitlines()
    return dict(zip(names, repo.days(names), strict=True))


@pytest.mark.parametrize("case", CASES)
def test_the_commit_that_made_the_version_counts(dated: dict[str, float | None], case: str) -> None:
    folder = list(CASES).index(case)
    expected = {name: float(day) for name, day in (p.split(":") for p in CASES[case][1].split())}
    assert {name: dated[f"{folder}/{name}"] for name in expected} == expected


def test_a_change_of_mode_changes_no_word(repo: Repo) -> None:
    repo.play("1 a.md=a b.md=b")
    repo.git("mv", "b.md", "c.md")
    for name in ("a.md", "c.md"):
        (repo.path / name).chmod(0o755)
    repo.commit(2, {})

    assert repo.days(["a.md", "c.md"]) == [1, 1]


def test_a_main_line_that_never_had_the_folder_leads_to_the_side(repo: Repo) -> None:
    repo.play("1 x.py=x; 2 x.py=x2", "3 docs/a.md=a")
    assert repo.days(["0/x.py", "1/docs/a.md"]) == [2, 3]


def test_long_chains_of_merges_are_followed(repo: Repo) -> None:
    # Each merge differs from its first parent and agrees with its second, the merge before it.
    history = History()
    first = history.commit(0, [], {"a.md": "a", "b.md": "b"})
    last = history.commit(1, [first], {"a.md": "z", "b.md": "b"})
    for day in range(2, 500):
        last = history.commit(day, [first, last], {"a.md": "z", "b.md": "b"})
    stream = [*history.stream, f"reset refs/heads/main\nfrom :{last}\n"]
    repo.git("fast-import", "--quiet", "--force", text="\n".join(stream))
    repo.git("reset", "--quiet", "--hard", "main")

    assert repo.days(["a.md", "b.md"]) == [1, 0]

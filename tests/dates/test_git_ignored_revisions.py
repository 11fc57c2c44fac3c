"""Commits that `git blame` is told to ignore are no change."""

from __future__ import annotations

import os

import pytest

from git_repositories import Repo, ask


@pytest.fixture
def reformatted(repo: Repo) -> Repo:
    """A repository whose second commit, named by branch ``format``, touched all files."""
    repo.commit(1, {"docs/a.md": "a", "docs/b.md": "b"})
    repo.commit(2, {"docs/a.md": "a2", "docs/b.md": "b2"})
    repo.git("branch", "format")
    repo.commit(3, {"docs/b.md": "b3"})
    return repo


def test_without_a_list_every_commit_is_a_change(reformatted: Repo) -> None:
    assert reformatted.days(["docs/a.md", "docs/b.md"]) == [2, 3]


@pytest.mark.parametrize(
    "form",
    [
        "{}\n",
        "# Reformat\n\n  {} # all of it\r\n",
        "{}",
        "0123456789012345678901234567890123456789\n{}\n",
    ],
)
def test_a_listed_commit_is_no_change(reformatted: Repo, form: str) -> None:
    text = form.format(reformatted.git("rev-parse", "format"))
    reformatted.commit(4, {".git-blame-ignore-revs": text})

    assert reformatted.days(["docs/a.md", "docs/b.md"]) == [1, 3]


def test_ids_may_be_in_upper_case(reformatted: Repo) -> None:
    reformatted.write({".git-blame-ignore-revs": reformatted.git("rev-parse", "format").upper()})

    assert reformatted.day("docs/a.md") == 1


@pytest.mark.parametrize("word", ["2f3a91c", "HEAD~3", "zzz"])
def test_a_line_that_is_no_full_id_is_a_warning_with_its_place(
    reformatted: Repo, word: str
) -> None:
    reformatted.write({".git-blame-ignore-revs": f"# Reformat\n{word}\n"})

    answer = ask([reformatted.path / "docs/a.md"])

    assert answer.days == [2]
    [problem] = answer.problems
    assert problem.severity == "warning"
    assert problem.where == f"{reformatted.path / '.git-blame-ignore-revs'}:2"
    assert word.lower() not in problem.message


def test_a_list_that_is_a_link_out_of_the_repository_is_not_read(reformatted: Repo) -> None:
    secret = reformatted.path.parent / "secret"
    secret.write_text("PASSWORD=1234\n")
    (reformatted.path / ".git-blame-ignore-revs").symlink_to(secret)

    answer = ask([reformatted.path / "docs/a.md"])

    [problem] = answer.problems
    assert (problem.severity, problem.where) == (
        "warning",
        str(reformatted.path / ".git-blame-ignore-revs"),
    )
    assert "1234" not in str(answer.problems)
    assert answer.days == [2]


def test_a_list_that_is_no_regular_file_does_not_hold_up_the_build(reformatted: Repo) -> None:
    os.mkfifo(reformatted.path / ".git-blame-ignore-revs")

    answer = ask([reformatted.path / "docs/a.md"])

    assert answer.days == [2]
    assert [problem.message for problem in answer.problems] == [
        "is not read: it is not a regular file"
    ]

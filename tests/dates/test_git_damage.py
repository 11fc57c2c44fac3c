"""Repositories that are damaged: a word about it, and no dates, instead of silence."""

from __future__ import annotations

from pathlib import Path

import pytest

from git_repositories import Repo, ask

pytestmark = pytest.mark.slow


@pytest.fixture
def dated(repo: Repo) -> Repo:
    """Return a repository whose only file has a date."""
    repo.commit(1, {"a.md": "a"})
    return repo


def branch(repo: Repo) -> Path:
    """Return the file that holds what the branch names."""
    return repo.path / ".git" / repo.git("symbolic-ref", "HEAD")


def stored(repo: Repo, name: str) -> Path:
    """Return the file of an object."""
    identity = repo.git("rev-parse", name)
    return repo.path / ".git/objects" / identity[:2] / identity[2:]


@pytest.mark.parametrize("content", ["garbage\n", "", "0" * 40 + "\n", "1" * 40 + "\n", "\0\0\0"])
def test_a_branch_that_names_no_commit_is_a_warning(dated: Repo, content: str) -> None:
    branch(dated).write_text(content)

    answer = ask([dated.path / "a.md"])

    assert answer.days == [None]
    (problem,) = answer.problems
    assert problem == (
        "warning",
        "git gives no dates: HEAD names a commit that is not there, or cannot be read; run git "
        "fsck",
        str(dated.path),
    )


@pytest.mark.parametrize("detached", [False, True])
def test_a_head_whose_commit_is_missing_is_a_warning(dated: Repo, detached: bool) -> None:
    if detached:
        dated.git("checkout", "--quiet", "--detach")
    stored(dated, "HEAD").unlink()

    answer = ask([dated.path / "a.md"])

    assert answer.days == [None]
    assert [problem.message[:40] for problem in answer.problems] == [
        "git gives no dates: HEAD names a commit "
    ]


@pytest.mark.parametrize("name", ["HEAD", "HEAD^{tree}"])
def test_an_object_that_is_damaged_is_a_warning_in_gits_words(dated: Repo, name: str) -> None:
    file = stored(dated, name)
    file.chmod(0o600)
    file.write_bytes(b"x")

    answer = ask([dated.path / "a.md"])

    assert answer.days == [None]
    (problem,) = answer.problems
    assert (problem.severity, problem.where) == ("warning", str(dated.path))
    assert problem.message.startswith("git gives no dates: ")
    assert "hint" not in problem.message


@pytest.mark.parametrize("content", [None, "rubbish"])
def test_a_folder_that_is_no_repository_any_more_is_a_warning(
    dated: Repo, content: str | None
) -> None:
    head = dated.path / ".git/HEAD"
    if content is None:
        head.unlink()
    else:
        head.write_text(content)

    answer = ask([dated.path / "a.md"])

    assert answer.days == [None]
    (problem,) = answer.problems
    assert (problem.severity, problem.where) == ("warning", str(dated.path))
    assert problem.message.endswith("; clone it anew, or remove that .git")


def test_a_branch_without_a_commit_is_no_damage(dated: Repo) -> None:
    dated.git("checkout", "--quiet", "--orphan", "new")

    answer = ask([dated.path / "a.md"])

    assert answer.days == [None]
    assert answer.problems == []


@pytest.mark.parametrize("value", ["two minutes", "0", "nan", "inf", "1e999"])
def test_a_time_limit_that_is_none_is_a_warning(
    dated: Repo, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("SITEMAP_PLUGIN_GIT_TIMEOUT", value)

    answer = ask([dated.path / "a.md"])

    assert answer.days == [None]
    (problem,) = answer.problems
    assert problem.severity == "warning"
    assert (
        f"SITEMAP_PLUGIN_GIT_TIMEOUT: expected a number of seconds above 0, got {value!r}"
        in problem.message
    )


@pytest.mark.parametrize("value", ["", " ", "60", " 60.5 ", "1e300"])
def test_a_time_limit_that_is_one_or_is_not_set_is_not_mentioned(
    dated: Repo, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("SITEMAP_PLUGIN_GIT_TIMEOUT", value)

    answer = ask([dated.path / "a.md"])

    assert answer.days == [1]
    assert answer.problems == []

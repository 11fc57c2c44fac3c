"""A file that is not as HEAD has it, or that no repository has, gets no date."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from git_repositories import Repo, ask


@pytest.fixture
def clean(repo: Repo) -> Repo:
    repo.commit(1, {"docs/a.md": "a", "docs/b.md": "b", ".gitignore": "ignored.md\n"})
    return repo


def test_a_modified_file_has_no_date_until_it_is_committed(clean: Repo) -> None:
    before = clean.days(["docs/a.md", "docs/b.md"])
    clean.write({"docs/a.md": "a2"})
    modified = clean.days(["docs/a.md", "docs/b.md"])
    clean.commit(2, {})

    assert [before, modified] == [[1, 1], [None, 1]]
    assert clean.days(["docs/a.md", "docs/b.md"]) == [2, 1]


@pytest.mark.parametrize(
    ("files", "commands", "days"),
    [
        ({"docs/a.md": "z"}, [], [None, 1, None]),  # Of equal size and time.
        ({"docs/a.md": "a2", "docs/n.md": "n"}, ["add --all"], [None, 1, None]),
        ({"docs/n.md": "n"}, ["add --intent-to-add docs/n.md"], [1, 1, None]),
        ({"docs/n.md": "n"}, [], [1, 1, None]),
        ({"docs/a.md": None}, [], [None, 1, None]),
        ({}, ["rm --quiet --cached docs/a.md"], [None, 1, None]),
        ({}, ["mv docs/a.md docs/n.md"], [None, 1, None]),
        ({"docs/a.md": "a2"}, ["add --all", "checkout HEAD docs/a.md"], [1, 1, None]),
    ],
)
def test_only_a_file_as_committed_has_a_date(
    clean: Repo, files: dict[str, str | None], commands: list[str], days: list[float | None]
) -> None:
    clean.write(files)
    for command in commands:
        clean.git(*command.split())

    assert clean.days(["docs/a.md", "docs/b.md", "docs/n.md"]) == days
    assert clean.days(["docs/ignored.md", "docs/A.md", "no/where.md"]) == [None] * 3


def test_a_file_in_conflict_has_no_date(clean: Repo) -> None:
    clean.git("checkout", "--quiet", "-b", "side")
    clean.commit(2, {"docs/a.md": "side"})
    clean.git("checkout", "--quiet", "main")
    clean.commit(3, {"docs/a.md": "main"})
    with pytest.raises(AssertionError):
        clean.git("merge", "--quiet", "side")

    assert clean.days(["docs/a.md", "docs/b.md"]) == [None, 1]


def test_a_touched_file_that_is_the_same_keeps_its_date(clean: Repo) -> None:
    (clean.path / "docs/a.md").touch()

    assert clean.day("docs/a.md") == 1


def test_a_folder_that_was_copied_out_of_its_repository_has_no_dates(
    clean: Repo, tmp_path: Path
) -> None:
    shutil.copytree(clean.path / "docs", tmp_path / "copy")

    answer = ask([tmp_path / "copy" / "a.md", tmp_path / "copy" / "b.md"])

    assert answer.days == [None, None]
    assert answer.problems == []


def test_a_folder_called_dot_git_that_is_no_repository_is_passed_over(clean: Repo) -> None:
    (clean.path / "docs" / ".git").mkdir()

    assert clean.days(["docs/a.md"]) == [1]


def test_relative_paths_are_below_the_current_folder(
    clean: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(clean.path / "docs")

    assert ask([Path("a.md"), Path("../docs/b.md")]).days == [1, 1]


def test_the_file_behind_a_symbolic_link_counts(clean: Repo) -> None:
    (clean.path / "link.md").symlink_to("docs/a.md")
    clean.commit(2, {})
    clean.commit(5, {"docs/a.md": "a5"})

    assert clean.day("link.md") == 5


def test_a_symbolic_link_that_was_changed_counts_too(clean: Repo) -> None:
    (clean.path / "link.md").symlink_to("docs/a.md")
    clean.commit(2, {})
    (clean.path / "link.md").unlink()
    (clean.path / "link.md").symlink_to("docs/b.md")
    changed = clean.day("link.md")
    clean.commit(3, {})

    assert [changed, clean.day("link.md")] == [None, 3]


def test_a_link_to_a_file_without_a_date_has_none(clean: Repo, tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_text("o")
    (clean.path / "link.md").symlink_to(tmp_path / "outside.md")
    (clean.path / "broken.md").symlink_to("nowhere.md")
    clean.commit(2, {})

    assert clean.days(["link.md", "broken.md"]) == [None, None]


def test_files_behind_a_linked_folder_are_dated(clean: Repo, tmp_path: Path) -> None:
    (tmp_path / "site").symlink_to(clean.path / "docs")

    assert ask([tmp_path / "site" / "a.md"]).days == [1]

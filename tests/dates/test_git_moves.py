"""A file that was only moved has not changed."""

from __future__ import annotations

import itertools

import pytest

from git_repositories import Repo


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("docs/a.md", "docs/b.md"),
        ("docs/a.md", "docs/guide/a.md"),
        ("old/a.md", "docs/a.md"),
        ("a.md", "docs/a.md"),
        ("docs/a.md", "a.md"),
        ("docs/a.md", "docs/A.md"),
    ],
)
def test_a_moved_file_keeps_its_date(repo: Repo, old: str, new: str) -> None:
    repo.commit(1, {old: "a", "other.md": "o"})
    repo.commit(2, {"other.md": "o2"})
    repo.move(3, old, new)
    repo.commit(4, {"other.md": "o3"})

    assert repo.day(new) == 1


def test_a_moved_folder_keeps_the_dates_of_its_files(repo: Repo) -> None:
    repo.commit(1, {"documentation/a.md": "a", "documentation/sub/b.md": "b"})
    repo.commit(2, {"documentation/a.md": "a2"})
    repo.move(3, "documentation", "website/docs")
    repo.move(4, "website", "site")

    assert repo.days(["site/docs/a.md", "site/docs/sub/b.md"]) == [2, 1]


def test_a_file_that_moved_often_is_followed_all_the_way(repo: Repo) -> None:
    names = ["a.md", "one/a.md", "two/b.md", "one/two/b.md", "docs/c.md", "a.md", "docs/a.md"]
    repo.commit(1, {names[0]: "a", "other.md": "o"})
    for day, (old, new) in enumerate(itertools.pairwise(names), 2):
        repo.move(day, old, new)

    assert repo.day(names[-1]) == 1


def test_a_file_that_was_moved_and_changed_at_once_has_changed(repo: Repo) -> None:
    repo.commit(1, {"old/a.md": "a" * 1000})
    repo.git("rm", "--quiet", "old/a.md")
    repo.commit(2, {"docs/a.md": "a" * 1000 + "b"})
    repo.commit(3, {"other.md": "o"})

    assert repo.day("docs/a.md") == 2


def test_a_move_that_changed_the_mode_is_no_change(repo: Repo) -> None:
    repo.commit(1, {"a.md": "a"})
    repo.git("mv", "a.md", "b.md")
    (repo.path / "b.md").chmod(0o755)
    repo.commit(2, {})

    assert repo.day("b.md") == 1


@pytest.mark.parametrize(("edit", "day"), [("\n<!-- moved -->\n", 1), ("\nanother word\n", 2)])
@pytest.mark.parametrize("new", ["docs/b.md", "old/sub/a.md", "a.md"])
def test_a_move_with_an_edit_counts_where_a_word_changed(
    repo: Repo, edit: str, day: float, new: str
) -> None:
    text = "".join(f"line {number}\n" for number in range(30))
    repo.commit(1, {"old/a.md": text, "other.md": "o"})
    repo.commit(2, {"old/a.md": None, new: text + edit})
    repo.commit(3, {"other.md": "o3"})

    assert repo.day(new) == day


def test_a_copy_is_a_new_file(repo: Repo) -> None:
    repo.commit(1, {"a.md": "a"})
    repo.commit(2, {"b.md": "a"})

    assert repo.days(["a.md", "b.md"]) == [1, 2]


def test_two_files_that_changed_places_have_changed(repo: Repo) -> None:
    repo.commit(1, {"a.md": "a", "b.md": "b"})
    repo.commit(2, {"a.md": "b", "b.md": "a"})

    assert repo.days(["a.md", "b.md"]) == [2, 2]


def test_a_file_that_replaced_a_moved_one_is_new(repo: Repo) -> None:
    repo.commit(1, {"a.md": "a"})
    repo.move(2, "a.md", "b.md")
    repo.commit(3, {"a.md": "new"})

    assert repo.days(["a.md", "b.md"]) == [3, 1]


def test_among_equal_files_the_one_of_the_same_name_is_the_origin(repo: Repo) -> None:
    repo.commit(1, {"old/a.md": "same"})
    repo.commit(2, {"old/b.md": "same"})
    repo.move(3, "old", "docs")

    assert repo.days(["docs/a.md", "docs/b.md"]) == [1, 2]


def test_a_move_on_a_branch_is_followed_through_the_merge(repo: Repo) -> None:
    repo.commit(1, {"old/a.md": "a", "b.md": "b"})
    repo.git("checkout", "--quiet", "-b", "side")
    repo.move(2, "old/a.md", "docs/a.md")
    repo.git("checkout", "--quiet", "main")
    repo.commit(3, {"b.md": "b3"})
    repo.merge(4, "side")

    assert repo.days(["docs/a.md", "b.md"]) == [1, 3]


def test_a_merge_that_moved_a_file_itself_is_no_change(repo: Repo) -> None:
    repo.commit(1, {"a.md": "a", "b.md": "b"})
    repo.git("checkout", "--quiet", "-b", "side")
    repo.commit(2, {"b.md": "b2"})
    repo.git("checkout", "--quiet", "main")
    repo.commit(3, {"c.md": "c"})
    repo.git("merge", "--quiet", "--no-ff", "--no-commit", "side")
    repo.git("mv", "a.md", "docs.md")
    repo.commit(4, {})

    assert repo.days(["docs.md", "b.md"]) == [1, 2]


def test_a_change_on_one_side_and_a_move_on_the_other_leads_to_the_change(repo: Repo) -> None:
    repo.commit(1, {"old/a.md": "a\n" * 20, "b.md": "b"})
    repo.git("checkout", "--quiet", "-b", "side")
    repo.commit(2, {"old/a.md": "a\n" * 20 + "b\n"})
    repo.git("checkout", "--quiet", "main")
    repo.move(3, "old/a.md", "docs/a.md")
    repo.merge(4, "side")

    assert (repo.path / "docs/a.md").read_text().endswith("b\n")
    assert repo.day("docs/a.md") == 2

"""Merges are followed to the side that made the change."""

from __future__ import annotations

import pytest

from git_repositories import Repo


@pytest.fixture
def forked(repo: Repo) -> Repo:
    """A file of 30 lines on ``main`` and on branch ``side``, which is checked out."""
    repo.commit(1, {"a.md": lines(), "b.md": "b"})
    repo.git("checkout", "--quiet", "-b", "side")
    return repo


def lines(**changed: str) -> str:
    """Return 30 lines, some of them changed, so that two changes can be merged."""
    return "".join(changed.get(f"line{number}", f"line {number}") + "\n" for number in range(30))


def test_a_merge_is_no_change_when_the_side_made_it(forked: Repo) -> None:
    forked.commit(2, {"a.md": lines(line3="side")})
    forked.git("checkout", "--quiet", "main")
    forked.commit(3, {"b.md": "b3"})
    forked.merge(9, "side")

    assert forked.days(["a.md", "b.md"]) == [2, 3]


def test_a_merge_is_no_change_when_the_main_line_made_it(forked: Repo) -> None:
    forked.commit(2, {"b.md": "b2"})
    forked.git("checkout", "--quiet", "main")
    forked.commit(3, {"a.md": lines(line3="main")})
    forked.merge(9, "side")

    assert forked.days(["a.md", "b.md"]) == [3, 2]


def test_a_merge_that_combined_two_changes_is_a_change(forked: Repo) -> None:
    forked.commit(2, {"a.md": lines(line3="side")})
    forked.git("checkout", "--quiet", "main")
    forked.commit(3, {"a.md": lines(line27="main")})
    forked.merge(9, "side")

    assert forked.days(["a.md", "b.md"]) == [9, 1]


def test_a_merge_that_changed_a_file_itself_is_a_change(forked: Repo) -> None:
    forked.commit(2, {"b.md": "b2"})
    forked.git("checkout", "--quiet", "main")
    forked.commit(3, {"c.md": "c"})
    forked.git("merge", "--quiet", "--no-ff", "--no-commit", "side")
    forked.commit(9, {"a.md": "evil"})

    assert forked.days(["a.md", "b.md", "c.md"]) == [9, 2, 3]


def test_a_merge_that_brought_an_old_version_back_leads_to_the_side_that_has_it(
    forked: Repo,
) -> None:
    forked.commit(2, {"b.md": "b2"})
    forked.git("checkout", "--quiet", "main")
    forked.commit(3, {"a.md": "a3"})
    forked.git("merge", "--quiet", "--no-ff", "--no-commit", "side")
    forked.git("checkout", "--quiet", "side", "--", "a.md")
    forked.commit(9, {})

    assert forked.day("a.md") == 1


def test_both_sides_making_the_same_change_leads_to_the_first_parent(forked: Repo) -> None:
    forked.commit(2, {"a.md": "same"})
    forked.git("checkout", "--quiet", "main")
    forked.commit(3, {"a.md": "same"})
    forked.merge(9, "side")

    assert forked.day("a.md") == 3


def test_the_side_that_agrees_in_all_files_does_not_hide_the_other(forked: Repo) -> None:
    # The merge is like `side` as a whole, so git's simplified history never visits `main`.
    forked.commit(2, {"docs/a.md": "same", "docs/b.md": "b"})
    forked.git("checkout", "--quiet", "main")
    forked.commit(3, {"docs/a.md": "same"})
    forked.merge(9, "side")

    assert forked.git("log", "-1", "--format=%s", "--", "docs/a.md") == "Day 3"
    assert forked.days(["docs/a.md", "docs/b.md"]) == [3, 2]


def test_a_main_line_that_never_had_the_folder_leads_to_the_side(repo: Repo) -> None:
    repo.commit(1, {"x.py": "x"})
    repo.commit(2, {"x.py": "x2"})
    repo.git("checkout", "--quiet", "--orphan", "docs")
    repo.git("rm", "--quiet", "-rf", ".")
    repo.commit(3, {"docs/a.md": "a"})
    repo.git("checkout", "--quiet", "main")
    repo.git("merge", "--quiet", "--no-edit", "--allow-unrelated-histories", "docs", day=9)

    assert repo.days(["docs/a.md", "x.py"]) == [3, 2]


def test_an_octopus_merge_leads_to_the_branch_that_made_the_change(repo: Repo) -> None:
    repo.commit(1, {f"{name}.md": name for name in "abcd"})
    for day, name in enumerate("abc", 2):
        repo.git("checkout", "--quiet", "-b", name, "main")
        repo.commit(day, {f"{name}.md": "changed"})
    repo.git("checkout", "--quiet", "main")
    repo.merge(9, "a", "b", "c")

    assert repo.git("rev-list", "--parents", "-1", "HEAD").count(" ") > 2
    assert repo.days(["a.md", "b.md", "c.md", "d.md"]) == [2, 3, 4, 1]


def test_an_octopus_merge_of_equal_changes_leads_to_the_first_of_them(repo: Repo) -> None:
    repo.commit(1, {"a.md": "a", "m.md": "m"})
    for day, name in ((7, "one"), (5, "two"), (3, "three")):
        repo.git("checkout", "--quiet", "-b", name, "main")
        repo.commit(day, {"a.md": "same", f"{name}.md": name})
    repo.git("checkout", "--quiet", "main")
    repo.commit(2, {"m.md": "m2"})
    repo.merge(9, "one", "two", "three")

    assert repo.git("log", "-1", "--format=%s", "--", "a.md") == "Day 7"
    assert repo.days(["a.md", "three.md"]) == [7, 3]


def test_an_octopus_merge_that_changed_a_file_itself_is_a_change(repo: Repo) -> None:
    repo.commit(1, {"a.md": "a", "b.md": "b"})
    base = repo.git("rev-parse", "HEAD")
    sides = []
    for day in (2, 3, 4):
        repo.git("checkout", "--quiet", base)
        sides.append(repo.commit(day, {"a.md": f"side {day}"}))
    repo.write({"a.md": "all of them"})
    repo.git("add", "--all")
    parents = [part for side in sides for part in ("-p", side)]
    merge = repo.git("commit-tree", repo.git("write-tree"), *parents, "-m", "Octopus", day=9)
    repo.git("checkout", "--quiet", merge)

    assert repo.days(["a.md", "b.md"]) == [9, 1]


def test_long_chains_of_merges_are_followed(repo: Repo) -> None:
    # Each merge differs from its first parent and agrees with its second, the merge before it.
    who = "committer A <a@example.org>"
    lines = [f"commit refs/heads/main\nmark :1\n{who} 1577836800 +0000\ndata 0"]
    lines += ["M 100644 inline a.md\ndata 1\na", "M 100644 inline b.md\ndata 1\nb"]
    lines += [f"commit refs/heads/main\nmark :2\n{who} 1577923200 +0000\ndata 0"]
    lines += ["from :1\nM 100644 inline a.md\ndata 1\nz"]
    for number in range(3, 3000):
        lines += [f"commit refs/heads/main\nmark :{number}\n{who} 1600000000 +0000\ndata 0"]
        lines += [f"from :1\nmerge :{number - 1}\nM 100644 inline a.md\ndata 1\nz"]
    repo.git("fast-import", "--quiet", "--force", text="\n".join(lines) + "\n")
    repo.git("reset", "--quiet", "--hard", "main")

    assert repo.git("rev-list", "--count", "--merges", "HEAD") == "2997"
    assert repo.days(["a.md", "b.md"]) == [1, 0]

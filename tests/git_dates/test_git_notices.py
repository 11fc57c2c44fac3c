"""What the user hears of dates that are missing or suspicious."""

from __future__ import annotations

import pytest

from git_repositories import Repo, ask
from sitemap_plugin.lastmod.git import GitDates
from sitemap_plugin.models import Page

NAMES = [f"{number}.md" for number in range(10)]


@pytest.fixture
def imported(repo: Repo) -> Repo:
    """Ten files that came in one commit."""
    repo.commit(1, dict.fromkeys(NAMES, "import"))
    return repo


def test_ten_pages_with_one_date_give_one_notice(imported: Repo) -> None:
    [problem] = ask([imported.path / name for name in NAMES]).problems

    assert problem.severity == "notice"
    commit = imported.git("rev-parse", "HEAD")[:7]
    assert problem.message.startswith(
        f"all 10 pages last changed in one commit, {commit} of 2020-01-02;"
    )


def test_ten_commits_of_one_moment_are_as_suspicious(repo: Repo) -> None:
    for name in NAMES:
        repo.commit(1, {name: name})

    [problem] = ask([repo.path / name for name in NAMES]).problems

    assert "at one and the same moment of 2020-01-02" in problem.message


def test_pages_that_git_cannot_date_do_not_hide_that_the_others_are_alike(imported: Repo) -> None:
    imported.write({"new.md": "n"})

    [problem] = ask([imported.path / name for name in (*NAMES, "new.md")]).problems

    assert problem.message.startswith("all 10 pages ")


def test_fewer_pages_are_not_remarkable(imported: Repo) -> None:
    assert ask([imported.path / name for name in NAMES[1:]]).problems == []


def test_a_second_date_is_enough_not_to_be_remarkable(imported: Repo) -> None:
    imported.commit(2, {NAMES[0]: "changed"})

    assert ask([imported.path / name for name in NAMES]).problems == []


def test_a_time_that_is_none_is_not_remarkable(repo: Repo) -> None:
    repo.write(dict.fromkeys(NAMES, "import"))
    repo.git("add", "--all")
    text = f"tree {repo.git('write-tree')}\nauthor A <a@example.org> 1 +0000\n\nx\n"
    broken = repo.git("hash-object", "-w", "--stdin", "--literally", "-t", "commit", text=text)
    repo.git("reset", "--quiet", broken)

    assert ask([repo.path / name for name in NAMES]).problems == []


def test_nothing_is_said_where_git_was_never_asked(imported: Repo) -> None:
    source = GitDates()
    source.prepare([Page(f"https://example.org/{name}", imported.path / name) for name in NAMES])

    assert source.problems == []


def test_only_pages_that_were_asked_about_are_counted_as_cut_off(
    imported: Repo, repo: Repo
) -> None:
    imported.commit(2, {})
    target = repo.path.parent / "clone"
    repo.git("clone", "--quiet", "--depth=1", repo.path.as_uri(), target)
    source = GitDates()
    pages = [Page(f"https://example.org/{name}", target / name) for name in NAMES]
    source.prepare(pages)

    assert [source(page) for page in pages[:3]] == [None] * 3
    assert [problem.message.split(" last ")[0] for problem in source.problems] == ["3 pages"]
    assert [problem.message.split(" last ")[0] for problem in source.problems] == ["3 pages"]

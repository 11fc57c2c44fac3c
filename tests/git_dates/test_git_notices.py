"""What the user hears of dates that are missing or suspicious."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from git_repositories import Repo, ask
from sitemap_plugin.dates.git import GitDates
from sitemap_plugin.dates.git import LOCALIZED as KEY
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


def unknown(source: GitDates) -> list[str]:
    """Return what is said of sources that git does not know."""
    return [problem.message for problem in source.problems if "does not know" in problem.message]


def ask_all(home: Path, files: list[Path], **fields: Any) -> GitDates:
    """Ask about files, of a site whose configuration lies in ``home``."""
    source = GitDates(home)
    pages = [Page(f"https://example.org/{file.name}", file, **fields) for file in files]
    source.prepare(pages)
    for page in pages:
        source(page)
    return source


@pytest.mark.parametrize("known", [0, 9])
def test_sources_that_git_mostly_does_not_know_give_one_notice(repo: Repo, known: int) -> None:
    names = [f"{number:02}.md" for number in range(19)]
    repo.commit(1, {".gitignore": "*", "kept": ""})
    repo.write(dict.fromkeys(names, "copied"))
    if known:
        repo.git("add", "--force", *names[:known])
        repo.git("commit", "--quiet", "--message", "some")

    source = ask_all(repo.path, [repo.path / name for name in names])

    (message,) = unknown(source)
    assert message.startswith(f"{19 - known} of 19 pages have sources that git does not know (")
    assert f"such as {repo.path / names[known]}, and get no date" in message
    assert "state_file" in message
    assert {problem.severity for problem in source.problems} == {"notice"}


def test_sources_that_were_copied_out_of_the_repository_give_the_notice(
    repo: Repo, tmp_path: Path
) -> None:
    repo.commit(1, {"mkdocs.yml": ""})
    files = [tmp_path / "elsewhere" / name for name in NAMES]

    (message,) = unknown(ask_all(repo.path, files))

    assert message.startswith("10 of 10 pages ")


def test_a_repository_without_a_commit_knows_nothing(repo: Repo) -> None:
    repo.write(dict.fromkeys(NAMES, "x"))

    assert unknown(ask_all(repo.path, [repo.path / name for name in NAMES]))


def test_a_site_without_a_repository_hears_nothing_of_git(tmp_path: Path) -> None:
    assert ask_all(tmp_path, [tmp_path / name for name in NAMES]).problems == []


@pytest.mark.parametrize(("known", "names"), [(5, NAMES), (0, NAMES[1:])])
def test_few_sources_that_git_does_not_know_are_not_remarkable(
    repo: Repo, known: int, names: list[str]
) -> None:
    repo.commit(1, {".gitignore": "", **dict.fromkeys(names[:known], "x")})
    repo.write(dict.fromkeys(names[known:], "x"))

    assert ask_all(repo.path, [repo.path / name for name in names]).problems == []


def test_sources_that_differ_from_what_git_has_are_known(imported: Repo) -> None:
    imported.write(dict.fromkeys(NAMES, "changed"))

    assert ask_all(imported.path, [imported.path / name for name in NAMES]).problems == []


def test_a_folder_of_html_is_no_source_that_git_should_know(repo: Repo) -> None:
    repo.commit(1, {".gitignore": "*.html"})
    files = [repo.path / f"{name}.html" for name in NAMES]
    source = GitDates(repo.path)
    pages = [Page(f"https://example.org/{file.name}", file, output=file) for file in files]
    source.prepare(pages)

    assert [source(page) for page in pages] == [None] * 10
    assert source.problems == []


def test_only_pages_that_git_was_asked_about_count_as_unknown(repo: Repo) -> None:
    repo.commit(1, {"a": ""})
    source = GitDates(repo.path)
    pages = [Page(f"https://example.org/{name}", repo.path / name) for name in NAMES]
    source.prepare(pages)
    for page in pages[:5]:
        source(page)

    assert source.problems == []


def test_pages_that_another_plugin_has_dated_are_not_counted(repo: Repo, tmp_path: Path) -> None:
    repo.commit(1, {"mkdocs.yml": ""})
    files = [tmp_path / "elsewhere" / name for name in NAMES]

    assert ask_all(repo.path, files, metadata={KEY: "2020-01-02 03:04:05"}).problems == []

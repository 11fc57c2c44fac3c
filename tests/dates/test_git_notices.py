"""What the user hears of dates that are missing or suspicious."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from git_repositories import Repo, ask
from sitemap_plugin.config import Config
from sitemap_plugin.dates.git import GitDates
from sitemap_plugin.models import Page, Site

NAMES = [f"{number}.md" for number in range(10)]


@pytest.fixture
def imported(repo: Repo) -> Repo:
    """Ten files that came in one commit."""
    repo.commit(1, dict.fromkeys(NAMES, "import"))
    return repo


def notices(home: Path, files: list[Path], options: Any = None, **fields: Any) -> list[str]:
    """Return what is said of a site whose configuration lies in ``home``."""
    source = GitDates(Site("https://example.org/", config_dir=home, config=options or Config()))
    pages = [Page(f"https://example.org/{file.name}", file, **fields) for file in files]
    source.prepare(pages)
    for page in pages:
        source(page)
    assert {problem.severity for problem in source.problems} <= {"notice"}
    return [problem.message for problem in source.problems]


@pytest.mark.parametrize(
    ("pages", "others", "said"), [(10, 0, True), (10, 30, True), (10, 31, False), (9, 0, False)]
)
def test_a_commit_that_dates_a_quarter_of_the_pages_is_named(
    repo: Repo, pages: int, others: int, said: bool
) -> None:
    alone = [f"other-{number}.md" for number in range(others)]
    for day, names in enumerate((alone[start : start + 9] for start in range(0, others, 9)), 2):
        repo.commit(day, dict.fromkeys(names, "other"))
    commit = repo.commit(1, dict.fromkeys(NAMES[:pages], "import"))

    messages = [
        problem.message for problem in ask(map(repo.path.joinpath, NAMES[:pages] + alone)).problems
    ]

    assert [message.split(";")[0] for message in messages] == [
        f"{pages} of {pages + others} pages are dated by one commit, {commit[:7]} of 2020-01-02"
    ] * said
    assert all(".git-blame-ignore-revs" in message for message in messages)


def test_commits_that_changed_no_word_are_counted_in_one_notice(repo: Repo) -> None:
    repo.commit(1, {"a.md": "a", "b.md": "b", "c.md": "c"})
    repo.commit(2, {"a.md": "*a*", "b.md": "b\n"})
    commit = repo.commit(3, {"b.md": "b3"})

    answer = ask([repo.path / name for name in ("a.md", "b.md", "c.md")])

    assert answer.days == [1, 3, 1]
    assert answer.descriptions[0].endswith(" (1 later commit changed no word)")
    assert answer.descriptions[1] == f"git {commit[:7]}"
    assert [(problem.severity, problem.where) for problem in answer.problems] == [
        ("notice", "lastmod: git")
    ]
    assert answer.problems[0].message == (
        "1 of 3 pages were last changed by commits that changed no word; their dates are those of "
        "the change before"
    )


@pytest.mark.parametrize(("known", "count"), [(0, 19), (9, 19), (0, 10)])
def test_sources_that_git_mostly_does_not_know_give_one_notice(
    repo: Repo, known: int, count: int
) -> None:
    names = [f"{number:02}.md" for number in range(count)]
    repo.commit(1, {".gitignore": "*", "kept": ""})
    repo.write(dict.fromkeys(names, "copied"))
    if known:
        repo.git("add", "--force", *names[:known])
        repo.git("commit", "--quiet", "--message", "some")

    (message,) = notices(repo.path, [repo.path / name for name in names])

    assert message.startswith(f"{count - known} of {count} pages have sources that git does not")
    assert f"such as {repo.path / names[known]}, and get no date" in message
    assert "state_file" in message


@pytest.mark.parametrize(("known", "count"), [(5, 10), (0, 9)])
def test_few_sources_that_git_does_not_know_are_not_remarkable(
    repo: Repo, known: int, count: int
) -> None:
    names = NAMES[:count]
    repo.commit(1, {".gitignore": "", **dict.fromkeys(names[:known], "x")})
    repo.write(dict.fromkeys(names[known:], "x"))

    assert notices(repo.path, [repo.path / name for name in names]) == []


def test_a_folder_of_html_that_is_not_committed_hears_of_its_sources(repo: Repo) -> None:
    repo.commit(1, {".gitignore": "*.html"})
    file = repo.path / "a.html"

    (message,) = notices(repo.path, [file], output=file)

    assert message.endswith("name the folder of their sources with --source")


def test_git_alone_outside_a_repository_is_a_notice(tmp_path: Path) -> None:
    files = [tmp_path / "a.md"]

    assert notices(tmp_path, files) == []
    assert notices(tmp_path, files, Config(lastmod=("git",))) == [
        "the site lies in no git repository, so no page gets a date from git"
    ]


def test_nothing_is_said_where_git_was_never_asked(imported: Repo) -> None:
    source = GitDates(Site("https://example.org/"))
    source.prepare([Page(f"https://example.org/{name}", imported.path / name) for name in NAMES])

    assert source.problems == []

"""Each date is that of the commit that changed the file's content."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from git_repositories import Repo, ask, note_commands
from sitemap_plugin.dates.git import GitDates, sitemap_lastmod_source
from sitemap_plugin.models import Page, Site


def test_the_date_is_the_committer_date_in_utc_to_the_second(repo: Repo) -> None:
    repo.commit(1.5, {"a.md": "a"})

    answer = ask([repo.path / "a.md"])

    assert answer.dates == [dt.datetime(2020, 1, 2, 12, tzinfo=dt.UTC)]
    assert isinstance(answer.dates[0], dt.datetime)
    assert answer.dates[0].tzinfo is dt.UTC
    assert answer.problems == []


def test_the_description_names_the_commit(repo: Repo) -> None:
    commit = repo.commit(1, {"a.md": "a"})

    assert ask([repo.path / "a.md"]).descriptions == [f"git {commit[:7]}"]


def test_only_the_name_git_is_answered() -> None:
    site = Site("https://example.org/")

    assert sitemap_lastmod_source(site, "git") is not None
    assert [sitemap_lastmod_source(site, name) for name in ("Git", "date", "")] == [None] * 3


def test_a_page_without_a_source_has_no_date() -> None:
    answer = ask([None])

    assert answer.days == [None]
    assert answer.descriptions == ["git"]


def test_git_is_not_run_before_a_date_is_wanted(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit(1, {"a.md": "a"})
    commands = note_commands(monkeypatch)
    page = Page("https://example.org/a", source=repo.path / "a.md")

    source = sitemap_lastmod_source(Site("https://example.org/"), "git")
    assert isinstance(source, GitDates)
    source.prepare([page])
    before = list(commands)
    source(page)

    assert before == []
    assert commands


def test_many_files_take_one_log(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"{number}.md" for number in range(30)]
    for day, name in enumerate(names):
        repo.commit(day, {name: name})
    commands = note_commands(monkeypatch)

    assert repo.days(names) == list(range(30))
    assert commands.count("log") == 1
    assert len(commands) <= 6


def test_a_page_that_was_not_announced_is_dated_too(repo: Repo) -> None:
    repo.commit(1, {"a.md": "a"})
    repo.commit(2, {"b.md": "b"})

    source = ask([repo.path / "a.md"]).source

    date = source(Page("https://example.org/b", source=repo.path / "b.md"))
    assert date == dt.datetime(2020, 1, 3, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    "name",
    [
        "日本語/概要.md",
        "naïve café.md",
        'quo"te\\back\tslash.md',
        "-dash.md",
        ":(glob)*.md",
        "star*[a]?.md",
        "line\nfeed.md",
        " space ",
        "\x01soh.md",
        "a/b/c/d/e/f.md",
    ],
)
def test_any_file_name_is_dated(repo: Repo, name: str) -> None:
    repo.commit(1, {name: "a", "other.md": "o"})
    repo.commit(2, {"other.md": "o2"})
    repo.commit(3, {name: "a3", "more.md": "m"})

    assert repo.days([name, "other.md"]) == [3, 2]


def test_a_file_name_that_is_no_text_is_dated(repo: Repo) -> None:
    file = repo.path / "latin\udce9.md"
    file.write_text("a")
    repo.commit(1, {})
    repo.commit(2, {"other.md": "o"})

    assert [ask([file]).days, ask([file]).days] == [[1], [1]]


def test_very_many_folders_are_dated(repo: Repo) -> None:
    names = [f"f{number}/g/a.md" for number in range(100)]
    repo.commit(1, dict.fromkeys(names, "a"))
    repo.commit(2, {names[7]: "b"})

    assert repo.days(names) == [1] * 7 + [2] + [1] * 92


@pytest.mark.parametrize(
    "committer",
    [
        "",  # No line at all.
        "committer A <a@example.org>\n",
        "committer A <a@example.org> 0 +0000\n",
        "committer A <a@example.org> 99999999999999 +0000\n",
        "committer A <a@example.org> 18446744073709551615 +0000\n",
        "committer A <a@example.org> 99999999999999999999999999 +0000\n",
    ],
)
def test_a_commit_whose_time_is_none_gives_no_date(repo: Repo, committer: str) -> None:
    repo.commit(1, {"b.md": "b"})
    repo.write({"a.md": "a"})
    repo.git("add", "--all")
    tree, parent = repo.git("write-tree"), repo.git("rev-parse", "HEAD")
    text = f"tree {tree}\nparent {parent}\nauthor A <a@example.org> 1 +0000\n{committer}\nx\n"
    broken = repo.git("hash-object", "-w", "--stdin", "--literally", "-t", "commit", text=text)
    repo.git("reset", "--quiet", broken)

    assert repo.days(["a.md", "b.md"]) == [None, 1]


def test_a_repository_without_a_commit_gives_no_dates(repo: Repo) -> None:
    repo.write({"a.md": "a"})
    repo.git("add", "--all")

    answer = ask([repo.path / "a.md"])

    assert answer.days == [None]
    assert answer.problems == []


def test_a_repository_of_sha256_objects_is_read(tmp_path: Path, repo: Repo) -> None:
    repo.path = tmp_path / "sha256"
    repo.path.mkdir()
    repo.git("init", "--quiet", "--object-format=sha256")
    repo.commit(1, {"a.md": "a", "b.md": "b"})
    commit = repo.commit(2, {"a.md": "a2"})
    repo.commit(3, {".git-blame-ignore-revs": commit})

    assert repo.days(["a.md", "b.md"]) == [1, 1]

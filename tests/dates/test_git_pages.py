"""What git says of pages: dates, descriptions, notices, and files that are not as committed."""

import datetime as dt
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from files import read_table
from git_repositories import Repo, ask
from sitemap_plugin.config import Config
from sitemap_plugin.dates.git import GitDates, sitemap_lastmod_source
from sitemap_plugin.models import Page, Site

CASES = read_table(__file__, "git_pages.yaml")

NAMES = [f"{number}.md" for number in range(10)]
URL = "https://example.org/"


def test_the_date_is_the_committer_date_in_utc_and_the_description_names_the_commit(
    repo: Repo,
) -> None:
    repo.play("1 b.md=b; 1.5 a.md=a")
    commit = repo.git("rev-parse", "HEAD")

    answer = ask([repo.path / "a.md", None])

    assert answer.dates == [dt.datetime(2020, 1, 2, 12, tzinfo=dt.UTC), None]
    assert getattr(answer.dates[0], "tzinfo", None) is dt.UTC
    assert answer.descriptions == [f"git {commit[:7]}", "git"]
    assert answer.problems == []


def test_only_the_name_git_is_answered() -> None:
    names = ("git", "Git", "date", "")
    assert [bool(sitemap_lastmod_source(Site(URL), name)) for name in names] == [1, 0, 0, 0]


def test_many_files_take_one_log_and_none_before_a_date_is_wanted(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.play("; ".join(f"{day} {day}.md={day}" for day in range(30)))
    commands: list[str] = []
    start = subprocess.Popen

    def note(arguments: tuple[str, ...], **options: Any) -> Any:
        commands.extend({"rev-parse", "status", "ls-tree", "log"}.intersection(arguments))
        return start(arguments, **options)

    monkeypatch.setattr("sitemap_plugin.dates.git_process.subprocess.Popen", note)
    pages = [Page(f"{URL}{day}", source=repo.path / f"{day}.md") for day in range(30)]
    source = GitDates(Site(URL))
    source.prepare(pages)

    assert (commands, source.problems) == ([], [])
    assert [str(source(page))[8:10] for page in pages] == [f"{day:02}" for day in range(1, 31)]
    assert sorted(commands) == ["log", "ls-tree", "rev-parse", "status"]


def test_any_file_name_is_dated(repo: Repo) -> None:
    names = ["日本語/概要.md", "naïve café.md", 'quo"te\\back\tslash.md', "-dash.md", " space ",
        ":(glob)*.md", "star*[a]?.md", "line\nfeed.md", "\x01soh.md", "a/b/c/d/e/f.md",
        "latin\udce9.md", *(f"f{number}/g/a.md" for number in range(100))]  # fmt: skip
    repo.commit(1, {**dict.fromkeys(names, "a"), "other.md": "o"})
    repo.commit(2, {"other.md": "o2"})
    repo.commit(3, {**dict.fromkeys(names[:10], "a3"), "more.md": "m"})

    assert repo.days([*names, "other.md"]) == [3] * 10 + [1] * 101 + [2]
    assert repo.days([names[0], names[50]]) == [3, 1]


@pytest.mark.parametrize(
    "committer",
    ["", *(f"committer A <a@example.org>{time}\n" for time in (
        "", " 0 +0000", " 99999999999999 +0000", " 99999999999999999999999999 +0000"))],
)  # fmt: skip
def test_a_commit_whose_time_is_none_gives_no_date(repo: Repo, committer: str) -> None:
    repo.play("1 b.md=b")
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

    assert (answer.days, answer.problems) == ([None], [])


def test_a_repository_of_sha256_objects_is_read(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.git("init", "--quiet", "--object-format=sha256")
    (ignored,) = repo.play("1 a.md=a b.md=b; 2 a.md=a2 as IGNORED")
    repo.write({".git-blame-ignore-revs": ignored})

    assert repo.days(["a.md", "b.md"]) == [1, 1]


def notices(home: Path, files: list[Path], options: Any = None, **fields: Any) -> list[str]:
    """Return what is said of a site whose configuration lies in ``home``."""
    source = GitDates(Site(URL, config_dir=home, config=options or Config()))
    pages = [Page(f"{URL}{file.name}", file, **fields) for file in files]
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
    steps = [f"{9 + number // 9} {name}=other" for number, name in enumerate(alone)]
    repo.play("; ".join([*steps, " ".join(["1", *(f"{name}=i" for name in NAMES[:pages])])]))
    commit = repo.git("rev-parse", "HEAD")

    messages = notices(repo.path, [repo.path / name for name in NAMES[:pages] + alone])

    assert [message.split(";")[0] for message in messages] == [
        f"{pages} of {pages + others} pages are dated by one commit, {commit[:7]} of 2020-01-02"
    ] * said
    assert all(".git-blame-ignore-revs" in message for message in messages)


def test_commits_that_changed_no_word_are_counted_in_one_notice(repo: Repo) -> None:
    repo.play("1 a.md=a b.md=b c.md=c; 2 a.md=*a* b.md=b/; 3 b.md=b3")
    answer = ask([repo.path / name for name in ("a.md", "b.md", "c.md")])

    assert answer.days == [1, 3, 1]
    assert [" (1 later commit changed no word)" in text for text in answer.descriptions] == [
        1,
        0,
        0,
    ]
    assert [str(problem) for problem in answer.problems] == [
        "lastmod: git: 1 of 3 pages were last changed by commits that changed no word; their dates "
        "are those of the change before"
    ]


@pytest.mark.parametrize(
    ("known", "count", "said"), [(0, 19, 1), (9, 19, 1), (0, 10, 1), (5, 10, 0), (0, 9, 0)]
)
def test_sources_that_git_mostly_does_not_know_give_one_notice(
    repo: Repo, known: int, count: int, said: int
) -> None:
    names = [f"{number:02}.md" for number in range(count)]
    repo.play(" ".join(["1", "kept=k", *(f"{name}=x" for name in names[:known])]))
    repo.write(dict.fromkeys(names[known:], "copied"))

    messages = notices(repo.path, [repo.path / name for name in names])

    assert [message.split(",")[0] for message in messages] == [
        f"{count - known} of {count} pages have sources that git does not know (ignored"
    ] * said
    assert all(f"such as {repo.path / names[known]}, and" in message for message in messages)


def test_a_folder_of_html_that_is_not_committed_hears_of_its_sources(repo: Repo) -> None:
    repo.play("1 kept=k")
    file = repo.path / "a.html"
    (message,) = notices(repo.path, [file], output=file)

    assert message.endswith("name the folder of their sources with --source")


def test_git_alone_outside_a_repository_is_a_notice(tmp_path: Path) -> None:
    files = [tmp_path / "a.md"]

    assert notices(tmp_path, files) == []
    assert notices(tmp_path, files, Config(lastmod=("git",))) == [
        "the site lies in no git repository, so no page gets a date from git"
    ]


def test_a_broken_or_foreign_list_of_ignored_commits_is_a_warning(repo: Repo) -> None:
    (ignored,) = repo.play("1 a.md=a b.md=b; 2 a.md=a2 b.md=b2 as IGNORED; 3 b.md=b3")
    path = repo.path / ".git-blame-ignore-revs"
    secret = repo.path.parent / "secret"
    secret.write_text("PASSWORD=1234\n")

    def days(text: str) -> tuple[list[float | None], list[str]]:
        path.write_text(text)
        answer = ask([repo.path / "a.md", repo.path / "b.md"])
        return answer.days, [str(problem) for problem in answer.problems]

    assert days("") == ([2, 3], [])
    for form in ("{}\n", "# Reformat\n\n  {} # all of it\r\n", "{}", f"{'0' * 40}\n{{}}\n"):
        assert days(form.format(ignored)) == ([1, 3], [])
    assert days(ignored.upper()) == ([1, 3], [])
    for word in ("2f3a91c", "HEAD~3", "zzz"):
        found, (message,) = days(f"# Reformat\n{word}\n")
        assert found == [2, 3]
        assert message == f"{path}:2: this line is not a full commit id; write all of its digits"
    path.unlink()
    path.symlink_to(secret)
    answer = ask([repo.path / "a.md"])
    assert (answer.days, [p.severity for p in answer.problems]) == ([2], ["warning"])
    assert "1234" not in str(answer.problems)
    path.unlink()
    os.mkfifo(path)
    assert [str(problem) for problem in ask([repo.path / "a.md"]).problems] == [
        f"{path}: is not read: it is not a regular file"
    ]


@pytest.fixture
def clean(tmp_path: Path) -> Repo:
    return Repo.make(tmp_path / "clean", "1 docs/a.md=a docs/b.md=b .gitignore=ignored.md/")


def test_a_modified_file_has_no_date_until_it_is_committed(clean: Repo) -> None:
    before = clean.days(["docs/a.md", "docs/b.md"])
    clean.write({"docs/a.md": "a2"})
    modified = clean.days(["docs/a.md", "docs/b.md"])
    clean.commit(2, {})

    assert [before, modified] == [[1, 1], [None, 1]]
    assert clean.days(["docs/a.md", "docs/b.md"]) == [2, 1]


@pytest.mark.parametrize(("files", "commands", "days"), CASES["working tree"])
def test_only_a_file_as_committed_has_a_date(
    clean: Repo, files: dict[str, str | None], commands: list[str], days: list[float | None]
) -> None:
    clean.write(files)
    (clean.path / "docs/b.md").touch()
    (clean.path / "docs/.git").mkdir()  # No repository.
    for command in commands:
        clean.git(*command.split())

    assert clean.days(["docs/a.md", "docs/b.md", "docs/n.md"]) == days
    assert clean.days(["docs/ignored.md", "docs/A.md", "no/where.md"]) == [None] * 3


def test_a_file_in_conflict_has_no_date(repo: Repo) -> None:
    repo.play("1 a.md=a b.md=b; fork side; 2 a.md=side; on main; 3 a.md=main")
    with pytest.raises(AssertionError):
        repo.git("merge", "--quiet", "refs/commits/2")

    assert repo.days(["a.md", "b.md"]) == [None, 1]


def test_a_folder_that_was_copied_out_of_its_repository_has_no_dates(
    clean: Repo, tmp_path: Path
) -> None:
    shutil.copytree(clean.path / "docs", tmp_path / "copy")
    answer = ask([tmp_path / "copy" / "a.md", tmp_path / "copy" / "b.md"])
    assert (answer.days, answer.problems) == ([None, None], [])


def test_paths_may_be_relative_or_lead_through_a_linked_folder(
    clean: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(clean.path / "docs")
    (tmp_path / "site").symlink_to(clean.path / "docs")

    files = [Path("a.md"), Path("../docs/b.md"), tmp_path / "site" / "a.md"]
    assert ask(files).days == [1, 1, 1]


def test_a_link_and_the_file_behind_it_count(clean: Repo, tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_text("o")
    links = {"link.md": "docs/a.md", "out.md": f"{tmp_path}/outside.md", "broken.md": "nowhere.md"}
    for name, target in links.items():
        (clean.path / name).symlink_to(target)
    clean.commit(2, {})
    clean.commit(5, {"docs/a.md": "a5"})
    assert clean.days(links) == [5, None, None]

    (clean.path / "link.md").unlink()
    (clean.path / "link.md").symlink_to("docs/b.md")
    assert clean.days(["link.md"]) == [None]
    clean.commit(6, {})
    assert clean.days(["link.md"]) == [6]

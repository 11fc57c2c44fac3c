"""Nothing but the repository decides what git answers, and git cannot stall or end a build."""

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from git_repositories import Repo, ask
from sitemap_plugin.dates.git import remembered
from sitemap_plugin.errors import Problem

FILES = ["docs/a.md", "docs/b.md", "docs/日本.md", "docs/moved.md"]
DAYS = [1, 5, 2, 1]
COMMANDS = ["rev-parse", "status", "ls-tree", "log", "cat-file", "diff-tree"]

CONFIGURATION = Path(__file__).with_name("hostile.gitconfig").read_text(encoding="utf-8")
ENVIRONMENT = {
    "GIT_DIR": "/nowhere/.git", "GIT_WORK_TREE": "/tmp", "GIT_INDEX_FILE": "/nowhere/index",
    "GIT_OBJECT_DIRECTORY": "/nowhere/objects", "GIT_COMMON_DIR": "/nowhere/.git",
    "GIT_NAMESPACE": "other", "GIT_PREFIX": "docs/", "GIT_GRAFT_FILE": "/nowhere/grafts",
    "GIT_SHALLOW_FILE": "/nowhere/shallow", "GIT_LITERAL_PATHSPECS": "0",
    "GIT_ICASE_PATHSPECS": "1", "GIT_NOGLOB_PATHSPECS": "1", "GIT_PAGER": "false",
    "GIT_EXTERNAL_DIFF": "false", "GIT_DIFF_OPTS": "--unified=0", "GIT_TRACE": "2",
    "GIT_CONFIG": "/nowhere/config", "GIT_OPTIONAL_LOCKS": "1", "LC_ALL": "de_DE.UTF-8",
    "LANG": "ja_JP.UTF-8", "TERM": "dumb", "COLUMNS": "10",
}  # fmt: skip

FakeGit = Callable[..., Path]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    return Repo.make(
        tmp_path_factory.mktemp("original") / "site",
        "1 docs/a.md=a docs/b.md=b docs/old.md=old src/x.py=x; 2 docs/日本.md=n; fork side; "
        "3 src/x.py=x3; on main; 4 docs/old.md>docs/moved.md; 5 docs/b.md=b5; 6 merge side",
    )


@pytest.fixture
def history(original: Repo, tmp_path: Path) -> Repo:
    shutil.copytree(original.path, tmp_path / "site")
    return Repo(tmp_path / "site")


@pytest.fixture
def fake_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeGit:
    """Return a function that puts a shell script in the place of git."""

    def fake(script: str, command: str = "") -> Path:
        program = tmp_path / "bin" / "git"
        program.parent.mkdir(exist_ok=True)
        program.write_text(
            f'#!/bin/sh\nreal="{shutil.which("git", path=os.defpath)}"\n'
            f'case " $* " in *" {command} "*) {script};; esac; exec "$real" "$@"\n'
        )
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.defpath}")
        return program

    return fake


def failure(repo: Repo) -> Problem:
    """Return the only problem of a repository that gives no dates."""
    remembered.clear()
    answer = ask([repo.path / file for file in FILES])
    assert answer.days == [None] * 4
    (problem,) = answer.problems
    return problem


def test_neither_configuration_nor_environment_changes_an_answer_or_runs_a_program(
    history: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path / 'was-run'}\n")
    program.chmod(0o755)
    history.git("notes", "add", "-m", "A note.", "HEAD")
    history.write({".gitattributes": "*.md diff=text\n"})
    (history.path / "docs/a.md").touch()
    with (history.path / ".git/config").open("a") as file:
        file.write(CONFIGURATION.replace("PROGRAM", str(program)))
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    before = {path: path.stat().st_mtime_ns for path in history.path.rglob("*")}

    assert history.days(FILES) == DAYS
    assert not (tmp_path / "was-run").exists()
    assert {path: path.stat().st_mtime_ns for path in history.path.rglob("*")} == before


def test_git_in_the_current_folder_is_not_run(
    history: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "git"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path / 'was-run'}\n")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.pathsep}{os.environ['PATH']}")

    assert history.days(FILES) == DAYS
    assert not (tmp_path / "was-run").exists()


def test_without_git_there_is_a_notice_and_no_date(
    history: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    problem = failure(history)

    assert problem.severity == "notice"
    assert "not installed" in problem.message


def test_a_git_that_cannot_be_started_or_is_too_old_is_a_warning(
    history: Repo, fake_git: FakeGit
) -> None:
    # Before 2.31, rev-parse printed the option that it did not know.
    fake_git("echo --path-format=absolute", "rev-parse")
    assert "install git 2.31 or newer" in failure(history).message
    fake_git("").write_bytes(b"\x7fELF")
    assert failure(history).severity == "warning"


@pytest.mark.parametrize("command", ["status", "log", "cat-file"])
def test_a_git_that_hangs_is_ended_with_all_that_it_started(
    history: Repo, fake_git: FakeGit, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    history.commit(7, {"docs/a.md": "*a*"})
    program = fake_git('printf "\\001012"; sleep 300 & echo $! > "$0.pid"; wait', command)
    monkeypatch.setenv("SITEMAP_PLUGIN_GIT_TIMEOUT", "1")
    problem = failure(history)

    assert (problem.severity, problem.where) == ("warning", str(history.path))
    assert "within 1 seconds" in problem.message
    assert "SITEMAP_PLUGIN_GIT_TIMEOUT" in problem.message
    status = Path("/proc", program.with_name("git.pid").read_text().strip(), "stat")
    for _ in range(500):  # It may be left as a zombie that nobody waits for.
        if not status.exists() or status.read_text().rpartition(")")[2].split()[0] == "Z":
            return
        time.sleep(0.01)
    pytest.fail("it still runs")


@pytest.mark.skipif(not shutil.which("setsid"), reason="needs setsid")
def test_a_child_that_keeps_the_output_open_does_not_hold_up_the_build(
    history: Repo, fake_git: FakeGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_git("setsid sleep 20 &", "log")
    monkeypatch.setenv("SITEMAP_PLUGIN_GIT_TIMEOUT", "1")
    start = time.monotonic()

    assert "within 1 seconds" in failure(history).message
    assert time.monotonic() - start < 15


@pytest.mark.parametrize("command", COMMANDS[:4])
def test_a_git_that_fails_is_a_warning_without_its_own_words(
    history: Repo, fake_git: FakeGit, command: str
) -> None:
    for end in ("exit 3", "kill -9 $$", "echo fatal: bad line: PASSWORD >&2; exit 1"):
        fake_git(f'"$real" "$@" | head -c 200; {end}', command)
        problem = failure(history)

        assert (problem.severity, problem.where) == ("warning", str(history.path))
        assert problem.message.startswith("git cannot read the repository here (exit status ")
        assert "PASSWORD" not in problem.message


@pytest.mark.parametrize("end", ["exit 3", "echo garbage", "read name; echo $name blob 9"])
def test_where_versions_cannot_be_read_bytes_count(
    history: Repo, fake_git: FakeGit, end: str
) -> None:
    history.commit(7, {"docs/a.md": "*a*"})
    fake_git(f"{end}; exit", "cat-file")

    answer = ask([history.path / file for file in FILES])

    assert answer.days == [7, *DAYS[1:]]
    (problem,) = answer.problems
    assert (problem.severity, problem.where) == ("notice", "lastmod: git")
    assert problem.message.startswith("this clone lacks earlier versions of files")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_git_that_answers_something_else_ends_no_build(
    history: Repo, fake_git: FakeGit, command: str
) -> None:
    for said in ("echo garbage", ":", "head -c 100 /dev/zero", "printf '%05000d' 1"):
        remembered.clear()
        fake_git(f"{said}; exit 0", command)
        answer = ask([history.path / "docs/a.md"])

        assert len(answer.days) == 1
        assert all(problem.severity != "error" for problem in answer.problems)


@pytest.mark.parametrize("value", ["two minutes", "0", "nan", "inf", "-1"])
def test_a_time_limit_that_is_none_is_a_warning(
    history: Repo, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("SITEMAP_PLUGIN_GIT_TIMEOUT", value)

    assert failure(history).message.startswith(
        f"SITEMAP_PLUGIN_GIT_TIMEOUT: expected a number of seconds above 0, got {value!r}"
    )


def test_a_time_limit_that_is_one_or_is_not_set_is_not_mentioned(
    history: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    for value in (" ", " 60.5 "):
        monkeypatch.setenv("SITEMAP_PLUGIN_GIT_TIMEOUT", value)
        assert ask([history.path / "docs/a.md"]).problems == []


@pytest.mark.parametrize("name", ["HEAD", "index", "shallow"])
def test_a_pipe_in_the_place_of_a_file_of_gits_holds_nothing_up(history: Repo, name: str) -> None:
    (history.path / ".git" / name).unlink(missing_ok=True)
    os.mkfifo(history.path / ".git" / name)
    problem = failure(history)

    assert problem.severity == "warning"
    assert problem.message.startswith(f"{name} in .git is not a regular file")


def test_a_list_of_names_of_authors_that_is_a_pipe_is_not_read(
    history: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SITEMAP_PLUGIN_GIT_TIMEOUT", "5")
    os.mkfifo(history.path / "names")
    history.git("config", "mailmap.file", str(history.path / "names"))

    assert history.days(FILES) == DAYS


@pytest.mark.parametrize("damage", ["HEAD", "index", "HEAD:docs"])
def test_a_damaged_repository_is_a_warning_and_gives_no_dates(history: Repo, damage: str) -> None:
    if ":" in damage:
        identity = history.git("rev-parse", damage)
        (history.path / ".git/objects" / identity[:2] / identity[2:]).unlink()
    else:
        (history.path / ".git" / damage).write_text("rubbish")

    assert failure(history).severity == "warning"

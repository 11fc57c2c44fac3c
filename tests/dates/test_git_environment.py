"""Nothing but the repository decides what git answers, and git cannot stall a build."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from git_repositories import Repo, ask
from sitemap_plugin.dates.git_process import Git, GitError, git_environment
from sitemap_plugin.dates.git_repository import remembered

pytestmark = pytest.mark.slow

FILES = ["docs/a.md", "docs/b.md", "docs/日本.md", "docs/moved.md"]
DAYS = [1, 5, 2, 1]
COMMANDS = ["rev-parse", "status", "ls-tree", "log", "cat-file"]


@pytest.fixture
def history(repo: Repo) -> Repo:
    repo.commit(1, {"docs/a.md": "a", "docs/b.md": "b", "docs/old.md": "old", "src/x.py": "x"})
    repo.commit(2, {"docs/日本.md": "n"})
    repo.git("checkout", "--quiet", "-b", "side")
    repo.commit(3, {"src/x.py": "x3"})
    repo.git("checkout", "--quiet", "main")
    repo.move(4, "docs/old.md", "docs/moved.md")
    repo.commit(5, {"docs/b.md": "b5"})
    repo.merge(6, "side")
    return repo


@pytest.fixture
def fake_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Return a function that puts a shell script in the place of git."""

    def fake(script: str) -> Path:
        folder = tmp_path / "bin"
        folder.mkdir()
        program = folder / "git"
        program.write_text(f'#!/bin/sh\nreal="{shutil.which("git")}"\n{script}\n')
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
        return program

    return fake


CONFIGURATION = [("color.ui", "always"), ("color.diff", "always"), ("color.status", "always"),
    ("core.abbrev", "4"), ("core.commentChar", ";"), ("core.fsmonitor", "/nowhere/monitor"),
    ("core.pager", "false"), ("core.quotePath", "true"), ("diff.external", "false"),
    ("diff.ignoreSubmodules", "all"), ("diff.noprefix", "true"),
    ("diff.orderFile", "/nowhere/order"), ("diff.relative", "true"),
    ("diff.renames", "copies"), ("diff.submodule", "log"), ("diff.text.textconv", "false"),
    ("format.pretty", "fuller"), ("i18n.logOutputEncoding", "UTF-16"),
    ("log.abbrevCommit", "true"), ("log.date", "relative"), ("log.decorate", "full"),
    ("log.diffMerges", "off"), ("log.follow", "true"), ("log.mailmap", "true"),
    ("log.showRoot", "false"), ("log.showSignature", "true"),
    ("notes.displayRef", "refs/notes/*"), ("pager.log", "true"),
    ("protocol.allow", "always"), ("status.branch", "true"),
    ("status.relativePaths", "true"), ("status.renames", "copies"), ("status.short", "true"),
    ("status.showStash", "true"), ("status.showUntrackedFiles", "all"),
    ("status.submoduleSummary", "true")]  # fmt: skip
ENVIRONMENT = [("GIT_DIR", "/nowhere/.git"), ("GIT_WORK_TREE", "/tmp"),
    ("GIT_INDEX_FILE", "/nowhere/index"), ("GIT_OBJECT_DIRECTORY", "/nowhere/objects"),
    ("GIT_COMMON_DIR", "/nowhere/.git"), ("GIT_NAMESPACE", "other"), ("GIT_PREFIX", "docs/"),
    ("GIT_GRAFT_FILE", "/nowhere/grafts"), ("GIT_SHALLOW_FILE", "/nowhere/shallow"),
    ("GIT_LITERAL_PATHSPECS", "0"), ("GIT_ICASE_PATHSPECS", "1"),
    ("GIT_NOGLOB_PATHSPECS", "1"), ("GIT_PAGER", "false"), ("GIT_EXTERNAL_DIFF", "false"),
    ("GIT_DIFF_OPTS", "--unified=0"), ("GIT_TRACE", "2"), ("GIT_CONFIG", "/nowhere/config"),
    ("GIT_OPTIONAL_LOCKS", "1"), ("LC_ALL", "de_DE.UTF-8"), ("LANG", "ja_JP.UTF-8"),
    ("TERM", "dumb"), ("COLUMNS", "10")]  # fmt: skip


def test_the_users_configuration_changes_nothing(history: Repo) -> None:
    (history.path / ".gitattributes").write_text("*.md diff=text\n")
    history.git("notes", "add", "-m", "A note.", "HEAD")
    for key, value in CONFIGURATION:
        history.git("config", key, value)
        remembered.clear()

        assert history.days(FILES) == DAYS, key
        history.git("config", "--unset", key)


def test_the_environment_changes_nothing(history: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ENVIRONMENT:
        remembered.clear()
        with monkeypatch.context() as patch:
            patch.setenv(name, value)

            assert history.days(FILES) == DAYS, name


def test_a_build_inside_a_git_hook_is_dated(history: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    hook = history.path / ".git/hooks/post-commit"
    hook.write_text("#!/bin/sh\nenv > env.txt\n")
    hook.chmod(0o755)
    history.git("worktree", "add", "--quiet", "-b", "other", history.path / "other")
    other = type(history)(history.path / "other")
    other.commit(7, {"docs/b.md": "b7"})
    for line in (other.path / "env.txt").read_text().splitlines():
        name, _, value = line.partition("=")
        if name.startswith("GIT_"):
            monkeypatch.setenv(name, value)

    assert "GIT_INDEX_FILE" in os.environ
    assert history.days(FILES) == DAYS


def test_only_what_leads_to_git_and_its_configuration_is_kept() -> None:
    given = {
        "PATH": "/bin",
        "HOME": "/home/a",
        "GIT_DIR": "/nowhere",
        "git_dir": "/nowhere",
        "GIT_ASKPASS": "/bin/ask",
        "GIT_EXEC_PATH": "/opt/git",
        "GIT_CONFIG_COUNT": "1",
        "LC_ALL": "de_DE.UTF-8",
        "GIT_TERMINAL_PROMPT": "1",
    }

    environment = git_environment(given)

    kept = {"PATH", "HOME", "GIT_EXEC_PATH", "GIT_CONFIG_COUNT"}
    assert {name: environment.get(name) for name in kept} == {name: given[name] for name in kept}
    assert given.keys() - environment.keys() == {"GIT_DIR", "git_dir", "GIT_ASKPASS"}
    assert environment["LC_ALL"] == "C"
    assert environment["GIT_TERMINAL_PROMPT"] == "0"


@pytest.mark.parametrize(
    "key",
    ["core.fsmonitor", "core.pager", "diff.external", "diff.text.textconv", "gpg.program"],
)
def test_programs_that_are_configured_for_other_uses_are_not_run(
    history: Repo, key: str, tmp_path: Path
) -> None:
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path / 'was-run'}\n")
    program.chmod(0o755)
    (history.path / ".gitattributes").write_text("*.md diff=text\n")
    history.git("config", "log.showSignature", "true")
    history.git("config", key, program)

    assert history.days(FILES) == DAYS
    assert not (tmp_path / "was-run").exists()


def test_nothing_is_written_into_the_repository(history: Repo) -> None:
    (history.path / "docs/a.md").touch()
    before = {path: path.stat().st_mtime_ns for path in history.path.rglob("*")}

    history.days(FILES)

    assert {path: path.stat().st_mtime_ns for path in history.path.rglob("*")} == before


def test_without_git_there_is_a_notice_and_no_date(
    history: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    answer = ask([history.path / file for file in FILES])

    assert answer.days == [None] * 4
    [problem] = answer.problems
    assert problem.severity == "notice"
    assert "not installed" in problem.message


def test_a_git_that_cannot_be_started_is_a_warning(
    history: Repo, fake_git: Callable[[str], Path]
) -> None:
    fake_git("").write_bytes(b"\x7fELF")

    answer = ask([history.path / "docs/a.md"])

    assert answer.days == [None]
    [problem] = answer.problems
    assert problem.severity == "warning"
    assert "git gives no dates: " in problem.message


def test_a_git_that_is_too_old_is_as_good_as_none(
    history: Repo, fake_git: Callable[[str], Path]
) -> None:
    # Before 2.31, rev-parse printed the option that it did not know.
    fake_git('case "$*" in *rev-parse*) echo --path-format=absolute;; esac; exec "$real" "$@"')

    [problem] = ask([history.path / "docs/a.md"]).problems

    assert problem.severity == "warning"
    assert "install git 2.31 or newer" in problem.message


@pytest.mark.parametrize("command", [*COMMANDS, "half a log"])
def test_a_git_that_hangs_is_ended_with_all_that_it_started(
    history: Repo,
    fake_git: Callable[[str], Path],
    monkeypatch: pytest.MonkeyPatch,
    command: str,
) -> None:
    start, command = ("printf '\\001012345'", "log") if " " in command else (":", command)
    hang = f'{start}; sleep 300 & echo $! > "$0.pid"; wait'
    program = fake_git(f'case " $* " in *" {command} "*) {hang};; esac; exec "$real" "$@"')
    monkeypatch.setenv("SITEMAP_PLUGIN_GIT_TIMEOUT", "1.5")

    answer = ask([history.path / file for file in FILES])

    assert answer.days == [None] * 4
    [problem] = answer.problems
    assert problem.severity == "warning"
    assert "within 1.5 seconds" in problem.message
    assert "SITEMAP_PLUGIN_GIT_TIMEOUT" in problem.message
    assert ends(int(program.with_name("git.pid").read_text()))


def ends(pid: int) -> bool:
    """Tell whether a process ends soon; it may be left as a zombie that nobody waits for."""
    status = Path(f"/proc/{pid}/stat")
    for _ in range(1000):
        if not status.exists() or status.read_text().rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.01)
    return False


def test_a_git_that_hangs_is_not_asked_about_the_next_repository(
    make_repo: Callable[[str], Repo],
    fake_git: Callable[[str], Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    repos = [make_repo(name) for name in ("one", "two", "three")]
    for repo in repos:
        repo.commit(1, {"a.md": "a"})
    fake_git("exec sleep 300")
    monkeypatch.setenv("SITEMAP_PLUGIN_GIT_TIMEOUT", "0.2")

    assert len(ask([repo.path / "a.md" for repo in repos]).problems) == 1


@pytest.mark.parametrize("words", ["", "warning: something", "UTF-16"])
def test_a_log_that_is_not_what_was_asked_for_is_a_warning(
    history: Repo, fake_git: Callable[[str], Path], words: str
) -> None:
    fake_git(f'case " $* " in *" log "*) printf "{words}"; exit;; esac; exec "$real" "$@"')

    answer = ask([history.path / file for file in FILES])

    assert answer.days == [None] * 4
    [problem] = answer.problems
    assert problem.severity == "warning"
    assert "its log " in problem.message


@pytest.mark.parametrize("command", [*COMMANDS[:-1], "diff-tree"])
@pytest.mark.parametrize("end", ["exit 3", "kill -9 $$", "echo fatal: no luck >&2; exit 1"])
def test_a_git_that_fails_is_a_warning_and_gives_no_dates(
    history: Repo, fake_git: Callable[[str], Path], command: str, end: str
) -> None:
    half = f'"$real" "$@" | head -c 200; {end}'
    fake_git(f'case " $* " in *" {command} "*) {half};; esac; exec "$real" "$@"')

    answer = ask([history.path / file for file in FILES])

    assert answer.days == [None] * 4
    [problem] = answer.problems
    assert problem.severity == "warning"
    assert problem.where == str(history.path)


def test_a_failure_is_told_in_gits_own_words(
    tmp_path: Path, fake_git: Callable[[str], Path]
) -> None:
    fake_git("echo warning: w >&2; echo fatal: first >&2; echo fatal: second >&2; exit 128")

    with pytest.raises(GitError, match=r"\Afirst\Z"):
        Git(str(tmp_path)).ask("log")


@pytest.mark.parametrize(
    "end", ["exit 3", "kill -9 $$", "echo garbage", "read name; echo $name blob 9"]
)
def test_where_versions_cannot_be_read_bytes_count(
    history: Repo, fake_git: Callable[[str], Path], end: str
) -> None:
    history.commit(7, {"docs/a.md": "*a*"})
    before = history.days(FILES)
    remembered.clear()
    fake_git(f'case " $* " in *" cat-file "*) {end}; exit;; esac; exec "$real" "$@"')

    answer = ask([history.path / file for file in FILES])

    assert [before[0], answer.days] == [1, [7, *DAYS[1:]]]
    [problem] = answer.problems
    assert (problem.severity, problem.where) == ("notice", "lastmod: git")
    assert problem.message.startswith("this clone lacks earlier versions of files")


@pytest.mark.skipif(not shutil.which("setsid"), reason="needs setsid")
def test_a_child_that_keeps_the_output_open_does_not_hold_up_the_build(
    history: Repo, fake_git: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_git(
        'case " $* " in *" log "*) setsid sleep 5 &; esac; exec "$real" "$@"'.replace("&;", "&")
    )
    monkeypatch.setenv("SITEMAP_PLUGIN_GIT_TIMEOUT", "1.5")
    start = time.monotonic()

    answer = ask([history.path / file for file in FILES])

    assert time.monotonic() - start < 4
    assert answer.days == [None] * 4
    assert ["within 1.5 seconds" in problem.message for problem in answer.problems] == [True]


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


def test_a_list_of_boundaries_that_is_a_folder_is_a_warning(history: Repo) -> None:
    (history.path / ".git/shallow").mkdir()

    answer = ask([history.path / "docs/a.md"])

    assert answer.days == [None]
    assert [problem.severity for problem in answer.problems] == ["warning"]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    "said",
    [
        "echo garbage",
        ":",
        "head -c 100 /dev/zero",
        "printf '%05000d' 1",
        "printf '\\377\\376 x\\n'",
    ],
)
def test_a_git_that_answers_something_else_ends_no_build(
    history: Repo, fake_git: Callable[[str], Path], command: str, said: str
) -> None:
    fake_git(f'case " $* " in *" {command} "*) {said}; exit 0;; esac; exec "$real" "$@"')

    answer = ask([history.path / "docs/a.md"])

    assert len(answer.days) == 1
    assert all(problem.severity != "error" for problem in answer.problems)

"""Run git so that only the repository decides what it answers, and never past a time limit.

All commands that are run stand here. The user's configuration, variables that a git hook leaves
behind, the network and prompts are shut out.
"""

import contextlib
import os
import re
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager
from typing import IO

from sitemap_plugin.errors import Severity

TIMEOUT_VARIABLE = "SITEMAP_PLUGIN_GIT_TIMEOUT"
SECONDS = 120
"""Time for all that is asked about one repository: enough for a million commits."""
LARGEST = 16 * 1024 * 1024
"""Bytes of a version whose words are compared."""

# CI systems set safe.directory with GIT_CONFIG_..., and GIT_TEST_... are git's own switches.
_SHUT_OUT = re.compile(r"GIT_(?!CEILING_|CONFIG_|DISCOVERY_|EXEC_PATH|TEST_)", re.IGNORECASE)
_ENVIRONMENT = {
    "LC_ALL": "C",
    "LANGUAGE": "C",
    "GIT_ALLOW_PROTOCOL": "none",
    # Grafts and replacements are one clone's own view of history.
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}
_SETTINGS = (
    *("--no-pager", "-c", "core.fsmonitor=false", "-c", "log.follow=false"),
    *("-c", "log.mailmap=false", "-c", "log.showRoot=true", "-c", "log.showSignature=false"),
)

# What git is asked: where the repository lies, what is changed in the working tree, which blobs
# HEAD has, which commits made which blobs, what a commit moved, and ("cat-file") their content.
WHERE = ("rev-parse", "--path-format=absolute", "--show-toplevel", "--git-path", "shallow")
STATUS = (
    *("status", "--porcelain=v2", "--branch", "--no-ahead-behind", "-z", "--no-renames"),
    *("--untracked-files=no", "--ignore-submodules=all"),
)
FILES = ("ls-tree", "-r", "-z", "--full-tree")
LOG = (
    *("log", "-z", "--raw", "-c", "--no-abbrev", "--no-renames", "--date-order", "--full-history"),
    *("--no-relative", "--no-color", "--no-notes", "--encoding=UTF-8", f"-O{os.devnull}"),
    *("--format=%x00%H %ct %P", "--stdin"),
)
MOVES = (
    *("diff-tree", "-z", "-r", "--raw", "--no-abbrev", "--diff-filter=RC", "-l1000"),
    *("--always", "--stdin"),
)
CONTENT = ("cat-file", "--batch")


class GitError(Exception):
    """Git cannot answer; the message says why, and what to do."""

    def __init__(self, message: str, severity: Severity = "warning") -> None:
        super().__init__(message)
        self.severity = severity


class Git(ExitStack):
    """Git in one folder; all that it is asked has one time limit."""

    def __init__(self, folder: str) -> None:
        super().__init__()
        self.folder = folder
        seconds = _time_limit()
        self._deadline = time.monotonic() + seconds
        self._late = (
            f"git gave no answer within {seconds:g} seconds, so no page gets a date from it; "
            f"find out what holds it up, or allow more with the variable {TIMEOUT_VARIABLE}"
        )
        self._reader: subprocess.Popen[bytes] | None = None

    def ask(self, *arguments: str, text: bytes = b"") -> bytes:
        """Return all that git prints; ``text`` is its input."""
        with self._run(*arguments) as process:
            try:
                output, errors = process.communicate(text, self._seconds_left())
            except subprocess.TimeoutExpired:
                raise GitError(self._late) from None
        if process.returncode:
            raise GitError(_explain(errors, process.returncode, self.folder))
        return output

    def read(self, names: Collection[bytes]) -> dict[bytes, bytes]:
        """Return the contents of objects, without those that are missing, too large or damaged.

        One run of git answers all questions; ask for no more names at once than a pipe holds.
        """
        reader = self._reader or self._start_reader()
        assert reader.stdin and reader.stdout  # noqa: S101, PT018 - it was started with pipes
        found: dict[bytes, bytes] = {}
        try:
            reader.stdin.write(b"\n".join(names) + b"\n")
            reader.stdin.flush()
            for name in names:
                if (content := _read_object(reader.stdout)) is not None:
                    found[name] = content
        except OSError:
            _kill(reader)  # It answers no more; git before 2.44 ends where it wants to fetch.
            if not self._seconds_left():
                raise GitError(self._late) from None
        return found

    def _start_reader(self) -> subprocess.Popen[bytes]:
        run = self._run(*CONTENT, stderr=subprocess.DEVNULL)
        self._reader = self.enter_context(run)
        timer = threading.Timer(self._seconds_left(), _kill, (self._reader,))
        timer.daemon = True
        timer.start()
        self.callback(timer.cancel)
        return self._reader

    @contextmanager
    def _run(
        self, *arguments: str, stderr: int = subprocess.PIPE
    ) -> Iterator[subprocess.Popen[bytes]]:
        """Run git with pipes, and end it with the block."""
        program = _find_program()
        kept = {name: value for name, value in os.environ.items() if not _SHUT_OUT.match(name)}
        try:
            process = subprocess.Popen(  # noqa: S603 - the arguments are this package's own
                (program, *_SETTINGS, *arguments),
                cwd=self.folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                env=kept | _ENVIRONMENT,
                start_new_session=True,  # A group of its own, to end git with all that it started.
            )
        except OSError as error:
            raise GitError(f"git gives no dates: {program}: {error.strerror}") from error
        with contextlib.suppress(BrokenPipeError), process:
            try:
                yield process
            finally:
                _kill(process)

    def _seconds_left(self) -> float:
        return max(0.0, self._deadline - time.monotonic())


def _time_limit() -> float:
    text = os.environ.get(TIMEOUT_VARIABLE, "").strip()
    with contextlib.suppress(ValueError):
        if 0 < (wanted := float(text or SECONDS)) < threading.TIMEOUT_MAX:
            return wanted
    message = f"{TIMEOUT_VARIABLE}: expected a number of seconds above 0, got {text[:40]!r}"
    raise GitError(f"{message}, so no page gets a date from git; correct or unset it")


def _find_program() -> str:
    """Find git on the PATH, but never in the current folder, where Windows would look first."""
    name = "git.exe" if os.name == "nt" else "git"
    for folder in os.get_exec_path():
        path = os.path.join(folder, name)  # noqa: PTH118 - a Path loses nothing here, but time
        if os.path.isabs(folder) and os.path.isfile(path) and os.access(path, os.X_OK):  # noqa: PTH113, PTH117
            return path
    message = "git is not installed, so no page has a date from git; install git 2.31 or newer"
    raise GitError(message, "notice")


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill git and all that it started, if it still runs."""
    if process.poll() is None:
        if os.name == "posix":
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def _read_object(output: IO[bytes]) -> bytes | None:
    """Read an answer; raise OSError if it ends too early or is none."""
    header = output.readline(1000).split()
    if header[-1:] == [b"missing"]:
        return None
    if len(header) != 3 or not header[2].isdigit():  # noqa: PLR2004 - id, kind and size
        raise OSError
    size = left = int(header[2]) + 1
    data = b""
    while left:
        data = output.read(min(left, LARGEST))
        if not data:
            raise OSError
        left -= len(data)
    return data[:-1] if size <= LARGEST else None


def _explain(errors: bytes, status: int, folder: str) -> str:
    """Say why git gives no dates; its own words might quote a file that is to stay secret."""
    if b"dubious ownership" in errors or b"unsafe repository" in errors:
        return (
            "git refuses to read a repository of another user, so its pages get no date from git; "
            f"if you trust it, run: git config --global --add safe.directory {shlex.quote(folder)}"
        )
    return (
        f"git cannot read the repository here (exit status {status}), so its pages get no date "
        "from git; clone it anew; if it lacks the folders of earlier commits (--filter=tree:0), "
        "run: git fetch --refetch --filter=blob:none"
    )

"""Run git so that only the repository decides what it answers, and never past a time limit.

The user's configuration, and the variables that a git hook leaves behind (``GIT_DIR`` above all),
change what git prints; the network and prompts would stall a build. All of that is shut out here.
"""

from __future__ import annotations

import contextlib
import math
import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Literal, Self

TIMEOUT_VARIABLE = "SITEMAP_PLUGIN_GIT_TIMEOUT"
SECONDS = 120.0
"""Time for all that is asked about one repository: enough for a million commits."""
LONGEST = 1e6
"""More seconds than this, a computer cannot wait for."""
_QUOTING = re.compile(r"((?:bad|unexpected|invalid|unable)[^:]*(?: line| data| path)[^:]*): .*")
"""A fault that git tells with what it has read: the file may be a link to something secret."""
LARGEST = 16 * 1024 * 1024
"""Bytes of a version whose words are compared."""

_KEPT_VARIABLES = ("GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM", "GIT_EXEC_PATH")
_KEPT_PREFIXES = (
    "GIT_CONFIG_",  # CI systems set safe.directory with these.
    "GIT_TEST_",  # Git's own switches, for example to try out a refusal.
)
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
    "--no-pager",
    *("-c", "color.ui=false"),
    *("-c", "core.fsmonitor=false"),
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "diff.renames=false"),
    *("-c", "log.follow=false"),
    *("-c", "log.mailmap=false"),
    *("-c", "log.showRoot=true"),
    *("-c", "log.showSignature=false"),
)


class GitError(Exception):
    """Git could not answer; the message is the first line that git itself printed."""


class GitUnusableError(GitError):
    """No repository can be asked: git is missing, or too slow. The message says what to do."""

    def __init__(self, message: str, severity: Literal["warning", "notice"] = "warning") -> None:
        super().__init__(message)
        self.severity = severity


class Git:
    """Git in one folder; all that it is asked has one time limit."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._seconds = _time_limit()
        self._deadline = time.monotonic() + self._seconds

    def ask(self, *arguments: str, text: bytes = b"") -> bytes:
        """Return all that git prints; ``text`` is its input."""
        with self.start(*arguments) as process:
            try:
                output, errors = process.communicate(text, self.seconds_left())
            except subprocess.TimeoutExpired:
                self.check_time()
                raise
        if process.returncode:
            raise GitError(first_fault(errors) or f"exit status {process.returncode}")
        return output

    @contextmanager
    def start(
        self, *arguments: str, stderr: int = subprocess.PIPE
    ) -> Iterator[subprocess.Popen[bytes]]:
        """Run git with pipes, and end it with the block."""
        program = _find_program()
        try:
            process = subprocess.Popen(  # noqa: S603 - the arguments are this package's own
                (program, *_SETTINGS, *arguments),
                cwd=self.folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                env=git_environment(os.environ),
                start_new_session=True,  # A group of its own, to end git with all that it started.
            )
        except OSError as error:
            raise GitError(f"{program}: {error.strerror}") from error
        try:
            yield process
        finally:
            if process.poll() is None:
                _kill(process)
            for pipe in (process.stdin, process.stdout, process.stderr):
                if pipe:
                    with contextlib.suppress(OSError):
                        pipe.close()
            process.wait()

    def seconds_left(self) -> float:
        """Return how long git may still take."""
        return max(0.0, self._deadline - time.monotonic())

    def check_time(self) -> None:
        """Raise GitUnusableError if the time is over."""
        if not self.seconds_left():
            raise GitUnusableError(
                f"git gave no answer within {self._seconds:g} seconds, so no page gets a date from "
                f"it; find out what holds up git, or allow more seconds with the variable "
                f"{TIMEOUT_VARIABLE}"
            )


class ObjectReader:
    """Reads objects from one run of git, which begins with the first question."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._running = ExitStack()
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process = None
        self._running.close()

    def read(self, names: Sequence[bytes]) -> Iterator[bytes | None]:
        """Yield the contents of objects, None for one that is missing or too large.

        Ask for no more names at once than a pipe holds, and take all answers.
        """
        if self._process is None:
            run = self._git.start("cat-file", "--batch", stderr=subprocess.DEVNULL)
            self._process = self._running.enter_context(run)
            timer = threading.Timer(self._git.seconds_left(), _kill, (self._process,))
            timer.daemon = True
            timer.start()
            self._running.callback(timer.cancel)
        process = self._process
        assert process.stdin  # noqa: S101 - it was started with pipes
        try:
            process.stdin.write(b"\n".join(names) + b"\n")
            process.stdin.flush()
            for _ in names:
                yield _read_object(process)
        except OSError:
            self.__exit__()
            self._git.check_time()
            raise GitError("it cannot read an earlier version of a file") from None


def _read_object(process: subprocess.Popen[bytes]) -> bytes | None:
    """Read an answer; raise OSError if it ends too early or is none."""
    output = process.stdout
    assert output  # noqa: S101 - it was started with pipes
    header = output.readline(1000).split(b" ")
    if header[-1] == b"missing\n":
        return None
    if len(header) != 3 or not header[2].strip().isdigit():  # noqa: PLR2004 - id, kind and size
        raise OSError
    size = left = int(header[2]) + 1
    data = b""
    while left:
        data = output.read(min(left, LARGEST))
        if not data:
            raise OSError
        left -= len(data)
    return data[:-1] if size <= LARGEST else None


def git_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment to run git in, without what would change its answers."""
    kept = {
        name: value
        for name, value in environment.items()
        if not name.upper().startswith("GIT_")
        or name.upper() in _KEPT_VARIABLES
        or name.upper().startswith(_KEPT_PREFIXES)
    }
    return kept | _ENVIRONMENT


def _time_limit() -> float:
    text = os.environ.get(TIMEOUT_VARIABLE, "").strip()
    try:
        wanted = float(text or SECONDS)
    except ValueError:
        wanted = 0
    if 0 < wanted < math.inf:
        return min(wanted, LONGEST)
    message = f"{TIMEOUT_VARIABLE}: expected a number of seconds above 0, got {text[:40]!r}"
    raise GitUnusableError(f"{message}, so no page gets a date from git; correct or unset it")


def _find_program() -> str:
    """Find git on the PATH, but never in the current folder, where Windows would look first."""
    name = "git.exe" if os.name == "nt" else "git"
    for folder in os.get_exec_path():
        path = os.path.join(folder, name)  # noqa: PTH118 - a Path loses nothing here, but time
        if os.path.isabs(folder) and os.path.isfile(path) and os.access(path, os.X_OK):  # noqa: PTH113, PTH117
            return path
    message = "git is not installed, so no page has a date from git; install git 2.31 or newer"
    raise GitUnusableError(message, "notice")


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill git and all that it started."""
    if os.name == "posix":
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


def first_fault(errors: bytes) -> str:
    """Return the first fault that git tells, without what it quotes of a file."""
    lines = [line.strip() for line in errors.decode("utf-8", "replace").splitlines()]
    for start in ("fatal:", "error:", ""):
        for line in lines:
            if line and line.startswith(start):
                return _QUOTING.sub(r"\1", line.removeprefix(start).strip())
    return ""

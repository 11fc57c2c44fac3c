"""Run git so that only the repository decides what it answers, and never longer than a limit.

The user's configuration, and the variables that a git hook leaves behind (``GIT_DIR`` above all),
change what git prints; the network and prompts would stall a build. All of that is shut out here.
"""

from __future__ import annotations

import contextlib
import math
import os
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Mapping
from types import TracebackType
from typing import IO, Self

__all__ = [
    "TIMEOUT_VARIABLE",
    "GitError",
    "GitMissingError",
    "GitProcess",
    "GitTimeoutError",
    "git_environment",
    "timeout_fault",
]

TIMEOUT_VARIABLE = "SITEMAP_PLUGIN_GIT_TIMEOUT"
LOOKUP_SECONDS = 15.0
"""Time for a command that only looks something up: a git that needs longer hangs."""
READ_SECONDS = 120.0
"""Time for a command that reads history or the working tree: enough for a million commits."""

_KEPT_VARIABLES = ("GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM", "GIT_EXEC_PATH")
_KEPT_PREFIXES = (
    "GIT_CONFIG_",  # CI systems set safe.directory with these.
    "GIT_TEST_",  # Git's own switches, for example to try out a refusal.
)
_ENVIRONMENT = {
    "LC_ALL": "C",
    "LANGUAGE": "C",
    "GIT_ALLOW_PROTOCOL": "none",
    # Grafts and replacements are one clone's own view of history. Without them the name of a
    # commit stands for all of its history, and the cache is keyed by that name.
    "GIT_GRAFT_FILE": "/dev/null",
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
    *("-c", "log.follow=false"),
    *("-c", "log.showRoot=true"),
    *("-c", "log.showSignature=false"),
)


class GitError(Exception):
    """Git could not answer; the message is the first line that git itself printed."""


class GitMissingError(GitError):
    """There is no git, or one that is too old; the message says which."""


class GitTimeoutError(GitError):
    """Git gave no answer in time and was ended; the message tells the seconds."""


class GitProcess:
    """One run of git in ``folder``, which a ``with`` block starts and surely ends.

    ``output`` is what git prints, to be read while it runs; ``text`` is given as its input.
    Leaving the block raises GitError when git failed or exceeded its time, unless ``stop`` was
    called. An exit status of 1 without a message means "nothing found" and is no failure.
    """

    output: IO[bytes]

    def __init__(
        self,
        folder: str,
        *arguments: str,
        seconds: float = READ_SECONDS,
        text: bytes | None = None,
    ) -> None:
        self._folder = folder
        self._arguments = (*_SETTINGS, *arguments)
        self._seconds = _limit(seconds)
        self._text = text
        self._stopped = self._late = False
        self._closing = contextlib.ExitStack()

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as stack:
            self._errors = stack.enter_context(tempfile.TemporaryFile())
            stdin: IO[bytes] | int = subprocess.DEVNULL
            if self._text is not None:
                stdin = stack.enter_context(tempfile.TemporaryFile())
                stdin.write(self._text)
                stdin.seek(0)
            self._process = _start(self._folder, self._arguments, stdin, self._errors)
            assert self._process.stdout  # noqa: S101 - _start asked for a pipe
            self.output = stack.enter_context(self._process.stdout)
            self._timer = threading.Timer(self._seconds, self._expire)
            self._timer.daemon = True
            self._timer.start()
            self._closing = stack.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        with self._closing:
            try:
                if kind is None and not self._stopped:
                    self.finish()
            finally:
                self._timer.cancel()
                _end(self._process)

    def finish(self) -> None:
        """Wait for the end, without what was not read of the output; raise if git failed."""
        self.output.read()
        self._process.wait()
        if self._late:
            raise GitTimeoutError(f"{self._seconds:g}")
        status = self._process.returncode
        if status == 0:
            return
        self._errors.seek(0)
        message = _first_line(self._errors.read().decode("utf-8", "replace"))
        if status != 1 or message:
            raise GitError(message or f"exit status {status}")

    def stop(self) -> None:
        """End git; what it has printed so far is all that was wanted."""
        self._stopped = True
        _end(self._process)

    def _expire(self) -> None:
        self._late = True
        _kill(self._process)


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


def timeout_fault() -> str | None:
    """Return what is wrong with the time limit that the environment gives, None if nothing is."""
    text = os.environ.get(TIMEOUT_VARIABLE, "").strip()
    if not text or _wanted_limit() is not None:
        return None
    return (
        f"expected a number of seconds above 0, got {text!r}; it is taken for {READ_SECONDS:g}, as "
        "if it was not set"
    )


def _limit(seconds: float) -> float:
    """Return the time limit, which the environment may raise for a huge repository."""
    wanted = _wanted_limit()
    if wanted is None:
        return seconds
    return wanted if seconds >= READ_SECONDS else min(wanted, seconds)


def _wanted_limit() -> float | None:
    """Return the seconds that the environment allows, None where it names no such number."""
    try:
        wanted = float(os.environ.get(TIMEOUT_VARIABLE, ""))
    except ValueError:
        return None
    return min(wanted, threading.TIMEOUT_MAX) if 0 < wanted < math.inf else None


def _start(
    folder: str, arguments: tuple[str, ...], stdin: IO[bytes] | int, stderr: IO[bytes]
) -> subprocess.Popen[bytes]:
    program = shutil.which("git")
    if program is None:
        raise GitMissingError("git is not installed")
    try:
        return subprocess.Popen(  # noqa: S603 - the arguments are this package's own
            (program, *arguments),
            cwd=folder,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=stderr,
            env=git_environment(os.environ),
            start_new_session=True,  # A group of its own, to end git with all that it started.
        )
    except OSError as error:
        raise GitError(f"{program}: {error.strerror}") from error


def _end(process: subprocess.Popen[bytes]) -> None:
    """End git if it still runs."""
    if process.poll() is None:
        _kill(process)
        process.wait()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill git and all that it started: what holds its output open would block the reader."""
    if os.name == "posix":
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


def _first_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    fatal = [line for line in lines if line.startswith("fatal:")]
    errors = [line for line in lines if line.startswith("error:")]
    line = next(iter(fatal or errors or lines), "")
    return line.removeprefix("fatal:").removeprefix("error:").strip()

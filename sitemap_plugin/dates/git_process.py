"""Run git so that only the repository decides what it answers, and never past a time limit.

The user's configuration, and the variables that a git hook leaves behind (``GIT_DIR`` above all),
change what git prints; the network and prompts would stall a build. All of that is shut out here.
"""

from __future__ import annotations

import contextlib
import math
import os
import select
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from typing import IO, Self

__all__ = ["TIMEOUT_VARIABLE", "Git", "GitError", "GitMissingError", "GitRun", "GitTimeoutError"]

TIMEOUT_VARIABLE = "SITEMAP_PLUGIN_GIT_TIMEOUT"
SECONDS = 120.0
"""Time for all that is asked about one repository: enough for a million commits."""

_LONGEST = 1e6  # More than this, a computer cannot wait for.
_CHUNK = 1 << 18
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
    *("-c", "log.showRoot=true"),
    *("-c", "log.showSignature=false"),
)


class GitError(Exception):
    """Git could not answer; the message is the first line that git itself printed."""


class GitMissingError(GitError):
    """There is no git, or one that is too old; the message says which."""


class GitTimeoutError(GitError):
    """Git gave no answer in time and was ended; the message tells the seconds."""


class Git:
    """Git in one folder; all runs together have one time limit."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.seconds = time_limit() or SECONDS
        self.deadline = time.monotonic() + self.seconds

    def ask(self, *arguments: str, text: bytes | None = None) -> bytes:
        """Return all that git prints."""
        with self.run(*arguments, text=text) as run:
            return b"".join(run.chunks())

    def run(self, *arguments: str, text: bytes | None = None, answers: bool = False) -> GitRun:
        """Prepare a run, to be started by ``with``; ``text`` is its input.

        With ``answers``, its input stays open for questions.
        """
        return GitRun(self, arguments, text, answers=answers)


class GitRun:
    """One run of git, which a ``with`` block starts and surely ends.

    Leaving the block raises GitError when git failed or exceeded its time. An exit status of 1
    without a message means "nothing found" and is no failure.
    """

    def __init__(
        self, git: Git, arguments: tuple[str, ...], text: bytes | None, *, answers: bool
    ) -> None:
        self._git = git
        self._arguments = arguments
        self._text = text
        self._answers = answers
        self._waiting, self._at = b"", 0

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as stack:
            self._errors = stack.enter_context(tempfile.TemporaryFile())
            stdin: IO[bytes] | int = subprocess.PIPE if self._answers else subprocess.DEVNULL
            if self._text is not None:
                stdin = stack.enter_context(tempfile.TemporaryFile())
                stdin.write(self._text)
                stdin.seek(0)
            self._process = _start(self._git.folder, self._arguments, stdin, self._errors)
            stack.callback(_end, self._process)
            assert self._process.stdout  # noqa: S101 - _start asked for a pipe
            self._output = self._process.stdout.fileno()
            if os.name == "nt":  # Windows cannot wait for a pipe.
                timer = threading.Timer(self._left(), _kill, (self._process,))
                timer.daemon = True
                timer.start()
                stack.callback(timer.cancel)
            else:
                self._poll = select.poll()
                self._poll.register(self._output, select.POLLIN | select.POLLHUP)
            self._closing = stack.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        with self._closing:
            if kind is None:
                self.finish()

    def chunks(self) -> Iterator[bytes]:
        """Yield what git prints, as it comes."""
        while chunk := self._read():
            yield chunk

    def answer(self, question: bytes) -> None:
        """Write to git; ask no more at once than a pipe holds, and read what it answers."""
        assert self._process.stdin  # noqa: S101 - the run was prepared for questions
        try:
            self._process.stdin.write(question)
            self._process.stdin.flush()
        except OSError:
            self.finish()
            raise GitError("it ended before it was asked") from None

    def line(self) -> bytes:
        """Return the next line of the answer, without its end."""
        while (end := self._waiting.find(b"\n", self._at)) < 0:
            self._more()
        line = self._waiting[self._at : end]
        self._at = end + 1
        return line

    def exactly(self, size: int) -> bytes:
        """Return so many bytes of the answer."""
        end = self._at + size
        if end <= len(self._waiting):
            data, self._at = self._waiting[self._at : end], end
            return data
        parts = [self._waiting[self._at :]]
        size -= len(parts[0])
        self._at = len(self._waiting)
        while size:
            self._more()
            parts.append(self._waiting[:size])
            self._at = len(parts[-1])
            size -= len(parts[-1])
        return b"".join(parts)

    def finish(self) -> None:
        """Wait for the end, without what was not read of the output; raise if git failed."""
        if self._process.stdin:
            with contextlib.suppress(OSError):
                self._process.stdin.close()
        for _ in self.chunks():
            pass
        try:
            status = self._process.wait(self._left())
        except subprocess.TimeoutExpired:
            raise self._late() from None
        if not status:
            return
        if os.name == "nt" and not self._left():
            raise self._late()
        self._errors.seek(0)
        message = _first_line(self._errors.read(_CHUNK).decode("utf-8", "replace"))
        if status != 1 or message:
            raise GitError(message or f"exit status {status}")

    def _more(self) -> None:
        chunk = self._read()
        if not chunk:
            self.finish()
            raise GitError("its answer ends too early")
        self._waiting = self._waiting[self._at :] + chunk
        self._at = 0

    def _read(self) -> bytes:
        if os.name != "nt" and not self._poll.poll(self._left() * 1000):
            # Whatever holds the pipe open, even if git has ended, does not hold up the build.
            raise self._late()
        return os.read(self._output, _CHUNK)

    def _left(self) -> float:
        return max(0.0, self._git.deadline - time.monotonic())

    def _late(self) -> GitTimeoutError:
        _kill(self._process)
        return GitTimeoutError(f"{self._git.seconds:g}")


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


def time_limit() -> float | None:
    """Return the seconds that the environment allows, None where it names no such number."""
    try:
        wanted = float(os.environ.get(TIMEOUT_VARIABLE, ""))
    except ValueError:
        return None
    return min(wanted, _LONGEST) if 0 < wanted < math.inf else None


def _start(
    folder: str, arguments: tuple[str, ...], stdin: IO[bytes] | int, stderr: IO[bytes]
) -> subprocess.Popen[bytes]:
    program = _find_program()
    if program is None:
        raise GitMissingError("git is not installed")
    try:
        return subprocess.Popen(  # noqa: S603 - the arguments are this package's own
            (program, *_SETTINGS, *arguments),
            cwd=folder,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=stderr,
            env=git_environment(os.environ),
            start_new_session=True,  # A group of its own, to end git with all that it started.
        )
    except OSError as error:
        raise GitError(f"{program}: {error.strerror}") from error


def _find_program() -> str | None:
    """Find git on the PATH, but never in the current folder, where Windows would look first."""
    name = "git.exe" if os.name == "nt" else "git"
    for folder in os.get_exec_path():
        path = os.path.join(folder, name)  # noqa: PTH118 - a Path loses nothing here, but time
        if os.path.isabs(folder) and os.path.isfile(path) and os.access(path, os.X_OK):  # noqa: PTH113, PTH117
            return path
    return None


def _end(process: subprocess.Popen[bytes]) -> None:
    """End git if it still runs, and close its pipes."""
    if process.poll() is None:
        _kill(process)
    for pipe in (process.stdin, process.stdout):
        if pipe:
            with contextlib.suppress(OSError):
                pipe.close()
    process.wait()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill git and all that it started."""
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

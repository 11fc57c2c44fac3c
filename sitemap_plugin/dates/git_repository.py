"""A repository as it stands: its working tree, HEAD, and what its history lacks."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from sitemap_plugin.common.files import read_file
from sitemap_plugin.dates.git_process import Git, GitError, GitMissingError, GitTimeoutError
from sitemap_plugin.errors import Problem

__all__ = ["Repository", "changed_files", "find_repositories", "open_repository", "tracked_files"]

IGNORE_FILE = ".git-blame-ignore-revs"
"""Looked for at the root of the working tree, as code hosts do."""
LARGEST_LIST = 4 * 1024 * 1024
"""Bytes of a list of commits: 100,000 of them."""

_PLACE = (
    "rev-parse",
    "--path-format=absolute",
    *("--show-toplevel", "--git-path", "shallow"),
    *("--verify", "--quiet", "HEAD^{commit}"),
)
_SETTINGS = (
    *("config", "-z", "--path", "--get-regexp"),
    r"^(remote\..*\.(partialclonefilter|promisor)|blame\.ignorerevsfile)$",
)
_STATUS = (
    *("status", "--porcelain", "-z", "--untracked-files=no", "--ignore-submodules=all"),
    "--no-renames",
)
_OBJECT_ID = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_OUTSIDE = "not a git repository (or any "


class Repository(NamedTuple):
    """A working tree and the history behind it.

    ``top`` is the root of the working tree; ``head`` the commit that is checked out, None before
    the first one. ``boundary`` holds the commits whose parents a shallow clone lacks. ``filter``
    is that of a partial clone, empty for a whole one.
    """

    top: str
    head: bytes | None
    boundary: frozenset[bytes]
    filter: str
    ignored: frozenset[bytes]
    problems: tuple[Problem, ...]


def find_repositories(files: Iterable[str]) -> dict[str, list[str]]:
    """Group files by the root of the working tree that they lie in; leave out those in none."""
    known: dict[str, str | None] = {}
    tops: dict[str, list[str]] = {}
    for file in files:
        folder = file.rpartition(os.sep)[0]
        top = known[folder] if folder in known else _find_top(folder or os.sep, known)
        if top:
            tops.setdefault(top, []).append(file)
    return tops


def _find_top(folder: str, known: dict[str, str | None]) -> str | None:
    """Return the nearest folder upwards that has a ``.git``: a folder, or a file in a worktree."""
    if folder not in known:
        parent, name = os.path.split(folder)
        if os.path.lexists(os.path.join(folder, ".git")):  # noqa: PTH118 - once for each folder
            known[folder] = folder
        else:
            known[folder] = _find_top(parent, known) if name else None
    return known[folder]


def open_repository(git: Git) -> Repository | None:
    """Read the repository that git is run in, None where git knows of none.

    Raises GitError where git refuses, as it does for a folder of another user, and where HEAD is
    damaged.
    """
    try:
        with git.run(*_PLACE) as place, git.run(*_SETTINGS) as settings:
            lines = b"".join(place.chunks()).splitlines()
            fields = b"".join(settings.chunks()).split(b"\0")
    except GitError as error:
        if _OUTSIDE in str(error):
            return None
        raise
    if lines and lines[0].startswith(b"--"):  # What rev-parse does not know, it prints.
        raise GitMissingError("git is older than 2.31")
    top, shallow = _paths(lines)
    head = lines[2] if len(lines) > 2 else None  # noqa: PLR2004 - HEAD follows the two paths
    if head is None and not _is_unborn(git):
        raise GitError("HEAD names a commit that is not there, or cannot be read; run git fsck")
    filters, names = _read_settings(fields)
    problems: list[Problem] = []
    ignored: set[bytes] = set()
    for path in dict.fromkeys(top / name for name in (IGNORE_FILE, *names)):
        ignored |= _read_ignored(path, top, problems)
    boundary = _boundary(git, shallow)
    return Repository(str(top), head, boundary, filters, frozenset(ignored), tuple(problems))


def _paths(lines: Sequence[bytes]) -> tuple[Path, Path]:
    try:
        top, shallow = (Path(os.fsdecode(line)).resolve(strict=False) for line in lines[:2])
        if top.is_dir():
            return top, shallow
    except (ValueError, OSError):
        pass
    raise GitError("it does not say where the repository lies")


def changed_files(git: Git, folders: Sequence[str]) -> set[bytes]:
    """Return the files that differ from HEAD in the index or in the working tree."""
    return {field[3:] for field in git.ask(*_STATUS, "--", *folders).split(b"\0") if field}


def tracked_files(git: Git, head: bytes, folders: Sequence[str]) -> dict[bytes, bytes]:
    """Return the files that a commit has, each with its blob."""
    text = git.ask("ls-tree", "-r", "-z", "--full-tree", os.fsdecode(head), "--", *folders)
    found: dict[bytes, bytes] = {}
    for entry in text.split(b"\0"):
        description, _, path = entry.partition(b"\t")
        if path:
            found[path] = description.rpartition(b" ")[2]
    return found


def _is_unborn(git: Git) -> bool:
    """Tell whether the branch that is checked out has no commit yet, for HEAD names none."""
    try:
        branch = git.ask("symbolic-ref", "--quiet", "HEAD").strip()
        verify = ("rev-parse", "--verify", "--quiet", os.fsdecode(branch))
        return bool(branch) and not git.ask(*verify).strip()
    except GitTimeoutError:
        raise
    except (GitError, ValueError):
        return False


def _boundary(git: Git, shallow: Path) -> frozenset[bytes]:
    """Return the commits whose parents are not there, of those that have parents.

    A clone that is just deep enough lists the very first commit as its boundary too.
    """
    try:
        commits = read_file(shallow, limit=LARGEST_LIST).split()
    except FileNotFoundError:
        return frozenset()
    except OSError as error:
        reason = error.strerror or "it cannot be opened"
        message = f"{shallow} cannot be read, which lists where history ends: {reason}"
        raise GitError(message) from error
    text = b"".join(commit + b"\n" for commit in commits if _OBJECT_ID.fullmatch(commit))
    found: set[bytes] = set()
    content = git.ask("cat-file", "--batch", text=text)
    while content:
        header, _, content = content.partition(b"\n")
        fields = header.split()
        if len(fields) != 3 or not fields[2].isdigit():  # noqa: PLR2004 - id, kind and size
            continue  # A commit that is not there, as the clone's list may name.
        size = int(fields[2])
        if b"\nparent " in content[:size].partition(b"\n\n")[0]:
            found.add(fields[0])
        content = content[size + 1 :]
    return frozenset(found)


def _read_settings(fields: Sequence[bytes]) -> tuple[str, list[str]]:
    """Return the filter of a partial clone, and the lists of revisions to ignore.

    Each field is a lower-case key, a line feed and a value.
    """
    filters: list[str] = []
    names: list[str] = []
    for field in fields:
        key, _, value = os.fsdecode(field).partition("\n")
        if key == "blame.ignorerevsfile":
            # An empty value takes back those before it, as for git blame.
            names = [*names, value.removeprefix(":(optional)")] if value else []
        elif key.endswith(".partialclonefilter"):
            filters.append(value)
        elif key and value != "false":
            filters.append("")
    return max(filters, key=lambda value: "tree:" in value) or "unknown" if filters else "", names


def _read_ignored(path: Path, top: Path, problems: list[Problem]) -> set[bytes]:
    """Read the commits that `git blame` is told to ignore, since they reformat and change nothing.

    One full commit id a line, ``#`` starts a comment (git-blame, ``--ignore-revs-file``). What the
    file holds else is never shown: it may be a link to something secret.
    """
    try:
        lines = read_file(path, limit=LARGEST_LIST, within=(top,)).splitlines()
    except FileNotFoundError:
        return set()
    except OSError as error:
        reason = error.strerror or "it cannot be opened"
        problems.append(Problem("warning", f"is not read: {reason}", str(path)))
        return set()
    found: set[bytes] = set()
    faults: list[int] = []
    for number, line in enumerate(lines, 1):
        word = line.partition(b"#")[0].strip().lower()
        if _OBJECT_ID.fullmatch(word):
            found.add(word)
        elif word:
            faults.append(number)
    if faults:
        message = "this line is not a full commit id; write all of its digits"
        if len(faults) > 1:
            message += f" ({len(faults) - 1} more lines have the same problem)"
        problems.append(Problem("warning", message, f"{path}:{faults[0]}"))
    return found

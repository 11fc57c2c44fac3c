"""A repository as it stands: its working tree, HEAD, and what its history lacks."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sitemap_plugin.dates.git.ignored import IGNORE_FILE, IgnoredRevisions, read_ignored
from sitemap_plugin.dates.git.process import (
    LOOKUP_SECONDS,
    GitError,
    GitMissingError,
    GitProcess,
    GitTimeoutError,
)

__all__ = ["Repository", "changed_files", "open_repository", "tracked_files"]

_PLACE = (
    "rev-parse",
    "--path-format=absolute",
    *("--show-toplevel", "--git-path", "shallow"),
    *("--verify", "--quiet", "HEAD^{commit}"),
)
_SETTINGS = (
    *("config", "-z", "--path", "--get-regexp"),
    r"^(remote\..*\.partialclonefilter|blame\.ignorerevsfile)$",
)
_BRANCH = ("symbolic-ref", "--quiet", "HEAD")
_STATUS = (
    *("status", "--porcelain", "-z", "--untracked-files=no", "--ignore-submodules=all"),
    "--no-renames",
)
_FILES = ("ls-tree", "-r", "-z", "--name-only", "--full-tree")
_OUTSIDE = "not a git repository (or any "


@dataclass(frozen=True)
class Repository:
    """A working tree and the history behind it.

    ``top`` is the root of the working tree; ``head`` the commit that is checked out, None before
    the first one. ``boundary`` holds the commits whose parents a shallow clone lacks. ``filter``
    is that of a partial clone which lacks folders, so that its history cannot be read offline.
    """

    top: str
    head: bytes | None
    boundary: frozenset[bytes]
    filter: str | None
    ignored: IgnoredRevisions


def open_repository(folder: str) -> Repository | None:
    """Read the repository that ``folder`` lies in, None where git knows of none.

    Raises GitError where git refuses, as it does for a folder of another user, and where HEAD is
    damaged.
    """
    try:
        with (
            GitProcess(folder, *_PLACE, seconds=LOOKUP_SECONDS) as place,
            GitProcess(folder, *_SETTINGS, seconds=LOOKUP_SECONDS) as settings,
        ):
            lines = place.output.read().splitlines()
            fields = settings.output.read().split(b"\0")
    except GitError as error:
        if _OUTSIDE in str(error):
            return None
        raise
    if lines and lines[0].startswith(b"--"):  # What rev-parse does not know, it prints.
        raise GitMissingError("git is older than 2.31")
    try:
        top, shallow = (Path(os.fsdecode(line)).resolve(strict=False) for line in lines[:2])
        is_place = top.is_dir()
    except (ValueError, OSError):
        is_place = False
    if not is_place:
        said = b" ".join(lines)[:80]
        raise GitError(f"it answers {said!r}, which is not what it was asked for")
    head = lines[2] if len(lines) > 2 else None  # noqa: PLR2004 - HEAD follows the two paths
    if head is None and not _is_unborn(str(top)):
        raise GitError("HEAD names a commit that is not there, or cannot be read; run git fsck")
    boundary: frozenset[bytes] = frozenset()
    with contextlib.suppress(FileNotFoundError):
        try:
            commits = shallow.read_bytes().split()
        except PermissionError as error:
            raise GitError(f"{shallow} cannot be read, which lists where history ends") from error
        boundary = _with_parents(top, commits)
    filter_, ignore_files = _read_settings(fields)
    return Repository(
        str(top),
        head,
        boundary,
        filter_,
        read_ignored(top / name for name in (IGNORE_FILE, *ignore_files)),
    )


def changed_files(top: str, folders: Sequence[str]) -> set[bytes]:
    """Return the files that differ from HEAD in the index or in the working tree."""
    with GitProcess(top, *_STATUS, "--", *folders) as process:
        return {field[3:] for field in process.output.read().split(b"\0") if field}


def tracked_files(top: str, head: bytes, folders: Sequence[str]) -> set[bytes]:
    """Return the files that a commit has."""
    with GitProcess(top, *_FILES, os.fsdecode(head), "--", *folders) as process:
        return {field for field in process.output.read().split(b"\0") if field}


def _is_unborn(top: str) -> bool:
    """Tell whether the branch that is checked out has no commit yet, for HEAD names none."""
    try:
        with GitProcess(top, *_BRANCH, seconds=LOOKUP_SECONDS) as process:
            branch = process.output.read().strip()
        verify = ("rev-parse", "--verify", "--quiet", os.fsdecode(branch))
        with GitProcess(top, *verify, seconds=LOOKUP_SECONDS) as process:
            return bool(branch) and not process.output.read().strip()
    except GitTimeoutError:
        raise
    except GitError:
        return False


def _with_parents(top: Path, commits: Sequence[bytes]) -> frozenset[bytes]:
    """Return the commits that have parents, be they there or not.

    A clone that is just deep enough lists the very first commit as its boundary too.
    """
    found: set[bytes] = set()
    text = b"".join(commit + b"\n" for commit in commits)
    with GitProcess(str(top), "cat-file", "--batch", text=text) as process:
        while header := process.output.readline().split():
            if len(header) != 3 or not header[2].isdigit():  # noqa: PLR2004 - id, kind and size
                continue  # A commit that is not there, as the clone's list may name.
            content = process.output.read(int(header[2]) + 1)
            if b"\nparent " in content.partition(b"\n\n")[0]:
                found.add(header[0])
    return frozenset(found)


def _read_settings(fields: Sequence[bytes]) -> tuple[str | None, list[str]]:
    """Return the filter of a clone without folders, and the lists of revisions to ignore.

    Each field is a lower-case key, a line feed and a value.
    """
    filter_: str | None = None
    names: list[str] = []
    for field in fields:
        key, _, value = os.fsdecode(field).partition("\n")
        if key == "blame.ignorerevsfile":
            # An empty value takes back those before it, as for git blame.
            names = [*names, value.removeprefix(":(optional)")] if value else []
        elif "tree:" in value:
            filter_ = value
    return filter_, names

"""Read what commits have made of files, in one pass over the history."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from typing import NamedTuple

from sitemap_plugin.dates.git_process import Git, GitError

MOST_FOLDERS = 8
"""Git compares each name that it meets with each folder, so many cost more than they save."""
LOG = (
    *("log", "-z", "--raw", "-c", "--no-abbrev", "--no-renames", "--date-order", "--full-history"),
    *("--no-relative", "--no-color", "--no-notes", "--encoding=UTF-8", f"-O{os.devnull}"),
    *("--format=%x00%H %ct %P", "--stdin"),
)


class Commit(NamedTuple):
    """One commit: id, committer time in seconds, and parents."""

    id: bytes
    time: int
    parents: list[bytes]


class FileDifference(NamedTuple):
    """What a commit made of a file: the version of each parent, None where it has none."""

    old: tuple[bytes | None, ...]
    new: bytes

    @classmethod
    def read(cls, description: bytes) -> FileDifference:
        """Read ``:100644 100644 <blob> <blob> M``, of a merge one mode and blob per parent more."""
        parents = description.count(b":")
        fields = description.split(b" ")
        old = fields[parents + 1 : 2 * parents + 1]
        return cls(
            tuple(blob if blob.strip(b"0") else None for blob in old), fields[2 * parents + 1]
        )


class History(NamedTuple):
    """The commits in git's order, and for each file the number of a commit and what it made."""

    commits: list[Commit]
    changes: dict[bytes, list[tuple[int, bytes]]]


def read_history(git: Git, tips: Iterable[bytes], wanted: Collection[bytes]) -> History:
    """Read what the commits reachable from the tips made of the files, children first."""
    commits: list[Commit] = []
    changes: dict[bytes, list[tuple[int, bytes]]] = {path: [] for path in wanted}
    text = b"".join(tip + b"\n" for tip in tips)
    fields = iter(git.ask(*LOG, "--", *folders_of(wanted), text=text).split(b"\0"))
    # Git prints a header, and for each file a description and a path; empty fields lie between.
    for field in fields:
        if b":" in field[:2]:  # A line feed may stand before it.
            path = next(fields, b"")
            if path in changes:
                changes[path].append((len(commits) - 1, field))
        elif field:
            try:
                identity, time, parents = field.split(b" ", 2)
                # A broken commit has no time.
                commits.append(Commit(identity, int(time or 0), parents.split()))
            except ValueError:
                raise GitError("its log is not what it was asked for") from None
    if not commits:
        raise GitError("its log is empty")
    return History(commits, changes)


def folders_of(paths: Collection[bytes]) -> list[str]:
    """Return few folders that hold all files, and the files at the top; none stands for all."""
    folders = {path.rpartition(b"/")[0] or path for path in paths}
    outermost: list[bytes] = []
    for folder in sorted(folders, key=lambda folder: folder + b"/"):
        if not outermost or not folder.startswith(outermost[-1] + b"/"):
            outermost.append(folder)
    while len(outermost) > MOST_FOLDERS:
        deepest = max(folder.count(b"/") for folder in outermost)
        if not deepest:
            return []
        outermost = sorted({b"/".join(folder.split(b"/")[:deepest]) for folder in outermost})
    return [os.fsdecode(folder) for folder in outermost]

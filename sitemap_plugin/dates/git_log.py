"""Read what commits have made of files, in one pass over the history."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from sitemap_plugin.dates.git_process import Git, GitError, GitRun

__all__ = [
    "LOG",
    "NO_DIFFERENCE",
    "Commit",
    "FileDifference",
    "History",
    "folders_of",
    "read_difference",
    "read_history",
    "split_fields",
]

MOST_FOLDERS = 8
"""Git compares each name that it meets with each folder, so many cost more than they save."""

_ADDED, _DELETED = b"AD"
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


NO_DIFFERENCE = FileDifference((), b"")


@dataclass
class History:
    """The commits in git's order, and of the files that are looked for what each made of them.

    ``moves`` maps the number of a commit and a path to where the file was before.
    """

    commits: list[Commit] = field(default_factory=list)
    changes: dict[bytes, list[tuple[int, bytes]]] = field(default_factory=dict)
    moves: dict[tuple[int, bytes], bytes] = field(default_factory=dict)


def read_history(git: Git, tips: Iterable[bytes], wanted: set[bytes]) -> History:
    """Read what the commits reachable from the tips made of the files, and of their origins."""
    history = History(changes={path: [] for path in wanted})
    changes = history.changes
    text = b"".join(tip + b"\n" for tip in tips)
    with git.run(*LOG, "--", *folders_of(wanted), text=text) as run:
        for commit, fields in _commits(run):
            number = len(history.commits)
            history.commits.append(commit)
            added, deleted = [], []
            for description, path in zip(fields[0::2], fields[1::2], strict=False):
                status = description[-1]
                if path in changes:
                    changes[path].append((number, description))
                    if status == _ADDED:
                        added.append(path)
                if status == _DELETED:
                    deleted.append((description, path))
            if added and deleted:
                _note_moves(history, number, added, deleted)
    if not history.commits:
        raise GitError("its log is empty")
    return history


def _note_moves(
    history: History, number: int, added: Iterable[bytes], deleted: Iterable[tuple[bytes, bytes]]
) -> None:
    """Note where files come from that a commit adds, if it deletes others that are the same."""
    origins: dict[bytes | None, list[bytes]] = {}
    for description, path in deleted:
        for blob in set(read_difference(description).old):
            origins.setdefault(blob, []).append(path)
    for path in added:
        difference = read_difference(history.changes[path][-1][1])
        if any(difference.old) or difference.new not in origins:
            continue
        # Of several, git too chooses one of the same file name.
        found, name = origins[difference.new], posixpath.basename(path)
        origin = next((one for one in found if posixpath.basename(one) == name), found[0])
        history.moves[number, path] = origin
        history.changes.setdefault(origin, [])


def _commits(run: GitRun) -> Iterator[tuple[Commit, list[bytes]]]:
    """Yield commits, children before their parents, each with descriptions and paths in turn.

    Git prints an empty field, a header, and for each file a description and a path. Each field
    ends in NUL, and no other is empty.
    """
    commit: Commit | None = None
    for record in split_fields(run.chunks(), b"\0\0"):
        header, *fields = record.strip(b"\0").split(b"\0")
        if commit and header.startswith(
            b":"
        ):  # Of a merge, an empty field more stands before them.
            yield commit, [header, *fields]
            commit = None
            continue
        if commit:
            yield commit, []
        try:
            identity, time, parents = header.split(b" ", 2)
            commit = Commit(identity, int(time or 0), parents.split())  # A broken one has no time.
        except ValueError:
            run.finish()  # If git was ended in the middle, that is the fault.
            raise GitError("its log is not what it was asked for") from None
        if fields:
            yield commit, fields
            commit = None
    if commit:
        yield commit, []


def read_difference(description: bytes) -> FileDifference:
    """Read ``:100644 100644 <blob> <blob> M``, of a merge one mode and blob for each parent more.

    A line feed may stand before it.
    """
    text = description.lstrip(b"\n")
    parents = len(text) - len(text.lstrip(b":"))
    fields = text[parents:].split(b" ")
    old = fields[parents + 1 : 2 * parents + 1]
    return FileDifference(
        tuple(blob if blob.strip(b"0") else None for blob in old), fields[2 * parents + 1]
    )


def split_fields(chunks: Iterable[bytes], separator: bytes) -> Iterator[bytes]:
    """Yield what separators end, and what follows the last one if that is anything."""
    waiting: list[bytes] = []
    size, enough = 0, 0
    for chunk in chunks:
        waiting.append(chunk)
        size += len(chunk)
        if size >= enough:  # A long field is not split again with each chunk.
            parts = b"".join(waiting).split(separator)
            waiting = [parts.pop()]
            size = len(waiting[0])
            enough = 2 * size
            yield from parts
    yield from filter(None, b"".join(waiting).split(separator))


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

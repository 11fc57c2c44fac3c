"""Find the commit that last changed each of many files, in one pass over the history.

Every file is looked for from HEAD downwards. A commit hands the files that it did not change on to
its first parent; a file that it changed is answered by it. At a merge, a file that differs from
the first parent is looked for in the other parents, on the condition that it has the same version
there: the side that made the change. If no side has that version, the merge itself made it. So
does `git log -1 -- FILE`, except that here a file that was only moved is followed to its old
place, and that commits which are to be ignored hand on the files that they changed.
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from sitemap_plugin.dates.git.log import Commit, Difference, Version, read_difference

__all__ = ["Change", "Walk", "moved_from"]


class Change(NamedTuple):
    """The commit that gave a file its version, and the path that the file has in that commit."""

    commit: bytes
    time: int
    parents: Sequence[bytes]
    path: bytes
    version: Version
    added: bool


class _Search:
    """A file that is looked for from some commit downwards.

    ``expected`` is the version that it must have there, True standing for any and None for one
    that was found to be right. ``fork`` waits for the outcome; a file that the caller asked for
    has a ``name`` instead.
    """

    __slots__ = ("change", "expected", "fork", "name", "settled")

    def __init__(
        self, expected: Version | Literal[True] | None, fork: _Fork | None, name: bytes = b""
    ) -> None:
        self.expected = expected
        self.fork = fork
        self.name = name
        self.settled = False
        self.change: Change | None = None

    def accepts(self, difference: Difference) -> bool:
        """Tell whether the file is the one expected, from the first difference that is met."""
        if self.expected is None or self.expected is True:
            return not difference.deleted
        return self.expected == difference.new


class _Fork:
    """A commit where searches wait for the first of several sides that has the file."""

    __slots__ = ("done", "fallback", "sides", "waiting")

    def __init__(self, waiting: list[_Search], fallback: Change) -> None:
        self.waiting = waiting
        self.fallback = fallback
        self.sides: list[_Search] = []
        self.done = False

    def outcome(self) -> Change | None:
        """Return the change once it is certain."""
        for side in self.sides:
            if not side.settled:
                return None
            if side.change is not None:
                return side.change
        return self.fallback


class Walk:
    """Looks for files from commits downwards.

    ``start`` maps commits to the files to look for there: path, and name under which ``changes``
    will hold the answer; a file that the commit does not have gets none. Feed it commits, children
    before their parents, until nothing is ``open`` any more; when they come to an end, ``finish``.
    """

    def __init__(
        self, start: Mapping[bytes, Iterable[tuple[bytes, bytes]]], ignored: Collection[bytes] = ()
    ) -> None:
        self.changes: dict[bytes, Change] = {}
        self.open = 0
        self._ignored = ignored
        # What goes on at each commit that is still to come: searches by path.
        self._pending: dict[bytes, dict[bytes, list[_Search]]] = {}
        for commit, files in start.items():
            for path, name in files:
                self._send(commit, path, [_Search(None, None, name)])
                self.open += 1

    def feed(self, commit: Commit) -> None:
        """Take the next commit."""
        here = self._pending.pop(commit.id, None)
        if here is None:
            return
        met = [
            (path, read_difference(description), searches)
            for path, description in commit.differences()
            if (searches := here.pop(path, None))
        ]
        moves: Mapping[Version, list[bytes]] = {}
        if len(commit.parents) == 1 and any(difference.added for _, difference, _ in met):
            moves = _deleted((path, read_difference(text)) for path, text in commit.differences())
        for path, difference, searches in met:
            self._meet(commit, path, difference, searches, moves)
        if here and commit.parents:
            self._send_all(commit.parents[0], here)
        else:
            self._fail(here)

    def finish(self) -> None:
        """Take note that there are no more commits."""
        while self._pending:
            self._fail(self._pending.popitem()[1])

    def _meet(
        self,
        commit: Commit,
        path: bytes,
        difference: Difference,
        searches: list[_Search],
        moves: Mapping[Version, list[bytes]],
    ) -> None:
        """Go on with searches for a file that differs from the first parent's."""
        here = []
        for search in searches:
            if search.accepts(difference):
                search.expected = None
                here.append(search)
            else:
                self._settle([(search, None)])
        if not here:
            return
        if difference.added and (origin := _best(path, moves.get(difference.new, ()))):
            self._send(commit.parents[0], origin, here)
            return
        identity, time, parents, _ = commit
        change = Change(identity, time, parents, path, difference.new, difference.added)
        if len(parents) > 1 or identity in self._ignored:
            self._fork(change, difference, here)
        else:
            self._settle((search, change) for search in here)

    def _fork(self, change: Change, difference: Difference, searches: list[_Search]) -> None:
        """Go on in several parents, in order, each with the version expected there.

        If none of them has it, it is this change.
        """
        first, others = change.parents[:1], change.parents[1:]
        sides: list[tuple[bytes, Version | Literal[True]]]
        sides = [(parent, difference.new) for parent in others]
        if change.commit in self._ignored:
            # What went before it is wanted, whatever its version.
            before = others if difference.added else (*first, *others)
            sides += [(parent, True) for parent in before]
        if not sides:
            self._settle((search, change) for search in searches)
            return
        fork = _Fork(searches, change)
        fork.sides = [_Search(expected, fork) for _, expected in sides]
        for (parent, _), search in zip(sides, fork.sides, strict=True):
            self._send(parent, change.path, [search])

    def _send(self, commit: bytes, path: bytes, searches: list[_Search]) -> None:
        files = self._pending.setdefault(commit, {})
        files[path] = files[path] + searches if path in files else searches

    def _send_all(self, commit: bytes, files: dict[bytes, list[_Search]]) -> None:
        """Hand files on by reference; where some wait already, pour the few into the many."""
        waiting = self._pending.get(commit)
        if waiting is not None and len(waiting) > len(files):
            waiting, files = files, waiting
        self._pending[commit] = files
        for path, searches in (waiting or {}).items():
            self._send(commit, path, searches)

    def _fail(self, files: Mapping[bytes, list[_Search]]) -> None:
        self._settle((search, None) for searches in files.values() for search in searches)

    def _settle(self, outcomes: Iterable[tuple[_Search, Change | None]]) -> None:
        """Note outcomes, and those of the forks that were waiting for them."""
        settled = list(outcomes)
        for search, change in settled:  # The list grows.
            search.settled, search.change = True, change
            fork = search.fork
            if fork is None:
                self.open -= 1
                if change is not None:
                    self.changes[search.name] = change
            elif not fork.done and (outcome := fork.outcome()):
                fork.done = True
                settled += [(waiting, outcome) for waiting in fork.waiting]


def moved_from(change: Change, differences: Mapping[bytes, Difference]) -> bytes | None:
    """Return the path from which a change only moved its file, given what was added and deleted."""
    difference = differences.get(change.path)
    if difference is None or not difference.added:
        return None
    return _best(change.path, _deleted(differences.items()).get(change.version, ()))


def _deleted(differences: Iterable[tuple[bytes, Difference]]) -> dict[Version, list[bytes]]:
    """Return the paths that were deleted, by the version that they had."""
    paths: dict[Version, list[bytes]] = {}
    for path, difference in differences:
        if difference.deleted:
            paths.setdefault(difference.old, []).append(path)
    return paths


def _best(path: bytes, origins: Sequence[bytes]) -> bytes | None:
    """Choose where a file came from: from the same file name if it can be, as git does."""
    name = posixpath.basename(path)
    same = [origin for origin in origins if posixpath.basename(origin) == name]
    return next(iter(same or origins), None)

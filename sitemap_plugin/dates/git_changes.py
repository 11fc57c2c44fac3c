"""Find the commit that made each of many files what it is.

For each file a version (a blob) is wanted, at first the one that HEAD has. The newest commit that
made it is the answer: merges, reverts and discarded branches need no special case. Where that
commit does not count, since it changed no word, only moved the file, or is to be ignored, the
version before it is wanted from there on.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple

from sitemap_plugin.dates.git_log import (
    NO_DIFFERENCE,
    Commit,
    FileDifference,
    History,
    read_difference,
    read_history,
    split_fields,
)
from sitemap_plugin.dates.git_process import Git, GitError, GitRun
from sitemap_plugin.dates.words import have_words, same_words

__all__ = ["LastChange", "Passing", "find_changes"]

LARGEST = 16 * 1024 * 1024
"""Bytes of a version whose words are compared."""

_AT_ONCE = 20  # The names of so many files' versions surely fit into a pipe.
_MOVES = (
    *("diff-tree", "-z", "-r", "--raw", "--no-abbrev", "--diff-filter=RC", "-l1000"),
    *("--always", "--stdin"),
)


class LastChange(NamedTuple):
    """The commit that counts as a file's last change, and its committer time in seconds.

    ``added`` tells that it put the file there, ``passed`` counts the later commits that changed no
    word of it. ``is_cut`` tells that the history of a shallow clone begins with this commit.
    """

    commit: str
    time: int
    added: bool = False
    passed: int = 0
    is_cut: bool = False


class Passing(NamedTuple):
    """Which commits do not count: those named, and those that change no word where asked for.

    ``boundary`` are the commits whose parents a shallow clone lacks. Where blobs are missing,
    ``exact`` keeps git from reading them to find moves.
    """

    ignored: frozenset[bytes] = frozenset()
    boundary: frozenset[bytes] = frozenset()
    words: bool = True
    exact: bool = False


@dataclass(slots=True)
class Search:
    """A version that is looked for at a path, in the commits after a number.

    ``commit`` is the last that was found to have made a version of it, ``versions`` are those that
    its parents have, and ``passed`` counts the commits before it that changed no word.
    """

    name: bytes
    path: bytes
    blob: bytes
    after: int = -1
    commit: Commit | None = None
    difference: FileDifference = NO_DIFFERENCE
    versions: Sequence[bytes] = ()
    wordless: int = 0
    passed: int = 0
    added: bool = False
    is_cut: bool = False

    def change(self) -> LastChange | None:
        if self.commit is None:
            return None
        commit = self.commit
        return LastChange(commit.id.decode(), commit.time, self.added, self.passed, self.is_cut)


def find_changes(
    git: Git, head: bytes, blobs: Mapping[bytes, bytes], passing: Passing
) -> dict[bytes, LastChange]:
    """Return the last change of each file, by path; ``blobs`` are the versions that HEAD has."""
    every = [Search(path, path, blob) for path, blob in blobs.items()]
    searches, tips = every, {head}
    with ExitStack() as stack:
        reader = VersionReader(git, stack) if passing.words else None
        while searches:
            history = read_history(git, tips, {search.path for search in searches})
            arrivals: list[Search] = []
            while searches:
                searches, questions, added = _step(history, searches, passing)
                arrivals += added
                pairs = [(search, search.versions) for search in questions]
                for search, old in reader.alike(pairs) if reader else ():
                    if old is not None:
                        search.blob, search.wordless = old, search.wordless + 1
                        searches.append(search)
                    elif None in search.difference.old:
                        arrivals.append(search)
            searches = _follow_moves(git, arrivals, passing, reader)
            tips = {search.commit.id for search in searches if search.commit}
    return {search.name: change for search in every if (change := search.change())}


def _step(
    history: History, searches: Iterable[Search], passing: Passing
) -> tuple[list[Search], list[Search], list[Search]]:
    """Take each search to its next commit.

    Return those that go on after it, those whose words are in question, and those that have come
    to where a commit added the file, which may have come from elsewhere.
    """
    ahead: list[Search] = []
    questions: list[Search] = []
    added: list[Search] = []
    for search in searches:
        if not _advance(history, search) or search.commit is None:
            continue
        commit, versions = search.commit, search.versions
        if commit.id in passing.boundary:
            search.is_cut = True
        elif not versions and (origin := history.moves.get((search.after, search.path))):
            search.path = origin
            ahead.append(search)
        elif not versions:
            search.added = True
            if commit.parents:
                added.append(search)
        elif commit.id in passing.ignored:
            search.blob = versions[0]
            ahead.append(search)
        elif passing.words and search.blob in versions:  # Only the mode has changed.
            search.wordless += 1
            ahead.append(search)
        elif passing.words and have_words(search.path):
            questions.append(search)
        elif None in search.difference.old:
            added.append(search)
    return ahead, questions, added


def _follow_moves(
    git: Git, arrivals: Sequence[Search], passing: Passing, reader: VersionReader | None
) -> list[Search]:
    """Return the searches that go on where their files were before a commit moved them."""
    origins = _origins(git, arrivals, exact=passing.exact)
    moved = [search for search in arrivals if search.name in origins]
    edited = [
        (search, [blob]) for search in moved if (blob := origins[search.name][1]) != search.blob
    ]
    alike = {search.name for search, old in reader.alike(edited) if old} if reader else set()
    following: list[Search] = []
    for search in moved:
        path, blob = origins[search.name]
        is_ignored = search.commit is not None and search.commit.id in passing.ignored
        search.added = False
        if blob == search.blob or search.name in alike or is_ignored:
            search.wordless += search.name in alike
            search.path, search.blob, search.after = path, blob, -1
            following.append(search)
    return following


def _advance(history: History, search: Search) -> bool:
    """Find the next commit that made the version which is looked for."""
    records = history.changes.get(search.path, [])
    for index in range(bisect_right(records, search.after, key=itemgetter(0)), len(records)):
        number, description = records[index]
        if search.blob in description:
            difference = read_difference(description)
            if difference.new == search.blob:
                search.after, search.difference = number, difference
                search.versions = [blob for blob in difference.old if blob is not None]
                search.commit, search.passed = history.commits[number], search.wordless
                return True
    return False


class VersionReader:
    """Reads versions of files from one run of git, which begins with the first question."""

    def __init__(self, git: Git, stack: ExitStack) -> None:
        self._git = git
        self._stack = stack
        self._run: GitRun | None = None

    def alike(
        self, pairs: Sequence[tuple[Search, Sequence[bytes]]]
    ) -> Iterator[tuple[Search, bytes | None]]:
        """Yield each search with the first of its older versions that says the same."""
        if pairs and self._run is None:
            run = self._git.run("cat-file", "--batch", answers=True)
            self._run = self._stack.enter_context(run)
        for start in range(0, len(pairs), _AT_ONCE):
            some = pairs[start : start + _AT_ONCE]
            names = [name for search, olds in some for name in (search.blob, *olds)]
            assert self._run  # noqa: S101 - it was started above
            self._run.answer(b"\n".join(names) + b"\n")
            for search, olds in some:
                yield search, _first_alike(self._run, search, olds)


def _first_alike(run: GitRun, search: Search, olds: Sequence[bytes]) -> bytes | None:
    new = _read_blob(run)
    alike = None
    for name in olds:
        old = _read_blob(run)
        if alike is None and old is not None and new is not None:
            alike = name if same_words(old, new, search.path) else None
    return alike


def _read_blob(run: GitRun) -> bytes | None:
    """Read a blob of the answer, None for one that is missing, none at all, or too large."""
    fields = run.line().split(b" ")
    if len(fields) != 3 or not fields[2].isdigit():  # noqa: PLR2004 - id, kind and size
        if fields[-1] == b"missing":
            return None
        raise GitError("it says of a file what it was not asked for")
    left = int(fields[2]) + 1
    if left > LARGEST:
        while left:
            left -= len(run.exactly(min(left, LARGEST)))
        return None
    data = run.exactly(left)
    return data[:-1] if fields[1] == b"blob" else None


def _origins(
    git: Git, arrivals: Sequence[Search], *, exact: bool
) -> dict[bytes, tuple[bytes, bytes]]:
    """Return where the files come from that commits added: path and version, by name.

    A file that a merge added need not be new in each of its parents.
    """
    wanted: dict[tuple[bytes, bytes], list[Search]] = {}
    for search in arrivals:
        commit = search.commit
        assert commit  # noqa: S101 - an arrival has one
        for parent, old in zip(commit.parents, search.difference.old, strict=False):
            if old is None:
                wanted.setdefault((commit.id, parent), []).append(search)
    if not wanted:
        return {}
    origins: dict[bytes, tuple[bytes, bytes]] = {}
    text = b"".join(b"%s %s\n" % pair for pair in wanted)
    with git.run(*_MOVES, "-M100%" if exact else "-M", text=text) as run:
        for searches, moves in zip(wanted.values(), _read_moves(run), strict=False):
            for search in searches:
                if search.path in moves and search.name not in origins:
                    origins[search.name] = moves[search.path]
    return origins


def _read_moves(run: GitRun) -> Iterator[dict[bytes, tuple[bytes, bytes]]]:
    """Yield for each pair of a commit and a parent the moved files: new path, old path and blob."""
    moves: dict[bytes, tuple[bytes, bytes]] | None = None
    fields = split_fields(run.chunks(), b"\0")
    for text in fields:
        if not text.startswith(b":"):
            if moves is not None:
                yield moves
            moves = {}
        elif moves is not None:
            old, new = next(fields, b""), next(fields, b"")
            moves[new] = (old, text.split(b" ")[2])
    if moves is not None:
        yield moves

"""Find the commit that made each of many files what it is.

For each file a version (a blob) is wanted, at first the one that HEAD has. The newest commit that
made it is the answer: merges, reverts and discarded branches need no special case. Where that
commit does not count, since it changed no word, only moved the file, or is to be ignored, the
version before it is wanted from there on.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple

from sitemap_plugin.dates.git_log import Commit, FileDifference, History, read_history
from sitemap_plugin.dates.git_process import Git, GitError, GitUnusableError, ObjectReader
from sitemap_plugin.dates.words import have_words, same_words

_NO_COMMIT = Commit(b"", 0, [])
_NO_DIFFERENCE = FileDifference((), b"")
_AT_ONCE = 20  # The names of so many files' versions surely fit into a pipe.
_MOST_FAILURES = 10  # After so many attempts, git before 2.44 is taken to fetch what is missing.
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

    ``boundary`` are the commits whose parents a shallow clone lacks.
    """

    ignored: frozenset[bytes] = frozenset()
    boundary: frozenset[bytes] = frozenset()
    words: bool = True


@dataclass(slots=True)
class Search:
    """A version that is looked for at a path, in the commits after a number.

    ``commit`` is the last that was found to have made a version of it, and ``difference`` what it
    did; ``passed`` counts the commits before it that changed no word, ``wordless`` it as well.
    """

    name: bytes
    path: bytes
    blob: bytes
    after: int = -1
    commit: Commit = _NO_COMMIT
    difference: FileDifference = _NO_DIFFERENCE
    wordless: int = 0
    passed: int = 0
    added: bool = False
    is_cut: bool = False

    @property
    def versions(self) -> list[bytes]:
        """The versions that the commit's parents have."""
        return [blob for blob in self.difference.old if blob is not None]


Pair = tuple[Search, Sequence[bytes]]


def find_changes(
    git: Git, head: bytes, blobs: Mapping[bytes, bytes], passing: Passing
) -> tuple[dict[bytes, LastChange], bool]:
    """Return the last change of each file, by path, and whether versions of some are missing.

    ``blobs`` are the versions that HEAD has. What cannot be read is compared by its bytes.
    """
    every = [Search(path, path, blob) for path, blob in blobs.items()]
    searches, tips = every, {head}
    with ObjectReader(git) as reader:
        versions = _Versions(reader)
        while searches:
            history = read_history(git, tips, {search.path for search in searches})
            arrivals: list[Search] = []
            while searches:
                made = [search for search in searches if _advance(history, search)]
                searches = _pass_over(made, passing, versions)
                going = {id(search) for search in searches}
                arrivals += [
                    search
                    for search in made
                    if id(search) not in going
                    and not search.is_cut
                    and None in (search.difference.old if search.commit.parents else ())
                ]
            searches = _follow_moves(git, arrivals, passing, versions)
            tips = {search.commit.id for search in searches}
    changes = {
        search.name: LastChange(
            search.commit.id.decode(),
            search.commit.time,
            search.added,
            search.passed,
            search.is_cut,
        )
        for search in every
        if search.commit.id
    }
    return changes, versions.failures > 0


def _advance(history: History, search: Search) -> bool:
    """Find the next commit that made the version which is looked for."""
    records = history.changes.get(search.path, [])
    for index in range(bisect_right(records, search.after, key=itemgetter(0)), len(records)):
        number, description = records[index]
        if search.blob in description:
            difference = FileDifference.read(description)
            if difference.new == search.blob:
                search.after, search.difference = number, difference
                search.commit, search.passed = history.commits[number], search.wordless
                return True
    return False


def _pass_over(made: Iterable[Search], passing: Passing, versions: _Versions) -> list[Search]:
    """Return the searches that go on, since the commit that was found is no change of the file."""
    ahead: list[Search] = []
    questions: list[Pair] = []
    for search in made:
        olds = search.versions
        search.is_cut = search.commit.id in passing.boundary
        search.added = not olds
        if search.is_cut or not olds:
            continue
        if search.commit.id in passing.ignored:
            search.blob = olds[0]
            ahead.append(search)
        elif passing.words and search.blob in olds:  # Only the mode has changed.
            search.wordless += 1
            ahead.append(search)
        elif passing.words:
            questions.append((search, olds))
    for search, old in versions.compare(questions):
        if old is not None:
            search.blob = old
            search.wordless += 1
            ahead.append(search)
    return ahead


def _follow_moves(
    git: Git, arrivals: Sequence[Search], passing: Passing, versions: _Versions
) -> list[Search]:
    """Return the searches that go on where their files were before a commit moved them."""
    origins = _origins(git, arrivals)
    moved = [search for search in arrivals if search.name in origins]
    edited = [(search, [origins[search.name][1]]) for search in moved] if passing.words else []
    edited = [(search, olds) for search, olds in edited if olds != [search.blob]]
    alike = {search.name for search, old in versions.compare(edited) if old}
    following: list[Search] = []
    for search in moved:
        path, blob = origins[search.name]
        search.added = False
        if blob == search.blob or search.name in alike or search.commit.id in passing.ignored:
            search.wordless += search.name in alike
            search.path, search.blob, search.after = path, blob, -1
            following.append(search)
    return following


class _Versions:
    """Compares versions of files by their words; ``failures`` counts those not to be read."""

    def __init__(self, reader: ObjectReader) -> None:
        self.failures = 0
        self._reader = reader
        self._attempts = 0

    def compare(self, pairs: Iterable[Pair]) -> Iterator[tuple[Search, bytes | None]]:
        """Yield each search with the first of its older versions that says the same."""
        pairs = [pair for pair in pairs if have_words(pair[0].path)]
        for start in range(0, len(pairs), _AT_ONCE):
            some = pairs[start : start + _AT_ONCE]
            try:
                found = self._compare(some)
            except GitUnusableError:
                raise
            except GitError:  # One after the other, to learn which it is.
                found = [one for pair in some for one in self._try(pair)]
            yield from found

    def _try(self, pair: Pair) -> list[tuple[Search, bytes | None]]:
        if self._attempts < _MOST_FAILURES:
            try:
                return self._compare([pair])
            except GitUnusableError:
                raise
            except GitError:
                self._attempts += 1
        self.failures += 1
        return [(pair[0], None)]

    def _compare(self, pairs: Sequence[Pair]) -> list[tuple[Search, bytes | None]]:
        names = [name for search, olds in pairs for name in (search.blob, *olds)]
        contents = self._reader.read(names) if self._attempts < _MOST_FAILURES else iter(())
        found: list[tuple[Search, bytes | None]] = []
        for search, olds in pairs:
            new = next(contents, None)
            alike = None
            for name in olds:
                old = next(contents, None)
                if old is None or new is None:
                    self.failures += 1
                elif alike is None and same_words(old, new, search.path):
                    alike = name
            found.append((search, alike))
        return found


def _origins(git: Git, arrivals: Iterable[Search]) -> dict[bytes, tuple[bytes, bytes]]:
    """Return where the files come from that commits added: path and version, by name.

    A file that a merge added need not be new in each of its parents.
    """
    wanted: dict[bytes, list[Search]] = {}
    for search in arrivals:
        commit = search.commit
        for parent, old in zip(commit.parents, search.difference.old, strict=False):
            if old is None:
                wanted.setdefault(b"%s %s\n" % (commit.id, parent), []).append(search)
    origins: dict[bytes, tuple[bytes, bytes]] = {}
    moves = _read_moves(git, list(wanted))
    for searches, found in zip(wanted.values(), moves, strict=False):
        for search in searches:
            if search.path in found:
                origins.setdefault(search.name, found[search.path])
    return origins


def _read_moves(git: Git, pairs: Sequence[bytes]) -> list[dict[bytes, tuple[bytes, bytes]]]:
    """Return for each pair of a commit and a parent the moved files: new path, old path and blob.

    Where git cannot read a file that such a commit adds or deletes, it compares only the ids.
    """
    if not pairs:
        return []
    try:
        output = git.ask(*_MOVES, "-M", text=b"".join(pairs))
    except GitUnusableError:
        raise
    except GitError:
        middle = len(pairs) // 2
        if middle:
            return _read_moves(git, pairs[:middle]) + _read_moves(git, pairs[middle:])
        output = git.ask(*_MOVES, "-M100%", text=pairs[0])
    moves: list[dict[bytes, tuple[bytes, bytes]]] = []
    fields = iter(output.split(b"\0"))
    for field in fields:
        if field.startswith(b":") and moves:
            old, new = next(fields, b""), next(fields, b"")
            moves[-1][new] = (old, field.split(b" ")[2])
        elif field:
            moves.append({})
    return moves

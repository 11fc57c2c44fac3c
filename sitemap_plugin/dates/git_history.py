"""Find the commit that made each of many files what it is.

For each file a version (a blob) is wanted, at first the one that HEAD has. The newest commit that
made it is the answer: merges, reverts and discarded branches need no special case. Where that
commit does not count, since it changed no word, only moved the file, or is to be ignored, the
version before it is wanted from there on.
"""

import os
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sitemap_plugin.dates.git_process import LOG, MOVES, Git, GitError
from sitemap_plugin.dates.words import have_words, same_words

_MOST_FOLDERS = 8  # Git compares each name with each folder, so many cost more than they save.
_AT_ONCE = 200  # The names of so many files' versions surely fit into a pipe.
Commit = tuple[bytes, int, list[bytes]]
"""A commit's id, committer time in seconds, and parents."""

Records = dict[bytes, list[tuple[Commit, bytes]]]
"""For each file the commits that made versions of it, in git's order, and what they did."""


@dataclass(slots=True)
class Search:
    """A version that is looked for at a path, and the last commit found to have made one."""

    name: bytes
    path: bytes
    blob: bytes
    records: Iterator[tuple[Commit, bytes]] = field(init=False)
    commit: bytes = b""
    time: int = 0
    parents: Sequence[bytes] = ()
    olds: Sequence[bytes | None] = ()  # Of the parents, None where one has no such file.
    passed: int = 0  # So many later commits changed no word.

    def advance(self) -> bool:
        """Find the next commit that made the version which is looked for."""
        for commit, description in self.records:
            if self.blob in description:
                # `:100644 100644 <blob> <blob> M`, of a merge one mode and blob per parent more.
                count = description.count(b":")
                fields = description.split(b" ")
                if fields[2 * count + 1] == self.blob:
                    olds = fields[count + 1 : 2 * count + 1]
                    self.commit, self.time, self.parents = commit
                    self.olds = [blob if blob.strip(b"0") else None for blob in olds]
                    return True
        return False


@dataclass
class Finder:
    """Finds the last changes of files; ``lacks_versions`` tells that some could not be compared."""

    git: Git
    ignored: Container[bytes] = ()
    words: bool = True
    lacks_versions: bool = field(default=False, init=False)

    def find(self, head: bytes, blobs: Mapping[bytes, bytes]) -> list[Search]:
        """Search for the versions that HEAD has, which are given by path."""
        every = [Search(path, path, blob) for path, blob in blobs.items()]
        searches, tips = every, {head}
        while searches:
            records = read_records(self.git, tips, {search.path for search in searches})
            for search in searches:
                search.records = iter(records[search.path])
            arrived: list[Search] = []
            while searches:
                made = [search for search in searches if search.advance()]
                searches = self._pass_over(made)
                going = {id(search) for search in searches}
                arrived += [search for search in made if id(search) not in going]
            searches = self._follow_moves(arrived)
            tips = {search.commit for search in searches}
        return [search for search in every if search.commit]

    def _pass_over(self, made: Iterable[Search]) -> list[Search]:
        """Return the searches that go on, since the commit that was found is no change."""
        ahead: list[Search] = []
        questions: list[Search] = []
        for search in made:
            before = [old for old in search.olds if old]
            if before and search.commit in self.ignored:
                search.blob = before[0]
                ahead.append(search)
            elif self.words and search.blob in before:  # Only the mode has changed.
                search.passed += 1
                ahead.append(search)
            elif self.words and before and have_words(search.path):
                questions.append(search)
        for start in range(0, len(questions), _AT_ONCE):
            ahead += self._compare(questions[start : start + _AT_ONCE])
        return ahead

    def _compare(self, questions: Sequence[Search]) -> Iterator[Search]:
        """Yield the searches whose files said the same before; that version is then wanted."""
        names = {name for search in questions for name in (search.blob, *search.olds) if name}
        contents = self.git.read(names)
        self.lacks_versions |= len(contents) < len(names)
        for search in questions:
            new = contents.get(search.blob)
            for name in search.olds:
                old = contents.get(name) if name else None
                if old is not None and new is not None and same_words(old, new, search.path):
                    search.blob = name or b""
                    search.passed += 1
                    yield search
                    break

    def _follow_moves(self, arrived: Iterable[Search]) -> list[Search]:
        """Return the searches that go on where their files were before a commit moved them."""
        origins = self._read_origins(arrived)
        moved = [search for search in arrived if search.name in origins]
        for search in moved:
            search.olds = [origins[search.name][1]]
        edited = [search for search in moved if search.blob not in search.olds]
        following = [search for search in moved if search.blob in search.olds]
        following += self._pass_over(edited)
        for search in following:
            search.path = origins[search.name][0]
        return following

    def _read_origins(self, arrived: Iterable[Search]) -> dict[bytes, tuple[bytes, bytes]]:
        """Return where files come from that commits added: path and version, by name."""
        wanted: dict[bytes, list[Search]] = {}
        for search in arrived:
            for parent, old in zip(search.parents, search.olds, strict=False):
                if old is None:  # What a merge added need not be new in each of its parents.
                    wanted.setdefault(b"%s %s\n" % (search.commit, parent), []).append(search)
        origins: dict[bytes, tuple[bytes, bytes]] = {}
        moves = _read_moves(self.git, list(wanted))
        for searches, found in zip(wanted.values(), moves, strict=False):
            for search in searches:
                if search.path in found:
                    origins.setdefault(search.name, found[search.path])
        return origins


def _read_moves(git: Git, pairs: Sequence[bytes]) -> list[dict[bytes, tuple[bytes, bytes]]]:
    """Return for each pair of commit and parent the moved files: new path, old path and blob."""
    if not pairs:
        return []
    try:
        output = git.ask(*MOVES, "-M", text=b"".join(pairs))
    except GitError:  # Where a blob is missing, its commit is asked by ids alone.
        if middle := len(pairs) // 2:
            return _read_moves(git, pairs[:middle]) + _read_moves(git, pairs[middle:])
        output = git.ask(*MOVES, "-M100%", text=pairs[0])
    moves: list[dict[bytes, tuple[bytes, bytes]]] = []
    fields = iter(output.split(b"\0"))
    for text in fields:
        if text.startswith(b":") and moves:
            old, new = next(fields, b""), next(fields, b"")
            moves[-1][new] = (old, text.split(b" ")[2])
        elif text:
            moves.append({})
    return moves


def read_records(git: Git, tips: Iterable[bytes], wanted: Collection[bytes]) -> Records:
    """Read what the commits reachable from the tips made of the files, children first."""
    commit: Commit | None = None
    records: Records = {path: [] for path in wanted}
    text = b"".join(tip + b"\n" for tip in tips)
    fields = iter(git.ask(*LOG, "--", *folders_of(wanted), text=text).split(b"\0"))
    # Git prints a header, and for each file a description and a path; empty fields lie between.
    for text in fields:
        if b":" in text[:2]:  # A line feed may stand before it.
            path = next(fields, b"")
            if path in records and commit:
                records[path].append((commit, text))
        elif text:
            try:
                identity, time, parents = text.split(b" ", 2)
                # A broken commit has no time.
                commit = identity, int(time or 0), parents.split()
            except ValueError:
                raise GitError("git gives no dates: its log is not what was asked for") from None
    return records


def folders_of(paths: Collection[bytes]) -> list[str]:
    """Return few folders that hold all files, and the files at the top; none stands for all."""
    folders = {path.rpartition(b"/")[0] or path for path in paths}
    outermost: list[bytes] = []
    for folder in sorted(folders, key=lambda folder: folder + b"/"):
        if not outermost or not folder.startswith(outermost[-1] + b"/"):
            outermost.append(folder)
    while len(outermost) > _MOST_FOLDERS:
        deepest = max(folder.count(b"/") for folder in outermost)
        if not deepest:
            return []
        outermost = sorted({b"/".join(folder.split(b"/")[:deepest]) for folder in outermost})
    return [os.fsdecode(folder) for folder in outermost]

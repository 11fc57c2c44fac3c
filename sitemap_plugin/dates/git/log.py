"""Read commits as a stream from one `git log`, each with the files that it changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import IO, NamedTuple

from sitemap_plugin.dates.git.process import GitError, GitProcess

__all__ = ["Commit", "Difference", "Version", "commits", "differences", "read_difference"]

Version = tuple[bytes, bytes]
"""Mode and blob id of a file: what has to be equal for the file to be unchanged."""

_ABSENT = b"000000"
_CHUNK = 1 << 18

_LOG = (
    "log",
    "-z",
    "--raw",
    "--no-abbrev",
    "--no-renames",
    "--diff-merges=first-parent",
    "--date-order",
    # Simplified history follows a merge to the one parent that agrees with it in all folders,
    # while the history of a single file may lead to another; and when parents are rewritten to
    # skip commits, a side that never had the folders is lost. So ask for every commit.
    "--full-history",
    "--sparse",
    "--no-relative",
    "--no-color",
    "--no-notes",
    "-O/dev/null",  # Takes back diff.orderFile,
    "--encoding=UTF-8",  # and this i18n.logOutputEncoding.
    "--format=%x00%H %ct %P",
    "--stdin",
)
_DIFFERENCES = (
    "diff-tree",
    "-z",
    "-r",
    "--raw",
    "--no-abbrev",
    "--no-renames",
    "--diff-filter=AD",
    "--always",
    "--stdin",
)


class Difference(NamedTuple):
    """What a commit made of one file."""

    old: Version
    new: Version

    @property
    def added(self) -> bool:
        """Whether the file was not there before."""
        return self.old[0] == _ABSENT

    @property
    def deleted(self) -> bool:
        """Whether the file is not there any more."""
        return self.new[0] == _ABSENT


class Commit(NamedTuple):
    """One commit: id, committer time in seconds, parents, and differences to the first parent.

    ``text`` holds the differences as git prints them, for they are often not needed.
    """

    id: bytes
    time: int
    parents: list[bytes]
    text: bytes

    def differences(self) -> Iterator[tuple[bytes, bytes]]:
        """Yield pairs of a path and a description, which ``read_difference`` reads."""
        fields = self.text.split(b"\0")
        return zip(fields[1::2], fields[::2], strict=False)


def commits(process: GitProcess) -> Iterator[Commit]:
    """Yield all commits that a process made by ``log`` prints, children before their parents.

    For each commit git prints an empty field, a header, and for each difference a description and
    a path. Each field ends in NUL, and no other is empty.
    """
    record = b""
    for record in _split(process.output, b"\0\0"):
        header, _, text = record.strip(b"\0").partition(b"\0")
        try:
            identity, time, parents = header.split(b" ", 2)
            # A broken commit has no time.
            commit = Commit(identity, int(time or 0), parents.split(), text)
        except ValueError:
            process.finish()  # If git was ended in the middle, that is the fault.
            message = f"its log says {header[:40]!r}, which is not what it was asked for"
            raise GitError(message) from None
        yield commit
    if not record:
        process.finish()
        raise GitError("its log is empty")


def log(top: str, tips: Iterable[bytes], folders: Sequence[str]) -> GitProcess:
    """Prepare to read all commits that are reachable from the tips.

    Differences are limited to ``folders``, paths below ``top``; none stands for all.
    """
    text = b"".join(tip + b"\n" for tip in tips)
    return GitProcess(top, *_LOG, "--", *folders, text=text)


def differences(
    top: str, pairs: Sequence[tuple[bytes, bytes]]
) -> Iterator[dict[bytes, Difference]]:
    """Yield, for each pair of a commit and a parent, the files added or deleted between them."""
    text = b"".join(b"%s %s\n" % pair for pair in pairs)
    with GitProcess(top, *_DIFFERENCES, text=text) as process:
        found: dict[bytes, Difference] | None = None
        fields = _split(process.output, b"\0")
        for field in fields:
            if not field.startswith(b":"):
                if found is not None:
                    yield found
                found = {}
            elif found is not None:
                found[next(fields, b"")] = read_difference(field)
        if found is not None:
            yield found


def read_difference(description: bytes) -> Difference:
    """Read ``:100644 100644 <blob> <blob> M``; a line feed may stand before it."""
    old_mode, new_mode, old, new, _ = description.lstrip(b"\n:").split(b" ")
    return Difference((old_mode, old), (new_mode, new))


def _split(output: IO[bytes], separator: bytes) -> Iterator[bytes]:
    """Yield what separators end, and what follows the last one if that is anything."""
    rest = b""
    while chunk := output.read(max(_CHUNK, len(rest))):
        parts = (rest + chunk).split(separator)
        rest = parts.pop()
        yield from parts
    if rest:
        yield rest

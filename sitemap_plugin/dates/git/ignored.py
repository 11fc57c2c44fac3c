"""The revisions that `git blame` is told to ignore, since they reformat and change nothing."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

__all__ = ["IGNORE_FILE", "IgnoredRevisions", "read_ignored"]

IGNORE_FILE = ".git-blame-ignore-revs"
"""Looked for at the root of the working tree, as code hosts do."""

_OBJECT_ID = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")


class IgnoredRevisions(NamedTuple):
    """Full commit ids; and each line that holds something else: its place, and what it says."""

    commits: frozenset[bytes] = frozenset()
    faults: tuple[tuple[str, str], ...] = ()


def read_ignored(paths: Iterable[Path]) -> IgnoredRevisions:
    """Read lists of revisions to ignore; a file that cannot be read lists none.

    One full commit id a line, ``#`` starts a comment (git-blame, ``--ignore-revs-file``).
    """
    commits: set[bytes] = set()
    faults: list[tuple[str, str]] = []
    for path in dict.fromkeys(paths):
        lines: list[bytes] = []
        with contextlib.suppress(OSError):
            lines = path.read_bytes().splitlines()
        for number, line in enumerate(lines, 1):
            word = line.partition(b"#")[0].strip().lower()
            if _OBJECT_ID.fullmatch(word):
                commits.add(word)
            elif word:
                faults.append((f"{path}:{number}", word.decode("utf-8", "replace")))
    return IgnoredRevisions(frozenset(commits), tuple(faults))

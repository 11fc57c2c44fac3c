"""The last change of each of many files of one repository."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping

from sitemap_plugin.dates.git.history import Change, Walk, moved_from
from sitemap_plugin.dates.git.log import commits, differences, log

__all__ = ["find_changes", "folders_of"]

MOST_FOLDERS = 8
"""Git compares each name that it meets with each folder, so many cost more than they save."""


def find_changes(
    top: str, head: bytes, paths: Iterable[bytes], ignored: Collection[bytes] = ()
) -> dict[bytes, Change]:
    """Return the last change before or at ``head`` of each file, by path below ``top``.

    Moves are no change, nor are the ``ignored`` commits. Git is asked for the folders of the
    files only, where a file that came from elsewhere looks like a new one: then it is looked for
    again, from there on.
    """
    found: dict[bytes, Change] = {}
    start: dict[bytes, list[tuple[bytes, bytes]]] = {head: [(path, path) for path in paths]}
    while any(start.values()):
        folders = folders_of(path for files in start.values() for path, _ in files)
        walk = Walk(start, ignored)
        with log(top, start, folders) as process:
            for commit in commits(process):
                walk.feed(commit)
                if not walk.open:
                    process.stop()
                    break
        walk.finish()
        found |= walk.changes
        start = _moved(top, walk.changes, everywhere=not folders)
    return found


def folders_of(paths: Iterable[bytes]) -> list[str]:
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


def _moved(
    top: str, changes: Mapping[bytes, Change], *, everywhere: bool
) -> dict[bytes, list[tuple[bytes, bytes]]]:
    """Return where to look for the files that were only moved, from where git was not asked.

    That is from another folder, and in a merge, whose other parents git has not compared.
    """
    suspects: dict[tuple[bytes, bytes], list[tuple[bytes, Change]]] = {}
    for name, change in changes.items():
        if len(change.parents) > 1 or (change.added and not everywhere):
            for parent in change.parents:
                suspects.setdefault((change.commit, parent), []).append((name, change))
    if not suspects:
        return {}
    start: dict[bytes, list[tuple[bytes, bytes]]] = {}
    settled: set[bytes] = set()
    for (pair, files), difference in zip(
        suspects.items(), differences(top, list(suspects)), strict=True
    ):
        for name, change in files:
            if name not in settled and (origin := moved_from(change, difference)):
                settled.add(name)
                start.setdefault(pair[1], []).append((origin, name))
    return start

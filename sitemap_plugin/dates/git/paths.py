"""Where source files really lie, and in which repository."""

# This runs for each page, and pathlib takes ten times as long.
# ruff: noqa: PTH118, PTH120

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import NamedTuple

__all__ = ["Folder", "by_repository", "paths_below", "real_files"]


class Folder(NamedTuple):
    """A folder's real path, and the names in it that are symbolic links."""

    path: str
    links: frozenset[str]


def real_files(source: str, folders: dict[str, Folder]) -> tuple[str, ...]:
    """Return the real path of a source file; of a symbolic link, also that of its target.

    ``folders`` keeps what was found out about folders, for sources that are asked about later.
    """
    name_of_folder, name = os.path.split(source)
    folder = folders.get(name_of_folder)
    if folder is None:
        folder = folders[name_of_folder] = _read_folder(name_of_folder)
    file = os.path.join(folder.path, name)
    return (file, os.path.realpath(file)) if name in folder.links else (file,)


def by_repository(files: Iterable[str]) -> dict[str, list[str]]:
    """Group files by the root of the working tree that they lie in; leave out those in none."""
    known: dict[str, str | None] = {}
    tops: dict[str, list[str]] = {}
    for file in files:
        folder = file.rpartition(os.sep)[0]
        top = known[folder] if folder in known else _find_top(folder or os.sep, known)
        if top:
            tops.setdefault(top, []).append(file)
    return tops


def paths_below(top: str, files: Iterable[str]) -> dict[bytes, str]:
    """Return files by their paths as git writes them, without those that are not below ``top``."""
    start = os.path.join(top, "")
    below = [file for file in files if file.startswith(start)]
    return {os.fsencode(file[len(start) :].replace(os.sep, "/")): file for file in below}


def _read_folder(name: str) -> Folder:
    path = os.path.realpath(name)
    try:
        with os.scandir(path) as entries:
            return Folder(path, frozenset(entry.name for entry in entries if entry.is_symlink()))
    except OSError:
        return Folder(path, frozenset())


def _find_top(folder: str, known: dict[str, str | None]) -> str | None:
    """Return the nearest folder upwards that has a ``.git``: a folder, or a file in a worktree."""
    if folder not in known:
        parent = os.path.dirname(folder)
        if os.path.lexists(os.path.join(folder, ".git")):
            known[folder] = folder
        else:
            known[folder] = _find_top(parent, known) if parent != folder else None
    return known[folder]

"""Where source files really lie, and in which repository."""

# This runs for each page, and pathlib takes ten times as long.
# ruff: noqa: PTH114, PTH118, PTH120

from __future__ import annotations

import os
from collections.abc import Iterable

__all__ = ["by_repository", "path_below", "real_files"]


def real_files(source: str, folders: dict[str, str]) -> tuple[str, ...]:
    """Return the real path of a source file; of a symbolic link, also that of its target.

    ``folders`` keeps the real paths of folders, for sources that are asked about later.
    """
    folder, name = os.path.split(source)
    real = folders.get(folder)
    if real is None:
        real = folders[folder] = os.path.realpath(folder)
    file = os.path.join(real, name)
    return (file, os.path.realpath(file)) if os.path.islink(file) else (file,)


def by_repository(files: Iterable[str]) -> dict[str, list[str]]:
    """Group files by the root of the working tree that they lie in; leave out those in none."""
    known: dict[str, str | None] = {}
    tops: dict[str, list[str]] = {}
    for file in files:
        if top := _find_top(os.path.dirname(file), known):
            tops.setdefault(top, []).append(file)
    return tops


def path_below(top: str, file: str) -> bytes | None:
    """Return a file's path as git writes it, None for one that is not below ``top``."""
    start = os.path.join(top, "")
    if not file.startswith(start):
        return None
    return os.fsencode(file[len(start) :].replace(os.sep, "/"))


def _find_top(folder: str, known: dict[str, str | None]) -> str | None:
    """Return the nearest folder upwards that has a ``.git``: a folder, or a file in a worktree."""
    if folder not in known:
        parent = os.path.dirname(folder)
        if os.path.lexists(os.path.join(folder, ".git")):
            known[folder] = folder
        else:
            known[folder] = _find_top(parent, known) if parent != folder else None
    return known[folder]

"""Find the HTML files of a folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

__all__ = ["html_files"]

_SUFFIXES = (".html", ".htm", ".xhtml")


def html_files(folder: Path) -> list[Path]:
    """Return the HTML files below a folder, in the order of their paths.

    A symbolic link to something inside the folder is another name for pages that are found
    anyway, as mike's ``latest`` is, and is passed over. One that leads out of the folder is
    followed, since a web server serves what lies there, but never twice. Hidden folders are not
    published by any usual host and are passed over.
    """
    root = folder.resolve()
    return sorted(_walk(folder, root, {root}))


def _walk(folder: Path, root: Path, seen: set[Path]) -> Iterator[Path]:
    with os.scandir(folder) as entries:
        found = list(entries)
    for entry in found:
        path = Path(entry.path)
        if entry.name.startswith("."):
            continue
        if entry.is_symlink() and not _leads_out(path, root, seen):
            continue
        if entry.is_dir():
            yield from _walk(path, root, seen)
        elif entry.name.lower().endswith(_SUFFIXES) and entry.is_file():
            yield path


def _leads_out(link: Path, root: Path, seen: set[Path]) -> bool:
    try:
        target = link.resolve(strict=True)
    except (OSError, RuntimeError):  # A link to nothing, or to itself.
        return False
    if target.is_relative_to(root) or root.is_relative_to(target) or target in seen:
        return False
    seen.add(target)
    return True

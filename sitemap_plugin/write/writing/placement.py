"""Takes a folder from one sitemap to the next so that it holds the one or the other at any instant.

What a reader finds is decided by one file, the sitemap or index at the top: to rename a new one
over it is the instant of change, and until then no file that the old one names may change, after
it none that the new one names. A single file is simple. An index is not, for its parts keep their
names from build to build. So:

1. Parts whose names the old top does not use are put in place.
2. If parts that the old top names have changed, the new ones are put beside them under interim
   names (``sitemap-1~new.xml``), and an index that uses those names becomes the top: the change.
   The old parts are now unnamed. They are replaced, and nothing the top names is touched.
3. The top in its final form is renamed into place. It says the same as the interim one.
4. What only the old top named is removed, and so are the interim names.

Killed before the change, a build leaves the old sitemap as it was; killed after it, the whole new
one. What else may be left is a hidden folder, which says which names were to be removed in step 4,
and files that nothing names; the next build removes both. Each file's gzipped twin is removed
before the file is replaced and returns after it, so wherever there is a twin it holds the same as
its file. One lock on the folder, held for the renames only, makes builds at the same time take
turns: the last one wins whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from sitemap_plugin.common.files import (
    clone,
    folder_lock,
    is_ours,
    like,
    refuse_other_kinds,
    reported,
    same_bytes,
    set_aside,
)
from sitemap_plugin.errors import Problem
from sitemap_plugin.write.writing.predecessor import Predecessor
from sitemap_plugin.write.writing.twins import compress, twin_of

__all__ = ["Index", "Staged", "place", "stage"]

Index = Callable[[Callable[[str], str]], bytes]
"""Renders the index, with a function applied to the name of each part."""


class Staged(NamedTuple):
    """A finished file in the staging folder, its twin if one is wanted, and its name to be."""

    name: str
    file: Path
    twin: Path | None


def stage(data: bytes, scratch: Path, target: Path, *, gzip: bool) -> Staged:
    """Write an index, and its twin if wanted, to the staging folder; raise WriteError."""
    file = scratch / "index"
    twin = twin_of(file) if gzip else None
    with reported(target):
        file.write_bytes(data)
        if twin:
            twin.write_bytes(compress(data))
    return Staged(target.name, file, twin)


def place(
    folder: Path, scratch: Path, top: Staged, parts: Sequence[Staged], index: Index
) -> tuple[list[Path], list[Problem]]:
    """Put a staged sitemap in the place of the one before; return changed files and problems.

    Raises WriteError. Unless the change had been made, the folder then is as it was.
    """
    with reported(folder / top.name), folder_lock(folder):
        handover = _Handover(folder, scratch, top, parts)
        problems = list(_keep_foreign(handover.places(), scratch))
        problems += handover.run(index)
    return list(handover.changed.values()), problems


class _Handover:
    """The steps above."""

    def __init__(self, folder: Path, scratch: Path, top: Staged, parts: Sequence[Staged]) -> None:
        self.folder, self.scratch, self.top, self.parts = folder, scratch, top, parts
        self.before = Predecessor(folder, top.name)
        self.changed = {
            staged.name: folder / staged.name
            for staged in (top, *parts)
            if not same_bytes(staged.file, folder / staged.name)
        }
        self.swapped = self.before.named.intersection(self.changed) - {top.name}
        self.names = {top.name, *(part.name for part in parts)}
        self.interim = {_interim(name) for name in self.swapped}
        self.undo: list[Callable[[], object]] = []
        self.is_changed = False

    def places(self) -> list[Path]:
        """Return the path of every file that may be written, in a fixed order."""
        return [self.folder / name for name in sorted(self.names | self.interim)]

    def run(self, index: Index) -> list[Problem]:
        """Take all steps; if one fails before the change, undo those before it."""
        self.before.record(self.scratch, self.names | self.interim)
        try:
            for part in self.parts:
                if part.name not in self.swapped:
                    self._put(part)
            if self.swapped:
                self._change(index)
            for part in self.parts:
                if part.name in self.swapped:
                    self._put(part)
            self._put(self.top)
        except BaseException:
            if self.is_changed:
                self.before.clear(keep=self.names | self.interim)
            else:
                self._undo()
            raise
        return self.before.clear(keep=self.names)[1]

    def _undo(self) -> None:
        for step in reversed(self.undo):
            with suppress(OSError):
                step()

    def _put(self, staged: Staged) -> None:
        """Rename a file into place, unless the one there has the same bytes, and so its twin."""
        target = self.folder / staged.name
        twin = twin_of(target)
        if staged.twin:
            like(twin, staged.twin)
        if staged.name in self.changed or (staged is self.top and self.swapped):
            like(target, staged.file)
            self._retire(twin)
            if staged is self.top:
                staged.file.replace(target)
                self.is_changed = True
            else:
                self._retire(target)
                self._rename(staged.file, target)
        if staged.twin is None:
            self._retire(twin)
        elif not same_bytes(staged.twin, twin):
            self._retire(twin)
            self._rename(staged.twin, twin)

    def _change(self, index: Index) -> None:
        """Make an index of interim names the top."""
        target = self.folder / self.top.name
        for new, old in ((self.top.file, target), (self.top.twin, twin_of(target))):
            if new:
                like(old, new, times=same_bytes(new, old))
        for part in self.parts:
            if part.name in self.swapped:
                interim = self.folder / _interim(part.name)
                self._retire(interim)
                clone(part.file, interim, self.scratch)
                self.undo.append(interim.unlink)
        interim_top = self.scratch / "interim"
        interim_top.write_bytes(
            index(lambda name: _interim(name) if name in self.swapped else name)
        )
        like(target, interim_top)
        self._retire(twin_of(target))
        interim_top.replace(target)
        self.is_changed = True

    def _rename(self, new: Path, target: Path) -> None:
        new.replace(target)
        self.undo.append(target.unlink)

    def _retire(self, path: Path) -> None:
        """Take away a file that is in the way, so that it can be put back."""
        with suppress(FileNotFoundError):
            kept = self.scratch / f"{len(self.undo)}.old"
            path.replace(kept)
            self.undo.append(partial(kept.replace, path))


def _interim(name: str) -> str:
    """Name the interim form of a part; no other name has a ``~`` there."""
    stem, dot, suffix = name.rpartition(".")
    return f"{stem}~new{dot}{suffix}"


def _keep_foreign(paths: Iterable[Path], scratch: Path) -> Iterable[Problem]:
    """Set the user's own files aside where ours are about to be; tell each in a notice."""
    both = [file for path in paths for file in (path, twin_of(path))]
    for file in both:
        refuse_other_kinds(file)
    for file in both:
        if file.exists() and not is_ours(file):
            kept = set_aside(file, scratch).name
            message = f"there was one that this plugin did not write; it is kept as {kept}"
            yield Problem("notice", message, file.name)

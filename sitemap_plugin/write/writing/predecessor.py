"""The sitemap that an earlier build left in the folder, and what killed builds left of others."""

from __future__ import annotations

import re
import shutil
from collections.abc import Collection, Iterable
from contextlib import suppress
from html import unescape
from pathlib import Path
from urllib.parse import unquote

from sitemap_plugin.common.files import abandoned, drop, folder_lock, is_ours, reported, staging
from sitemap_plugin.errors import Problem
from sitemap_plugin.write.writing.twins import twin_of

__all__ = ["Predecessor", "remove_sitemap"]

_JOURNAL = "names"
_HEAD = 4096
_LOC = re.compile(rb"<(?:\w+:)?loc>\s*([^<]*?)\s*</")


def remove_sitemap(folder: Path, filename: str = "sitemap.xml") -> list[Path]:
    """Remove the sitemap that an earlier build wrote, its parts and twins; return what was removed.

    Files that this package did not write stay. Raises WriteError.
    """
    if not folder.is_dir():
        return []
    top = folder / filename
    with staging(folder, filename) as scratch, reported(top), folder_lock(folder):
        before = Predecessor(folder, filename)
        before.record(scratch, ())
        removed = [file for file in (twin_of(top), top) if drop(file)]
        return removed + before.clear(keep=())[0]


class Predecessor:
    """What was in the folder before; make one, and use it, with the folder's lock held.

    ``named`` are the parts that the top file uses if it is an index, the user's own included.
    """

    def __init__(self, folder: Path, top: str) -> None:
        self._folder, self._top = folder, top
        self._abandoned = abandoned(folder, top)
        self.named = self._read_index()
        self._removable = set(self.named) if self.named and is_ours(folder / top) else set()
        for scratch in self._abandoned:
            with suppress(OSError):
                self._removable.update((scratch / _JOURNAL).read_text("utf-8").split("\n"))

    def _read_index(self) -> set[str]:
        path = self._folder / self._top
        if not path.is_file():
            return set()
        with path.open("rb") as file:
            if b"sitemapindex" not in file.read(_HEAD):
                return set()
            file.seek(0)
            urls = [unescape(url.decode("utf-8", "replace")) for url in _LOC.findall(file.read())]
        stem, _, suffix = self._top.rpartition(".")
        part = re.compile(rf"{re.escape(stem)}-[^/\\\x00-\x1f]*\.{re.escape(suffix)}")
        names = {unquote(url.rpartition("/")[2]) for url in urls}
        return {name for name in names if part.fullmatch(name)}

    def record(self, scratch: Path, names: Iterable[str]) -> None:
        """Write down what may have to be removed, for the next build in case this one is killed."""
        self._removable.update(names)
        (scratch / _JOURNAL).write_text("\n".join(sorted(self._removable)), "utf-8")

    def clear(self, keep: Collection[str]) -> tuple[list[Path], list[Problem]]:
        """Remove what is no longer used, and tell what was and what could not be removed.

        Files that are not ours stay.
        """
        removed, problems = [], []
        for name in sorted(self._removable.difference(keep, ("",))):
            path = self._folder / name
            for file in (path, twin_of(path)):
                try:
                    if drop(file):
                        removed.append(file)
                except OSError as error:
                    message = f"is no longer used but cannot be removed: {error.strerror}"
                    problems.append(Problem("warning", message, file.name))
        for scratch in self._abandoned:
            shutil.rmtree(scratch, ignore_errors=True)
        return removed, problems

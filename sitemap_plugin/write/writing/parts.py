"""Sitemap files before they have a name: cuts rendered entries into parts within the limits."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from sitemap_plugin.errors import Problem, WriteError
from sitemap_plugin.models import Lastmod
from sitemap_plugin.write.writing.articles import Articles
from sitemap_plugin.write.writing.documents import URLSET_END, urlset_start
from sitemap_plugin.write.writing.render import Batch
from sitemap_plugin.write.writing.timestamps import newest
from sitemap_plugin.write.writing.twins import TwinWriter
from sitemap_plugin.write.writing.validity import MAX_NEWS, shown

__all__ = ["MAX_PARTS", "Layout", "Part", "Splitter"]

MAX_PARTS = 50_000
_NEWS = Articles.prefix
_NONE: frozenset[str] = frozenset()


class Layout(NamedTuple):
    """What all parts of a sitemap have in common."""

    max_urls: int
    max_bytes: int
    gzip: bool
    stylesheet: str | None


@dataclass(frozen=True)
class Part:
    """A finished file in the staging folder, with its gzipped twin if one is wanted."""

    file: Path
    twin: Path | None
    count: int
    newest: Lastmod | None


class Splitter:
    """Writes batches of one section after another to parts in a staging folder.

    A part is ended when the next entry would break a limit. Both limits count exactly: all bytes
    of the file before compression, links and namespace declarations included. A part with news
    has a lower one for its entries, whoever hands them over. An entry that is
    too large for a file of its own is left out and told in ``problems``.
    """

    def __init__(self, folder: Path, layout: Layout) -> None:
        self.problems: list[Problem] = []
        self._folder, self._layout = folder, layout
        self._made = 0
        self._parts: list[Part] = []
        self._open = self._next()

    def add(self, batch: Batch) -> None:
        """Write rendered entries."""
        data = "".join(batch.pieces).encode("ascii")
        if self._open.fits(len(batch.locs), len(data), batch.prefixes):
            self._open.add(data, batch.lastmods, batch.prefixes)
        else:
            self._cut(batch)

    def end_section(self) -> list[Part]:
        """End the current part and return the parts of this section, none if it has no entries."""
        self._end_part()
        parts, self._parts = self._parts, []
        return parts

    def close(self) -> None:
        """Close the file that an exception left open."""
        self._open.close()

    def _cut(self, batch: Batch) -> None:
        """Write rendered entries one by one as far as limits are concerned."""
        empty = _OpenPart(self._folder, self._layout)
        begin, size, prefixes = 0, 0, _NONE
        for position, text in enumerate(batch.texts()):
            own_size = len(text)
            own_prefixes = frozenset(p for p in batch.prefixes if f"<{p}:" in text)
            if not empty.fits(1, own_size, own_prefixes):
                self._write(batch, begin, position, prefixes)
                self._too_large(batch.locs[position], own_size)
                begin, size, prefixes = position + 1, 0, _NONE
                continue
            if not self._open.fits(position - begin + 1, size + own_size, prefixes | own_prefixes):
                self._write(batch, begin, position, prefixes)
                self._end_part()
                begin, size, prefixes = position, 0, _NONE
            size += own_size
            prefixes |= own_prefixes
        self._write(batch, begin, len(batch.locs), prefixes)

    def _write(self, batch: Batch, begin: int, end: int, prefixes: frozenset[str]) -> None:
        pieces = slice(begin * batch.width, end * batch.width)
        data = "".join(batch.pieces[pieces]).encode("ascii")
        if data:
            self._open.add(data, batch.lastmods[begin:end], prefixes)

    def _too_large(self, loc: str, size: int) -> None:
        self.problems.append(
            Problem(
                "warning",
                f"left out of the sitemap: its entry takes {size} bytes, which is more than a file "
                f"of {self._layout.max_bytes} bytes (max_bytes) can hold",
                shown(loc),
            )
        )

    def _end_part(self) -> None:
        if self._open.count:
            self._parts.append(self._open.finish())
            self._open = self._next()

    def _next(self) -> _OpenPart:
        if self._made > MAX_PARTS:
            raise WriteError(
                f"the sitemap would take more than {MAX_PARTS} files, and an index may name no "
                "more; raise max_urls or max_bytes"
            )
        self._made += 1
        return _OpenPart(self._folder / str(self._made), self._layout)


class _OpenPart:
    """The part that is being filled; there is no file before its first entry."""

    def __init__(self, path: Path, layout: Layout) -> None:
        self.count = 0
        self._path, self._layout = path, layout
        self._start = cache(lambda prefixes: urlset_start(layout.stylesheet, prefixes))
        self._prefixes = _NONE
        self._body_size = 0
        self._newest: Lastmod | None = None
        self._output: TwinWriter | None = None

    def fits(self, count: int, size: int, prefixes: frozenset[str]) -> bool:
        """Tell whether the file stays within the limits with so many more entries and bytes."""
        every = self._prefixes | prefixes
        frame = len(self._start(every)) + len(URLSET_END)
        most = min(self._layout.max_urls, MAX_NEWS) if _NEWS in every else self._layout.max_urls
        return (
            self.count + count <= most and frame + self._body_size + size <= self._layout.max_bytes
        )

    def add(
        self, data: bytes, lastmods: Sequence[Lastmod | None], prefixes: frozenset[str]
    ) -> None:
        """Write entries that fit."""
        if not self._output:
            self._prefixes = prefixes
            self._output = TwinWriter(self._path, self._start(prefixes), gzip=self._layout.gzip)
        elif not prefixes <= self._prefixes:
            self._prefixes |= prefixes
            self._output.change_start(self._start(self._prefixes))
        self._output.write(data)
        self.count += len(lastmods)
        self._body_size += len(data)
        self._newest = newest((self._newest, newest(lastmods)))

    def finish(self) -> Part:
        """End the file."""
        output = self._output
        if output is None:
            raise ValueError("a part without entries has no file")
        output.write(URLSET_END)
        output.finish()
        return Part(output.path, output.twin, self.count, self._newest)

    def close(self) -> None:
        """Close the file, finished or not."""
        if self._output:
            with suppress(OSError):
                self._output.close()

"""Read the heads of many HTML files, on all processors where that pays."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from sitemap_plugin.html import Head, read_head

__all__ = ["read_heads"]

CHUNK = 500
"""Files that are read before progress is told."""

WORTH_PROCESSES = 20_000
"""Files from which on starting processes costs less than it saves.

On two processors, they read 10,000 files no faster than one, and 40,000 in two thirds of the time.
"""


def read_heads(
    files: Sequence[Path], progress: Callable[[int, int], None] | None = None
) -> dict[Path, Head]:
    """Return the head of each file; of one that cannot be read, an empty one."""
    heads: dict[Path, Head] = {}
    chunks = [files[start : start + CHUNK] for start in range(0, len(files), CHUNK)]
    for paths, found in zip(chunks, _mapped(chunks, len(files)), strict=True):
        heads.update(zip(paths, found, strict=True))
        if progress:
            progress(len(heads), len(files))
    return heads


def _mapped(chunks: Iterable[Sequence[Path]], total: int) -> Iterator[list[Head]]:
    workers = os.cpu_count() or 1
    if total < WORTH_PROCESSES or workers == 1:
        yield from map(_read_chunk, chunks)
        return
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(_read_chunk, chunks)


def _read_chunk(paths: Sequence[Path]) -> list[Head]:
    return [_read(path) for path in paths]


def _read(path: Path) -> Head:
    try:
        return read_head(path)
    except OSError:
        return Head()

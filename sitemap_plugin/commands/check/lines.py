"""Read a text sitemap: one URL a line, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from sitemap_plugin.commands.check.batch import NO_LINKS, Batch

__all__ = ["read_text"]

_LONGEST_LINE = 1 << 16
_NEWLINE = re.compile(r"\r\n?|\n")


def read_text(chunks: Iterator[bytes]) -> Iterator[Batch]:
    """Yield the lines of a text that are not empty, as entries.

    A line of more than 64 KiB, which is no URL, is cut.
    """
    line, rest = 1, ""
    for chunk in chain(chunks, [b"\n"]):
        text = rest + chunk.decode()
        # The line feed that belongs to a final carriage return may be in the next chunk.
        held = "\r" if text.endswith("\r") else ""
        *lines, rest = _NEWLINE.split(text.removesuffix(held))
        numbered = [(number, text.strip(" \t")) for number, text in enumerate(lines, start=line)]
        yield _batch([(number, text) for number, text in numbered if text])
        line += len(lines)
        rest = rest[:_LONGEST_LINE] + held


def _batch(entries: Sequence[tuple[int, str]]) -> Batch:
    lines, locs = zip(*entries, strict=True) if entries else ((), ())
    empty = (None,) * len(locs)
    return Batch(lines, locs, empty, empty, empty, (NO_LINKS,) * len(locs))

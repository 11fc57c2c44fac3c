"""Entries to XML text, a batch at a time.

Everything in a batch is checked and escaped in bulk, which costs a tenth of doing it entry by
entry. Where the bulk check finds fault, the entries of that batch are judged one by one and the
batch is rendered again without what is wrong. What repeats is rendered once: dates, pairs of
changefreq and priority, and the links of a set of translations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, repeat
from operator import lt
from typing import NamedTuple

from sitemap_plugin.errors import Problem
from sitemap_plugin.models import Entry, Lastmod
from sitemap_plugin.write.writing.cleaning import clean_entry
from sitemap_plugin.write.writing.escaping import FaultError, escape_legal
from sitemap_plugin.write.writing.extensions import EXTENSIONS
from sitemap_plugin.write.writing.timestamps import Timestamps
from sitemap_plugin.write.writing.validity import CHANGEFREQS, MAX_LOC, is_priority, shown

__all__ = ["Batch", "Renderer"]

MEMO_SIZE = 10_000


class Batch(NamedTuple):
    """Rendered entries: the pieces of their texts, ``width`` for each, their URLs and lastmods.

    The text is ASCII, so its length is its size in bytes. ``prefixes`` are those of the extensions
    that the batch uses.
    """

    pieces: list[str]
    width: int
    locs: Sequence[str]
    lastmods: Sequence[Lastmod | None]
    prefixes: frozenset[str]

    def texts(self) -> Iterator[str]:
        """Yield the text of each entry, which takes longer than joining all pieces."""
        for at in range(0, len(self.pieces), self.width):
            yield "".join(self.pieces[at : at + self.width])


class Renderer:
    """Renders the entries of a sitemap whose URLs begin with ``base_url``.

    What is left out, an entry or something in it, is told in ``problems``.
    """

    def __init__(self, base_url: str) -> None:
        self.base_url = base_url
        self.problems: list[Problem] = []
        self._last = ""
        self._timestamps = Timestamps()
        self._hints = _Hints()
        self._extensions = [extension(base_url) for extension in EXTENSIONS]

    def begin_section(self) -> None:
        """Start over with the order of URLs."""
        self._last = ""

    def render(self, entries: Sequence[Entry]) -> Batch | None:
        """Render a batch of entries, or return None when none of them is valid.

        Raises ValueError when they are not in the order of their URLs.
        """
        try:
            batch = self._render(entries)
        except (TypeError, ValueError, OverflowError):
            entries = list(self._sound(entries))
            if not entries:
                return None
            batch = self._render(entries)
        self._last = batch.locs[-1]
        return batch

    def _render(self, entries: Sequence[Entry]) -> Batch:
        locs, lastmods, changefreqs, priorities, *extra = zip(*entries, strict=False)
        count = len(locs)
        columns: list[Iterable[str]] = [
            repeat("  <url>\n    <loc>", count),
            self._escape(locs),
            repeat("</loc>", count),
            self._timestamps.render(lastmods),
        ]
        if any(values.count(None) < count for values in (changefreqs, priorities)):
            columns.append(map(self._hints.__getitem__, zip(changefreqs, priorities, strict=True)))
        prefixes = []
        for extension, values in zip(self._extensions, extra, strict=True):
            if values.count(extension.nothing) < count:
                columns.append(extension.render(values, locs))
                prefixes.append(extension.prefix)
        columns.append(repeat("\n  </url>\n", count))
        width = len(columns)
        pieces = [""] * (count * width)
        for number, column in enumerate(columns):
            pieces[number::width] = column
        return Batch(pieces, width, locs, lastmods, frozenset(prefixes))

    def _escape(self, locs: Sequence[str]) -> Iterable[str]:
        """Escape sound URLs. As they are sorted, all lie below the base if both ends do."""
        if (
            self._last < locs[0]
            and all(map(lt, locs, islice(locs, 1, None)))
            and locs[0].startswith(self.base_url)
            and locs[-1].startswith(self.base_url)
            and max(map(len, locs)) <= MAX_LOC
        ):
            return escape_legal(locs)
        raise FaultError

    def _sound(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Judge entries one by one."""
        last = self._last
        for entry in entries:
            where = shown(str(getattr(entry, "loc", entry)))

            def warn(message: str, where: str = where) -> None:
                self.problems.append(Problem("warning", message, where))

            sound = clean_entry(entry, self.base_url, warn)
            if sound is None:
                continue
            if sound.loc < last:
                raise ValueError(f"entries are not sorted by loc: {sound.loc} after {last}")
            if sound.loc == last:
                warn("listed more than once; the first entry is kept")
                continue
            last = sound.loc
            yield sound


class _Hints(dict[tuple[str | None, float | None], str]):
    """Renders changefreq and priority, which repeat in the same few pairs."""

    def __missing__(self, hints: tuple[str | None, float | None]) -> str:
        changefreq, priority = hints
        text = ""
        if changefreq is not None:
            if changefreq not in CHANGEFREQS:
                raise FaultError
            text += f"\n    <changefreq>{changefreq}</changefreq>"
        if priority is not None:
            if not is_priority(priority):
                raise FaultError
            text += f"\n    <priority>{_decimal(float(priority))}</priority>"
        if len(self) > MEMO_SIZE:
            self.clear()
        self[hints] = text
        return text


def _decimal(number: float) -> str:
    """Write a number from 0 to 1 in the shortest way that is not in exponential notation."""
    text = repr(abs(number))
    if "e" in text:
        text = f"{number:.20f}".rstrip("0")
    return f"{text}0" if text.endswith(".") else text

"""What the dates of many entries tell together."""

from __future__ import annotations

from sitemap_plugin.commands.check.batch import Batch
from sitemap_plugin.commands.check.findings import FileFindings, quote
from sitemap_plugin.dates.parse import DateError, parse_w3c, sort_key

__all__ = ["Dates", "is_later"]

_FEW = 2
"""So many pages may as well have changed on the same day."""

_SECONDS_A_DAY = 86_400


class Dates:
    """The dates of change in one sitemap, or in all the sitemaps of one index."""

    def __init__(self) -> None:
        self._first: tuple[FileFindings, int] | None = None
        self._different: set[str | None] = set()
        self._count = 0

    def add(self, batch: Batch, found: FileFindings) -> None:
        """Take note of the dates of some entries."""
        dated = len(batch.lastmods) - batch.lastmods.count(None)
        if dated and len(self._different) <= 1:
            self._first = self._first or (found, batch.lines[0])
            self._different.update(batch.lastmods)
            self._different.discard(None)
        self._count += dated

    def judge(self) -> None:
        """Record that all are the same, since then they usually are the day of the build."""
        if self._first and self._count > _FEW and len(self._different) == 1:
            found, line = self._first
            (date,) = self._different
            message = f"All {self._count:,} dates of change are {quote(str(date))}."
            cure = "Write the day on which each page changed, or leave lastmod out."
            found.add("lastmod-identical", message, cure, line=line)


def is_later(text: str, than: str) -> bool:
    """Tell whether one W3C Datetime is later than another, however precise they are.

    False for what is not a W3C Datetime.
    """
    try:
        one, _ = parse_w3c(text)
        other, granularity = parse_w3c(than)
    except DateError:
        return False
    if granularity in {"year", "month"}:
        return text[: len(than)] > than
    difference = sort_key(one)[0] - sort_key(other)[0]
    return difference >= _SECONDS_A_DAY if granularity == "day" else difference > 0

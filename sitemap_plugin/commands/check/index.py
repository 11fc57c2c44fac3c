"""What is wrong with the sitemaps that an index lists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sitemap_plugin.commands.check.batch import Batch
from sitemap_plugin.commands.check.chronology import is_later
from sitemap_plugin.commands.check.findings import Fault, FileFindings, quote

__all__ = ["Child", "Children", "as_child_fault"]

_DAY = len("YYYY-MM-DD")


class Child(NamedTuple):
    """A sitemap that an index lists, and its place there."""

    url: str
    lastmod: str | None
    line: int
    found: FileFindings

    def add(self, code: str, message: str, cure: str) -> None:
        """Record what is wrong with it, at its place in the index."""
        self.found.add(code, message, cure, line=self.line, url=self.url)

    def judge_dates(self, batch: Batch) -> None:
        """Compare its date in the index with those of some of its entries."""
        own = self.lastmod
        if own is None:
            return
        day = own[:_DAY]
        for date in set(batch.lastmods):
            if date and date[:_DAY] >= day and date != own and is_later(date, own):
                message = f"The date {quote(own)} is older than those of the sitemap's entries."
                self.add("index-lastmod-old", message, "Write the newest date of its entries.")
                return


class Children:
    """The sitemaps of one index, each once."""

    def __init__(self, found: FileFindings) -> None:
        self._found = found
        self._children: dict[str, Child] = {}

    def __iter__(self) -> Iterator[Child]:
        return iter(self._children.values())

    def add(self, batch: Batch) -> None:
        """Add what a batch of an index lists."""
        for line, loc, lastmod in zip(batch.lines, batch.locs, batch.lastmods, strict=True):
            if not loc:
                continue
            child = Child(loc, lastmod, line, self._found)
            first = self._children.setdefault(loc, child)
            if first is not child:
                message = f"The sitemap is listed on line {first.line} already."
                child.add("loc-duplicate", message, "Remove one entry.")

    def add_unknown(self, count: int) -> None:
        """Record that some of them were not checked, since nobody knows where they are."""
        verb = "was" if count == 1 else "were"
        message = f"{count:,} of the sitemaps in the index {verb} not found here, nor checked."
        cure = "Give --base-url, the address of the index's folder, or check them one by one."
        self._found.add("index-not-followed", message, cure)


def as_child_fault(fault: Fault) -> Fault:
    """Word a fault of an address's place for the address of a sitemap."""
    message = fault.message.replace("its sitemap", "its index")
    message = message.replace("The address", "The sitemap")
    cure = "Move the sitemap to the folder of the index or below it."
    return Fault("index-child-outside", message, cure)

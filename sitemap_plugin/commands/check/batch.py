"""Entries as the readers hand them over: by columns, some hundreds at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from sitemap_plugin.commands.check.findings import Fault

__all__ = ["NO_LINKS", "Batch", "Kind", "LinkSet", "Media", "MediaKind"]

Kind = Literal["urlset", "index", "text"]
MediaKind = Literal["image", "news", "video"]


class LinkSet:
    """The links of one entry to its translations; entries with the same links share one.

    ``codes`` and ``hrefs`` are as long as each other, in the order of the file. ``faults`` tells of
    links that lack something and are not among them. ``plain`` is true when every address is known
    to be absolute and to need no percent-encoding.
    """

    __slots__ = ("codes", "faults", "hrefs", "plain")

    def __init__(
        self,
        codes: tuple[str, ...],
        hrefs: tuple[str, ...],
        faults: tuple[Fault, ...] = (),
        *,
        plain: bool = False,
    ) -> None:
        self.codes, self.hrefs, self.faults, self.plain = codes, hrefs, faults, plain

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Codes with their addresses."""
        return list(zip(self.codes, self.hrefs, strict=True))


NO_LINKS = LinkSet((), ())


class Media(NamedTuple):
    """An image, a news article or a video of an entry.

    ``parts`` are its elements, by their names below it (``publication/name``), and attributes of
    them (``restriction@relationship``), with their texts. ``loc`` is the entry's address as far as
    it is known at this place of the file.
    """

    kind: MediaKind
    line: int
    loc: str | None
    parts: tuple[tuple[str, str], ...]


class Batch(NamedTuple):
    """Entries of one file, in its order.

    ``lines`` are those on which the entries begin. The values are without the white space around
    them, and None where the element is missing. ``plain`` is true when every address is known to
    consist of characters that a URL may have.
    """

    lines: Sequence[int]
    locs: Sequence[str | None]
    lastmods: Sequence[str | None]
    changefreqs: Sequence[str | None]
    priorities: Sequence[str | None]
    links: Sequence[LinkSet]
    media: Sequence[Media] = ()
    plain: bool = False

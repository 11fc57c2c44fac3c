"""What a sitemap file holds, as it is written."""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from sitemap_plugin.commands.reading.faults import RULES, Fault


class LinkSet:
    """The links of an entry as pairs of code and address; entries with the same links share one."""

    __slots__ = ("faults", "pairs")

    def __init__(
        self, pairs: tuple[tuple[str, str], ...] = (), faults: tuple[Fault, ...] = ()
    ) -> None:
        self.pairs, self.faults = pairs, faults


NO_LINKS = LinkSet()


class Medium(NamedTuple):
    """An image, a news article or a video of an entry."""

    kind: str
    line: int
    # Names below it (`publication/name`, `restriction@relationship`) with their texts.
    parts: tuple[tuple[str, str], ...]


class ListedUrl(NamedTuple):
    """An entry of a sitemap or an index, as written; None where an element is missing."""

    line: int
    loc: str | None
    lastmod: str | None = None
    changefreq: str | None = None
    priority: str | None = None
    links: LinkSet = NO_LINKS
    media: tuple[Medium, ...] = ()


class FileNote(NamedTuple):
    """Something wrong with a file, and where."""

    fault: Fault
    line: int | None = None


@dataclass
class Document:
    """What a file holds, and what is wrong with the file and its elements, not with the values."""

    kind: Literal["urlset", "index", "text"] | None = None  # None for what is no sitemap.
    entries: list[ListedUrl] = field(default_factory=list)
    notes: list[FileNote] = field(default_factory=list)
    complete: bool = True
    cut: bool = False  # There are too many entries to read.
    is_ours: bool = False

    @property
    def failure(self) -> FileNote | None:
        """What keeps the whole from being used, None for what can be."""
        if self.kind and self.complete:
            return None
        notes = reversed(self.notes)
        return next(note for note in notes if RULES[note.fault.code].severity != "warning")

    def add(self, fault: Fault, line: int | None = None) -> None:
        """Take note of a fault."""
        self.notes.append(FileNote(fault, line))

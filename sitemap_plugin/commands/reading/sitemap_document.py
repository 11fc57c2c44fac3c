"""What a sitemap file holds, as it is written."""

from typing import Literal, NamedTuple

from sitemap_plugin.commands.reading.faults import Fault


class LinkSet:
    """The links of an entry to its translations; entries with the same links share one.

    ``pairs`` are codes with their addresses, in the order of the file. ``faults`` tells of links
    that lack something and are not among them.
    """

    __slots__ = ("faults", "pairs")

    def __init__(
        self, pairs: tuple[tuple[str, str], ...] = (), faults: tuple[Fault, ...] = ()
    ) -> None:
        self.pairs, self.faults = pairs, faults


NO_LINKS = LinkSet()


class Medium(NamedTuple):
    """An image, a news article or a video of an entry.

    ``parts`` are its elements, by their names below it (``publication/name``), and attributes of
    them (``restriction@relationship``), with their texts.
    """

    kind: str
    line: int
    parts: tuple[tuple[str, str], ...]


class ListedUrl(NamedTuple):
    """An entry of a sitemap or an index, as written, beginning on ``line``.

    Values are without the white space around them, and None where the element is missing.
    """

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


class Document:
    """What a file holds.

    ``kind`` is None for what is no sitemap. ``notes`` tell what is wrong with the file and its
    elements, not with the values. ``complete`` is false where the rest could not be read, ``cut``
    true where there are too many entries to read, ``is_ours`` where this package wrote the file.
    """

    def __init__(self) -> None:
        self.kind: Literal["urlset", "index", "text"] | None = None
        self.entries: list[ListedUrl] = []
        self.notes: list[FileNote] = []
        self.complete = True
        self.cut = False
        self.is_ours = False

    def add(self, fault: Fault, line: int | None = None) -> None:
        """Take note of a fault."""
        self.notes.append(FileNote(fault, line))

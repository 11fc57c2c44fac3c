"""Read any XML sitemap with expat, a chunk at a time.

Entities are never expanded and nothing is ever fetched. What would make the reader's memory grow
beyond measure (depth, different names, links of one entry, a tag without end) ends the reading.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from xml.parsers import expat

from sitemap_plugin.commands.check.batch import NO_LINKS, Batch, Kind, LinkSet, Media
from sitemap_plugin.commands.check.findings import FileFindings
from sitemap_plugin.commands.check.structure import GiveUpError, Structure, explain_error
from sitemap_plugin.commands.check.texts import Medium, Texts
from sitemap_plugin.commands.check.vocabulary import (
    LINK,
    LINK_SEPARATOR,
    VALUE_SEPARATOR,
    extension_of,
    read_links,
)
from sitemap_plugin.write.protocol import MAX_IMAGES

__all__ = ["XmlReader"]

_AFTER_FIELDS = 4
_BUFFER = 1 << 16
_KEPT, _MOST_KEPT = 512, 8192
_ENTRY_END = b"</url>"
_MOST_LINKS = 10_000
_MOST_PARTS = 1000
_MOST_TEXTS = 64
_LONGEST_TOKEN = 1 << 23

_Row = tuple[int, str | None, str | None, str | None, str | None, LinkSet]


class XmlReader:
    """Turns XML into batches of entries, and tells what is wrong with its structure.

    ``kind`` is known after the root's start tag; ``ended`` tells that the rest is not read, for
    one reason or other. Lines are counted from ``lines_before``, which is raised by whoever reads
    a part of the file in another way. Each level of the document has handlers of its own: a
    handler that had to ask where it is would double the time that a file takes.
    """

    def __init__(self, found: FileFindings, *, lines_before: int = 0) -> None:
        self.kind: Kind | None = None
        self.ended = False
        self.lines_before = lines_before
        self._found = found
        self._structure = Structure(found)
        self._entry_name = ""
        self._fields: Mapping[str, int] = {}
        self._fed = 0
        self._before = self._now = b""
        self._texts = Texts()
        self._rows: list[_Row] = []
        self._media: list[Media] = []
        self._links: list[str] = []
        self._known_links: dict[str, LinkSet] = {"": NO_LINKS}
        self._entry_line = self._order = self._images = 0
        self._values: list[str | None] = []
        self._field: int | None = None
        self._medium: Medium | None = None
        self._skipping = False
        self._parser = self._make_parser()

    def _make_parser(self) -> expat.XMLParserType:
        parser = expat.ParserCreate("utf-8", " ", {LINK: LINK})
        parser.buffer_text = True
        parser.buffer_size = _BUFFER
        parser.ordered_attributes = True
        parser.CharacterDataHandler = self._texts.append
        parser.StartElementHandler = self._start_root
        parser.EndElementHandler = self._end_root
        parser.StartDoctypeDeclHandler = self._doctype
        parser.SkippedEntityHandler = self._skipped_entity
        parser.StartNamespaceDeclHandler = self._structure.namespace_declared
        return parser

    def feed(self, data: bytes, *, final: bool = False) -> None:
        """Read on; the last call has ``final`` set."""
        try:
            self._parse(data, final=final)
            self._check_growth()
        except (expat.ExpatError, GiveUpError) as error:
            self._end_early(error)

    def read_entry(self, head: str, links: LinkSet, lines: int) -> bool:
        """Read an entry whose links, so many lines of them, have been read already.

        ``head`` is all that precedes them. False when the entry turns out not to be one, or not the
        only one; then nothing may be left out of what follows.
        """
        count = len(self._rows)
        try:
            self._parse(head.encode())
            self.lines_before += lines
            self._parse(_ENTRY_END)
        except (expat.ExpatError, GiveUpError) as error:
            self._end_early(error)
        if self.ended or self._parser.StartElementHandler != self._start_entry:
            return False
        line, loc, lastmod, changefreq, priority, own = self._rows[-1]
        if own is not NO_LINKS:
            links = LinkSet(own.codes + links.codes, own.hrefs + links.hrefs, own.faults)
        self._rows[-1] = (line, loc, lastmod, changefreq, priority, links)
        return len(self._rows) == count + 1

    def _parse(self, data: bytes, *, final: bool = False) -> None:
        self._now = data
        if not self.ended:
            self._parser.Parse(data, final)
            self._fed += len(data)
            self._before += data
            if len(self._before) > _MOST_KEPT:
                self._before = self._before[-_KEPT:]

    def _end_early(self, error: expat.ExpatError | GiveUpError) -> None:
        """Take note that the reading ends, and why."""
        self.ended = True
        if isinstance(error, GiveUpError):
            error.report(self._found, self._line())
            return
        start = self._parser.ErrorByteIndex - self._fed + len(self._before)
        fault = explain_error(error.code, self._before + self._now, start)
        self._found.add_fault(fault, line=error.lineno + self.lines_before)

    def take(self) -> Batch | None:
        """Return the entries that have been read since the last call."""
        if not self._rows and not self._media:
            return None
        lines, locs, lastmods, changefreqs, priorities, links = (
            zip(*self._rows, strict=True) if self._rows else ((),) * 6
        )
        media = tuple(self._media)
        batch = Batch(lines, locs, lastmods, changefreqs, priorities, links, media)
        self._rows.clear()
        self._media.clear()
        return batch

    def _check_growth(self) -> None:
        if self._fed - self._parser.CurrentByteIndex > _LONGEST_TOKEN:
            raise GiveUpError(f"a tag or comment has more than {_LONGEST_TOKEN:,} bytes")
        if len(self._links) > _MOST_LINKS:
            raise GiveUpError(f"an entry has more than {_MOST_LINKS:,} links")
        if self._images > 10 * MAX_IMAGES:
            raise GiveUpError(f"an entry has more than {10 * MAX_IMAGES:,} images")
        if self._medium and len(self._medium.parts) > _MOST_PARTS:
            raise GiveUpError(f"an image or video has more than {_MOST_PARTS:,} elements")
        if len(self._texts) > _MOST_TEXTS:
            if self._field is None and self._medium is None and not self._skipping:
                self._check_stray_text()
            else:
                self._texts.shorten()

    def _line(self) -> int:
        return self._parser.CurrentLineNumber + self.lines_before

    def _handle(self, start: Callable[[str, list[str]], None], end: Callable[[str], None]) -> None:
        self._parser.StartElementHandler = start
        self._parser.EndElementHandler = end

    def _start_root(self, name: str, attributes: list[str]) -> None:
        root = self._structure.root(name, attributes, self._line())
        self.kind, self._entry_name, self._fields = root
        self._parser.StartElementHandler = self._start_entry

    def _end_root(self, _name: str) -> None:
        self._check_stray_text()

    def _start_entry(self, name: str, attributes: list[str]) -> None:
        if name != self._entry_name:
            self._structure.unknown_entry(name, attributes, self._line())
            self._skip(self._start_entry, self._end_root)
            return
        if attributes:
            self._structure.check_attributes(name, attributes, self._line())
        self._entry_line = self._line()
        self._values = [None] * 4
        self._order = self._images = 0
        self._handle(self._start_child, self._end_child)

    def _start_child(self, name: str, attributes: list[str]) -> None:
        if name == LINK:
            self._links.append(VALUE_SEPARATOR.join(attributes))
            return
        place = self._fields.get(name)
        if place is None or self._field is not None:
            self._start_extension(name, attributes)
            return
        if attributes:
            self._structure.check_attributes(name, attributes, self._line())
        if self._values[place] is not None:
            self._structure.repeated(name, self._line())
        elif place < self._order or self._links:
            self._structure.misplaced(name, self._line())
        else:
            self._order = place
        self._field = place
        self._texts.begin()

    def _end_child(self, name: str) -> None:
        if name == LINK:
            return
        if self._field is None:
            self._end_entry()
            return
        text = self._texts.end()
        if self._values[self._field] is None:
            self._values[self._field] = text
        self._field = None

    def _end_entry(self) -> None:
        self._check_stray_text()
        text = LINK_SEPARATOR.join(self._links)
        links = self._known_links.get(text)
        if links is None:
            links = self._known_links[text] = read_links(text)
        loc, lastmod, changefreq, priority = self._values
        self._rows.append((self._entry_line, loc, lastmod, changefreq, priority, links))
        self._links.clear()
        self._handle(self._start_entry, self._end_root)

    def _start_extension(self, name: str, attributes: list[str]) -> None:
        kind, right_namespace = (None, None) if self._field is not None else extension_of(name)
        if right_namespace:
            self._structure.wrong_namespace(name, right_namespace, self._line())
        if kind == "link":
            self._links.append(VALUE_SEPARATOR.join(attributes))
        if kind is None or kind == "link":
            if kind is None:
                known = () if self._field is not None else self._fields
                self._structure.unknown_child(name, attributes, known, self._line())
            self._skip(self._start_child, self._end_child)
            return
        self._order = _AFTER_FIELDS
        self._medium = Medium(kind, self._line(), self._values[0])
        self._texts.begin()
        self._handle(self._start_part, self._end_part)

    def _start_part(self, name: str, attributes: list[str]) -> None:
        if self._medium:
            self._structure.skipped(name, attributes, self._medium.depth)
            self._medium.start(name, attributes)
            self._texts.begin()

    def _end_part(self, _name: str) -> None:
        medium, text = self._medium, self._texts.end()
        if medium is None:
            return
        if medium.depth:
            medium.end(text)
            return
        if text:
            self._structure.stray_text(text, self._line())
        self._media.append(medium.finish())
        if medium.kind == "image":
            self._images += 1
            self._structure.count_images(self._images, self._values[0], self._line())
        self._medium = None
        self._handle(self._start_child, self._end_child)

    def _skip(self, start: Callable[[str, list[str]], None], end: Callable[[str], None]) -> None:
        """Pass over the element that has just begun, and go on with these handlers."""
        depth = 1
        self._skipping = True
        self._texts.begin()

        def start_skipped(name: str, attributes: list[str]) -> None:
            nonlocal depth
            depth += 1
            self._structure.skipped(name, attributes, depth)

        def end_skipped(_name: str) -> None:
            nonlocal depth
            depth -= 1
            if not depth:
                self._skipping = False
                self._texts.end()
                self._handle(start, end)

        self._handle(start_skipped, end_skipped)

    def _check_stray_text(self) -> None:
        text = self._texts.take()
        if text:
            self._structure.stray_text(text, self._line())

    def _doctype(self, _name: str, system_id: str | None, _public: str | None, inner: int) -> None:
        self._structure.doctype(self._line(), external=bool(system_id), inner=bool(inner))

    def _skipped_entity(self, name: str, _is_parameter: int) -> None:
        self._structure.skipped_entity(name, self._line())

"""Read the XML of a sitemap or an index into entries, by expat.

Entities are never expanded and nothing is ever fetched.
"""

from __future__ import annotations

from collections.abc import Callable
from xml.parsers import expat

from sitemap_plugin.commands.reading.elements import (
    ENTRIES,
    LINK,
    attribute_fault,
    child_fault,
    extension_of,
    is_repeatable,
    link_fault,
    part_fault,
    root_fault,
    xml_fault,
)
from sitemap_plugin.commands.reading.faults import Fault, fault
from sitemap_plugin.commands.reading.sitemap_document import (
    NO_LINKS,
    Document,
    LinkSet,
    ListedUrl,
    Medium,
)
from sitemap_plugin.write.protocol import MAX_IMAGES, MAX_URLS

LONGEST_VALUE = 1 << 16
"""Characters that are kept of a value."""

MOST_ENTRIES = 4 * MAX_URLS
"""Entries that are read of a file that has too many anyway."""

_SPACE = " \t\r\n"
_DEEPEST = 50
_MOST_LINKS = 10_000
_MOST_PARTS = 1000
_MOST_NOTES = 100_000
_BUFFER = 1 << 16
_PIECE = 1 << 22
_AFTER_FIELDS = 4

_Start = Callable[[str, list[str]], None]


class _GiveUpError(Exception):
    """The rest of a file is not read, for a reason; for none where that has been reported."""


class XmlReader:
    """Turns XML into entries.

    Each level of the document has handlers of its own: a handler that had to ask where it is would
    double the time that a file takes.
    """

    def __init__(self, document: Document, lines_before: int) -> None:
        self._document, self._lines_before = document, lines_before
        self._root = self._entry_name = ""
        self._fields: dict[str, int] = {}
        self._texts: list[str] = []
        self._links: list[list[str]] = []
        self._known_links: dict[str, LinkSet] = {}
        self._media: list[Medium] = []
        self._values: list[str | None] = []
        self._data = b""
        self._at = self._begin = self._order = 0
        self._line = self._part_line = lines_before + 1
        self._field: int | None = None
        self._path: list[str] = []
        self._parts: list[tuple[str, str]] = []
        self._seen: set[str] = set()
        parser = self._parser = expat.ParserCreate("utf-8", " ", {LINK: LINK})
        parser.buffer_text = True
        parser.buffer_size = _BUFFER
        parser.ordered_attributes = True
        parser.CharacterDataHandler = self._texts.append
        parser.StartElementHandler = self._start_root
        parser.EndElementHandler = self._end_child
        parser.StartDoctypeDeclHandler = self._doctype
        parser.SkippedEntityHandler = self._skipped_entity

    def read(self, data: bytes) -> None:
        """Read all of it into the document."""
        document = self._document
        if b"\r" in data:
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        self._data = data
        try:
            for start in range(0, len(data), _PIECE):
                self._parser.Parse(data[start : start + _PIECE], False)
            self._parser.Parse(b"", document.complete)
        except expat.ExpatError as error:
            document.complete = False
            broken = xml_fault(error.code, data, self._parser.ErrorByteIndex)
            document.add(broken, error.lineno + self._lines_before)
        except _GiveUpError as error:
            document.complete = False
            if error.args:
                self._add(fault("not-read.line", reason=error.args[0]))

    def _add(self, found: Fault | None) -> None:
        if found:
            self._document.add(found, self._parser.CurrentLineNumber + self._lines_before)
            if len(self._document.notes) > _MOST_NOTES and found.code != "not-read":
                raise _GiveUpError(f"more than {_MOST_NOTES:,} of its elements are faulty")

    def _handle(self, start: _Start, end: Callable[[str], None]) -> None:
        self._parser.StartElementHandler = start
        self._parser.EndElementHandler = end

    def _text(self) -> str:
        text = "".join(self._texts)[:LONGEST_VALUE].strip(_SPACE)
        self._texts.clear()
        return text

    def _check_stray_text(self) -> None:
        if text := self._text():
            self._add(fault("stray-text", text=text))

    def _check_attributes(self, name: str, attributes: list[str]) -> None:
        for attribute in attributes[::2]:
            self._add(attribute_fault(name, attribute))

    def _start_root(self, name: str, attributes: list[str]) -> None:
        self._add(root_fault(name))
        namespace, space, local = name.rpartition(" ")
        if local not in ENTRIES:
            raise _GiveUpError
        self._document.kind = "urlset" if local == "urlset" else "index"
        self._check_attributes(name, attributes)
        entry, fields = ENTRIES[local]
        self._root, self._entry_name = name, f"{namespace}{space}{entry}"
        self._fields = {f"{namespace}{space}{field}": place for place, field in enumerate(fields)}
        self._parser.StartElementHandler = self._start_entry

    def _start_entry(self, name: str, attributes: list[str]) -> None:
        if name != self._entry_name:
            self._check_stray_text()
            self._add(child_fault(name, self._root, of_root=True))
            self._skip(self._start_entry)
            return
        if attributes:
            self._check_attributes(name, attributes)
        # Much quicker than the parser's own count of lines, which looks at each byte by itself.
        here = self._parser.CurrentByteIndex
        self._line += self._data.count(b"\n", self._at, here)
        self._at = here
        self._values = [None] * 4
        self._order = 0
        self._parser.StartElementHandler = self._start_child

    def _start_child(self, name: str, attributes: list[str]) -> None:
        if name == LINK:
            self._links.append(attributes)
            return
        place = self._fields.get(name)
        if place is None or self._field is not None:
            self._start_other(name, attributes)
            return
        if attributes:
            self._check_attributes(name, attributes)
        if self._values[place] is not None:
            element = name.rpartition(" ")[2]
            self._add(fault("repeated-element", parent="entry", element=element))
        elif place < self._order or self._links:
            parent, fields = ENTRIES[self._root.rpartition(" ")[2]]
            order, element = ", ".join(fields), fields[place]
            self._add(fault("element-order", element=element, parent=parent, fields=order))
        else:
            self._order = place
        self._field = place
        self._begin = len(self._texts)

    def _end_child(self, name: str) -> None:
        if name == LINK:
            return
        field, texts = self._field, self._texts
        if field is None:
            if name == self._entry_name:
                self._end_entry()
            else:
                self._check_stray_text()
            return
        if self._values[field] is None:
            text = "".join(texts[self._begin :]).strip(_SPACE)
            self._values[field] = text[:LONGEST_VALUE]
        del texts[self._begin :]
        self._field = None

    def _end_entry(self) -> None:
        if "".join(self._texts).strip(_SPACE):
            self._check_stray_text()
        self._texts.clear()
        links = NO_LINKS
        if self._links:
            text = "\1".join(map("\0".join, self._links))
            links = self._known_links.get(text) or self._read_links(text)
            self._links.clear()
        entries = self._document.entries
        media = tuple(self._media)
        entries.append(ListedUrl._make((self._line, *self._values, links, media)))
        self._media.clear()
        if len(entries) >= MOST_ENTRIES:
            self._document.cut = True
            raise _GiveUpError
        self._parser.StartElementHandler = self._start_entry

    def _read_links(self, text: str) -> LinkSet:
        if len(self._links) > _MOST_LINKS:
            raise _GiveUpError(f"an entry has more than {_MOST_LINKS:,} links")
        pairs, faults = [], []
        for link in self._links:
            attributes = dict(zip(link[::2], link[1::2], strict=True))
            if found := link_fault(attributes):
                faults.append(found)
            elif "hreflang" in attributes:  # A link for another medium is no translation.
                pair = attributes["hreflang"].strip(_SPACE), attributes["href"].strip(_SPACE)
                pairs.append(pair)
        links = self._known_links[text] = LinkSet(tuple(pairs), tuple(faults))
        return links

    def _start_other(self, name: str, attributes: list[str]) -> None:
        in_field = self._field is not None
        kind, found = (None, None) if in_field else extension_of(name)
        self._add(found)
        if kind == "link":
            self._links.append(attributes)
        elif kind is None:
            self._add(child_fault(name, self._root, of_root=False, in_field=in_field))
        if kind is None or kind == "link":
            self._skip(self._start_child)
            return
        self._check_stray_text()
        self._order = _AFTER_FIELDS
        self._path, self._parts, self._seen = [kind], [], set()
        self._part_line = self._parser.CurrentLineNumber + self._lines_before
        self._handle(self._start_part, self._end_part)

    def _start_part(self, name: str, attributes: list[str]) -> None:
        local = name.rpartition(" ")[2]
        path = "/".join(self._path)
        self._add(part_fault(path, name))
        if (own := f"{path}/{local}") in self._seen and not is_repeatable(local):
            self._add(fault("repeated-element", parent=self._path[0], element=local))
        self._seen.add(own)
        self._path.append(local)
        if len(self._path) > _DEEPEST:
            raise _GiveUpError(f"elements are nested {_DEEPEST} deep")
        below = "/".join(self._path[1:])
        for attribute, value in zip(attributes[::2], attributes[1::2], strict=True):
            self._parts.append((f"{below}@{attribute}", value))
        self._texts.clear()

    def _end_part(self, _name: str) -> None:
        if len(self._path) > 1:
            self._parts.append(("/".join(self._path[1:]), self._text()))
            self._path.pop()
            if len(self._parts) > _MOST_PARTS:
                raise _GiveUpError(f"an image or video has more than {_MOST_PARTS:,} elements")
            return
        self._check_stray_text()
        self._media.append(Medium(self._path[0], self._part_line, tuple(self._parts)))
        if len(self._media) > 10 * MAX_IMAGES:
            raise _GiveUpError(f"an entry has more than {10 * MAX_IMAGES:,} images")
        self._handle(self._start_child, self._end_child)

    def _skip(self, start: _Start) -> None:
        """Pass over the element that has just begun, and go on with this handler."""
        depth, kept = 1, len(self._texts)

        def start_skipped(_name: str, _attributes: list[str]) -> None:
            nonlocal depth
            depth += 1
            if depth > _DEEPEST:
                raise _GiveUpError(f"elements are nested {_DEEPEST} deep")

        def end_skipped(_name: str) -> None:
            nonlocal depth
            depth -= 1
            if not depth:
                del self._texts[kept:]
                self._handle(start, self._end_child)

        self._handle(start_skipped, end_skipped)

    def _doctype(self, _name: str, system_id: str | None, _public: str | None, inner: int) -> None:
        if inner:
            self._add(fault("entity"))
            raise _GiveUpError
        self._add(fault("doctype.external" if system_id else "doctype"))

    def _skipped_entity(self, name: str, _is_parameter: int) -> None:
        self._add(fault("entity.undeclared", name=name))

"""Read the XML of a sitemap or an index by expat; entities are never expanded, nothing fetched."""

from collections.abc import Callable
from xml.parsers import expat

from sitemap_plugin.commands.reading import elements
from sitemap_plugin.commands.reading.elements import ENTRIES, LINK, MEDIA, REPEATABLE, SPACE
from sitemap_plugin.commands.reading.faults import Fault, fault
from sitemap_plugin.commands.reading.sitemap_document import (
    NO_LINKS,
    Document,
    LinkSet,
    ListedUrl,
    Medium,
)
from sitemap_plugin.write.protocol import MAX_URLS

LONGEST_VALUE = 1 << 16  # Characters that are kept of a value.
MOST_ENTRIES = 4 * MAX_URLS  # Entries that are read of a file that has too many anyway.
_DEEPEST, _MOST_PARTS, _MOST_LINKS, _MOST_NOTES = 50, 1000, 10_000, 100_000
_BUFFER, _PIECE = 1 << 16, 1 << 22
_AFTER_FIELDS = 4


class _GiveUpError(Exception):
    """The rest of a file is not read, for a reason; for none where that has been reported."""


class XmlReader:
    """Turns XML into entries; a handler for each level, since asking where one is takes as long."""

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
        self._at = self._begin = self._kept = self._order = 0
        self._line = self._part_line = lines_before + 1
        self._field: int | None = None
        self._path: list[str] = []
        self._parts: list[tuple[str, str]] = []
        self._is_medium = False
        self._after: Callable[[str, list[str]], None] = self._start_entry
        parser = self._parser = expat.ParserCreate("utf-8", "}", {LINK: LINK})
        parser.buffer_text = True
        parser.buffer_size = _BUFFER
        parser.ordered_attributes = True
        parser.CharacterDataHandler = self._texts.append
        parser.StartElementHandler = self._start_root
        parser.EndElementHandler = self._end_child
        parser.StartDoctypeDeclHandler = self._doctype
        parser.SkippedEntityHandler = lambda name, _: self._add(
            fault("entity.undeclared", name=name)
        )

    def read(self, data: bytes) -> None:
        """Read all of it into the document."""
        document, self._data, view = self._document, data, memoryview(data)
        try:
            for start in range(0, len(data), _PIECE):
                self._parser.Parse(view[start : start + _PIECE], False)
            self._parser.Parse(b"", document.complete)
        except expat.ExpatError as error:
            document.complete = False
            broken = elements.xml_fault(error.code, data, self._parser.ErrorByteIndex)
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

    def _take_text(self, begin: int) -> str:
        text = "".join(self._texts[begin:])[:LONGEST_VALUE].strip(SPACE)
        del self._texts[begin:]
        return text

    def _check_stray_text(self) -> None:
        if text := self._take_text(0):
            self._add(fault("stray-text", text=text))

    def _check_attributes(self, name: str, attributes: list[str]) -> None:
        for attribute in attributes[::2]:
            self._add(elements.attribute_fault(name, attribute))

    def _start_root(self, name: str, attributes: list[str]) -> None:
        self._add(elements.root_fault(name))
        namespace, brace, local = name.rpartition("}")
        if local not in ENTRIES:
            raise _GiveUpError
        self._document.kind = "urlset" if local == "urlset" else "index"
        self._check_attributes(name, attributes)
        entry, fields = ENTRIES[local]
        self._root, self._entry_name = name, f"{namespace}{brace}{entry}"
        self._fields = {f"{namespace}{brace}{field}": place for place, field in enumerate(fields)}
        self._parser.StartElementHandler = self._start_entry

    def _start_entry(self, name: str, attributes: list[str]) -> None:
        if name != self._entry_name:
            self._check_stray_text()
            self._enter(name, attributes, self._root)
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
            parent = self._entry_name if self._field is None else [*self._fields][self._field]
            self._enter(name, attributes, parent)
            return
        if attributes:
            self._check_attributes(name, attributes)
        if self._values[place] is not None:
            element = name.rpartition("}")[2]
            self._add(fault("repeated-element", parent="entry", element=element))
        elif place < self._order or self._links:
            parent, fields = ENTRIES[self._root.rpartition("}")[2]]
            order = {"element": fields[place], "parent": parent, "fields": ", ".join(fields)}
            self._add(fault("element-order", **order))
        else:
            self._order = place
        self._field = place
        self._begin = len(self._texts)

    def _end_child(self, name: str) -> None:
        if name == LINK:
            return
        field = self._field
        if field is None:
            if name == self._entry_name:
                self._end_entry()
            else:
                self._check_stray_text()
            return
        text = "".join(self._texts[self._begin :]).strip(SPACE)
        del self._texts[self._begin :]
        if self._values[field] is None:
            self._values[field] = text[:LONGEST_VALUE]
        self._field = None

    def _end_entry(self) -> None:
        if "".join(self._texts).strip(SPACE):
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
            if found := elements.link_fault(attributes):
                faults.append(found)
            elif (code := attributes.get("hreflang")) is not None:  # Else for another medium.
                pairs.append((code.strip(SPACE), attributes["href"].strip(SPACE)))
        links = self._known_links[text] = LinkSet(tuple(pairs), tuple(faults))
        return links

    def _enter(self, name: str, attributes: list[str], parent: str) -> None:
        """Begin an image, an article, a video, or what has no place and is passed over."""
        in_entry = parent == self._entry_name
        element, found = elements.judge_element(name, parent.rpartition("}")[2], self._root)
        self._add(found)
        self._is_medium = in_entry and element in MEDIA
        if self._is_medium:
            self._order = _AFTER_FIELDS
            self._check_stray_text()
        elif in_entry and element == "xhtml:link":
            self._links.append(attributes)
        self._path, self._parts, self._kept = [element], [], len(self._texts)
        self._part_line = self._parser.CurrentLineNumber + self._lines_before
        self._after = self._start_entry if parent == self._root else self._start_child
        self._parser.StartElementHandler = self._start_part
        self._parser.EndElementHandler = self._end_part

    def _start_part(self, name: str, attributes: list[str]) -> None:
        element = local = name.rpartition("}")[2]
        if self._is_medium:
            element, found = elements.judge_element(name, self._path[-1], self._root)
            self._add(found)
        self._path.append(element)
        below = self._below()
        if self._is_medium and local not in REPEATABLE and below in dict(self._parts):
            kind = self._path[0].partition(":")[0]
            self._add(fault("repeated-element", parent=kind, element=local))
        for attribute, value in zip(attributes[::2], attributes[1::2], strict=True):
            self._parts.append((f"{below}@{attribute}", value))
        del self._texts[self._kept :]
        if len(self._path) > _DEEPEST or len(self._parts) > _MOST_PARTS:
            raise _GiveUpError("an element has too many others in it")

    def _end_part(self, name: str) -> None:
        text, below = self._take_text(self._kept), self._below()
        self._path.pop()
        if self._path:
            self._parts.append((below, text))
            return
        self._parser.StartElementHandler = self._after
        self._parser.EndElementHandler = self._end_child
        if self._is_medium:
            if text:
                self._add(fault("stray-text", text=text))
            medium = Medium(name.rpartition("}")[2], self._part_line, tuple(self._parts))
            self._media.append(medium)
            if len(self._media) > _MOST_LINKS:
                raise _GiveUpError(f"an entry has more than {_MOST_LINKS:,} images")

    def _below(self) -> str:
        """Return the path of an element within its image, article or video."""
        return "/".join(name.rpartition(":")[2] for name in self._path[1:])

    def _doctype(self, _name: str, system_id: str | None, _public: str | None, inner: int) -> None:
        if inner:
            self._add(fault("entity"))
            raise _GiveUpError
        self._add(fault("doctype.external" if system_id else "doctype"))

"""Read a sitemap, an index or a text sitemap into entries, and tell what is wrong with the file."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from sitemap_plugin.commands.reading.faults import fault
from sitemap_plugin.commands.reading.sitemap_document import Document, ListedUrl
from sitemap_plugin.commands.reading.unpacking import to_utf8, unpack
from sitemap_plugin.commands.reading.xml_reader import LONGEST_VALUE, MOST_ENTRIES, XmlReader
from sitemap_plugin.common.files import MARKER

_START = 4096
_DECLARATION = re.compile(rb"<\?xml\s")
_ROOT = re.compile(rb"<(?:\w+:)?(?:urlset|sitemapindex)[\s>]")
_HTML = re.compile(
    rb"\s*+(?:<\?xml[^>]*>\s*+)?(?:<!--[^>]*-->\s*+)*+<(?:!doctype\s+html|html)[\s>]", re.IGNORECASE
)
_URL_LINE = re.compile(rb"^[ \t]*https?://", re.IGNORECASE | re.MULTILINE)
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1f]|\xef\xbf\xbd")
_NEWLINE = re.compile(r"\r\n?|\n")
_OTHER_FORMATS = ((b"{", "JSON"), (b"[", "JSON"), (b"%PDF", "PDF"), (b"\x1f\x8b", "gzipped twice"))
_EXTENSIONS = frozenset({".txt", ".xml", ".html", ".htm", ".json"})


def read_sitemap(data: bytes, name: str = "sitemap.xml") -> Document:
    """Return the entries in the bytes of a file, gzipped or not, whatever the bytes are.

    ``name`` is the file's name, whose suffix should fit the content.
    """
    document = Document()
    data, document.complete = unpack(data, name, document.add)
    if data.startswith(b"PK\3\4"):
        document.add(fault("unsupported-format.zip"))
        return document
    data = to_utf8(data, document.add)
    start = data[:_START]
    text_start = start.lstrip()
    document.is_ours = MARKER in start
    begin = _DECLARATION.search(start) or (
        None if text_start.startswith(b"<") else _ROOT.search(start)
    )
    extension = PurePosixPath(name.lower().removesuffix(".gz")).suffix
    if not text_start and not data.strip():
        if document.complete:
            document.add(fault("empty.file"))
    elif _HTML.match(start):
        document.add(fault("unsupported-format", what="an HTML page"))
    elif begin or text_start.startswith(b"<"):
        _read_xml(document, data, begin.start() if begin else 0)
    elif not _BINARY.search(start) and (_URL_LINE.search(start) or extension == ".txt"):
        _read_lines(document, data)
    else:
        formats = (what for mark, what in _OTHER_FORMATS if text_start.startswith(mark))
        what = next(formats, "binary data" if _BINARY.search(start) else "text")
        document.add(fault("unsupported-format", what=what))
    right, what = (".txt", "a text sitemap") if document.kind == "text" else (".xml", "XML")
    if document.kind and extension != right and extension in _EXTENSIONS:
        document.add(fault("wrong-extension", what=what, extension=extension, right=right))
    if document.cut:
        document.complete = False
        document.add(fault("not-read", limit=MOST_ENTRIES, what="entries"))
    return document


def _read_lines(document: Document, data: bytes) -> None:
    """Read the lines of a text sitemap that are not empty: one URL a line, and nothing else."""
    document.kind = "text"
    lines = _NEWLINE.split(data.decode("utf-8", "replace"))
    for number, line in enumerate(lines, start=1):
        if text := line.strip(" \t"):
            document.entries.append(ListedUrl(number, text[:LONGEST_VALUE]))
    document.cut = len(document.entries) > MOST_ENTRIES
    del document.entries[MOST_ENTRIES:]


def _read_xml(document: Document, data: bytes, start: int) -> None:
    before = data[:start]
    if text := before.decode("utf-8", "replace").strip():
        document.add(fault("leading-text", text=text), 1)
    elif before:
        document.add(fault("leading-text.space"), 1)
    XmlReader(document, before.count(b"\n")).read(data[start:])

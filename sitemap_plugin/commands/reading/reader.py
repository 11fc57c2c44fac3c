"""Read a sitemap, an index or a text sitemap into entries, and tell what is wrong with the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from sitemap_plugin.commands.reading.content import to_utf8, unpack
from sitemap_plugin.commands.reading.document import Document, Fault, ListedUrl
from sitemap_plugin.commands.reading.quoting import quote
from sitemap_plugin.commands.reading.xml_reader import LONGEST_VALUE, MOST_ENTRIES, XmlReader
from sitemap_plugin.common.files import MARKER

__all__ = ["read_sitemap"]

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


def read_sitemap(data: bytes, name: str = "sitemap.xml") -> Document:
    """Return the entries in the bytes of a file, gzipped or not, whatever the bytes are.

    ``name`` is the file's name, whose suffix should fit the content.
    """
    document = Document()
    data, document.complete = unpack(data, name, document.add)
    if data.startswith(b"PK\3\4"):
        message = "The file is a zip file, which no search engine unpacks."
        document.add(Fault("unsupported-format", message, "Use gzip, or unpack it."))
        return document
    data = to_utf8(data, document.add)
    start = data[:_START]
    document.is_ours = MARKER in start
    declaration, root = _DECLARATION.search(start), _ROOT.search(start)
    if not data.strip():
        if document.complete:
            document.add(Fault("empty", "The file is empty.", "Write the sitemap again."))
    elif _HTML.match(start):
        _refuse(document, "an HTML page")
    elif declaration or root or start.lstrip().startswith(b"<"):
        begin = declaration or (None if start.lstrip().startswith(b"<") else root)
        _read_xml(document, data, begin.start() if begin else 0)
        if document.kind:
            _check_name(document, name, ".xml")
    elif not _BINARY.search(start) and (_URL_LINE.search(start) or _extension(name) == ".txt"):
        document.kind = "text"
        document.entries = list(_read_lines(data))
        document.cut = len(document.entries) > MOST_ENTRIES
        del document.entries[MOST_ENTRIES:]
        _check_name(document, name, ".txt")
    else:
        formats = (what for mark, what in _OTHER_FORMATS if start.lstrip().startswith(mark))
        _refuse(document, next(formats, "binary data" if _BINARY.search(start) else "text"))
    if document.cut:
        document.complete = False
        message = f"Nothing was read after the first {MOST_ENTRIES:,} entries."
        document.add(Fault("not-read", message, "Split the file, and check again."))
    return document


def _refuse(document: Document, what: str) -> None:
    message = f"The file is {what}, and neither an XML nor a text sitemap."
    cure = "Name a sitemap, an index, or the folder of a built site."
    document.add(Fault("unsupported-format", message, cure))


def _extension(name: str) -> str:
    return PurePosixPath(name.lower().removesuffix(".gz")).suffix


def _check_name(document: Document, name: str, right: str) -> None:
    extension = _extension(name)
    if extension != right and extension in {".txt", ".xml", ".html", ".htm", ".json"}:
        what = "a text sitemap" if right == ".txt" else "XML"
        message = f"The content is {what}, but the name says {extension}."
        cure = f"Give the file a name that ends in {right}."
        document.add(Fault("wrong-extension", message, cure))


def _read_lines(data: bytes) -> Iterator[ListedUrl]:
    """Yield the lines of a text sitemap that are not empty: one URL a line, and nothing else."""
    for number, line in enumerate(_NEWLINE.split(data.decode("utf-8", "replace")), start=1):
        if text := line.strip(" \t"):
            yield ListedUrl(number, text[:LONGEST_VALUE])


def _read_xml(document: Document, data: bytes, start: int) -> None:
    before = data[:start]
    if before:
        text = before.decode("utf-8", "replace").strip()
        what = f"The text {quote(text)}" if text else "White space"
        message = f"{what} stands before the XML, where nothing may be."
        cure = "Remove it; it may come from the template or program that writes the file."
        document.add(Fault("leading-text", message, cure), 1)
    XmlReader(document, before.count(b"\n")).read(data[start:])

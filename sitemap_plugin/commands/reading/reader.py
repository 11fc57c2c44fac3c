"""Read a sitemap, an index or a text sitemap into entries, and tell what is wrong with the file."""

import codecs
import re
import zlib
from pathlib import PurePosixPath

from sitemap_plugin.commands.reading.faults import Fault, fault
from sitemap_plugin.commands.reading.sitemap_document import Document, ListedUrl
from sitemap_plugin.commands.reading.xml_reader import LONGEST_VALUE, MOST_ENTRIES, XmlReader
from sitemap_plugin.common.files import MARKER
from sitemap_plugin.write.protocol import MAX_BYTES

READ_LIMIT = MAX_BYTES + (1 << 20)
"""Bytes that are read of a file, packed and unpacked ones alike."""

_GZIP_MAGIC = b"\x1f\x8b"
_GZIP_FORMAT = 31
_MOST_MEMBERS = 1000
_START = 4096
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, b"<\0", b"\0<")
_UTF_8 = frozenset({"utf-8", "utf8", "ascii", "us-ascii"})
_DECLARED = re.compile(rb"""\s*<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z][A-Za-z0-9._-]*)""")
_DECLARATION = re.compile(rb"<\?xml\s[^>]*\?>")
_ROOT = re.compile(rb"<(?:\w+:)?(?:urlset|sitemapindex)[\s>]")
_HTML = re.compile(
    rb"\s*+(?:<\?xml[^>]*>\s*+)?(?:<!--[^>]*-->\s*+)*+<(?:!doctype\s+html|html)[\s>]", re.IGNORECASE
)
_URL_LINE = re.compile(rb"^[ \t]*https?://", re.IGNORECASE | re.MULTILINE)
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1f]|\xef\xbf\xbd")
NEWLINE = re.compile(r"\r\n?|\n")
_EXTENSIONS = frozenset({".txt", ".xml", ".html", ".htm", ".json"})


def is_gzip_name(name: str) -> bool:
    """Tell whether a file's name says that it is gzipped."""
    return name.lower().endswith(".gz")


def read_sitemap(data: bytes, name: str = "sitemap.xml") -> Document:
    """Return the entries in the bytes of a file, gzipped or not; the name's suffix should fit."""
    document = Document()
    data = _decode(document, unpack(document, data, name))
    start = data[:_START]
    document.is_ours = MARKER in start
    extension = PurePosixPath(name.lower().removesuffix(".gz")).suffix
    if not data or data.isspace():
        if document.complete:  # Else what keeps it from being read is said.
            document.add(fault("empty.file"))
    elif found := _other_format(start, is_text=extension == ".txt"):
        document.add(found)
    elif start.lstrip().startswith(b"<") or _ROOT.search(start):
        _read_xml(document, data)
    else:
        _read_lines(document, data)
    right, what = (".txt", "a text sitemap") if document.kind == "text" else (".xml", "XML")
    if document.kind and extension != right and extension in _EXTENSIONS:
        document.add(fault("wrong-extension", what=what, extension=extension, right=right))
    if document.cut:
        document.complete = False
        document.add(fault("not-read", limit=MOST_ENTRIES, what="entries"))
    return document


def unpack(document: Document, data: bytes, name: str) -> bytes:
    """Return the content of a file, unpacked if it is gzipped, and take note of what is wrong."""
    gzipped = data.startswith(_GZIP_MAGIC)
    if gzipped != is_gzip_name(name) and data:
        document.add(fault("gzip-mismatch" if gzipped else "gzip-mismatch.plain", name=name))
    if gzipped:
        data, reason = _gunzip(data)
        if reason:
            document.complete = False
            document.add(fault("gzip-broken", reason=reason))
    cut = len(data) > READ_LIMIT
    if len(data) > MAX_BYTES:
        size = f"{'more than ' * cut}{min(len(data), READ_LIMIT):,}"
        document.add(fault("file-too-large", size=size, limit=MAX_BYTES))
    if cut:
        document.complete = False
        document.add(fault("not-read", limit=READ_LIMIT, what="bytes"))
    return data[:READ_LIMIT]


def _gunzip(data: bytes) -> tuple[bytes, str | None]:
    """Return what can be unpacked, up to a byte more than the limit, and what is wrong."""
    unpacked = bytearray()
    for _ in range(_MOST_MEMBERS):
        member = zlib.decompressobj(_GZIP_FORMAT)
        try:
            unpacked += member.decompress(data, READ_LIMIT + 1 - len(unpacked))
        except zlib.error as error:
            return bytes(unpacked), f"is damaged: {str(error).rpartition(': ')[2]}"
        # Members may follow each other, with zeros between them.
        data = member.unused_data.lstrip(b"\0")
        if len(unpacked) > READ_LIMIT or (member.eof and not data):
            return bytes(unpacked), None
        if not member.eof:
            return bytes(unpacked), "ends too early"
    return bytes(unpacked), f"is damaged: it has more than {_MOST_MEMBERS:,} parts"


def _decode(document: Document, data: bytes) -> bytes:
    """Return the text as valid UTF-8 without a byte order mark; tell when it was something else.

    A byte that is not UTF-8 becomes U+FFFD, so that the rest of the file can still be judged.
    """
    if data.startswith(codecs.BOM_UTF8):
        data = data[len(codecs.BOM_UTF8) :]
        document.add(fault("byte-order-mark"))
    if data.startswith(_UTF_16):
        document.complete = False
        document.add(fault("not-utf-8", encoding="UTF-16"), 1)
        return b""
    declared = _DECLARED.match(data[:_START])
    if declared and (encoding := declared[1].decode()).lower() not in _UTF_8:
        document.add(fault("not-utf-8", encoding=encoding.upper()), 1)
        return data.decode("utf-8", "replace").encode()
    try:
        if not data.isascii():  # Quicker to tell, and true of most.
            data.decode()
    except UnicodeDecodeError as error:
        if not _BINARY.search(data[:_START]):  # Else there is something better to say.
            line = data.count(b"\n", 0, error.start) + 1
            document.add(fault("not-utf-8.byte", byte=data[error.start]), line)
        return data.decode("utf-8", "replace").encode()
    return data


def _other_format(start: bytes, *, is_text: bool) -> Fault | None:
    """Say what a file is that is neither XML nor a list of URLs; None for what may be one."""
    if start.startswith(b"PK\3\4"):
        return fault("unsupported-format.zip")
    if _HTML.match(start):
        return fault("unsupported-format", what="an HTML page")
    if start.lstrip().startswith(b"<") or _ROOT.search(start):
        return None
    if _BINARY.search(start):
        return fault("unsupported-format", what="binary data")
    is_list = is_text or _URL_LINE.search(start)
    return None if is_list else fault("unsupported-format", what="text of another kind")


def _read_lines(document: Document, data: bytes) -> None:
    """Read the lines of a text sitemap that are not empty: one URL a line, and nothing else."""
    document.kind = "text"
    lines = NEWLINE.split(data.decode("utf-8", "replace"))
    for number, line in enumerate(lines, start=1):
        if text := line.strip(" \t"):
            document.entries.append(ListedUrl(number, text[:LONGEST_VALUE]))
    document.cut = len(document.entries) > MOST_ENTRIES
    del document.entries[MOST_ENTRIES:]


def _read_xml(document: Document, data: bytes) -> None:
    """Read XML from its declaration on, if there is one, or else from its root."""
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    begin = _DECLARATION.search(data[:_START])
    if not begin and not data.lstrip().startswith(b"<"):
        begin = _ROOT.search(data[:_START])
    start = begin.start() if begin else 0
    before = data[:start]
    if text := before.decode("utf-8", "replace").strip():
        document.add(fault("leading-text", text=text), 1)
    elif before:
        document.add(fault("leading-text.space"), 1)
    XmlReader(document, before.count(b"\n")).read(data[start:])

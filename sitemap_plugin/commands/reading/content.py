"""The bytes of a sitemap: unpacked where they are gzipped, and turned into UTF-8."""

from __future__ import annotations

import codecs
import re
import zlib
from collections.abc import Callable

from sitemap_plugin.commands.reading.document import Fault
from sitemap_plugin.commands.reading.quoting import quote
from sitemap_plugin.write.protocol import MAX_BYTES

__all__ = ["READ_LIMIT", "is_gzip_name", "to_utf8", "unpack"]

READ_LIMIT = MAX_BYTES + (1 << 20)
"""Bytes that are read of a file, packed and unpacked ones alike."""

Add = Callable[..., None]

_GZIP_MAGIC = b"\x1f\x8b"
_GZIP_FORMAT = 31
_MEMBERS = 10_000
_SAVE = "Save the file as UTF-8 without a byte order mark."
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"<\0?\0", "utf-16-le"),
    (b"\0<\0?", "utf-16-be"),
    (b"h\0t\0", "utf-16-le"),
)
_DECLARED = re.compile(rb"""\s*<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z][A-Za-z0-9._-]*)""")
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1f]")
_START = 4096
# Python has codecs that are no encodings of text, such as "zip" and "idna".
_KNOWN = re.compile(
    r"iso-?8859-\d+|latin-?\d+|windows-125\d|cp\d{3,4}|mac-?roman|koi8-[ru]|euc-?(?:jp|kr)"
    r"|shift[-_]?jis|gb2312|gbk|gb18030|big5|utf-(?:16|32)(?:-?[bl]e)?"
)


def is_gzip_name(name: str) -> bool:
    """Tell whether a file's name says that it is gzipped."""
    return name.lower().endswith(".gz")


def unpack(data: bytes, name: str, add: Add) -> tuple[bytes, bool]:
    """Return the content of a file, unpacked if it is gzipped, and whether it is all of it.

    ``add`` is given what is wrong, as a fault.
    """
    gzipped = data.startswith(_GZIP_MAGIC)
    complete = True
    if gzipped != is_gzip_name(name) and data:
        message = "The content is gzipped, but the name does not end in .gz."
        cure = f"Rename the file to {quote(name + '.gz')}, or unpack it."
        if not gzipped:
            message = "The name ends in .gz, but the content is not gzipped."
            cure = "Pack the file with gzip, or drop .gz from its name."
        add(Fault("gzip-mismatch", message, cure))
    if gzipped:
        data, reason = _gunzip(data)
        if reason:
            complete = False
            cure = "Pack the file again, and copy it in binary mode."
            add(Fault("gzip-broken", f"The gzipped data {reason}.", cure))
    if len(data) > MAX_BYTES:
        cut = len(data) > READ_LIMIT
        shown = f"{'more than ' if cut else ''}{min(len(data), READ_LIMIT):,}"
        message = f"The file has {shown} bytes before compression; {MAX_BYTES:,} are allowed."
        cure = "Split it into several sitemaps and list them in an index."
        add(Fault("file-too-large", message, cure))
        if cut:
            complete = False
            message = f"Nothing was read after the first {READ_LIMIT:,} bytes."
            add(Fault("not-read", message, "Split the file, and check again."))
    return data[:READ_LIMIT], complete


def _gunzip(data: bytes) -> tuple[bytes, str | None]:
    """Return what can be unpacked, up to a byte more than the limit, and what is wrong."""
    unpacked = bytearray()
    for _ in range(_MEMBERS):
        member = zlib.decompressobj(_GZIP_FORMAT)
        try:
            while not member.eof and len(unpacked) <= READ_LIMIT:
                piece = member.decompress(data, READ_LIMIT + 1 - len(unpacked))
                unpacked += piece
                data = member.unconsumed_tail
                if not piece and not data and not member.eof:
                    return bytes(unpacked), "ends too early"
        except zlib.error as error:
            return bytes(unpacked), f"is damaged: {str(error).rpartition(': ')[2]}"
        # Members may follow each other, with zeros between them.
        data = member.unused_data.lstrip(b"\0")
        if not data or len(unpacked) > READ_LIMIT:
            return bytes(unpacked), None
        if not data.startswith(_GZIP_MAGIC[:1]):
            return bytes(unpacked), "is damaged: something else follows its end"
    return bytes(unpacked), f"is damaged: it has more than {_MEMBERS:,} parts"


def to_utf8(data: bytes, add: Add) -> bytes:
    """Return the text as valid UTF-8 without a byte order mark; tell when it was something else.

    What cannot be decoded becomes U+FFFD, so that the rest of the file can still be judged.
    """
    if data.startswith(codecs.BOM_UTF8):
        data = data[len(codecs.BOM_UTF8) :]
        message = "The file begins with a byte order mark, on which some readers stumble."
        add(Fault("byte-order-mark", message, _SAVE))
    encoding, is_marked = _encoding(data)
    if encoding:
        is_wide = encoding.startswith(("utf-16", "utf-32"))
        can_be = _KNOWN.fullmatch(encoding) and _is_known(encoding) and (is_marked or not is_wide)
        what = f"is encoded as {encoding.upper()}"
        if not can_be:
            what = f"says that it is encoded as {quote(encoding)}, which it is not"
        add(Fault("not-utf-8", f"The file {what}.", _SAVE), 1)
        if can_be:
            return (
                data.decode(encoding, "replace").removeprefix("\ufeff").encode("utf-8", "replace")
            )
    if data.isascii():
        return data
    try:
        data.decode()
    except UnicodeDecodeError as error:
        # Of binary data there is something better to say, and of what is encoded enough is said.
        if not encoding and not _BINARY.search(data[:_START]):
            byte, line = data[error.start], data.count(b"\n", 0, error.start) + 1
            what = f"The byte 0x{byte:02X} is not valid in UTF-8"
            add(Fault("not-utf-8", f"{what}; the file may be in another encoding.", _SAVE), line)
        return data.decode("utf-8", "replace").encode()
    return data


def _encoding(data: bytes) -> tuple[str | None, bool]:
    """Return the encoding, None for UTF-8, and whether the first bytes tell and not the XML."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return name, True
    declared = _DECLARED.match(data[:_START])
    name = declared[1].decode().lower() if declared else "utf-8"
    return (None if name in {"utf-8", "utf8", "ascii", "us-ascii"} else name), False


def _is_known(encoding: str) -> bool:
    try:
        codecs.lookup(encoding)
    except LookupError:
        return False
    return True

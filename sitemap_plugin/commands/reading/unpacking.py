"""The bytes of a sitemap: unpacked where they are gzipped, and turned into UTF-8."""

from __future__ import annotations

import codecs
import re
import zlib
from collections.abc import Callable

from sitemap_plugin.commands.reading.faults import fault
from sitemap_plugin.write.protocol import MAX_BYTES

READ_LIMIT = MAX_BYTES + (1 << 20)
"""Bytes that are read of a file, packed and unpacked ones alike."""

_GZIP_MAGIC = b"\x1f\x8b"
_GZIP_FORMAT = 31
_MEMBERS = 10_000
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
_UTF_8 = frozenset({"utf-8", "utf8", "ascii", "us-ascii"})
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1f]")
_START = 4096


def is_gzip_name(name: str) -> bool:
    """Tell whether a file's name says that it is gzipped."""
    return name.lower().endswith(".gz")


def unpack(data: bytes, name: str, add: Callable[..., None]) -> tuple[bytes, bool]:
    """Return the content of a file, unpacked if it is gzipped, and whether it is all of it.

    ``add`` is given what is wrong, as a fault.
    """
    gzipped, reason = data.startswith(_GZIP_MAGIC), None
    if gzipped != is_gzip_name(name) and data:
        add(fault("gzip-mismatch" if gzipped else "gzip-mismatch.plain", name=name))
    if gzipped:
        data, reason = _gunzip(data)
        if reason:
            add(fault("gzip-broken", reason=reason))
    cut = len(data) > READ_LIMIT
    if len(data) > MAX_BYTES:
        size = f"{'more than ' * cut}{min(len(data), READ_LIMIT):,}"
        add(fault("file-too-large", size=size, limit=MAX_BYTES))
    if cut:
        add(fault("not-read", limit=READ_LIMIT, what="bytes"))
    return data[:READ_LIMIT], not reason and not cut


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


def to_utf8(data: bytes, add: Callable[..., None]) -> bytes:
    """Return the text as valid UTF-8 without a byte order mark; tell when it was something else.

    What cannot be decoded becomes U+FFFD, so that the rest of the file can still be judged.
    """
    if data.startswith(codecs.BOM_UTF8):
        data = data[len(codecs.BOM_UTF8) :]
        add(fault("byte-order-mark"))
    if encoding := next((name for mark, name in _MARKS if data.startswith(mark)), None):
        add(fault("not-utf-8", encoding=encoding.upper()), 1)
        return data.decode(encoding, "replace").removeprefix("\ufeff").encode("utf-8", "replace")
    declared = _DECLARED.match(data[:_START])
    encoding = declared[1].decode().lower() if declared else "utf-8"
    if encoding not in _UTF_8:
        add(fault("not-utf-8", encoding=encoding.upper()), 1)
    elif not data.isascii() and not _BINARY.search(
        data[:_START]
    ):  # Of binary data there is something better to say.
        try:
            data.decode()
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            add(fault("not-utf-8.byte", byte=data[error.start]), line)
    return data if data.isascii() else data.decode("utf-8", "replace").encode()

"""The bytes of a file, unpacked where it is gzipped, and never more of them than is sensible."""

from __future__ import annotations

import stat
import zlib
from collections.abc import Generator, Iterator
from io import RawIOBase
from pathlib import Path

from sitemap_plugin.check.findings import FileFindings
from sitemap_plugin.writer import MAX_BYTES

__all__ = ["CHUNK", "READ_LIMIT", "is_gzip_name", "read_content"]

CHUNK = 1 << 18
READ_LIMIT = 4 * MAX_BYTES
"""Bytes that are read of a file that is too large anyway, packed and unpacked ones alike."""

_GZIP_MAGIC = b"\x1f\x8b"
_GZIP_FORMAT = 31
_MEMBERS = 10_000
_PACK_AGAIN = "Pack the file again, and copy it in binary mode."


def read_content(path: Path, found: FileFindings) -> Iterator[bytes]:
    """Yield a file's content in chunks; tell when it is damaged, too large or misnamed.

    Raises OSError when the file cannot be opened or read, or is not a regular file.
    """
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(None, "Not a regular file", str(path))
    size = 0
    with path.open("rb", buffering=0) as file:
        for chunk in _unpacked(file, path, found):
            size += len(chunk)
            yield chunk
            if size > READ_LIMIT:
                break
    if size > MAX_BYTES:
        more = "more than " if size > READ_LIMIT else ""
        found.add(
            "file-too-large",
            f"The file has {more}{size:,} bytes before compression; {MAX_BYTES:,} are allowed.",
            "Split it into several sitemaps and list them in an index.",
        )
    if size > READ_LIMIT:
        found.add(
            "not-read",
            f"Nothing was read after the first {size:,} bytes.",
            "Split the file, and check again.",
        )


def is_gzip_name(name: str) -> bool:
    """Tell whether a file's name says that it is gzipped."""
    return name.lower().endswith(".gz")


def _unpacked(file: RawIOBase, path: Path, found: FileFindings) -> Iterator[bytes]:
    start = file.read(CHUNK) or b""
    gzipped = start.startswith(_GZIP_MAGIC)
    if gzipped and not is_gzip_name(path.name):
        found.add(
            "gzip-mismatch",
            "The content is gzipped, but the name does not end in .gz.",
            f"Rename the file to {path.name}.gz, or unpack it.",
        )
    elif start and not gzipped and is_gzip_name(path.name):
        found.add(
            "gzip-mismatch",
            "The name ends in .gz, but the content is not gzipped.",
            "Pack the file with gzip, or drop .gz from its name.",
        )
    chunks = _chunks(file, start)
    yield from _gunzip(chunks, found) if gzipped else chunks


def _chunks(file: RawIOBase, chunk: bytes) -> Iterator[bytes]:
    read = 0
    while chunk:
        yield chunk
        read += len(chunk)
        if read > READ_LIMIT:
            # Only gzipped data that unpacks to next to nothing comes here.
            raise zlib.error("there is no end to it")
        chunk = file.read(CHUNK) or b""


def _gunzip(chunks: Iterator[bytes], found: FileFindings) -> Iterator[bytes]:
    try:
        yield from _members(chunks)
    except zlib.error as error:
        reason = str(error).rpartition(": ")[2]
        found.add("gzip-broken", f"The gzipped data is damaged: {reason}.", _PACK_AGAIN)
    except EOFError:
        found.add("gzip-broken", "The gzipped data ends too early.", _PACK_AGAIN)


def _members(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Unpack a gzip stream, which may consist of several members with zeros between them."""
    data = next(chunks)
    for _ in range(_MEMBERS):
        data = yield from _member(data, chunks)
        while not (data := data.lstrip(b"\0")):
            data = next(chunks, b"")
            if not data:
                return
        if not data.startswith(_GZIP_MAGIC[:1]):
            raise zlib.error("something else follows its end")
    raise zlib.error(f"it has more than {_MEMBERS:,} parts")


def _member(data: bytes, chunks: Iterator[bytes]) -> Generator[bytes, None, bytes]:
    """Unpack one member and return the bytes that follow it."""
    unpacker = zlib.decompressobj(_GZIP_FORMAT)
    while not unpacker.eof:
        data = data or next(chunks, b"")
        unpacked = unpacker.decompress(data, CHUNK)
        if unpacked:
            yield unpacked
        elif not data:
            raise EOFError
        data = unpacker.unconsumed_tail
    return unpacker.unused_data

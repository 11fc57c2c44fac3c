"""The bytes of a file, unpacked where it is gzipped, and never more of them than is sensible."""

from __future__ import annotations

import stat
import zlib
from collections.abc import Generator, Iterator
from io import RawIOBase
from pathlib import Path

from sitemap_plugin.commands.check.findings import FileFindings, quote
from sitemap_plugin.write.protocol import MAX_BYTES

__all__ = ["CHUNK", "READ_LIMIT", "Content", "is_gzip_name"]

CHUNK = 1 << 18
READ_LIMIT = 4 * MAX_BYTES
"""Bytes that are read of a file that is too large anyway, packed and unpacked ones alike."""

_GZIP_MAGIC = b"\x1f\x8b"
_GZIP_FORMAT = 31
_MEMBERS = 10_000


class Content:
    """The content of a file, in chunks, unpacked if it is gzipped.

    What is wrong with the file as such is recorded while it is read. ``complete`` turns false when
    the rest cannot be unpacked, or is not read since there is far too much of it.
    """

    def __init__(self, path: Path, found: FileFindings) -> None:
        self.complete = True
        self._path, self._found = path, found

    def __iter__(self) -> Iterator[bytes]:
        """Read the file; raises OSError when it cannot be read or is not a regular file."""
        if not stat.S_ISREG(self._path.stat().st_mode):
            raise OSError(None, "Not a regular file", str(self._path))
        size = 0
        with self._path.open("rb", buffering=0) as file:
            for chunk in self._unpacked(file):
                size += len(chunk)
                self.complete = self.complete and size <= READ_LIMIT
                yield chunk
                if size > READ_LIMIT:
                    break
        if size > MAX_BYTES:
            more = "more than " if size > READ_LIMIT else ""
            self._found.add(
                "file-too-large",
                f"The file has {more}{size:,} bytes before compression; {MAX_BYTES:,} are allowed.",
                "Split it into several sitemaps and list them in an index.",
            )
        if size > READ_LIMIT:
            self.complete = False
            self._found.add(
                "not-read",
                f"Nothing was read after the first {size:,} bytes.",
                "Split the file, and check again.",
            )

    def _unpacked(self, file: RawIOBase) -> Iterator[bytes]:
        start = file.read(CHUNK) or b""
        gzipped = start.startswith(_GZIP_MAGIC)
        name = self._path.name
        if gzipped and not is_gzip_name(name):
            message = "The content is gzipped, but the name does not end in .gz."
            cure = f"Rename the file to {quote(name + '.gz')}, or unpack it."
            self._found.add("gzip-mismatch", message, cure)
        elif start and not gzipped and is_gzip_name(name):
            message = "The name ends in .gz, but the content is not gzipped."
            cure = "Pack the file with gzip, or drop .gz from its name."
            self._found.add("gzip-mismatch", message, cure)
        chunks = _chunks(file, start)
        return self._gunzip(chunks) if gzipped else chunks

    def _gunzip(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        try:
            yield from _members(chunks)
        except zlib.error as error:
            self._report(f"The gzipped data is damaged: {str(error).rpartition(': ')[2]}.")
        except EOFError:
            self._report("The gzipped data ends too early.")

    def _report(self, message: str) -> None:
        self.complete = False
        cure = "Pack the file again, and copy it in binary mode."
        self._found.add("gzip-broken", message, cure)


def is_gzip_name(name: str) -> bool:
    """Tell whether a file's name says that it is gzipped."""
    return name.lower().endswith(".gz")


def _chunks(file: RawIOBase, chunk: bytes) -> Iterator[bytes]:
    read = 0
    while chunk:
        yield chunk
        read += len(chunk)
        if read > READ_LIMIT:
            # Only gzipped data that unpacks to next to nothing comes here.
            raise zlib.error("there is no end to it")
        chunk = file.read(CHUNK) or b""


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

"""Gzipped twins, written along with their files.

Both compressors write a gzip header without a name and with modification time 0, so that the bytes
depend on the content alone. The levels follow what benchmarks/writing.py measures: zlib's lower
ones save half the time for files a tenth to a quarter larger, its higher ones cost up to four times
as much for a tenth less; isal's 1 is about as small as zlib's 6 in a tenth of the time.
"""

from __future__ import annotations

import zlib
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

__all__ = ["TwinWriter", "compress", "twin_of"]

isal_zlib: Any
try:
    isal_zlib = import_module("isal.isal_zlib")
except ImportError:
    isal_zlib = None

_ISAL_LEVEL = 1
_ZLIB_LEVEL = 6
_GZIP_FORMAT = 31
_CHUNK = _BUFFER = 1 << 18


def twin_of(path: Path) -> Path:
    """Return the path of a file's gzipped twin."""
    return path.with_name(f"{path.name}.gz")


def compress(data: bytes) -> bytes:
    """Gzip what is small."""
    compressor = _compressor()
    return bytes(compressor.compress(data) + compressor.flush())


def _compressor() -> Any:
    if isal_zlib:
        return isal_zlib.compressobj(_ISAL_LEVEL, isal_zlib.DEFLATED, _GZIP_FORMAT)
    return zlib.compressobj(_ZLIB_LEVEL, zlib.DEFLATED, _GZIP_FORMAT)


class TwinWriter:
    """A file, and its gzipped twin if one is wanted, while they are being written."""

    def __init__(self, path: Path, start: bytes, *, gzip: bool) -> None:
        self.path = path
        self.twin = twin_of(path) if gzip else None
        self._begin(start)

    def _begin(self, start: bytes) -> None:
        self._start_size = len(start)
        self._twin_file: BinaryIO | None = None
        self._file: BinaryIO = self.path.open("wb", _BUFFER)
        try:
            if self.twin:
                self._twin_file = self.twin.open("wb", _BUFFER)
                self._compressor = _compressor()
            self.write(start)
        except BaseException:
            self.close()
            raise

    def write(self, data: bytes) -> None:
        """Append to both."""
        self._file.write(data)
        if self._twin_file:
            self._twin_file.write(self._compressor.compress(data))

    def change_start(self, start: bytes) -> None:
        """Replace the bytes that the file began with, for which all of it is written again."""
        self.close()
        before = self.path.rename(self.path.with_suffix(".before"))
        skip = self._start_size
        self._begin(start)
        with before.open("rb") as rest:
            rest.seek(skip)
            while chunk := rest.read(_CHUNK):
                self.write(chunk)
        before.unlink()

    def finish(self) -> None:
        """End both."""
        if self._twin_file:
            self._twin_file.write(self._compressor.flush())
        self.close()

    def close(self) -> None:
        """Close both, finished or not."""
        try:
            self._file.close()
        finally:
            if self._twin_file:
                self._twin_file.close()

"""Text in any encoding to UTF-8, which is what the protocol asks for."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from sitemap_plugin.commands.check.findings import FileFindings, Findings
from sitemap_plugin.commands.check.source import Content

__all__ = ["to_utf8"]

_SAVE = "Save the file as UTF-8 without a byte order mark."
_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_NO_BOM = ((b"<\0?\0", "utf-16-le"), (b"\0<\0?", "utf-16-be"), (b"h\0t\0", "utf-16-le"))
_DECLARED = re.compile(rb"""\s*<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z][A-Za-z0-9._-]*)""")
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1f]")
_START = 4096
_UTF8_NAMES = frozenset({"utf-8", "utf8", "ascii", "us-ascii"})
_KNOWN = re.compile(
    r"iso-?8859-\d+|latin-?\d+|windows-125\d|cp\d{3,4}|mac-?roman|koi8-[ru]|euc-?(?:jp|kr)"
    r"|shift[-_]?jis|gb2312|gbk|gb18030|big5|utf-(?:16|32)(?:-?[bl]e)?",
    re.IGNORECASE,
)


def to_utf8(chunks: Iterator[bytes], path: Path, found: FileFindings) -> Iterator[bytes]:
    """Yield the text as valid UTF-8 without a byte order mark; tell when it was something else.

    What cannot be decoded becomes U+FFFD, so that the rest of the file can still be judged.
    """
    first = next(chunks, b"")
    if first.startswith(codecs.BOM_UTF8):
        first = first[len(codecs.BOM_UTF8) :]
        found.add(
            "byte-order-mark",
            "The file begins with a byte order mark, on which some readers stumble.",
            _SAVE,
        )
    if _BINARY.search(first[:_START]) and _encoding(first) is None:
        found = Findings().for_file(path)  # Whoever reads on has something better to say.
    encoding = _encoding(first)
    chunks = chain([first], chunks)
    if encoding is None:
        return _valid(chunks, path, found)
    found.add("not-utf-8", f"The file is encoded as {encoding.upper()}.", _SAVE, line=1)
    if not _KNOWN.fullmatch(encoding):
        return _valid(chunks, path, Findings().for_file(path))
    return _converted(chunks, encoding)


def _encoding(start: bytes) -> str | None:
    """Name the encoding, by the first bytes or by the XML declaration; None for UTF-8."""
    for mark, name in (*_BOMS, *_NO_BOM):
        if start.startswith(mark):
            return name
    declared = _DECLARED.match(start)
    name = declared[1].decode().lower() if declared else "utf-8"
    return None if name in _UTF8_NAMES else name


def _converted(chunks: Iterator[bytes], encoding: str) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    start = True
    for chunk in chain(chunks, [b""]):
        text = decoder.decode(chunk, final=not chunk)
        yield (text.removeprefix("\ufeff") if start else text).encode("utf-8", "replace")
        start = start and not text


def _valid(chunks: Iterator[bytes], path: Path, found: FileFindings) -> Iterator[bytes]:
    pending, position = b"", 0
    sound = True
    for chunk in chain(chunks, [b""]):
        if not pending and chunk.isascii():
            yield chunk
            position += len(chunk)
            continue
        data = pending + chunk
        try:
            used = codecs.utf_8_decode(data, "strict", not chunk)[1]
            yield data[:used]
        except UnicodeDecodeError as error:
            if sound:
                _report(path, position + error.start, data[error.start], found)
                sound = False
            text, used = codecs.utf_8_decode(data, "replace", not chunk)
            yield text.encode()
        position += used
        pending = data[used:]


def _report(path: Path, position: int, byte: int, found: FileFindings) -> None:
    """Tell where the first invalid byte is; for that its line, the file is read once more."""
    line, left = 1, position
    for chunk in Content(path, Findings().for_file(path)):
        line += chunk.count(b"\n", 0, max(left, 0))
        left -= len(chunk)
        if left <= 0:
            break
    found.add(
        "not-utf-8",
        f"The byte 0x{byte:02X} is not valid in UTF-8; the file may be in another encoding.",
        _SAVE,
        line=line,
    )

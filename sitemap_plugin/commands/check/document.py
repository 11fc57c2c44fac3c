"""A sitemap file of whatever form: finds out what it is and reads it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from sitemap_plugin.commands.check.batch import Batch, Kind
from sitemap_plugin.commands.check.decoding import to_utf8
from sitemap_plugin.commands.check.findings import FileFindings, Findings, quote
from sitemap_plugin.commands.check.lines import read_text
from sitemap_plugin.commands.check.reader import XmlReader
from sitemap_plugin.commands.check.shortcut import read_xml
from sitemap_plugin.commands.check.source import Content
from sitemap_plugin.common.files import MARKER
from sitemap_plugin.write.protocol import MAX_URLS

__all__ = ["MAX_ENTRIES_READ", "Document", "sample_locs"]

MAX_ENTRIES_READ = 4 * MAX_URLS
"""Entries that are read of a file that has too many anyway."""

_START = 4096
_SAMPLE = 200
_DECLARATION = re.compile(rb"<\?xml\s")
_ROOT = re.compile(rb"<(?:\w+:)?(?:urlset|sitemapindex)[\s>]")
_HTML_START = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*-->\s*)*<(?:!doctype\s+html|html)[\s>]", re.IGNORECASE
)
_URL_LINE = re.compile(rb"^[ \t]*https?://", re.IGNORECASE | re.MULTILINE)
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1f]|\xef\xbf\xbd")
_OTHER_TEXTS = ((b"{", "JSON"), (b"[", "JSON"), (b"%PDF", "PDF"), (b"PK", "a ZIP archive"))


class Document:
    """A file to be read once.

    ``kind`` is known when the first batch is there or when there is none, and stays None for what
    is not a sitemap. ``is_ours`` tells that this package wrote the file. ``complete`` is false
    after an error that ends the reading, and ``cut`` true if there are too many entries to read.
    """

    def __init__(self, path: Path, found: FileFindings) -> None:
        self.path, self.found = path, found
        self.kind: Kind | None = None
        self._content = Content(path, found)
        self.is_ours = False
        self.complete = True
        self.cut = False
        self.count = 0

    def batches(self) -> Iterator[Batch]:
        """Yield the entries, and record what is wrong with the file.

        Raises OSError when the file cannot be read.
        """
        chunks = to_utf8(iter(self._content), self.path, self.found)
        first = next(chunks, b"")
        while len(first) < _START and (more := next(chunks, b"")):
            first += more
        self.is_ours = MARKER in first[:_START]
        if not first.strip():
            if self._content.complete:
                self.found.add("empty", "The file is empty.", "Write the sitemap again.")
            return
        for batch in self._read(first, chunks):
            self.count += len(batch.locs)
            yield batch
            if self.count > MAX_ENTRIES_READ:
                self.cut, self.complete = True, False
                self.found.add(
                    "not-read",
                    f"Nothing was read after the first {self.count:,} entries.",
                    "Split the file, and check again.",
                )
                return

    def _read(self, first: bytes, chunks: Iterator[bytes]) -> Iterator[Batch]:
        start = first[:_START]
        declaration, root = _DECLARATION.search(start), _ROOT.search(start)
        if _HTML_START.match(start):
            self._report_format("an HTML page")
        elif declaration:
            yield from self._read_xml(first, declaration.start(), chunks)
        elif start.lstrip().startswith(b"<"):
            yield from self._read_xml(first, 0, chunks)
        elif root:
            yield from self._read_xml(first, root.start(), chunks)
        elif self._is_text(start):
            self.kind = "text"
            self._check_name(".txt")
            yield from read_text(chain([first], chunks))
        else:
            self._report_format(_describe(start))

    def _report_format(self, what: str) -> None:
        message = f"The file is {what}, and neither an XML nor a text sitemap."
        cure = "Name a sitemap, an index, or the folder of a built site."
        self.found.add("unsupported-format", message, cure)

    def _read_xml(self, first: bytes, start: int, chunks: Iterator[bytes]) -> Iterator[Batch]:
        before = first[:start]
        if before:
            text = before.decode("utf-8", "replace").strip()
            what = f"The text {quote(text)}" if text else "White space"
            message = f"{what} stands before the XML, where nothing may be."
            cure = "Remove it; it may come from the template or program that writes the file."
            self.found.add("leading-text", message, cure, line=1)
        reader = XmlReader(self.found, lines_before=before.count(b"\n"))
        chunks = chain([first[start:]], chunks)
        for batch in read_xml(reader, chunks, lambda: self._content.complete):
            self.kind = reader.kind
            yield batch
        self.kind, self.complete = reader.kind, self._content.complete and not reader.ended
        if self.kind:
            self._check_name(".xml")

    def _is_text(self, start: bytes) -> bool:
        if _BINARY.search(start) or start.lstrip().startswith(b"<"):
            return False
        return bool(_URL_LINE.search(start)) or self._extension() == ".txt"

    def _extension(self) -> str:
        return Path(self.path.name.lower().removesuffix(".gz")).suffix

    def _check_name(self, right: str) -> None:
        extension = self._extension()
        if extension != right and extension in {".txt", ".xml", ".html", ".htm", ".json"}:
            what = "a text sitemap" if right == ".txt" else "XML"
            message = f"The content is {what}, but the name says {extension}."
            cure = f"Give the file a name that ends in {right}."
            self.found.add("wrong-extension", message, cure)


def sample_locs(path: Path) -> list[str]:
    """Return the addresses at the beginning of a sitemap or an index, some hundreds at most.

    Raises OSError when the file cannot be read.
    """
    locs: list[str] = []
    for batch in Document(path, Findings().for_file(path)).batches():
        locs += filter(None, batch.locs)
        if len(locs) >= _SAMPLE:
            break
    return locs[:_SAMPLE]


def _describe(start: bytes) -> str:
    for mark, what in _OTHER_TEXTS:
        if start.lstrip().startswith(mark):
            return what
    if start.startswith(b"\x1f\x8b"):
        return "gzipped twice"
    return "binary data" if _BINARY.search(start) else "text"

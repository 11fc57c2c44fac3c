"""Read the usual shape of sitemap faster than any parser could, and leave the rest to one.

Text is cut at the entries' end tags. What precedes an entry's links has to match one regular
expression, and the links another, which is made after the first of them. Entries that share their
links, as translations of one page do, are looked up by the links' text and parsed once. Where
something does not match exactly, or has a character that needs thought, expat takes over: for what
precedes an entry's links, if those are usual, else for the rest of the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from sitemap_plugin.commands.check.batch import NO_LINKS, Batch, LinkSet
from sitemap_plugin.commands.check.locations import are_absolute, has_plain_characters
from sitemap_plugin.commands.check.reader import XmlReader
from sitemap_plugin.commands.check.vocabulary import LINK, NAMESPACE

__all__ = ["read_xml"]

_W, _W1 = r"[ \t\r\n]*+", r"[ \t\r\n]++"
_ROOT = re.compile(
    rf"\A(?:<\?xml[^<>?]*+\?>)?+{_W}"
    rf"(?:<!--(?:(?!--)[\s\S])*+-->{_W}|<\?xml-stylesheet[^<>?]*+\?>{_W})*+"
    rf'<urlset(?P<declarations>(?:{_W1}xmlns(?::\w++)?+="[^"<&]*+")++){_W}>'
)
_DECLARATION = re.compile(r'xmlns(?::(\w++))?+="([^"]*+)"')
_XHTML = LINK.split(" ")[0]
_VALUE = r"([A-Za-z0-9.:+-]*+)"
_ENTRY = re.compile(
    rf"({_W})<url>{_W}<loc>([^<]*+)</loc>{_W}(?:<lastmod>{_VALUE}</lastmod>{_W})?+"
    rf"(?:<changefreq>{_VALUE}</changefreq>{_W})?+(?:<priority>{_VALUE}</priority>{_W})?+"
)
_SELF_CONTAINED = re.compile(
    r"(?:[^<]++|<!--(?:(?!--)[\s\S])*+-->|<!\[CDATA\[(?:(?!\]\]>)[\s\S])*+\]\]>"
    r"|</?+[^<>\"'!?/](?:[^<>\"']|\"[^\"<]*+\"|'[^'<]*+')*+>)*+"
)
_END = "</url>"
_LINK_TAG = rf"((?:{_W1}\w++=(?:\"[^\"<]*+\"|'[^'<]*+'))++)({_W}/?+>)({_W}</%s:link>)?+"
_ATTRIBUTE = re.compile(r"(\w++)=([\"'])")
_PATTERNS = {"rel": "alternate", "hreflang": "([A-Za-z0-9_-]*+)", "href": "([^%s<>]*+)"}
_OTHER_ESCAPE = re.compile(r"&(?!(?:amp|apos);)")
_LONGEST_ENTRY = 1 << 20


def read_xml(
    reader: XmlReader, chunks: Iterator[bytes], is_complete: Callable[[], bool]
) -> Iterator[Batch]:
    """Yield batches of entries, read by ``reader`` where they are not of the usual shape.

    ``is_complete`` tells after the last chunk whether that was the end of the file.
    """
    shortcut = _Shortcut(reader)
    for chunk in chunks:
        batch = shortcut.read(chunk)
        if batch:
            yield batch
        if batch := reader.take():
            yield batch
        if reader.ended:
            return
    if is_complete():
        shortcut.end()
    if batch := reader.take():
        yield batch


class _Shortcut:
    """Stands between a file and expat, as long as the file allows."""

    def __init__(self, reader: XmlReader) -> None:
        self._reader = reader
        self._rest = b""
        self._begun = self._given_up = False
        self._line = 1 + reader.lines_before
        self._prefix = self._tag = ""
        self._shape: _Shape | None = None
        self._known: dict[str, LinkSet] = {"": NO_LINKS}

    def read(self, chunk: bytes) -> Batch | None:
        """Read on; what is not returned is in the reader, or will be."""
        if self._given_up:
            self._reader.feed(chunk)
            return None
        data = self._rest + chunk
        if not self._begun:
            data = self._begin(data)
        end = data.rfind(_END.encode()) + len(_END)
        if self._given_up or end < len(_END):
            self._keep(data)
            return None
        self._keep(data[end:])
        return self._entries(data[:end].decode())

    def end(self) -> None:
        """Hand the end of the file to the reader, which has yet to see that it is one."""
        self._reader.feed(self._rest, final=True)

    def _keep(self, data: bytes) -> None:
        self._rest = data
        if self._given_up or len(data) > _LONGEST_ENTRY:
            self._give_up()

    def _give_up(self) -> None:
        self._given_up = True
        self._reader.feed(self._rest)
        self._rest = b""

    def _begin(self, data: bytes) -> bytes:
        """Have expat read everything before the first entry, and return what follows."""
        self._begun = True
        root = _ROOT.match(data.decode("utf-8", "replace"))
        namespaces = dict(_DECLARATION.findall(root["declarations"])) if root else {}
        if root is None or namespaces.get("") != NAMESPACE:
            self._given_up = True
            return data
        prefixes = [prefix for prefix, uri in namespaces.items() if uri == _XHTML]
        self._prefix = prefixes[0] if prefixes else ""
        self._tag = f"<{self._prefix}:link"
        self._line += root[0].count("\n")
        start = len(root[0].encode())
        self._reader.feed(data[:start])
        self._given_up = self._reader.ended
        return data[start:]

    def _entries(self, text: str) -> Batch | None:
        """Read whole entries, or hand all from the first odd one on to the reader."""
        blocks = text.split(_END)
        blocks.pop()
        parts = [block.partition(self._tag) for block in blocks]
        heads = [_ENTRY.fullmatch(head) for head, _, _ in parts]
        tails = {tail: None for _, _, tail in parts if tail not in self._known}
        self._learn_links(tuple(tails))
        links = [self._known.get(tail) for _, _, tail in parts]
        sound = min(_first_none(heads), _first_none(links))
        values = [head.groups() for head in heads[:sound] if head]
        locs = _plain_urls([value[1] for value in values])
        if locs is None:
            sound = 0
        if "\r" in text and text.count("\r") > text.count("\r\n"):
            # Lines that end in CR alone are counted by expat only.
            sound, links = 0, [None] * len(blocks)
        lines = self._count_lines(blocks[:sound], [value[0] for value in values])
        self._read_odd(parts[sound:], links[sound:])
        if not sound or locs is None:
            return None
        _, _, lastmods, changefreqs, priorities = zip(*values, strict=True)
        known = [found for found in links[:sound] if found]
        return Batch(lines, locs, lastmods, changefreqs, priorities, known, plain=True)

    def _read_odd(
        self, parts: Sequence[tuple[str, str, str]], links: Sequence[LinkSet | None]
    ) -> None:
        """Have expat read what precedes the links of entries, where these are usual at least."""
        done, worth_it = 0, any(tail for _, _, tail in parts)
        for (head, _, tail), found in zip(parts, links, strict=True):
            if not (worth_it and found and _is_self_contained(head)):
                break
            lines = tail.count("\n")
            self._line += head.count("\n") + lines
            done += 1
            if not self._reader.read_entry(head, found, lines):
                break
        else:
            return
        odd = "".join([f"{head}{start}{tail}{_END}" for head, start, tail in parts[done:]])
        self._rest = odd.encode() + self._rest
        self._give_up()

    def _count_lines(self, blocks: Sequence[str], spaces: Sequence[str]) -> list[int]:
        """Return the lines on which the entries begin, and count those that the reader misses.

        ``spaces`` is the white space before each entry.
        """
        *starts, end = accumulate([block.count("\n") for block in blocks], initial=self._line)
        self._reader.lines_before += end - self._line
        self._line = end
        breaks = {space: space.count("\n") for space in set(spaces)}
        return [start + breaks[space] for start, space in zip(starts, spaces, strict=False)]

    def _learn_links(self, tails: Sequence[str]) -> None:
        """Parse entries' links, given without the first tag's start, if all of them are usual."""
        if not tails:
            return
        self._shape = self._shape or _shape_of(tails[0], self._prefix)
        found = self._shape.pattern.findall(self._tag.join(tails)) if self._shape else []
        if not found or found[-1][2]:
            return
        codes, escaped, _ = zip(*found, strict=True)
        if self._shape and self._shape.swapped:
            codes, escaped = escaped, codes
        hrefs = _plain_urls(escaped)
        if hrefs is None:
            return
        plain, begin = are_absolute(hrefs), 0
        for tail in tails:
            end = begin + 1 + tail.count(self._tag)
            self._known[tail] = LinkSet(codes[begin:end], tuple(hrefs[begin:end]), plain=plain)
            begin = end


class _Shape(NamedTuple):
    """How a file writes its links: the pattern, and whether href stands before hreflang.

    The pattern's last group takes all that is written in another way.
    """

    pattern: re.Pattern[str]
    swapped: bool


def _shape_of(tail: str, prefix: str) -> _Shape | None:
    """Make the pattern that fits the first of some links and others that are written like it."""
    tag = re.match(_LINK_TAG % prefix, tail)
    attributes = _ATTRIBUTE.findall(tag[1]) if tag else []
    names = [name for name, _ in attributes]
    if tag is None or sorted(names) != sorted(_PATTERNS) or ("/" in tag[2]) == bool(tag[3]):
        return None
    end = rf"{_W}/>" if tag[3] is None else rf"{_W}>{_W}</{prefix}:link>"
    values = ((name, _PATTERNS[name].replace("%s", mark), mark) for name, mark in attributes)
    link = "".join(f"{_W1}{name}={mark}{value}{mark}" for name, value, mark in values) + end
    pattern = rf"{link}{_W}(?:<{prefix}:link|\Z)|([\s\S]++)"
    return _Shape(re.compile(pattern), names.index("href") < names.index("hreflang"))


def _is_self_contained(head: str) -> bool:
    """Tell whether expat, if it finds no fault in a text, is between tags at the end of it."""
    return "xmlns" not in head and _SELF_CONTAINED.fullmatch(head) is not None


def _first_none(values: Sequence[object]) -> int:
    return values.index(None) if None in values else len(values)


def _plain_urls(texts: Sequence[str]) -> Sequence[str] | None:
    """Return URLs without XML's escapes; None if one has a character that needs thought."""
    joined = "\n".join(texts)
    if not has_plain_characters(joined, len(texts) - 1):
        return None
    if "&" not in joined:
        return texts
    if _OTHER_ESCAPE.search(joined):
        return None
    return joined.replace("&apos;", "'").replace("&amp;", "&").split("\n")

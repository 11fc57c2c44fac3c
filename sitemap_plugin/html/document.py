"""Parse HTML documents by Lexbor, as a browser that runs scripts does, in their own encoding."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from itertools import accumulate

from selectolax.lexbor import LexborHTMLParser

DEEPEST = 1000
"""Blocks that may lie in one another. Browsers stop at 512."""

_BLOCK = re.compile(
    rb"<(/?)(?:address|article|aside|blockquote|center|details|dialog|dir|div|dl|fieldset|figure"
    rb"|footer|form|header|hgroup|main|menu|nav|ol|section|summary|table|ul)(?=[\s/>])",
    re.IGNORECASE,
)

_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_PRESCAN = 1024
"""Bytes in which the HTML standard looks for a declaration."""

_OTHER_LABEL = re.compile(rb"charset(?!\s*=\s*[\"']?\s*utf-8[\s\"'/;>])")
_CHARSET = re.compile(r"charset\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\t\n\f\r ;]+))", re.ASCII)
_PLAUSIBLE = re.compile(r"[\t\n\f\r ]*[A-Za-z0-9_:-]{2,40}[\t\n\f\r ]*")

# The WHATWG Encoding Standard's names, and the codec that comes nearest; browsers read nothing
# else. Python has many more codecs, some of which are no encodings of text.
_CODECS = {
    "ascii": "cp1252", "iso8859-1": "cp1252", "iso8859-9": "cp1254", "iso8859-11": "cp874",
    "tis-620": "cp874", "gb2312": "gb18030", "gbk": "gb18030", "big5": "big5hkscs",
    "shift_jis": "cp932", "euc_kr": "cp949", "utf-16": "utf-8", "utf-16-le": "utf-8",
    "utf-16-be": "utf-8",
} | {
    name: name
    for name in (
        "utf-8", "cp866", "cp874", "cp932", "cp949", "mac-roman", "mac-cyrillic", "koi8-r",
        "koi8-u", "gb18030", "big5hkscs", "euc_jp", "iso2022_jp",
        *(f"cp{number}" for number in range(1250, 1259)),
        *(f"iso8859-{number}" for number in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)),
    )
}  # fmt: skip


def parse(data: bytes) -> LexborHTMLParser:
    """Return the tree of a document in UTF-8."""
    return LexborHTMLParser(data, scripting=True)


def is_too_deep(data: bytes) -> bool:
    """Tell whether blocks are nested so deeply that no reader can see them.

    The standard's rules look through all open elements at each start tag of a block, which takes
    minutes for 200,000 of them.
    """
    steps = (-1 if slash else 1 for slash in _BLOCK.findall(data))
    return any(depth > DEEPEST for depth in accumulate(steps))


def to_utf8(data: bytes) -> bytes:
    """Return an HTML document in UTF-8, without a byte order mark."""
    encoding = _declared_encoding(data)
    if encoding != "utf-8":
        data = data.decode(encoding, "replace").encode()
    return data.removeprefix(_BOMS[0][0])


def _declared_encoding(data: bytes) -> str:
    """Return the codec for an HTML document: byte order mark, else ``meta``, else UTF-8.

    Browsers take windows-1252 for a document that declares nothing; the generators of today write
    UTF-8.
    """
    for bom, name in _BOMS:
        if data.startswith(bom):
            return name
    start = data[:_PRESCAN].lower()
    if not _OTHER_LABEL.search(start):  # Only a parser knows which of several labels counts.
        return "utf-8"
    metas = LexborHTMLParser(start.decode("latin-1")).css("meta")
    found = (_codec(_label(meta.attributes)) for meta in metas)
    return next(filter(None, found), "utf-8")


def _label(given: Mapping[str, str | None]) -> str:
    if "charset" in given:
        return given["charset"] or ""
    if given.get("http-equiv") == "content-type":
        match = _CHARSET.search(given.get("content") or "")
        return next(filter(None, match.groups()), "") if match else ""
    return ""


def _codec(label: str) -> str | None:
    if not _PLAUSIBLE.fullmatch(label):
        return None
    try:
        return _CODECS.get(codecs.lookup(label.strip()).name)
    except LookupError:
        return None

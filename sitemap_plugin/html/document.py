"""Parse HTML documents by Lexbor, as a browser that runs scripts does, in their own encoding."""

import codecs
import re
from functools import lru_cache
from itertools import accumulate

from selectolax.lexbor import LexborHTMLParser

_DEEPEST = 1000
"""Blocks that may lie in one another. Browsers stop at 512."""

_BLOCK = re.compile(
    rb"<(/?)(?:address|article|aside|blockquote|center|details|dialog|dir|div|dl|fieldset|figure"
    rb"|footer|form|header|hgroup|main|menu|nav|ol|section|summary|table|ul)(?=[\s/>])",
    re.IGNORECASE,
)
_BOMS = {b"\xef\xbb\xbf": "utf-8", b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_CHARSET = re.compile(
    rb"<meta\s+(?:charset|http-equiv[^>]*?charset)\s*=\s*[\"']?\s*([\w:-]{2,40})", re.IGNORECASE
)

# Browsers read Windows' superset of some encodings. Of the codecs that Python has besides these,
# some are no encodings of text.
_SUPERSETS = {"ascii": "cp1252", "iso8859-1": "cp1252", "gb2312": "gb18030", "shift_jis": "cp932"}
_CODEC = re.compile(r"utf-8|cp\d+|iso8859-\d+|koi8-\w|mac-\w+|gb\w+|big5\w*|euc_\w+|iso2022_jp")


def parse(data: bytes) -> LexborHTMLParser:
    """Return the tree of a document in UTF-8."""
    return LexborHTMLParser(data, scripting=True)


def is_too_deep(data: bytes) -> bool:
    """Tell whether blocks are nested so deeply that placing them by the standard takes minutes."""
    steps = (-1 if slash else 1 for slash in _BLOCK.findall(data))
    return any(depth > _DEEPEST for depth in accumulate(steps))


def to_utf8(data: bytes) -> bytes:
    """Return an HTML document in UTF-8, without a byte order mark.

    Browsers take windows-1252 for a document that declares nothing; the generators of today write
    UTF-8.
    """
    marked = [name for mark, name in _BOMS.items() if data.startswith(mark)]
    labels = _CHARSET.findall(_COMMENT.sub(b"", data[:1024]))  # As in the HTML standard.
    encoding = next(filter(None, (*marked, *map(_codec, labels))), "utf-8")
    if encoding != "utf-8":
        data = data.decode(encoding, "replace").encode()
    return data.removeprefix(codecs.BOM_UTF8)


@lru_cache
def _codec(label: bytes) -> str | None:
    try:
        name = codecs.lookup(label.decode("ascii")).name
    except LookupError:
        return None
    # What could be read so far is no UTF-16.
    name = "utf-8" if name.startswith("utf-16") else _SUPERSETS.get(name, name)
    return name if _CODEC.fullmatch(name) else None

"""Compare two versions of a source by their words: what a reader reads, without its markup.

Words are runs of letters and digits in their order, a sign before a number and the point or comma
in it included, and the targets of links. HTML comments, white space, punctuation, markup, the
numbers of ordered lists and most of the front matter are left out. Every pattern takes linear time.
"""

import html
import json
import re
from collections.abc import Iterator
from functools import cache
from itertools import chain, zip_longest
from typing import Literal

Kind = Literal["markdown", "html", "rest", "asciidoc", "notebook"]

_KINDS: dict[bytes, Kind] = {
    b"md": "markdown", b"markdown": "markdown", b"mdown": "markdown", b"mkd": "markdown",
    b"mkdn": "markdown", b"mdx": "markdown", b"qmd": "markdown", b"rmd": "markdown",
    b"html": "html", b"htm": "html", b"xhtml": "html", b"rst": "rest", b"rest": "rest",
    b"adoc": "asciidoc", b"asciidoc": "asciidoc", b"asc": "asciidoc", b"ipynb": "notebook",
}  # fmt: skip
_KEPT_KEYS = ("title", "subtitle", "description", "summary")

_FRONT_MATTER = re.compile(
    r"[\ufeff\s]*+(?:---[ \t]*(?=\n)(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)"
    r"|\+\+\+[ \t]*(?=\n)(.*?)\n\+\+\+[ \t]*(?:\n|\Z))",
    re.DOTALL,
)
_HEADERS = re.compile(r"\ufeff?((?:[A-Za-z][\w-]*:[^\n]*\n(?:[ \t]+\S[^\n]*\n)*)+)(?:[ \t]*\n|\Z)")
# At most a title with its lines stands before the fields of reST and the attributes of AsciiDoc.
_FIELDS = re.compile(
    r"\ufeff?\s*+((?:[^\s:][^\n]*\n){0,3}+\s*+)((?::[^:\n]+:[^\n]*(?:\n|\Z)(?:[ \t]+\S[^\n]*\n)*)+)"
)
_KEPT = re.compile(
    rf"^:?({'|'.join(_KEPT_KEYS)})[ \t]*[:=]([^\n]*(?:\n[ \t]+[^\n]*)*)",
    re.MULTILINE | re.IGNORECASE,
)

# Searching is six times as fast where a pattern begins with one of few characters.
_MARKS: dict[Kind, re.Pattern[str]] = {
    "markdown": re.compile(r"```|~~~|<!--|`[^`\n]*`"),
    "html": re.compile(r"<(?:!--|script\b|style\b)", re.IGNORECASE),
    "rest": re.compile(r"^\.\.[ \t]+(?![\[_|]|[^\n:]+::)[^\n]*(?:\n[ \t]+\S[^\n]*)*", re.MULTILINE),
    "asciidoc": re.compile(r"^(?:-{4,}|\.{4,})[ \t]*$|^//(?!/)[^\n]*", re.MULTILINE),
}
_COMMENT = r"(?s:<!--.*?(?:-->|\Z))"
_FENCE = re.compile(r"(`{3,}+(?![^`\n]*`)|~{3,}+|-{4,}+|\.{4,}+)([^\n]*)")
_BEFORE_FENCE = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*")
_DEEPEST = 200
_SHORT = 2000  # Of so few characters the words are compared sooner than the ends are cut.

# Whatever is neither space nor punctuation is part of a word, the marks of Indic scripts among it.
_PUNCTUATION = (
    r"\s\x00-/:-@\[-`{-\xa9\xab-\xb4\xb6-\xb9\xbb-\xbf\xd7\xf7\u2000-\u206f\u20a0-\u20cf"
    r"\u2190-\u2bff\u3000-\u3004\u3007-\u3020\u3030\u303d\u30a0\u30fb\ufe0e-\ufe6f\uff01-\uff0f\uff1a-\uff20"
    r"\uff3b-\uff40\uff5b-\uff65\U0001f000-\U0001faff"
)
# Chinese and Japanese put no space between words, and may break a line anywhere.
_IDEOGRAPHS = (
    r"\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_LETTERS = rf"[^{_PUNCTUATION}{_IDEOGRAPHS}]+"
_WORD = (
    rf"(?:(?<![^{_PUNCTUATION}])[-+\u2212](?=\d))?{_LETTERS}(?:(?<=\d)[.,](?=\d){_LETTERS})*"
    rf"|[{_IDEOGRAPHS}]"
)
_URL = r"""https?://[^\s<>"'`)\]]+"""
_TAG = r"(?P<tag></?[A-Za-z!][\w-]*+(?=[\s/>])[^<>]*>)"
_LIST_NUMBER = r"^[ \t>]*(?:\d{1,3}|#)[.)](?=[ \t])"
_ATTRIBUTE = re.compile(
    r"""[\s"'](?:href|src|alt|title)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""", re.IGNORECASE
)
_TOKENS = {
    "code": rf"(?P<target>{_URL})|{_WORD}",
    "markdown": (
        rf"(?P<inline>`[^`\n]*`)|{_COMMENT}|{_TAG}"
        rf"|(?P<target>(?<=\]\()[ \t]*<?[^\s()<>]+|(?<=\]:)[ \t]*[^\s<>]+|{_URL})"
        rf"|{_LIST_NUMBER}|\{{:?[ \t]*[.#][^{{}}\n]*\}}|(?P<word>{_WORD})"
    ),
    "html": rf"{_COMMENT}|{_TAG}|(?P<target>{_URL})|(?P<word>{_WORD})",
    "rest": rf"(?P<target>(?<=<)[^\s<>]+(?=>`)|{_URL})|{_LIST_NUMBER}|(?P<word>{_WORD})",
    "asciidoc": (
        rf"(?P<target>(?:link|xref|image)::?[^\s\[]+|{_URL})|{_LIST_NUMBER}|(?P<word>{_WORD})"
    ),
}
_ENTITY = re.compile(r"&(?:[A-Za-z][A-Za-z0-9]{1,31}|#\d{1,7}|#[xX][0-9A-Fa-f]{1,6});")
_BLANK = re.compile(r"\n[ \t]*\n")


Part = tuple[Literal["text", "code", "unread"], int, int]
"""A stretch of a source from here to there: in its markup, as it stands, or not read."""


def have_words(path: bytes) -> bool:
    """Tell whether the words of a file of this name can be compared; of others the bytes count."""
    return _kind(path) is not None


def same_words(old: bytes, new: bytes, path: bytes) -> bool:
    """Tell whether two versions of a file say the same."""
    kind = _kind(path)
    if kind is None:
        return False
    texts = (data.decode("utf-8", "surrogateescape") for data in (old, new))
    first, second = (text.replace("\r\n", "\n") for text in texts)
    if first == second:
        return True
    if kind == "notebook":
        return _cells(first) == _cells(second)
    kept, body = _front_matter(first, kind)
    kept_now, body_now = _front_matter(second, kind)
    if kept == kept_now:  # Else a title may have moved from one place to the other.
        if body == body_now:
            return True
        if len(body) > _SHORT:
            body, body_now = _cut(body, body_now, kind)
    words, words_now = chain(kept, _words(body, kind)), chain(kept_now, _words(body_now, kind))
    return all(one == other for one, other in zip_longest(words, words_now))


def _kind(path: bytes) -> Kind | None:
    return _KINDS.get(path.rpartition(b".")[2].lower())


def _cut(old: str, new: str, kind: Kind) -> tuple[str, str]:
    """Return what differs of two texts: whole paragraphs, from outside of code and comments on."""
    start = old.rfind("\n\n", 0, _common(old, new)) + 1
    for part, begin, end in _parts(old[:start], kind) if start else ():
        if end == start and part != "text":
            start = begin
    start = old.rfind("\n", 0, start) + 1
    old, new = old[start:], new[start:]
    end = _common(old[::-1], new[::-1])
    blank = _BLANK.search(old, len(old) - end)
    kept = len(old) - blank.start() if blank else 0
    return old[: len(old) - kept], new[: len(new) - kept]


def _common(old: str, new: str) -> int:
    """Return the length of the common start of two texts."""
    low, high = 0, min(len(old), len(new))
    while low < high:
        middle = (low + high + 1) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _words(text: str, kind: Kind) -> Iterator[str]:
    """Yield the words of a text, links' targets among them."""
    for part, start, end in _parts(text, kind):
        if part == "code":
            yield from plain_words(text[start:end])
        elif part == "text":
            yield from _words_of_text(text[start:end], kind)


def plain_words(text: str) -> Iterator[str]:
    """Yield the words of a text without markup."""
    return (match[0] for match in _tokens("code").finditer(text))


@cache
def _tokens(kind: str) -> re.Pattern[str]:
    """Return what finds words; it takes 8 ms to compile, and most sites need one or two."""
    return re.compile(_TOKENS[kind], re.MULTILINE)


def _words_of_text(text: str, kind: Kind) -> Iterator[str]:
    if "&" in text:
        text = _ENTITY.sub(_decoded, text)
    for match in _tokens(kind).finditer(text):
        group = match.lastgroup
        if group == "tag":
            yield from (value.strip("\"'") for value in _ATTRIBUTE.findall(match[0]))
        elif group == "target":
            yield match[0].strip(" \t<").rstrip(".,;:!?*_")
        elif group == "inline":
            yield from plain_words(match[0])
        elif group:
            yield match[0].replace("\u2212", "-")


def _decoded(match: re.Match[str]) -> str:
    """Decode an entity; what it stands for is no markup."""
    text = html.unescape(match[0])
    return text if text.isalnum() or text == match[0] else " "


def _parts(text: str, kind: Kind) -> Iterator[Part]:
    """Split a text into markup, code, and what is not read."""
    begin = position = 0
    while match := _MARKS[kind].search(text, position):
        start, position = match.span()
        mark = match[0].lower()
        found: Literal["code", "unread"] = "unread"
        if mark[0] == "<":
            position = _end(mark.replace("<", "</") if mark[1].isalpha() else "-->", text, position)
        elif fence := _fence(text, start, kind):
            found = "code"
            close = rf"^[ \t>]*{re.escape(fence[1][0])}{{{len(fence[1])},}}[ \t]*$"
            position = _end(close, text, fence.end())
        elif kind == "markdown":
            continue  # Code within a line, where no comment begins.
        yield "text", begin, start
        yield found, start, position
        begin = position
    yield "text", begin, len(text)


def _end(close: str, text: str, start: int) -> int:
    match = re.compile(close, re.MULTILINE | re.IGNORECASE).search(text, start)
    return match.end() if match else len(text)


def _fence(text: str, start: int, kind: Kind) -> re.Match[str] | None:
    """Read the line that begins a block of code, if there is one at this place."""
    if kind == "markdown":
        before = text[max(0, start - _DEEPEST) : start].rpartition("\n")[2]
        if not _BEFORE_FENCE.fullmatch(before):
            return None
    return _FENCE.match(text, start)


def _front_matter(text: str, kind: Kind) -> tuple[list[str], str]:
    """Return the words of the front matter that count, and the text without it."""
    before = ""
    if match := _FRONT_MATTER.match(text):
        fields = match[1] or match[2] or ""
    elif kind == "markdown" and (match := _HEADERS.match(text)):
        fields = match[1]
    elif kind in {"rest", "asciidoc"} and (match := _FIELDS.match(text)):
        before, fields = match.groups()
    else:
        return [], text
    kept = {key.lower(): value for key, value in _KEPT.findall(fields)}
    words = [word for key in _KEPT_KEYS if key in kept for word in plain_words(kept[key])]
    return words, before + text[match.end() :]


def _cells(text: str) -> list[str]:
    """Return the words of a notebook's cells; of one that cannot be read, all of its text."""
    words: list[str] = []
    try:
        for cell in json.loads(text)["cells"]:
            source = "".join(cell.get("source") or ())
            is_code = cell.get("cell_type") == "code"
            words += plain_words(source) if is_code else _words(source, "markdown")
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return [text]
    return words

"""Split the head of an HTML document into tokens as the HTML standard's tokenizer does.

Right for every input, broken or not: comments, raw text, unquoted and repeated attributes come out
as a browser sees them. Scripting counts as enabled, so the content of ``noscript`` is raw text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from html.entities import html5
from typing import NamedTuple

__all__ = [
    "META_PRESCAN",
    "WHITESPACE",
    "Token",
    "attributes",
    "head_tokens",
    "text_content",
    "tokens",
]

WHITESPACE = "\t\n\f\r "

# Section 13.2.5.32 and following: a quote is one only after "=", "/" separates, the name may
# begin with "=". A value that never ends takes the whole tag with it.
_ATTRIBUTE = r"""[^\t\n\f\r />][^\t\n\f\r />=]*+
    (?:[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:"[^"]*+"|'[^']*+'|(?!["'])[^\t\n\f\r >]*+)
      |(?![\t\n\f\r ]*+=))"""
_TAG = re.compile(
    rf"<(/?+[a-zA-Z][^\t\n\f\r />]*+)((?:[\t\n\f\r /]++|{_ATTRIBUTE})*+)>", re.VERBOSE
)
_ATTRIBUTES = re.compile(
    r"""([^\t\n\f\r />][^\t\n\f\r />=]*+)
    (?:[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:"([^"]*+)"|'([^']*+)'|([^\t\n\f\r >]*+)))?+""",
    re.VERBOSE,
)
META_PRESCAN = re.compile(rf"<!(?=--).*?(?:-->|\Z)|{_TAG.pattern}", re.VERBOSE | re.DOTALL)
"""Comments and tags as the standard's prescan for an encoding sees them."""
_TEXT = re.compile(r"[^<]++")
_COMMENT_END = re.compile(r"--!?>")
_REFERENCE = re.compile(r"&(?:#0*([0-9]++)|#[xX]0*([0-9a-fA-F]++)|([a-zA-Z][a-zA-Z0-9]*+));?+")
_SCRIPT_STEP = re.compile(r"<!--|</script(?=[\t\n\f\r />])", re.IGNORECASE | re.ASCII)
_ESCAPED_STEP = re.compile(r"-->|</?script(?=[\t\n\f\r />])", re.IGNORECASE | re.ASCII)

_RAW_TEXT = frozenset(
    {"iframe", "noembed", "noframes", "noscript", "script", "style", "textarea", "title", "xmp"}
)
_RAW_TEXT_ENDS = {
    name: re.compile(rf"(?ai)</{name}(?=[\t\n\f\r />])") for name in sorted(_RAW_TEXT)
}
_IN_HEAD = frozenset(
    {
        "base", "basefont", "bgsound", "head", "html", "link", "meta", "noframes", "noscript",
        "script", "style", "template", "title",
    }
)  # fmt: skip
_ENDS_HEAD = frozenset({"/body", "/html", "/br"})


class Token(NamedTuple):
    """A start tag of a head: its name, the raw text of its attributes, and its raw text content."""

    name: str
    attributes: str
    content: str = ""


def attributes(raw: str) -> dict[str, str]:
    """Return the attributes of a tag, names in lower case, references decoded, the first wins."""
    found: dict[str, str] = {}
    for name, double, single, bare in _ATTRIBUTES.findall(raw):
        value = double or single or bare
        found.setdefault(_lower(name), _attribute_value(value) if "&" in value else value)
    return found


def head_tokens(text: str) -> tuple[list[Token], bool]:
    """Return the start tags that a browser puts into the head, and ``html`` itself, in order.

    The head ends at the first text or tag that is not allowed in it; what follows ``</head>`` up
    to there still belongs to it. The content of ``template`` is left out. The second value tells
    whether that end was reached.
    """
    found: list[Token] = []
    templates = 0
    after_head = False
    for token in tokens(text):
        name = token.name
        if name == "template":
            templates += 1
        elif name == "/template":
            templates -= templates > 0
        elif templates:
            continue
        elif name in _IN_HEAD:
            if after_head and name == "noscript":
                return found, True
            found.append(token)
        elif name == "/head":
            after_head = True
        elif name in _ENDS_HEAD or not name.startswith("/"):
            return found, True
    return found, False


def tokens(text: str) -> Iterator[Token]:
    """Yield start tags, end tags named ``/name``, and text named ``""`` that is not all space."""
    position = 0
    size = len(text)
    while position < size:
        if text[position] != "<":
            run = _TEXT.match(text, position)
            assert run is not None  # noqa: S101 - the character there is no "<"
            position = run.end()
            if run[0].strip(WHITESPACE):
                yield Token("", "", run[0])
            continue
        tag = _TAG.match(text, position)
        if tag is None:
            after = _after_other_markup(text, position)
            if after is None:
                yield Token("", "", "<")
                after = position + 1
            position = after
            continue
        name = _lower(tag[1])
        position = tag.end()
        content = ""
        if name in _RAW_TEXT:
            end = _raw_text_end(text, position, name)
            content = text[position:end]
            position = end
        elif name == "plaintext":
            position = size
        yield Token(name, tag[2], content)


def _after_other_markup(text: str, position: int) -> int | None:
    """Return where a comment, a doctype or an unfinished tag ends; None if "<" is plain text."""
    following = text[position + 1 : position + 2]
    if text.startswith("<!--", position):
        start = position + 4
        for abrupt in (">", "->"):
            if text.startswith(abrupt, start):
                return start + len(abrupt)
        end = _COMMENT_END.search(text, start)
        return end.end() if end else len(text)
    if following == "/":
        letter = text[position + 2 : position + 3]
        if not letter:
            return None
    elif following not in ("!", "?"):
        return len(text) if following.isascii() and following.isalpha() else None
    else:
        letter = following
    if letter.isascii() and letter.isalpha():
        return len(text)
    return text.find(">", position) + 1 or len(text)


def _raw_text_end(text: str, position: int, name: str) -> int:
    """Return where the content of a raw text element ends: before its end tag, or at the end."""
    if name == "script":
        return _script_end(text, position)
    end = _RAW_TEXT_ENDS[name].search(text, position)
    return end.start() if end else len(text)


def _script_end(text: str, position: int) -> int:
    """Return where a script ends: an end tag inside ``<!-- <script>`` does not end it."""
    step = _SCRIPT_STEP.search(text, position)
    while step and step[0] == "<!--":
        nested = False
        position = step.start() + 2
        while escaped := _ESCAPED_STEP.search(text, position):
            position = escaped.end()
            if escaped[0] == "-->":
                break
            if escaped[0].startswith("</"):
                if not nested:
                    return escaped.start()
                nested = False
            else:
                nested = True
        else:
            return len(text)
        step = _SCRIPT_STEP.search(text, position)
    return step.start() if step else len(text)


def _lower(name: str) -> str:
    """Put a name in lower case as HTML does: the Kelvin sign stays what it is."""
    return name.lower() if name.isascii() else name


def text_content(raw: str) -> str:
    """Decode the character references in the content of ``title``."""
    if "&" not in raw:
        return raw
    return _REFERENCE.sub(lambda match: unescape(match[0]) if match[3] else _number(match), raw)


def _attribute_value(raw: str) -> str:
    """Decode the character references of an attribute's value.

    A name without semicolon is one only if neither ``=`` nor a letter or digit follows, so that
    ``?a=1&copy=2`` stays as it is.
    """

    def decode(match: re.Match[str]) -> str:
        if not match[3]:
            return _number(match)
        unfinished = not match[0].endswith(";") and raw.startswith("=", match.end())
        return match[0] if unfinished else html5.get(match[0][1:], match[0])

    return _REFERENCE.sub(decode, raw)


def _number(match: re.Match[str]) -> str:
    """Decode a numeric reference; html.unescape drops some and fails on very long ones."""
    number = int(match[1][:8]) if match[1] else int(match[2][:8], 16)
    return unescape(f"&#{number};") or chr(number)

"""A fingerprint of what a page says, which its frame does not change.

What counts is the text of the main content and where its images and links lead. Navigation, asides,
footers, scripts, dates that a theme prints, permalink signs, and the hashes in the names of assets
are left out, so that neither a new theme nor a new build changes it. Nor does a new highlighter of
code, which puts other spans around the same words.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Container, Iterable, Iterator

from sitemap_plugin.html.content import (
    ATTRIBUTES,
    COMMENT,
    NAME,
    QUOTED,
    RAW_TEXT,
    RAW_TEXT_NAMES,
    decoded,
    main_content,
    plain_content,
)
from sitemap_plugin.html.tokens import WHITESPACE, Token, attributes, text_content

__all__ = ["fingerprint"]

LENGTH = 16
"""Hexadecimal digits of a fingerprint; enough to compare a page with its former self."""

_APART = frozenset({"aside", "button", "footer", "form", "nav", "svg", "template", "time"})
_MAY_BE_STAMPED = frozenset({"a", "div", "p", "section", "small", "span"})
_STAMP_WORDS = re.compile(
    r"headerlink|permalink|md-source-|md-content__button|git-revision-date|last-?updated"
    r"|build-?(?:date|info|time)|edit-?(?:this|page|link|button)"
)
_STAMP = re.compile(_STAMP_WORDS.pattern, re.IGNORECASE)
_SHORTEST_STAMP = len(" id=editpage")
_INLINE = frozenset(
    {
        "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn",
        "em", "font", "i", "ins", "kbd", "label", "mark", "q", "rp", "rt", "ruby", "s", "samp",
        "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "var", "wbr",
    }
)  # fmt: skip
_USUAL_HREF = re.compile(
    r"""(?:[\t\n\f\r ]++(?!href)[a-z-]++(?:="[^"]*+")?+)*+[\t\n\f\r ]++href="([^"&]*+)\""""
)
_HASH = re.compile(r"(?<=[.\-_/])[0-9a-f]{8,64}(?=[.\-_/]|$)", re.IGNORECASE)
_QUERY = re.compile(r"[?#].*")

# A piece is text, then tags that have no say but for parting words, then one that may have one.
# Which of these tags stand apart cannot be told from within a "p" or "span" that does.
_UNCOUNTED = frozenset({"p", "span"})
_LOOKED_AT = "|".join(sorted({*_APART, *_MAY_BE_STAMPED, "a", "img"}))
_NAMES = "|".join(sorted(_INLINE - _MAY_BE_STAMPED))
_SPACE = r"[\t\n\f\r ]"
_ENDS = r"(?=[\t\n\f\r />])"
_WITHIN_LINE = (
    rf"""</(?:span|code|em|strong)>|<span(?: class="[^"&]{{0,7}}+")?+>|<code{QUOTED}>"""
    rf"""|</?+(?:{_NAMES}){_ENDS}{ATTRIBUTES}>|{COMMENT}"""
)
_BREAK = (
    rf"</(?:p|li|td|tr|ul|pre|h[1-6])>|<p>|<(?:li|td|tr|ul|pre|h[1-6]){QUOTED}>"
    rf"|</?+(?!(?:{_LOOKED_AT}|{_NAMES}|{RAW_TEXT_NAMES}){_ENDS}){NAME}{ATTRIBUTES}>|{RAW_TEXT}"
)
_GAP = rf"(?:{_SPACE}++(?=<))?+"
_PIECES = re.compile(
    rf"([^<]*+)(?:(?:{_WITHIN_LINE}){_GAP})*+"
    rf"(?:(?=(<))(?:{_BREAK}){_GAP}(?:(?:{_BREAK}|{_WITHIN_LINE}){_GAP})*+)?"
    rf"(?:<(/?+{NAME})({ATTRIBUTES})>)?"
)


def fingerprint(data: bytes) -> str:
    """Return a fingerprint of an HTML page, the same for pages that say the same."""
    plain = plain_content(decoded(data))
    said = None if plain is None else _said(_PIECES.findall(plain), _UNCOUNTED)
    if said is None:
        said = _said(_pieces(main_content(data))) or []
    text = " ".join("".join(said).split())
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:LENGTH]


def _pieces(content: Iterable[Token]) -> Iterator[tuple[str, str, str, str]]:
    """Yield tokens as pieces: text, what parts words, the name of a tag, and its attributes."""
    for token in content:
        name = token.name
        yield ("" if name else token.content, "", name, token.attributes)


def _said(
    pieces: Iterable[tuple[str, str, str, str]], uncounted: Container[str] = ()
) -> list[str] | None:
    """Return texts and targets of the content, without what stands apart in it.

    Tags within a line of text part no words, all others do. A link within the page leads nowhere.
    None if an element stands apart whose tags are not all among the pieces.
    """
    said: list[str] = []
    apart: str | None = None
    depth = 0
    for text, parted, name, raw in pieces:
        if apart is not None:
            depth += (name == apart) - (name == f"/{apart}")
            apart = apart if depth else None
            continue
        if text and (text[0] > " " or text.strip(WHITESPACE)):
            said.append(text_content(text) if "&" in text else text)
        if parted:
            said.append(" ")
        if not name:
            continue
        if name in _APART or (
            len(raw) >= _SHORTEST_STAMP and name in _MAY_BE_STAMPED and _is_stamp(raw)
        ):
            if name in uncounted:
                return None
            apart, depth = name, 1
        else:
            said.append(_meaning(name, raw))
    return said


def _meaning(name: str, raw: str) -> str:
    """Return what a tag says: where it leads, or that it parts words, if it does."""
    if name == "img":
        given = attributes(raw)
        return f"[{given.get('alt', '')} {_lasting(given.get('src', ''))}]"
    if name == "a":
        target = _lasting(_href(raw))
        return f"[{target}]" if target else ""
    return "" if name.removeprefix("/") in _INLINE else " "


def _lasting(url: str) -> str:
    """Return a URL without hashes, and without the query or fragment that its last line has."""
    url = _HASH.sub("", url)
    last = url.rfind("\n", 0, -1) + 1
    return url[:last] + _QUERY.sub("", url[last:])


def _href(raw: str) -> str:
    usual = _USUAL_HREF.match(raw)
    return usual[1] if usual else attributes(raw).get("href", "")


def _is_stamp(raw: str) -> bool:
    if raw.isascii() and "&" not in raw and not _STAMP_WORDS.search(raw.lower()):
        return False
    given = attributes(raw)
    return _STAMP.search(f"{given.get('class', '')} {given.get('id', '')}") is not None

"""A fingerprint of what a page says, which its frame does not change.

What counts is the text of the main content and where its images and links lead. Navigation, asides,
footers, scripts, dates that a theme prints, permalink signs, and the hashes in the names of assets
are left out, so that neither a new theme nor a new build changes it. Nor does a new highlighter of
code, which puts other spans around the same words.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator

from sitemap_plugin.html.content import (
    ATTRIBUTES,
    NAME,
    NOT_SHOWN,
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
_UNSAID = frozenset({"", *(_INLINE - _MAY_BE_STAMPED), *(f"/{name}" for name in _INLINE)})
_USUAL_HREF = re.compile(
    r"""(?:[\t\n\f\r ]++(?!href)[a-z-]++(?:="[^"]*+")?+)*+[\t\n\f\r ]++href="([^"&]*+)\""""
)
_HASH = re.compile(r"(?<=[.\-_/])[0-9a-f]{8,64}(?=[.\-_/]|$)|[?#].*$", re.IGNORECASE)


_PIECES = re.compile(rf"([^<]*+)(?:{NOT_SHOWN}|<(/?+{NAME})({ATTRIBUTES})>|\Z)")


def fingerprint(data: bytes) -> str:
    """Return a fingerprint of an HTML page, the same for pages that say the same."""
    plain = plain_content(decoded(data))
    pieces = _pieces(main_content(data)) if plain is None else _PIECES.findall(plain)
    said = " ".join("".join(_said(pieces)).split())
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:LENGTH]


def _pieces(content: Iterable[Token]) -> Iterator[tuple[str, str, str]]:
    """Yield tokens as text and tag: the text before a tag, its name, and its attributes."""
    for token in content:
        yield ("" if token.name else token.content, token.name, token.attributes)


def _said(pieces: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    """Yield texts and targets of the content, without what stands apart in it.

    Tags within a line of text part no words, all others do. A link within the page leads nowhere.
    """
    apart: str | None = None
    depth = 0
    for text, name, raw in pieces:
        if apart is not None:
            depth += (name == apart) - (name == f"/{apart}")
            apart = apart if depth else None
            continue
        if text and (text[0] > " " or text.strip(WHITESPACE)):
            yield text_content(text) if "&" in text else text
        if name in _UNSAID:
            continue
        if name in _APART or (
            len(raw) >= _SHORTEST_STAMP and name in _MAY_BE_STAMPED and _is_stamp(raw)
        ):
            apart, depth = name, 1
        elif name == "img":
            given = attributes(raw)
            yield f"[{given.get('alt', '')} {_HASH.sub('', given.get('src', ''))}]"
        elif name == "a":
            target = _HASH.sub("", _href(raw))
            if target:
                yield f"[{target}]"
        elif name not in _INLINE:
            yield " "


def _href(raw: str) -> str:
    usual = _USUAL_HREF.match(raw)
    return usual[1] if usual else attributes(raw).get("href", "")


def _is_stamp(raw: str) -> bool:
    if raw.isascii() and "&" not in raw and not _STAMP_WORDS.search(raw.lower()):
        return False
    given = attributes(raw)
    return _STAMP.search(f"{given.get('class', '')} {given.get('id', '')}") is not None

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

from sitemap_plugin.html.content import main_content
from sitemap_plugin.html.tokens import Token, attributes, text_content

__all__ = ["fingerprint"]

LENGTH = 16
"""Hexadecimal digits of a fingerprint; enough to compare a page with its former self."""

_APART = frozenset({"aside", "button", "footer", "form", "nav", "svg", "template", "time"})
_MAY_BE_STAMPED = frozenset({"a", "div", "p", "section", "small", "span"})
_STAMP = re.compile(
    r"headerlink|permalink|md-source-|md-content__button|git-revision-date|last-?updated"
    r"|build-?(?:date|info|time)|edit-?(?:this|page|link|button)",
    re.IGNORECASE,
)
_INLINE = re.compile(
    r"/?(?:a|abbr|acronym|b|bd[io]|big|cite|code|data|del|dfn|em|font|i|ins|kbd|label|mark|q|r[pt]"
    r"|ruby|s|samp|small|span|strike|strong|su[bp]|tt|u|var|wbr)"
)
_HASH = re.compile(r"(?<=[.\-_/])[0-9a-f]{8,64}(?=[.\-_/]|$)|[?#].*$", re.IGNORECASE)


def fingerprint(data: bytes) -> str:
    """Return a fingerprint of an HTML page, the same for pages that say the same."""
    said = " ".join("".join(_said(main_content(data))).split())
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:LENGTH]


def _said(content: Iterable[Token]) -> Iterator[str]:
    """Yield texts and targets of the content, without what stands apart in it.

    Tags within a line of text part no words, all others do. A link within the page leads nowhere.
    """
    apart: str | None = None
    depth = 0
    for token in content:
        name = token.name
        if apart is not None:
            depth += (name == apart) - (name == f"/{apart}")
            apart = apart if depth else None
        elif name == "":
            yield text_content(token.content)
        elif name in _APART or (name in _MAY_BE_STAMPED and _is_stamp(token)):
            apart, depth = name, 1
        elif name == "img":
            given = attributes(token.attributes)
            yield f"[{given.get('alt', '')} {_HASH.sub('', given.get('src', ''))}]"
        elif name == "a":
            target = _HASH.sub("", attributes(token.attributes).get("href", ""))
            if target:
                yield f"[{target}]"
        elif not _INLINE.fullmatch(name):
            yield " "


def _is_stamp(token: Token) -> bool:
    given = attributes(token.attributes)
    return _STAMP.search(f"{given.get('class', '')} {given.get('id', '')}") is not None

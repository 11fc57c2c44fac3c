"""Find the main content of an HTML page.

That is what Material's ``md-content`` holds, else ``main``, else ``article``; in a page with none
of them it is everything but headers, footers, navigation and asides. Navigation within it is no
content either, nor is the sidebar that Material's blog puts there.
"""

from __future__ import annotations

import re
from itertools import pairwise

from sitemap_plugin.html.encoding import declared_encoding
from sitemap_plugin.html.tokens import Token, attributes, tokens

__all__ = [
    "ATTRIBUTES",
    "COMMENT",
    "NAME",
    "QUOTED",
    "RAW_TEXT",
    "RAW_TEXT_NAMES",
    "decoded",
    "main_content",
    "plain_content",
]

_BEST_FIRST = ("md-content", "main", "article")
_APART = frozenset({"nav", "header", "footer", "aside"})
_CONTAINERS = frozenset({"main", "article", "div", "section", *_APART})

# Markup as nearly all pages have it. What these patterns match, the tokenizer reads the same way;
# what they do not match is left to it. Names that differ in case only are such a case.
_W = r"[\t\n\f\r ]"
_NAME_ENDS = r"(?=[\t\n\f\r />])"
NAME = rf"[a-z][a-z0-9-]*+(?:Gradient|Path|Object)?+{_NAME_ENDS}"
ATTRIBUTES = (
    rf"""(?:{_W}++[^\t\n\f\r <>"'=/]++(?:{_W}*+={_W}*+(?:"[^"]*+"|'[^']*+'"""
    rf"""|[^\t\n\f\r <>"'=`][^\t\n\f\r <>"'`]*+))?+)*+{_W}*+/?+"""
)
QUOTED = r"""(?: [a-z-]++="[^"]*+")*+"""
"""Attributes as most are written, which is quicker to see."""
_RAW_TEXT = (
    "iframe", "noembed", "noframes", "noscript", "script", "style", "textarea", "title", "xmp",
)  # fmt: skip


def _raw_text(name: str, end: str = "") -> str:
    """Return the pattern of a raw text element, without its first character.

    Scripts with ``<!--`` end in unusual places.
    """
    stop = rf"/{name}{_NAME_ENDS}|/[A-Z]" + ("|!--" if name == "script" else "")
    return rf"{name}{_NAME_ENDS}{ATTRIBUTES}>[^<]*+(?:<(?!{stop})[^<]*+)*+{end}"


RAW_TEXT_NAMES = "|".join(_RAW_TEXT)
RAW_TEXT = rf"<(?:{'|'.join(_raw_text(name, f'</{name}{_W}*+>') for name in _RAW_TEXT)})"
"""An element whose content is raw text."""
COMMENT = r"<(?:!--(?!-?>)[^-]*+(?:-(?!-!?>)[^-]*+)*+-->|[!?](?!--)[^>]*+>)"
"""A comment or a declaration."""

_CONTAINER = rf"(?:{'|'.join(sorted(_CONTAINERS))}){_NAME_ENDS}"
_SPECIAL = rf"(?:{'|'.join((*sorted(_CONTAINERS), *_RAW_TEXT, 'plaintext'))}){_NAME_ENDS}"
_USUAL = "a|span|li|p|code|svg|path|ul|ol|label|strong|em|td|th|tr|h[1-6]|pre|button"
_PASSED_OVER = "|".join(
    (
        rf"</(?:{_USUAL})>",
        rf"<(?:{_USUAL}){QUOTED}>",
        rf"</?+(?!{_SPECIAL}){NAME}{ATTRIBUTES}>",
        RAW_TEXT,
        COMMENT,
    )
)
_CONTAINER_TAGS = re.compile(
    rf"[^<]*+(?:(?:{_PASSED_OVER})[^<]*+)*+(?:<(/?+{_CONTAINER})({ATTRIBUTES})>|\Z|([\s\S]))"
)


class _Opened:
    """The containers that are open, and what they are, of the kinds that matter here.

    What the main content lies in does not count: navigation that was never closed hides nothing.
    """

    def __init__(self) -> None:
        self.around: frozenset[str] = frozenset()
        """The kinds that hold what comes next."""
        self.seen: set[str] = set()
        self._opened: list[tuple[str, frozenset[str]]] = []
        self._names = dict.fromkeys(_CONTAINERS, 0)

    def take(self, name: str, raw: str) -> None:
        """Open or close a container; an end tag closes all that were left open in it."""
        if name[0] != "/":
            self._opened.append((name, self.around))
            self._names[name] += 1
            kind = _kind(name, raw)
            if kind:
                self.seen.add(kind)
                left = self.around - _APART if kind in _BEST_FIRST else self.around
                self.around = left | {kind}
            return
        name = name[1:]
        while self._names[name]:
            closed, self.around = self._opened.pop()
            self._names[closed] -= 1
            if closed == name:
                return

    def is_content(self, around: frozenset[str]) -> bool:
        """Tell whether these kinds hold main content, once the whole page was seen."""
        wanted = next((kind for kind in _BEST_FIRST if kind in self.seen), None)
        if wanted:
            return wanted in around and "nav" not in around
        return around.isdisjoint(_APART)


def decoded(data: bytes) -> str:
    """Return the text of a document."""
    return data.decode(declared_encoding(data), "replace")


def main_content(data: bytes) -> list[Token]:
    """Return the tokens of a page's main content: start tags, end tags and text."""
    text = decoded(data)
    plain = plain_content(text)
    if plain is not None:
        return list(tokens(plain))
    opened = _Opened()
    found: list[tuple[Token, frozenset[str]]] = []
    for token in tokens(text):
        if token.name.removeprefix("/") in _CONTAINERS:
            opened.take(token.name, token.attributes)
        found.append((token, opened.around))
    content = {around for _, around in found if opened.is_content(around)}
    return [token for token, around in found if around in content]


def plain_content(text: str) -> str | None:
    """Return the markup of a page's main content; None if that of the page is unusual.

    It is cut at tags of containers only, so that its tokens are those of the page.
    """
    opened = _Opened()
    cuts: list[tuple[int, frozenset[str]]] = [(0, opened.around)]
    for found in _CONTAINER_TAGS.finditer(text):
        name, raw, unusual = found.groups()
        if unusual:
            return None
        if name:
            opened.take(name, raw)
            if opened.around is not cuts[-1][1]:
                cuts.append((found.start(1) - 1, opened.around))
    cuts.append((len(text), opened.around))
    return "".join(
        text[start:end] for (start, around), (end, _) in pairwise(cuts) if opened.is_content(around)
    )


def _kind(name: str, raw: str) -> str | None:
    if name in _APART or name in _BEST_FIRST:
        return name
    if "md-content" not in raw and "md-sidebar" not in raw and "main" not in raw and "&" not in raw:
        return None
    given = attributes(raw)
    classes = given.get("class", "").split()
    if "md-content" in classes:
        return "md-content"
    if "md-sidebar" in classes:
        return "nav"
    return "main" if given.get("role") == "main" else None

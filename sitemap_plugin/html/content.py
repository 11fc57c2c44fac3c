"""Find the main content of an HTML page.

That is what Material's ``md-content`` holds, else ``main``, else ``article``; in a page with none
of them it is everything but headers, footers, navigation and asides. Navigation within it is no
content either, nor is the sidebar that Material's blog puts there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sitemap_plugin.html.encoding import declared_encoding
from sitemap_plugin.html.tokens import Token, attributes, tokens

__all__ = ["main_content"]

_BEST_FIRST = ("md-content", "main", "article")
_APART = frozenset({"nav", "header", "footer", "aside"})
_CONTAINERS = frozenset({"main", "article", "div", "section", *_APART})


class _Element(NamedTuple):
    """An open container: its name, and what it is, of the kinds that matter here."""

    name: str
    kind: str | None


def main_content(data: bytes) -> list[Token]:
    """Return the tokens of a page's main content: start tags, end tags and text."""
    found: list[tuple[Token, frozenset[str]]] = []
    seen: set[str] = set()
    opened: list[_Element] = []
    around: frozenset[str] = frozenset()
    for token in tokens(data.decode(declared_encoding(data), "replace")):
        name = token.name
        if name in _CONTAINERS:
            kind = _kind(token)
            opened.append(_Element(name, kind))
            if kind:
                seen.add(kind)
                around = _around(opened)
        elif name[1:] in _CONTAINERS and name[0] == "/":
            _close(opened, name[1:])
            around = _around(opened)
        found.append((token, around))
    wanted = next((kind for kind in _BEST_FIRST if kind in seen), None)
    if wanted:
        return [token for token, kinds in found if wanted in kinds and "nav" not in kinds]
    return [token for token, kinds in found if kinds.isdisjoint(_APART)]


def _kind(token: Token) -> str | None:
    if token.name in _APART or token.name in _BEST_FIRST:
        return token.name
    given = attributes(token.attributes)
    classes = given.get("class", "").split()
    if "md-content" in classes:
        return "md-content"
    if "md-sidebar" in classes:
        return "nav"
    return "main" if given.get("role") == "main" else None


def _around(opened: Iterable[_Element]) -> frozenset[str]:
    """Return the kinds that hold what comes next.

    What the main content lies in does not count: navigation that was never closed hides nothing.
    """
    kinds: set[str] = set()
    for element in opened:
        if element.kind in _BEST_FIRST:
            kinds -= _APART
        if element.kind:
            kinds.add(element.kind)
    return frozenset(kinds)


def _close(opened: list[_Element], name: str) -> None:
    """Close the innermost open container of that name and all that were left open in it."""
    for index in range(len(opened) - 1, -1, -1):
        if opened[index].name == name:
            del opened[index:]
            return

"""Find the main content of an HTML page.

That is what Material's ``md-content`` holds, else ``main``, else ``article``; in a page with none
of them it is everything but headers, footers, navigation and asides.
"""

from __future__ import annotations

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
                around |= {kind}
        elif name[1:] in _CONTAINERS and name[0] == "/":
            _close(opened, name[1:])
            around = frozenset(element.kind for element in opened if element.kind)
        found.append((token, around))
    wanted = next((kind for kind in _BEST_FIRST if kind in seen), None)
    if wanted:
        return [token for token, kinds in found if wanted in kinds]
    return [token for token, kinds in found if kinds.isdisjoint(_APART)]


def _kind(token: Token) -> str | None:
    if token.name in _APART or token.name in _BEST_FIRST:
        return token.name
    given = attributes(token.attributes)
    if "md-content" in given.get("class", "").split():
        return "md-content"
    return "main" if given.get("role") == "main" else None


def _close(opened: list[_Element], name: str) -> None:
    """Close the innermost open container of that name and all that were left open in it."""
    for index in range(len(opened) - 1, -1, -1):
        if opened[index].name == name:
            del opened[index:]
            return

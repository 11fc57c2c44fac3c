"""Parse HTML documents by Lexbor, as a browser that runs scripts does."""

from __future__ import annotations

import re
from itertools import accumulate

from selectolax.lexbor import LexborHTMLParser

__all__ = ["is_too_deep", "parse"]

DEEPEST = 1000
"""Blocks that may lie in one another. Browsers stop at 512."""

_BLOCK = re.compile(
    rb"<(/?)(?:address|article|aside|blockquote|center|details|dialog|dir|div|dl|fieldset|figure"
    rb"|footer|form|header|hgroup|main|menu|nav|ol|section|summary|table|ul)(?=[\s/>])",
    re.IGNORECASE,
)


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

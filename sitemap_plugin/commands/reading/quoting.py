"""Show foreign text so that it fits into a sentence and does nothing to a terminal."""

from __future__ import annotations

import re

__all__ = ["quote", "shown"]

_PASSWORD = re.compile(r"(://)[^/?#@\s]{1,200}@")


def quote(value: str) -> str:
    """Quote what a file holds."""
    return f"'{shown(value, 120)}'"


def shown(text: str, longest: int) -> str:
    """Cut a text to a length, and make characters visible that are not printable."""
    cut = text if len(text) <= longest else f"{text[: longest - 3]}..."
    if "@" in cut:
        cut = _PASSWORD.sub(r"\1...@", cut)
    return cut if cut.isprintable() else "".join(map(_visible, cut))


def _visible(character: str) -> str:
    return character if character.isprintable() else ascii(character)[1:-1]

"""Show what comes from others in one line of a message."""

from __future__ import annotations

__all__ = ["quoted", "shown"]


def shown(text: str, limit: int = 200) -> str:
    """Make a text of the user's fit into a message."""
    text = text if text.isprintable() else ascii(text)
    return text if len(text) <= limit else f"{text[: limit - 3]}..."


def quoted(value: object) -> str:
    """Make a value of the user's fit into a message."""
    try:
        return shown(repr(value))
    except ValueError:  # Python refuses to write integers of thousands of digits.
        return "a huge number"

"""The forms in which findings are given, one module each.

Each has a function ``render(outcome)`` that returns the text to print, the final newline included.
"""

from __future__ import annotations

__all__ = ["FORMATS"]

FORMATS = ("text", "json", "sarif", "github", "html")
"""The names of the forms, which are those of the modules."""

"""Warnings about what front matter says of images, news and videos."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sitemap_plugin.common.text import quoted
from sitemap_plugin.config.checks import did_you_mean
from sitemap_plugin.errors import Problem
from sitemap_plugin.models import Page

__all__ = ["bad_value", "unknown_keys"]

_MAX_VALUE = 80


def bad_value(page: Page, key: str, value: Any, cure: str) -> Problem:
    """Return the warning for a value that cannot be used, or that is missing."""
    shown = quoted(value)
    shown = shown if len(shown) <= _MAX_VALUE else f"{shown[: _MAX_VALUE - 3]}..."
    state = "missing" if value is None else shown
    return Problem("warning", f"front matter {key!r} is {state}: {cure}", page.where)


def unknown_keys(
    page: Page, place: str, given: Mapping[Any, Any], known: Sequence[str]
) -> Iterator[Problem]:
    """Yield a warning for each key of a mapping that nobody knows."""
    for key in given:
        if key not in known:
            cure = did_you_mean(key, known) or f"; there are {', '.join(known)}"
            message = f"front matter {place!r} has an unknown key {quoted(key)}{cure}"
            yield Problem("warning", message, page.where)

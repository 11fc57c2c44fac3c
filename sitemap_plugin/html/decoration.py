"""Tell the images that a page shows from those that only decorate it."""

from __future__ import annotations

import re
from collections.abc import Mapping

TINY = 32
"""Width or height in pixels up to which an image is an icon or a counter."""

_LONGEST = 2048
"""Characters of a URL that are looked at; a longer one cannot be listed."""

_FONT_SIZE = 16
"""Pixels of an ``em`` where nobody has said otherwise."""

_CLASSES = re.compile(
    r"(?<!\S)(?:twemoji|emojione|gemoji|emoji)(?!\S)|(?<![a-z])(?:avatar|badge|icon)s?(?![a-z])",
    re.IGNORECASE,
)
_HIDDEN_ROLES = frozenset({"presentation", "none"})
_HIDDEN_STYLE = re.compile(
    r"(?:^|;)\s*+(?:display\s*+:\s*+none|visibility\s*+:\s*+hidden)\b", re.IGNORECASE
)
_LENGTH = re.compile(r"\s*+([0-9]++)(?![0-9.]*+%)")
"""HTML, "rules for parsing dimension values": what follows the number is ignored, but for ``%``."""

_STYLED_LENGTH = re.compile(
    r"(?:^|;)\s*+(?:max-)?(?:width|height)\s*+:\s*+([0-9]++(?:\.[0-9]++)?|\.[0-9]++)(px|r?em)\b",
    re.IGNORECASE,
)
_MARK = re.compile(
    # Services that draw the state of a project,
    r"//(?:[\w-]+\.)*(?:shields\.io|badgen\.net|badgesize\.io|travis-ci\.(?:org|com))/"
    r"|//(?:[\w-]+\.)?circleci\.com/.*\.svg|//ci\.appveyor\.com/api/"
    r"|//dev\.azure\.com/.*/build/status"
    # and nearly all the others, which say so. A photo is none, whatever its name.
    r"|(?<![a-z])badges?(?![a-z])(?!.*\.(?:jpe?g|webp|avif)$)"
    # Services that keep the pictures of people.
    r"|//avatars?[0-9]*\.githubusercontent\.com/"
    r"|//(?:[\w-]+\.)?(?:gravatar\.com|libravatar\.org)/avatar/",
    re.IGNORECASE,
)


def is_decoration(given: Mapping[str, str | None]) -> bool:
    """Tell from the attributes of an ``img`` whether it is an icon, is hidden or counts readers."""
    if given.get("role") in _HIDDEN_ROLES or given.get("aria-hidden") == "true":
        return True
    style = given.get("style") or ""
    if "hidden" in given or _HIDDEN_STYLE.search(style):
        return True
    return _CLASSES.search(given.get("class") or "") is not None or _is_tiny(given, style)


def is_mark(url: str) -> bool:
    """Tell from the URL of an image on another host whether it is a badge or an avatar."""
    return _MARK.search(url[:_LONGEST]) is not None


def _is_tiny(given: Mapping[str, str | None], style: str) -> bool:
    for name in ("width", "height"):
        length = _LENGTH.match(given.get(name) or "")
        if length and int(length[1][:6]) <= TINY:
            return True
    return any(
        float(number[:6]) * (1 if unit.lower() == "px" else _FONT_SIZE) <= TINY
        for number, unit in _STYLED_LENGTH.findall(style)
    )

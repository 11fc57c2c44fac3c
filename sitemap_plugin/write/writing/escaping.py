"""Text for XML: escapes all five characters, and many URLs at once."""

from __future__ import annotations

import re
import string
from collections.abc import Sequence

from sitemap_plugin.write.writing.validity import is_url, plain_text

__all__ = ["FaultError", "escape", "escape_legal", "escape_text", "escape_urls"]

# RFC 3986 without '#', which starts a fragment, and without what XML wants escaped.
_PLAIN = (string.ascii_letters + string.digits + "-._~:/?@!$()*+,;=%").encode()
_LONE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_NO_HOST = ("///", "//?", "//\n")


class FaultError(ValueError):
    """Something in this batch is invalid; which entry it is has to be found out."""


def escape(text: str) -> str:
    """Escape a text for an XML element or a quoted attribute."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;").replace("'", "&apos;")


def escape_text(text: str, limit: int | None = None) -> str:
    """Escape a text of the user's into ASCII; what is longer than ``limit`` is shortened."""
    text = plain_text(text)
    if limit is not None and len(text) > limit:
        text = f"{text[: limit - 1].rstrip()}\u2026"
    return escape(text).encode("ascii", "xmlcharrefreplace").decode("ascii")


def escape_legal(urls: Sequence[str]) -> Sequence[str]:
    """Escape absolute URLs; raise FaultError when one has a character that no URL may have."""
    return _escape_lines("\n".join(urls), urls)


def escape_urls(urls: Sequence[str], base_url: str) -> Sequence[str]:
    """Escape URLs; raise FaultError when one is not absolute or has an illegal character.

    Those below ``base_url`` are known to be absolute, and it is they that most are.
    """
    text = "\n".join(urls)
    breaks = len(urls) - 1
    if not (
        (text.startswith(base_url) and text.count(f"\n{base_url}") == breaks)
        or _all_absolute(text, breaks)
        or all(map(is_url, urls))
    ):
        raise FaultError
    return _escape_lines(text, urls)


def _all_absolute(text: str, breaks: int) -> bool:
    """Tell whether each line surely begins with a scheme and a host."""
    return (
        text.startswith(("https://", "http://"))
        and text.count("\nhttps://") + text.count("\nhttp://") == breaks
        and not any(doubtful in f"{text}\n" for doubtful in _NO_HOST)
    )


def _escape_lines(text: str, urls: Sequence[str]) -> Sequence[str]:
    """Escape URLs, of which ``text`` has one a line if all is well."""
    breaks = len(urls) - 1
    try:
        odd = text.encode("ascii").translate(None, _PLAIN)
    except UnicodeEncodeError as error:
        raise FaultError from error
    if "%" in text and _LONE_PERCENT.search(text):
        raise FaultError
    if odd.count(b"\n") == breaks:
        if len(odd) == breaks:
            return urls
        if len(odd.translate(None, b"&'")) == breaks:
            return escape(text).split("\n")
    # Brackets around an IPv6 address are legal too.
    if b"[" in odd and all(map(is_url, urls)):
        return [escape(url) for url in urls]
    raise FaultError

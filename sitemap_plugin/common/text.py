"""Foreign text in messages: escaped, limited in length, and without passwords in addresses."""

import difflib
import re
from collections.abc import Iterable, Sized
from html import unescape
from itertools import islice
from unicodedata import category

# After a scheme or "//", or "user:password@" by itself.
_PASSWORD = re.compile(
    r"(?:(?<=[:/]/)|(?<=http:)|(?<=https:)|(?<=ftp:))[^/?#@\s'\"<>]*@(?:[^/?#@\s'\"<>]*@)*"
    r"|(?<![^\s'\"<>.(])(?!mailto:)[\w~%+-]+:[^/?#@\s'\"<>]+@",
    re.IGNORECASE,
)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_LONGEST_TITLE = 10_000
_MOST_WRITTEN = 2000


def shown(text: str, limit: int = 200) -> str:
    """Make foreign text fit into one line of a message."""
    text = without_passwords(text[: 8 * limit])
    if not text.isprintable():
        # A terminal or a log would obey what is escaped here, instead of showing it.
        kept = (c if c.isprintable() or category(c) == "Zs" else ascii(c)[1:-1] for c in text)
        text = "".join(kept)
    return text if len(text) <= limit else f"{text[: limit - 3]}..."


def without_passwords(text: str) -> str:
    """Mask the passwords in addresses."""
    return _PASSWORD.sub("***@", text) if "@" in text else text


def quoted(value: object, limit: int = 200) -> str:
    """Make any value fit into a message, as Python writes it; never raises."""
    if _is_large(value):  # A few lines of YAML can stand for gigabytes.
        return f"a large {type(value).__name__}"
    try:
        return shown(repr(value), limit)
    except Exception:  # noqa: BLE001 - a plugin's object may raise anything
        # Python refuses to write integers of thousands of digits.
        return "a huge number" if isinstance(value, int) else f"a {type(value).__name__}"


def as_text(value: object) -> str:
    """Return a text as it is, and any other value as Python writes it; never raises."""
    return value if isinstance(value, str) else quoted(value)


def _is_large(value: object) -> bool:
    """Tell whether a list or a mapping has too much in it to be written out."""
    left, waiting = _MOST_WRITTEN, [value]
    while waiting and left > 0:
        item = waiting.pop()
        if isinstance(item, dict):
            waiting += [*islice(item, left), *islice(item.values(), left)]
        elif isinstance(item, list | tuple | set | frozenset):
            waiting += islice(item, left)
        elif item is not value and isinstance(item, str | bytes):
            left -= len(item)
        left -= 1
    return bool(waiting)


def error_text(error: BaseException) -> str:
    """Return the message of any exception in one line, also of one whose ``str()`` raises."""
    try:
        text = " ".join(str(error).split())
    except Exception:  # noqa: BLE001 - a plugin's exception may raise anything
        text = "its message cannot be shown"
    return shown(f"{type(error).__name__}: {text}" if text else type(error).__name__, 500)


def counted(number: int, noun: str) -> str:
    """Return ``1 page``, ``2,000 pages`` or ``2 addresses``."""
    return f"1 {noun}" if number == 1 else f"{number:,} {noun}{'es' * noun.endswith('s') or 's'}"


def and_more(pages: Sized) -> str:
    """Return ``(2 more pages like it)`` for a message about the first of some pages."""
    return f" ({counted(len(pages) - 1, 'more page')} like it)" if len(pages) > 1 else ""


def did_you_mean(word: object, known: Iterable[str]) -> str:
    """Return ``; did you mean 'x'?`` for the nearest known word, or an empty string."""
    text = word[:200] if isinstance(word, str) else quoted(word)
    near = difflib.get_close_matches(text.lower(), list(known), n=1, cutoff=0.6)
    return f"; did you mean '{near[0]}'?" if near else ""


def plain_title(title: str | None) -> str | None:
    """Return the title of a page without the markup that generators allow in it; None if empty."""
    if title and ("<" in title or "&" in title):
        title = unescape(_TAG.sub("", title[:_LONGEST_TITLE]))
    return title or None

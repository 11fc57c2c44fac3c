"""Take Markdown apart: what the tests of the documentation compare with the code."""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]

_FENCE = re.compile(r'^```(\w+)?(?: title="([^"\n]*)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)


class Fence(NamedTuple):
    """A block of code; ``title`` is the file that it belongs to."""

    language: str
    title: str
    text: str


def fences(text: str, language: str | None = None) -> list[Fence]:
    """Return the blocks of code, or those of one language."""
    found = [Fence(*(part or "" for part in match)) for match in _FENCE.findall(text)]
    return [fence for fence in found if language in (None, fence.language)]


def sections(text: str, level: int) -> dict[str, str]:
    """Return the text below each heading of a level, by the heading without back-quotes."""
    mark = "#" * level
    parts = re.split(rf"^{mark} (.+)$", _without_code(text, keep=True), flags=re.MULTILINE)
    higher = re.compile(rf"^#{{1,{level}}} ", re.MULTILINE)
    return {
        heading.replace("`", ""): higher.split(body)[0].replace("\0", "#")
        for heading, body in zip(parts[1::2], parts[2::2], strict=True)
    }


def table(text: str, *, first: str) -> list[list[str]]:
    """Return the rows of all tables whose first column has this heading."""
    rows: list[list[str]] = []
    inside = False
    for line in _without_code(text).splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            inside = False
        elif inside and not set(line) <= set("|-: "):
            rows.append(cells)
        elif cells[0] == first:
            inside = True
    return rows


def code(text: str) -> list[str]:
    """Return what stands between back-quotes."""
    return re.findall(r"`([^`]+)`", text)


def links(text: str) -> list[str]:
    """Return the targets of links that are no URLs of other sites."""
    targets = re.findall(r"\]\(([^)\s]+)\)", _without_code(text))
    return [target for target in targets if "://" not in target]


def items(text: str) -> list[tuple[list[str], str]]:
    """Return the items of lists that begin with names in back-quotes: the names, and the rest."""
    found = re.findall(r"^- (`[^`]+`(?:, `[^`]+`)*)(.*)$", _without_code(text), re.MULTILINE)
    return [(code(names), rest) for names, rest in found]


def _without_code(text: str, *, keep: bool = False) -> str:
    """Return the text without its blocks of code, or with the ``#`` in them made NUL."""
    return _FENCE.sub(lambda match: match[0].replace("#", "\0") if keep else "", text)

"""Find the files that a source includes by pymdownx.snippets, which Zensical knows too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from sitemap_plugin.common.files import read_file

__all__ = ["find_snippets"]

LIMIT = 1 << 24
# One name in quotes, or lines of names between two marks.
_SNIPPET = re.compile(r"^[ \t]*-+8<-+[ \t]+([\"'])(.+?)\1[ \t]*$", re.MULTILINE)
_BLOCK = re.compile(r"^[ \t]*-+8<-+[ \t]*$\n(.*?)^[ \t]*-+8<-+[ \t]*$", re.MULTILINE | re.DOTALL)
_LINES = re.compile(r":[^/\\]*\Z")


def find_snippets(text: str, folders: Sequence[Path]) -> tuple[Path, ...]:
    """Return the files that a text includes, and those that these include.

    ``folders`` are those of the option ``base_path``, none where snippets are not used.
    """
    found: dict[Path, None] = {}
    waiting = [text] if folders else []
    while waiting:
        for path in _files(waiting.pop(), folders):
            if path not in found:
                found[path] = None
                with suppress(OSError):
                    waiting.append(read_file(path, limit=LIMIT).decode("utf-8", "replace"))
    return tuple(found)


def _files(text: str, folders: Sequence[Path]) -> Iterator[Path]:
    names = [match[2] for match in _SNIPPET.finditer(text)]
    for block in _BLOCK.finditer(text):
        names += [line.strip() for line in block[1].splitlines()]
    for name in names:
        path = _LINES.sub("", name)  # Lines or a section may be named: `file.md:4:6`.
        if path and not path.startswith((";", "http://", "https://")):
            yield from (folder / path for folder in folders if (folder / path).is_file())

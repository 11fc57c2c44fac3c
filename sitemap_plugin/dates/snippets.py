"""Find the files that a Markdown source is made of, for the generators that know snippets.

``pymdownx.snippets`` names a file as ``--8<-- "name"``, or one a line between two ``--8<--``. What
it appends to every page (``auto_append``, abbreviations mostly) does not count.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from sitemap_plugin.common.files import read_file

LIMIT = 1 << 24
"""Bytes of a file in which includes are looked for."""

_SNIPPET = re.compile(
    r"^[ \t]*-+8<-+(?:[ \t]+([\"'])(.+?)\1[ \t]*$|[ \t]*\n(.*?)^[ \t]*-+8<-+[ \t]*$)",
    re.MULTILINE | re.DOTALL,
)
# Lines or a section may be named: `file.md:4:6`, `file.md:section`.
_PART = re.compile(r":[^/\\]*\Z")

Finder = Callable[[str, Path], Iterable[Path]]
"""Returns the files that a text includes, given also the file that holds the text."""


def find_included(source: Path, finders: Sequence[Finder]) -> tuple[Path, ...]:
    """Return the files that a source includes, and those that these include."""
    found: dict[Path, None] = {}
    waiting = [source] if finders else []
    while waiting:
        path = waiting.pop()
        try:
            text = read_file(path, limit=LIMIT).decode("utf-8", "replace").replace("\r\n", "\n")
        except OSError:
            continue
        named = dict.fromkeys(part for finder in finders for part in finder(text, path))
        new = [part for part in named if part not in found and part != source]
        found.update(dict.fromkeys(new))
        waiting += new
    return tuple(found)


def find_snippets(folders: Sequence[Path]) -> Finder:
    """Return a finder of snippets; ``folders`` are those of the option ``base_path``."""

    def find(text: str, _: Path) -> Iterator[Path]:
        for match in _SNIPPET.finditer(text) if "8<-" in text else ():
            for name in match[2].split("\n") if match[2] else match[3].split("\n"):
                path = _PART.sub("", name.strip())
                if path and not path.startswith((";", "http://", "https://")):
                    files = (Path(os.path.normpath(folder / path)) for folder in folders)
                    yield from [file for file in files if file.is_file()][:1]

    return find

"""Find the files that a Markdown source includes: pymdownx.snippets and include-markdown."""

from __future__ import annotations

import glob
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from sitemap_plugin.common.files import read_file

__all__ = ["find_includes"]

LIMIT = 1 << 24
DEPTH = 10
"""How far an included file may include others."""

# As pymdownx.snippets reads them: one name in quotes, or lines of names between two marks.
_SNIPPET = re.compile(r"^[ \t]*-+8<-+[ \t]+([\"'])(.+?)\1[ \t]*$", re.MULTILINE)
_BLOCK = re.compile(r"^[ \t]*-+8<-+[ \t]*$\n(.*?)^[ \t]*-+8<-+[ \t]*$", re.MULTILINE | re.DOTALL)
_LINES = re.compile(r":[^/\\]*\Z")
_INCLUDE = re.compile(r"\{%-?\s*include(?:-markdown)?\s+([\"'])(.+?)\1")


def find_includes(
    text: str,
    source: Path,
    *,
    snippets: Sequence[Path] = (),
    docs_dir: Path | None = None,
    depth: int = DEPTH,
) -> list[Path]:
    """Return the files that the text of a source includes, and those that these include.

    ``snippets`` are the folders in which pymdownx.snippets looks (``base_path``), none where it is
    not used; ``docs_dir`` is the folder of the sources where include-markdown is used.
    """
    found = dict.fromkeys(_snippets(text, snippets)) if snippets else {}
    if docs_dir:
        found |= dict.fromkeys(_includes(text, (source.parent, docs_dir)))
    for path in list(found) if depth else ():
        try:
            inner = read_file(path, limit=LIMIT).decode("utf-8-sig", "replace")
        except OSError:
            continue
        more = find_includes(inner, path, snippets=snippets, docs_dir=docs_dir, depth=depth - 1)
        found |= dict.fromkeys(more)
    return list(found)


def _snippets(text: str, folders: Sequence[Path]) -> Iterator[Path]:
    names = [match[2] for match in _SNIPPET.finditer(text)]
    for block in _BLOCK.finditer(text):
        names += [line.strip() for line in block[1].splitlines()]
    for name in names:
        path = _LINES.sub("", name)  # Lines or a section may be named: `file.md:4:6`.
        files = (folder / path for folder in folders)
        if path and not path.startswith((";", "http://", "https://")):
            yield from (file for file in files if file.is_file())


def _includes(text: str, folders: Iterable[Path]) -> Iterator[Path]:
    for match in _INCLUDE.finditer(text):
        for folder in folders:
            # An absolute pattern and `..` are fine here, unlike in Path.glob.
            files = sorted(glob.glob(str(folder / match[2]), recursive=True))  # noqa: PTH207
            if files:
                yield from (path for path in map(Path, files) if path.is_file())
                break

"""Files that a page is made of: ``pymdownx.snippets`` and mkdocs-include-markdown-plugin.

What snippets append to every page (``auto_append``, abbreviations mostly) does not count.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitemap_plugin.common.files import read_file

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

__all__ = ["find_includes"]

_LIMIT = 1 << 24
_INLINE = re.compile(r"""[ \t]*-+8<-+[ \t]+(["'])([^"'\n]+)\1[ \t]*\r?$""")
_BLOCK = re.compile(r"[ \t]*-+8<-+[ \t]*\r?$")

Finder = Callable[[str, Path], Iterator[Path]]
"""Yields the files that a text includes, given also the file that holds the text."""


def find_includes(config: MkDocsConfig) -> Callable[[Path], tuple[Path, ...]]:
    """Return a function that gives all files that a source includes, directly or not."""
    finders = list(_finders(config))

    def includes(source: Path) -> tuple[Path, ...]:
        found: dict[Path, None] = {}
        waiting = [source] if finders else []
        while waiting:
            path = waiting.pop()
            try:
                text = read_file(path, limit=_LIMIT).decode("utf-8", "replace")
            except OSError:
                continue
            for finder in finders:
                new = [part for part in finder(text, path) if part not in found and part != source]
                found.update(dict.fromkeys(new))
                waiting += new
        return tuple(found)

    return includes


def _finders(config: MkDocsConfig) -> Iterator[Finder]:
    if "pymdownx.snippets" in config.markdown_extensions:
        given: Any = (config.mdx_configs.get("pymdownx.snippets") or {}).get("base_path", ".")
        bases = [given] if isinstance(given, str | os.PathLike) else list(given)
        yield lambda text, _: _snippets(text, [Path.cwd() / base for base in bases])
    plugin = config.plugins.get("include-markdown")
    if plugin is not None:
        directive = _directive(plugin.config)
        docs = Path(config.docs_dir)
        yield lambda text, path: _included(directive, text, path, docs)


def _snippets(text: str, bases: list[Path]) -> Iterator[Path]:
    for name in _snippet_names(text) if "8<-" in text else ():
        if "://" in name or name.startswith(";"):
            continue
        # Lines and sections follow the name: `file.md:4:6`, `file.md:section`.
        for base in bases:
            file = _snippet_at(base, name) or _snippet_at(base, name.partition(":")[0])
            if file:
                yield file
                break


def _snippet_names(text: str) -> Iterator[str]:
    """Yield what stands in `--8<-- "name"`, and each line between two `--8<--`."""
    in_block = False
    for line in text.split("\n"):
        if _BLOCK.match(line):
            in_block = not in_block
        elif in_block:
            if line.strip():
                yield line.strip()
        elif found := _INLINE.match(line):
            yield found[2].strip()


def _snippet_at(base: Path, name: str) -> Path | None:
    """Return the file of that name in a folder, or the base itself if it is that file."""
    path = Path(os.path.normpath((base if base.is_dir() else base.parent) / name))
    if not path.is_file() or (not base.is_dir() and path != base):
        return None
    return path


def _directive(options: Any) -> re.Pattern[str]:
    """Return a pattern for the plugin's directives, whose marks and names can be set."""
    names = options.get("directives") or {}
    words = {names.get(word) or word for word in ("include", "include-markdown")}
    start = re.escape(options.get("opening_tag") or "{%")
    either = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return re.compile(rf"""{start}\s*(?:{either})\s+(?:"([^"\n]+)"|'([^'\n]+)')""")


def _included(directive: re.Pattern[str], text: str, path: Path, docs: Path) -> Iterator[Path]:
    """Yield the files that a pattern names, from the including file if it begins with a point."""
    for found in directive.finditer(text):
        name = found[1] or found[2]
        if "://" in name:
            continue
        base = path.parent if name.startswith(("./", "../")) else docs
        for match in sorted(glob(str(base / name), recursive=True)):  # noqa: PTH207 - the name may be absolute
            if (file := Path(os.path.normpath(match))).is_file():
                yield file

"""Files that a page is made of: ``pymdownx.snippets`` and mkdocs-include-markdown-plugin."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitemap_plugin.dates.snippets import Finder, find_snippets

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig


def include_finders(config: MkDocsConfig) -> list[Finder]:
    """Return what finds the includes of a text, as far as the site uses such an extension."""
    finders: list[Finder] = []
    if "pymdownx.snippets" in config.markdown_extensions:
        given: Any = (config.mdx_configs.get("pymdownx.snippets") or {}).get("base_path", ".")
        bases = [given] if isinstance(given, str | os.PathLike) else given
        finders.append(find_snippets([Path.cwd() / base for base in bases]))
    plugin = config.plugins.get("include-markdown")
    if plugin is not None:
        directive, docs = _directive(plugin.config), Path(config.docs_dir)
        finders.append(lambda text, path: _included(directive, text, path, docs))
    return finders


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
        base = path.parent if name.startswith(("./", "../")) else docs
        for match in sorted(glob(str(base / name), recursive=True)):  # noqa: PTH207 - the name may be absolute
            if (file := Path(os.path.normpath(match))).is_file():
                yield file

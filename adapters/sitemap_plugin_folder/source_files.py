"""Find the files that the pages of a folder were written in."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath

from sitemap_plugin.common.text import counted
from sitemap_plugin.errors import Problem
from sitemap_plugin.html import read_head
from sitemap_plugin.languages.codes import normalize
from sitemap_plugin_folder.folder_files import page_key

SUFFIXES = frozenset({".md", ".markdown", ".mdx", ".rst", ".adoc", ".ipynb", ".html", ".txt"})
_OF_A_FOLDER = frozenset({"index", "_index", "readme"})


def find_sources(
    folder: Path, pages: Collection[str], published: Path
) -> tuple[dict[str, Path], list[Problem]]:
    """Return the source of each page that has exactly one, and what to say about the others.

    ``pages`` are paths below the published folder, in which no source lies.
    """
    found: dict[str, Path] = {}
    unclear: list[str] = []
    candidates = _by_key(folder, {page_key(name) for name in pages}, published)
    language = None
    with suppress(OSError):
        language = read_head(published / "index.html").language
    loose = _loosely(candidates, language)
    for name in pages:
        key = page_key(name)
        paths = candidates.get(key) or loose.get(_loose(key), [])
        if len(paths) == 1:
            found[name] = paths[0]
        elif paths:
            both = " and ".join(path.relative_to(folder).as_posix() for path in sorted(paths))
            unclear.append(f"{name} may come from {both}, so it has no source")
    message = ""
    if unclear:
        more = f"; {counted(len(unclear) - 1, 'more page')} like this" if unclear[1:] else ""
        message = unclear[0] + more
    elif pages and not found:
        cure = "name the folder whose files have the same paths as the pages"
        message = f"no page has its source in {folder}; {cure}"
    return found, [Problem("notice", message, "--source")] if message else []


def _by_key(folder: Path, keys: set[str], skipped: Path) -> dict[str, list[Path]]:
    """Return the sources that answer to a page, which is named by its path without ``.html``."""
    found: defaultdict[str, list[Path]] = defaultdict(list)
    for path in _walk(folder, skipped.resolve()):
        stem = PurePosixPath(path.relative_to(folder).as_posix()).with_suffix("")
        own = str(stem)
        # A README may have a page of that name, and stands for its folder only if it has none.
        if stem.name.lower() in _OF_A_FOLDER and (own not in keys or stem.name == "index"):
            own = "" if str(stem.parent) == "." else str(stem.parent)
        found[own].append(path)
    return found


def _walk(folder: Path, skipped: Path) -> Iterator[Path]:
    seen = {str(skipped)}
    for parent, folders, names in os.walk(folder, followlinks=True):
        real = os.path.realpath(parent)
        if real in seen:
            folders.clear()
            continue
        seen.add(real)
        folders[:] = sorted(
            name for name in folders if not name.startswith(".") and name != "node_modules"
        )
        for name in sorted(names):
            if PurePosixPath(name).suffix.lower() in SUFFIXES:
                yield Path(parent, name)


def _loosely(candidates: Mapping[str, list[Path]], language: str | None) -> dict[str, list[Path]]:
    """Return the sources by the paths that Hugo and Astro give their pages.

    Paths are in lower case without spaces; ``page.de.md`` is ``de/page``, and the pages in the
    site's own language lie outside the folder of that language.
    """
    found: defaultdict[str, list[Path]] = defaultdict(list)
    own = (language or "").lower().partition("-")[0] + "/"
    for key, paths in candidates.items():
        loose = _loose(key)
        stem, _, code = loose.rpartition(".")
        if stem and normalize(code).code:
            loose = f"{code}/{'' if stem == 'index' else stem.removesuffix('/index')}".rstrip("/")
        found[loose] += paths
        if f"{loose}/".startswith(own):
            found[loose[len(own) :]] += paths
    return found


def _loose(key: str) -> str:
    return key.lower().replace(" ", "-")

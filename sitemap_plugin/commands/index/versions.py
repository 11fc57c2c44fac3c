"""The versions of a site that mike has deployed, and which of them are meant."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from sitemap_plugin.common.text import did_you_mean
from sitemap_plugin.common.urls import join_url
from sitemap_plugin.errors import SitemapError
from sitemap_plugin.html import read_head

__all__ = ["ALL", "LATEST", "Tree", "Version", "find_trees", "select"]

ALL, LATEST = "all", "latest"

_FILE = "versions.json"
_SOMEWHERE = "https://tree.invalid/"
_DEFAULTS = (LATEST, "stable")


class Version(NamedTuple):
    """A version: the name of its folder, and its other names."""

    name: str
    aliases: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All names of its folder."""
        return (self.name, *self.aliases)


class Tree(NamedTuple):
    """A folder of versions; ``prefix`` is its path below the root, empty or with a final ``/``."""

    prefix: str
    versions: tuple[Version, ...]
    default: str | None = None

    def version_of(self, path: str) -> Version | None:
        """Return the version that a path below the root belongs to."""
        if not path.startswith(self.prefix):
            return None
        name = path[len(self.prefix) :].partition("/")[0]
        return next((version for version in self.versions if name in version.names), None)


def find_trees(folder: Path, paths: Iterable[str]) -> list[Tree]:
    """Return the trees of versions in which some files lie; ``paths`` are below ``folder``."""
    parents = set(chain.from_iterable(PurePosixPath(path).parents for path in paths))
    trees = []
    for parent in sorted(parents):
        place = folder / parent
        versions = tuple(_read(place / _FILE))
        if any((place / version.name).is_dir() for version in versions):
            prefix = "" if parent == PurePosixPath() else f"{parent}/"
            trees.append(Tree(prefix, versions, _default(place / "index.html")))
    return trees


def _read(path: Path) -> Iterator[Version]:
    """Yield the versions in a ``versions.json`` of mike's form; none in one of any other."""
    try:
        data: Any = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return
    for item in data if isinstance(data, list) else ():
        name, aliases = (item.get("version"), item.get("aliases")) if _is_map(item) else (0, 0)
        if isinstance(name, str) and name and isinstance(aliases, list):
            yield Version(name, tuple(alias for alias in aliases if isinstance(alias, str)))


def _is_map(item: Any) -> bool:
    return isinstance(item, dict)


def _default(page: Path) -> str | None:
    """Return the name of the folder that the page at the root of a tree leads to."""
    try:
        target = read_head(page).refresh
        url = join_url(_SOMEWHERE, target) if target else ""
    except (OSError, ValueError):
        return None
    return url.removeprefix(_SOMEWHERE).partition("/")[0] or None


def select(tree: Tree, wanted: Sequence[str]) -> list[Version]:
    """Return the versions that are meant by ``wanted``, names of versions or aliases, or ``all``.

    Without it, that is the version called ``latest``; else the one that the page at the root leads
    to, else the one called ``stable``, else the only one. Raises SitemapError.
    """
    if ALL in wanted:
        return list(tree.versions)
    of_name = {name: version for version in tree.versions for name in version.names}
    known = ", ".join(of_name)
    where = f"{tree.prefix}{_FILE}"
    for name in wanted:
        if name not in of_name:
            message = f"--versions: {where} has no {name!r}{did_you_mean(name, of_name)}"
            raise SitemapError(f"{message}; it has {known}")
    names = list(wanted)
    if not names:
        candidates = (_DEFAULTS[0], tree.default, *_DEFAULTS[1:])
        names = [name for name in candidates if name in of_name][:1]
    if not names and len(tree.versions) > 1:
        raise SitemapError(
            f"{where}: no version is called 'latest', and no page leads to one; say with "
            f"--versions which are to be listed: {known}, or all"
        )
    chosen = [of_name[name] for name in names] or list(tree.versions)
    return list(dict.fromkeys(chosen))

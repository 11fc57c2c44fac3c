"""The versions of a site that lie side by side in one folder, and which of them are meant.

mike lists its versions in ``versions.json``, the pydata theme of Sphinx in ``switcher.json``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from sitemap_plugin.common.files import read_file
from sitemap_plugin.common.text import did_you_mean, quoted
from sitemap_plugin.common.urls import join_url
from sitemap_plugin.errors import SitemapError
from sitemap_plugin.html import read_head

_MIKE, _SWITCHER = "versions.json", "switcher.json"
_LONGEST = 1 << 20
_SOMEWHERE = "https://tree.invalid/"


class Tree(NamedTuple):
    """A folder of versions, and the file that lists them.

    ``prefix`` is the folder's path below the root, empty or with a final ``/``. ``folders`` has
    the names and aliases of versions with their folders, ``preferred`` names the one to list.
    """

    prefix: str
    file: str
    folders: Mapping[str, str]
    preferred: str | None

    def version_of(self, path: str) -> str | None:
        """Return the folder of the version that a path below the root belongs to."""
        name = path[len(self.prefix) :].partition("/")[0]
        return self.folders.get(name) if path.startswith(self.prefix) else None


def find_trees(folder: Path, paths: Iterable[str]) -> Iterator[Tree]:
    """Yield the trees of versions in which some files lie; ``paths`` are below ``folder``."""
    for parent in sorted({parent for path in paths for parent in PurePosixPath(path).parents}):
        place = folder / parent
        near = (place / _MIKE, place / _SWITCHER, place / "_static" / _SWITCHER)
        for file in (*near, *sorted(place.glob(f"*/_static/{_SWITCHER}"))):
            folders, preferred = _read_versions(file)
            if any((place / name).is_dir() for name in folders.values()):
                prefix = "" if parent == PurePosixPath() else f"{parent}/"
                names = (preferred, "latest", _default(place / "index.html"), "stable")
                known = [name for name in names if name in folders]
                known += folders if len(set(folders.values())) == 1 else []
                listed_in = file.relative_to(folder).as_posix()
                yield Tree(prefix, listed_in, folders, known[0] if known else None)
                break


def _read_versions(path: Path) -> tuple[Mapping[str, str], str | None]:
    """Return names with their folders, and the preferred one; nothing for a foreign file."""
    try:
        data: Any = json.loads(read_file(path, limit=_LONGEST))
        if path.name == _MIKE:
            items = [(str(item["version"]), [*item["aliases"]]) for item in data]
            return {str(name): own for own, names in items for name in (own, *names)}, None
        # The folder is the last one in a version's address.
        urls = [urlsplit(item["url"]).path.rstrip("/").rpartition("/")[2] for item in data]
        folders = {unquote(name): unquote(name) for name in urls if name}
        preferred = [unquote(url) for url, item in zip(urls, data, strict=True)
                     if item.get("preferred") is True]  # fmt: skip
        return folders, next(iter(preferred), None)
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return {}, None


def _default(page: Path) -> str | None:
    """Return the name of the folder that the page at the root of a tree leads to."""
    try:
        url = join_url(_SOMEWHERE, read_head(page).refresh or "")
    except (OSError, ValueError):
        return None
    return url.removeprefix(_SOMEWHERE).partition("/")[0]


def select_versions(tree: Tree, wanted: Sequence[str]) -> set[str]:
    """Return the folders of the versions that are meant by names, aliases, or ``all``.

    Without any that is the preferred version, else the one called ``latest``, else the one that
    the page at the root leads to, else ``stable``, else the only one. Raises SitemapError.
    """
    if "all" in wanted:
        return set(tree.folders.values())
    known = ", ".join(tree.folders)
    for name in wanted:
        if name not in tree.folders:
            near = did_you_mean(name, tree.folders)
            raise SitemapError(
                f"--versions: {tree.file} has no {quoted(name)}{near} (it has {known})"
            )
    if not wanted and tree.preferred is None:
        raise SitemapError(
            f"{tree.file}: no version is called 'latest', and no page leads to one; say with "
            f"--versions which to list: {known}, or all"
        )
    return {tree.folders[name] for name in wanted or [tree.preferred or ""]}


def alias_in_address(tree: Tree, path: str, url: str) -> str | None:
    """Return the alias that stands before a version's folder in an address of that version.

    mike puts the version behind ``site_url``; where that ends in an alias (``…/latest/``), every
    address of every version is wrong: ``…/latest/1.0/``.
    """
    version = tree.version_of(path)
    for before, name in pairwise(url.split("/")[3:]):
        if version and tree.folders.get(name) == version and before in tree.folders:
            return before
    return None

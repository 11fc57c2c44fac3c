"""The name of the root index, and what earlier ones have left."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from sitemap_plugin.commands.check.publication import Publication
from sitemap_plugin.commands.index.builds import UnfitError, read_contents
from sitemap_plugin.common.files import is_ours
from sitemap_plugin.common.urls import is_below, path_below
from sitemap_plugin.errors import SitemapError

__all__ = ["Earlier", "choose_name", "find_earlier", "stale_files"]

_USUAL, _BESIDE_ANOTHER = "sitemap.xml", "sitemap-index.xml"


class Earlier(NamedTuple):
    """An index at the root that lists sitemaps in folders below: its name, and what it lists."""

    name: str
    is_ours: bool
    locs: tuple[str, ...]


def find_earlier(publication: Publication, paths: Iterable[str], base_url: str) -> list[Earlier]:
    """Return the root indexes among sitemaps.

    The index of a build at the root lists files beside it only, and is no root index.
    """
    found = []
    for path in paths:
        file = publication.folder / path
        if "/" in path or path.endswith(".gz"):
            continue
        try:
            contents = read_contents(file)
        except UnfitError:
            continue
        below = [loc for loc in contents.locs if is_below(loc, base_url)]
        if contents.kind == "index" and any("/" in path_below(loc, base_url) for loc in below):
            found.append(Earlier(path, is_ours(file), tuple(contents.locs)))
    return found


def choose_name(wanted: str | None, earlier: Iterable[Earlier], others: Iterable[str]) -> str:
    """Return the name of the root index.

    ``others`` are the sitemaps that it may list. Where a build at the root has the usual name, the
    index has another, and keeps it, since robots.txt names it. Raises SitemapError if the name
    that the user wants is taken.
    """
    at_root = {path for path in others if "/" not in path}
    before = {index.name for index in earlier if index.is_ours}
    usual = _BESIDE_ANOTHER if at_root or _BESIDE_ANOTHER in before else _USUAL
    name = wanted or usual
    stem, _, suffix = name.rpartition(".")
    for path in sorted(at_root):
        if path == name or (path.startswith(f"{stem}-") and path.endswith(f".{suffix}")):
            raise SitemapError(
                f"filename: {path} is the sitemap of the build at the root, which an index called "
                f"{name} would displace; choose another name, such as {_BESIDE_ANOTHER}"
            )
    return name


def stale_files(folder: Path, earlier: Iterable[Earlier], name: str) -> list[Path]:
    """Return the root indexes that this package wrote under another name."""
    return [folder / index.name for index in earlier if index.is_ours and index.name != name]

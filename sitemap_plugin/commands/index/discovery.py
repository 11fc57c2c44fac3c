"""Find the sitemaps of the builds in a folder."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from sitemap_plugin.commands.check.publication import Publication
from sitemap_plugin.commands.index.versions import Tree, find_trees, select
from sitemap_plugin.errors import SitemapError
from sitemap_plugin.pages.patterns import Patterns

__all__ = ["OTHER_VERSION", "SKIPPED", "Discovery", "discover"]

OTHER_VERSION = "another version"
SKIPPED = "skipped"


class Discovery(NamedTuple):
    """The sitemaps to look at, as paths below the folder, and why others are left out."""

    paths: tuple[str, ...]
    left_out: dict[str, str]


def discover(
    publication: Publication, versions: Sequence[str], skip: Patterns, also: Iterable[str]
) -> Discovery:
    """Return the sitemaps in a folder, those in the folders of other versions aside.

    ``skip`` are patterns of paths to leave out, ``also`` further paths. Raises SitemapError.
    """
    found = _without_companions(publication.sitemaps)
    trees = find_trees(publication.folder, found)
    if versions and not trees:
        raise SitemapError(
            f"--versions: {publication.folder} has no versions.json of mike; name the folder that "
            "has one, or leave the option out"
        )
    left_out = {}
    for path in found:
        if skip.match(path, path):
            left_out[path] = SKIPPED
    for tree in trees:
        left_out.update(_of_other_versions(tree, found, versions))
    paths = [path for path in found if path not in left_out]
    paths += [_existing(publication.folder, path) for path in also]
    return Discovery(tuple(dict.fromkeys(paths)), left_out)


def _without_companions(paths: Iterable[str]) -> list[str]:
    """Leave out the gzipped twins of files, and texts beside XML that say the same."""
    paths = set(paths)
    plain = {path for path in paths if path.removesuffix(".gz") not in paths - {path}}
    stems = {_stem(path) for path in plain if ".txt" not in path.rpartition("/")[2]}
    return sorted(path for path in plain if ".xml" in path or _stem(path) not in stems)


def _stem(path: str) -> str:
    folder, slash, name = path.rpartition("/")
    return folder + slash + name.partition(".")[0]


def _of_other_versions(tree: Tree, paths: Iterable[str], wanted: Sequence[str]) -> dict[str, str]:
    chosen = select(tree, wanted)
    versions = ((path, tree.version_of(path)) for path in paths)
    return {path: OTHER_VERSION for path, its in versions if its and its not in chosen}


def _existing(folder: Path, path: str) -> str:
    root, file = folder.resolve(), (folder / path).resolve()
    if not file.is_relative_to(root) or not file.is_file():
        raise SitemapError(f"--also: there is no file {path} in {folder}, and it is no URL")
    return file.relative_to(root).as_posix()

"""The versions of a site that lie side by side in one folder, and which of them are meant.

mike lists its versions in ``versions.json``, the pydata theme of Sphinx in ``switcher.json``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from sitemap_plugin.common.files import read_file
from sitemap_plugin.common.text import did_you_mean, quoted
from sitemap_plugin.common.urls import join_url
from sitemap_plugin.errors import SitemapError
from sitemap_plugin.html import read_head

ALL = "all"
_LATEST, _STABLE = "latest", "stable"
_MIKE, _SWITCHER = "versions.json", "switcher.json"
_LONGEST = 1 << 20
_SOMEWHERE = "https://tree.invalid/"


class Version(NamedTuple):
    """A version: the name of its folder, its other names, and whether it is the preferred one."""

    name: str
    aliases: tuple[str, ...] = ()
    preferred: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """All names of its folder."""
        return (self.name, *self.aliases)


class Tree(NamedTuple):
    """A folder of versions, and the file that lists them.

    ``prefix`` is the folder's path below the root, empty or with a final ``/``. ``default`` is the
    name of the folder to which the page at its root leads.
    """

    prefix: str
    file: str
    versions: tuple[Version, ...]
    default: str | None = None

    @property
    def is_mikes(self) -> bool:
        """Whether mike has written the list, so that nothing about it is a guess."""
        return self.file.endswith(_MIKE)

    def version_of(self, path: str) -> Version | None:
        """Return the version that a path below the root belongs to."""
        if not path.startswith(self.prefix):
            return None
        name = path[len(self.prefix) :].partition("/")[0]
        return next((version for version in self.versions if name in version.names), None)


def find_trees(folder: Path, paths: Iterable[str]) -> list[Tree]:
    """Return the trees of versions in which some files lie; ``paths`` are below ``folder``."""
    parents = sorted(set(chain.from_iterable(PurePosixPath(path).parents for path in paths)))
    trees = []
    for parent in parents:
        place = folder / parent
        for file in _lists(place):
            versions = tuple(_read_versions(file))
            if any((place / version.name).is_dir() for version in versions):
                prefix = "" if parent == PurePosixPath() else f"{parent}/"
                name = file.relative_to(folder).as_posix()
                trees.append(Tree(prefix, name, versions, _default(place / "index.html")))
                break
    return trees


def _lists(place: Path) -> Iterator[Path]:
    """Yield the files that may list the versions in a folder, mike's first."""
    yield place / _MIKE
    yield place / _SWITCHER
    yield place / "_static" / _SWITCHER
    yield from sorted(place.glob(f"*/_static/{_SWITCHER}"))


def _read_versions(path: Path) -> Iterator[Version]:
    """Yield the versions that a file of either form lists; none for a file of another form."""
    try:
        data: Any = json.loads(read_file(path, limit=_LONGEST))
    except (OSError, ValueError, RecursionError):
        return
    read = _mikes if path.name == _MIKE else _switchers
    for item in data if isinstance(data, list) else ():
        version = read(item) if isinstance(item, dict) else None
        if version and version.name and "/" not in version.name:
            yield version


def _mikes(item: dict[str, Any]) -> Version | None:
    name, aliases = item.get("version"), item.get("aliases")
    if not isinstance(name, str) or not isinstance(aliases, list):
        return None
    return Version(name, tuple(alias for alias in aliases if isinstance(alias, str)))


def _switchers(item: dict[str, Any]) -> Version | None:
    """Read an item of the pydata theme's list; the folder is the last one in its address."""
    url = item.get("url")
    if not isinstance(url, str):
        return None
    try:
        folder = unquote(urlsplit(url).path.rstrip("/").rpartition("/")[2])
    except ValueError:
        return None
    return Version(folder, preferred=item.get("preferred") is True)


def _default(page: Path) -> str | None:
    """Return the name of the folder that the page at the root of a tree leads to."""
    try:
        target = read_head(page).refresh
        url = join_url(_SOMEWHERE, target) if target else ""
    except (OSError, ValueError):
        return None
    return url.removeprefix(_SOMEWHERE).partition("/")[0] or None


def select_versions(tree: Tree, wanted: Sequence[str]) -> list[Version]:
    """Return the versions that are meant by ``wanted``: names of versions, aliases, or ``all``.

    Without it, that is the preferred version, else the one called ``latest``, else the one that
    the page at the root leads to, else the one called ``stable``, else the only one. Raises
    SitemapError.
    """
    if ALL in wanted:
        return list(tree.versions)
    of_name = {name: version for version in tree.versions for name in version.names}
    known = ", ".join(of_name)
    for name in wanted:
        if name not in of_name:
            raise SitemapError(
                f"--versions: {tree.file} has no {quoted(name)}{did_you_mean(name, of_name)} "
                f"(it has {known})"
            )
    names = list(wanted)
    if not names:
        preferred = next((version.name for version in tree.versions if version.preferred), None)
        candidates = (preferred, _LATEST, tree.default, _STABLE)
        names = [name for name in candidates if name in of_name][:1]
    if not names and len(tree.versions) > 1:
        raise SitemapError(
            f"{tree.file}: no version is called 'latest', and no page leads to one; say with "
            f"--versions which to list: {known}, or all"
        )
    chosen = [of_name[name] for name in names] or list(tree.versions)
    return list(dict.fromkeys(chosen))


def alias_in_addresses(tree: Tree, path: str, url: str) -> str | None:
    """Return the alias that stands before a version's folder in an address of that version.

    mike puts the version behind ``site_url``; where that ends in an alias (``…/latest/``), every
    address of every version is wrong: ``…/latest/1.0/``.
    """
    version = tree.version_of(path)
    if version is None:
        return None
    segments = urlsplit(url).path.split("/")
    aliases = {name for each in tree.versions for name in each.names}
    for before, name in pairwise(segments):
        if name in version.names and before in aliases:
            return before
    return None

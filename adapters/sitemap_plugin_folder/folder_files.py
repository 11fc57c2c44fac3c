"""Find the HTML files of a folder, other names of its folders, and the sites within it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from sitemap_plugin.common.files import is_ours
from sitemap_plugin.errors import Problem

SUFFIXES = (".html", ".htm", ".xhtml")
OF_SPHINX = "searchindex.js"
_SITE_MARKS = frozenset({"sitemap.xml", "sitemap.xml.gz", "objects.inv", OF_SPHINX})
"""Files by which a site is known that was built into a folder of another one."""


class FolderFiles:
    """What lies below a folder.

    ``names`` are the paths of the HTML files. Hidden folders are not published by any usual host
    and are passed over. A symbolic link to a folder inside, as mike's ``latest`` is, leads to pages
    that are found anyway; ``aliases`` has what it points to and its own path, both with a final
    slash. A link that leads out of the folder is followed, since a web server serves what lies
    there, but never twice.

    ``sites`` are the folders of sites that were built into the folder, such as versions: each has
    a sitemap or an index for searching of its own. They end in a slash; the folder itself is
    ``""``. Each has the answer whether Sphinx made it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self._root = folder, folder.resolve()
        self._seen = {self._root}
        self.aliases: list[tuple[str, str]] = []
        self.sites = {"": False}
        self.names = [self._below(path) for path in sorted(self._walk(folder))]

    def all_names(self, name: str) -> list[str]:
        """Return the path of a file, and those that it has through links."""
        aliases = [(path, own) for path, own in self.aliases if name.startswith(path)]
        return [name, *(own + name[len(path) :] for path, own in aliases)]

    def _walk(self, folder: Path) -> Iterator[Path]:
        with os.scandir(folder) as entries:
            found = list(entries)
        names = {entry.name for entry in found}
        if not _SITE_MARKS.isdisjoint(names):
            self.sites[self._below(folder, "/")] = OF_SPHINX in names
        for entry in found:
            if entry.name.startswith("."):
                continue
            if entry.is_symlink() and not self._leads_out(Path(entry.path)):
                continue
            if entry.is_dir():
                yield from self._walk(Path(entry.path))
            elif entry.name.lower().endswith(SUFFIXES) and entry.is_file():
                yield Path(entry.path)

    def _leads_out(self, link: Path) -> bool:
        """Tell whether to follow a link; take note of one that is another name of a folder."""
        try:
            target = link.resolve(strict=True)
        except (OSError, RuntimeError):  # A link to nothing, or to itself.
            return False
        if target.is_relative_to(self._root):
            if target.is_dir() and target != self._root:
                path = f"{target.relative_to(self._root).as_posix()}/"
                self.aliases.append((path, self._below(link, "/")))
            return False
        if self._root.is_relative_to(target) or target in self._seen:
            return False
        self._seen.add(target)
        return True

    def _below(self, path: Path, end: str = "") -> str:
        return "" if path == self.folder else path.relative_to(self.folder).as_posix() + end


def page_key(path: str) -> str:
    """Return what the paths ``a``, ``a/``, ``a.html`` and ``a/index.html`` have in common."""
    path = path.rstrip("/")
    stem, dot, suffix = path.rpartition(".")
    path = stem if f"{dot}{suffix}" in SUFFIXES else path
    return "" if path == "index" else path.removesuffix("/index")


def leftover_sitemaps(folder: Path, filename: str) -> list[Problem]:
    """Say that there are sitemaps which the generator wrote under other names than ours."""
    own = re.compile(rf"{re.escape(Path(filename).stem)}(?:-.*)?\.xml")
    names = sorted(
        path.name
        for path in folder.glob("*sitemap*.xml")
        if path.name != filename and not (own.fullmatch(path.name) and is_ours(path))
    )
    message = (
        f"{', '.join(names)}: written by something else, and search engines may know it; switch "
        "off the generator's own sitemap, or name ours instead where robots.txt names it"
    )
    return [Problem("notice", message, folder.name)] if names else []

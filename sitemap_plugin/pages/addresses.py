"""The one rule which file an address leads to, as hosts of static files serve them.

``guide/index.html`` is served as ``guide/``, ``guide/index.html`` and ``guide``; ``guide.html`` as
``guide.html``, ``guide`` and ``guide/``. Where an address fits two files, the exact one wins.
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import unquote

from sitemap_plugin.common.urls import normal_form

__all__ = ["INDEX_FILES", "ServedFiles", "served_paths"]

INDEX_FILES = ("index.html", "index.htm", "index.xhtml")
_SUFFIXES = (".html", ".htm", ".xhtml")


def served_paths(path: str) -> tuple[str, ...]:
    """Return the paths at which a file is served, the usual one first.

    ``path`` is relative to the folder that is served, with ``/``, and not percent-encoded.
    """
    folder, slash, name = path.rpartition("/")
    if name in INDEX_FILES:
        return (folder + slash, path, folder) if folder else ("", path)
    stem, dot, suffix = path.rpartition(".")
    if dot + suffix not in _SUFFIXES:
        return (path,)
    return (path, stem, f"{stem}/")


class ServedFiles:
    """The files that lie below one base URL, found by any address that leads to them.

    ``paths`` are relative to the folder that is served at ``base_url``, with ``/``, and not
    percent-encoded.
    """

    def __init__(self, base_url: str, paths: Iterable[str]) -> None:
        self.base_url = base_url
        self._base = normal_form(base_url)
        self._paths = frozenset(paths)

    def path_of(self, url: str) -> str | None:
        """Return the decoded path of an address below the base, None for one that is elsewhere.

        The base without its slash is the home page. A query does not change which file is served.
        """
        try:
            address = normal_form(url).partition("?")[0]
        except ValueError:
            return None
        if address == self._base[:-1]:
            return ""
        path = address[len(self._base) :]
        if not address.startswith(self._base) or "%2F" in path:
            return None
        return unquote(path, errors="surrogateescape")

    def file_of(self, url: str) -> str | None:
        """Return the path of the file that an address leads to, None where there is none."""
        path = self.path_of(url)
        return (
            None if path is None else next(filter(self._paths.__contains__, candidates(path)), None)
        )


def candidates(path: str) -> list[str]:
    """Return the files that may be served for a path, the exact one first."""
    stem = path.removesuffix("/")
    indexes = [f"{stem}/{name}" if stem else name for name in INDEX_FILES]
    named = [stem + suffix for suffix in _SUFFIXES] if stem else []
    if path.endswith("/") or not path:
        return [*indexes, *named]
    return [path, *named, *indexes]

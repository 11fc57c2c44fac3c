"""The URLs at which hosts serve a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sitemap_plugin.common.urls import encode_path

__all__ = ["INDEX_FILES", "is_index", "spellings"]

INDEX_FILES = ("index.html", "index.htm", "index.xhtml")


def spellings(name: str, base_url: str, aliases: Iterable[tuple[str, str]] = ()) -> list[str]:
    """Return the URLs of a file, given as its path below the folder; the usual one first.

    ``aliases`` are folders and other names of them.
    """
    names = [
        name,
        *(other + name[len(folder) :] for folder, other in aliases if name.startswith(folder)),
    ]
    return [base_url + encode_path(path) for each in names for path in _paths(each)]


def is_index(name: str) -> bool:
    """Tell whether a file stands for its folder."""
    return name.rpartition("/")[2] in INDEX_FILES


def _paths(name: str) -> Iterator[str]:
    folder, slash, _ = name.rpartition("/")
    if is_index(name):
        yield folder + slash
        yield name
        if folder:
            yield folder
    else:
        stem = name.rpartition(".")[0]
        yield from (name, stem, f"{stem}/")

"""Put the root index in place, with what belongs to it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sitemap_plugin.common.files import drop, reported, staging
from sitemap_plugin.errors import Problem, WriteError
from sitemap_plugin.models import Lastmod
from sitemap_plugin.write.browser.stylesheet import find_name, put_stylesheet, remove_stylesheet
from sitemap_plugin.write.protocol import MAX_BYTES, MAX_URLS
from sitemap_plugin.write.writing.documents import index
from sitemap_plugin.write.writing.placement import place, stage
from sitemap_plugin.write.writing.twins import twin_of

__all__ = ["place_index", "remove_index"]

Children = Sequence[tuple[str, Lastmod | None]]


def place_index(
    path: Path, children: Children, *, gzip: bool, with_stylesheet: bool
) -> list[Problem]:
    """Write an index of sitemaps, each with its newest ``lastmod``; return what to say about it.

    A file that this package did not write is kept under another name. Raises WriteError.
    """
    if len(children) > MAX_URLS:
        raise WriteError(
            f"{path}: the index would list {len(children):,} sitemaps, and an index may list "
            f"{MAX_URLS:,}; write indexes of folders below, and name each in robots.txt"
        )
    problems: list[Problem] = []
    stylesheet = None
    if with_stylesheet:
        stylesheet, notice = find_name(path.parent, path.name, ())
        problems += [notice] if notice else []
    data = index(stylesheet, children)
    if len(data) > MAX_BYTES:
        raise WriteError(
            f"{path}: the index would have {len(data):,} bytes, and an index may have "
            f"{MAX_BYTES:,}; write indexes of folders below, and name each in robots.txt"
        )
    problems += _place(path, data, gzip=gzip)
    if stylesheet:
        put_stylesheet(path.parent, stylesheet)
    elif not with_stylesheet:
        remove_stylesheet(path.parent, path.name, ())
    return problems


def _place(path: Path, data: bytes, *, gzip: bool) -> list[Problem]:
    with staging(path.parent, path.name) as scratch:
        staged = stage(data, scratch, path, gzip=gzip)
        return place(path.parent, scratch, staged, [], lambda _rename: data)[1]


def remove_index(path: Path) -> None:
    """Remove an index that this package wrote, its twin and its stylesheet; raise WriteError."""
    with reported(path):
        drop(twin_of(path))
        drop(path)
    remove_stylesheet(path.parent, path.name, ())

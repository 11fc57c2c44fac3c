"""The stylesheet that makes a browser show a sitemap as a table.

Browsers are removing XSLT; XML styled by CSS works in all of them, and needs no script.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from sitemap_plugin.common.files import drop, is_ours, reported, write_whole
from sitemap_plugin.errors import Problem

__all__ = ["find_name", "put_stylesheet", "remove_stylesheet"]

_SOURCE = Path(__file__).with_name("sitemap.css")


def find_name(
    folder: Path, filename: str, protected: Collection[str]
) -> tuple[str | None, Problem | None]:
    """Return the name of the stylesheet of the sitemap ``filename``, unless that name is taken.

    It is taken when it is one of the ``protected``, or when a file of that name lacks this
    package's mark: that file is the user's own. Then there is a notice instead.
    """
    path = _path(folder, filename)
    with reported(path):
        is_free = not path.exists() or (path.is_file() and is_ours(path))
    if is_free and path.name not in protected:
        return path.name, None
    message = (
        f"the site has a {path.name} of its own, which is kept; so browsers show {filename} as it "
        "is. Rename that file, or set the option 'stylesheet' to false"
    )
    return None, Problem("notice", message, path.name)


def put_stylesheet(folder: Path, name: str) -> None:
    """Write the stylesheet; raise WriteError if that fails."""
    write_whole(folder / name, _SOURCE.read_text(encoding="utf-8").encode())


def remove_stylesheet(folder: Path, filename: str, protected: Collection[str]) -> None:
    """Remove the stylesheet that an earlier build wrote for the sitemap ``filename``."""
    path = _path(folder, filename)
    if path.name not in protected:
        with reported(path):
            drop(path)


def _path(folder: Path, filename: str) -> Path:
    """Name the stylesheet after its sitemap, so that two sitemaps in one folder have their own."""
    return (folder / filename).with_suffix(".css")

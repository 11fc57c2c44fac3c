"""The text form of a sitemap (sitemaps.org, "Text file"): one absolute URL a line, and no more."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

from sitemap_plugin.common.files import reported, set_aside, staging, write_whole
from sitemap_plugin.errors import Problem

__all__ = ["write_text_sitemap"]

MAX_URLS = 50_000
MAX_BYTES = 52_428_800


def write_text_sitemap(
    locs: Iterable[str], folder: Path, filename: str, base_url: str
) -> tuple[list[Path], list[Problem]]:
    """Write the URLs beside the XML sitemap; return the files and what to say about them.

    ``filename`` is the XML sitemap's. Beyond the limits of a file there are several, numbered as
    the parts of the XML are. A file of that name that holds anything but URLs of this site, or has
    them in another form than ours, is kept under another name. No file is removed: a text cannot
    say who wrote it. Raises WriteError.
    """
    stem = filename.rpartition(".")[0]
    parts = _split(locs)
    names = (
        [f"{stem}.txt"] if len(parts) == 1 else [f"{stem}-{n + 1}.txt" for n in range(len(parts))]
    )
    problems: list[Problem] = []
    for name, part in zip(names, parts, strict=True):
        path = folder / name
        if path.is_file() and not _is_ours(path, base_url):
            with staging(folder, name) as scratch, reported(path):
                kept = set_aside(path, scratch).name
            message = f"the one that was there lists other things; it is kept as {kept}"
            problems.append(Problem("notice", message, name))
        write_whole(path, b"".join(part))
    return [folder / name for name in names], problems


def _split(locs: Iterable[str]) -> list[list[bytes]]:
    parts: list[list[bytes]] = [[]]
    size = 0
    for loc in locs:
        line = f"{loc}\n".encode()
        if len(parts[-1]) == MAX_URLS or size + len(line) > MAX_BYTES:
            parts.append([])
            size = 0
        parts[-1].append(line)
        size += len(line)
    return parts


def _is_ours(path: Path, base_url: str) -> bool:
    """Tell whether a file consists of URLs of this site in our order, each ending its line."""
    try:
        *lines, rest = path.read_bytes().split(b"\n")
    except OSError:
        return False
    base = base_url.encode()
    return (
        not rest
        and all(line.startswith(base) for line in lines)
        and all(line < following for line, following in pairwise(lines))
    )

"""Files that lie beside the sitemap: its stylesheet, its text form, and IndexNow's key file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

from sitemap_plugin.common.files import (
    is_ours,
    keep_backup,
    read_file,
    write_whole,
)
from sitemap_plugin.errors import Problem
from sitemap_plugin.write.protocol import MAX_BYTES, MAX_URLS
from sitemap_plugin.write.sitemap import Destination

_STYLE = Path(__file__).with_name("sitemap.css")
_KEY_LIMIT = 1024


def stylesheet_name(filename: str) -> str:
    """Name the stylesheet after its sitemap, so that two sitemaps in one folder have their own."""
    return f"{filename.rpartition('.')[0]}.css"


def write_stylesheet(target: Destination, problems: list[Problem]) -> str | None:
    """Write the stylesheet of a sitemap and return its name; None where that name is taken.

    Browsers are removing XSLT; XML styled by CSS works in all of them, and needs no script.
    """
    path = target.folder / stylesheet_name(target.filename)
    if path.name in target.protected or (os.path.lexists(path) and not is_ours(path)):
        message = (
            f"the site has a {path.name} of its own, which is kept; so browsers show "
            f"{target.filename} as it is. Rename that file, or set the option 'stylesheet' to false"
        )
        problems.append(Problem("notice", message, path.name))
        return None
    style = _STYLE.read_text(encoding="utf-8").replace("{{host}}", urlsplit(target.base_url).netloc)
    write_whole(path, style.encode())
    return path.name


def write_key(key: str, target: Destination, problems: list[Problem]) -> None:
    """Write the file of a key, which holds the key alone (IndexNow).

    One that the user has made by hand serves as well.
    """
    path = target.folder / f"{key}.txt"
    content = _content(path)
    if content == key.encode():
        return
    if path.name in target.protected:
        problems.append(_own_file(path.name, "indexnow_key"))
    elif content or (content is None and os.path.lexists(path)):
        message = (
            f"{path.name} is there already and holds something else, so it is kept; choose "
            "another key, or remove that file"
        )
        problems.append(Problem("warning", message, "indexnow_key"))
    else:
        write_whole(path, key.encode())


def _content(path: Path) -> bytes | None:
    try:
        return read_file(path, limit=_KEY_LIMIT).strip()
    except OSError:
        return None


def _own_file(name: str, option: str) -> Problem:
    message = f"the site has a {name} of its own, which is kept; remove it or the option"
    return Problem("warning", message, option)


def write_text_sitemap(
    target: Destination, locs: Sequence[str], problems: list[Problem]
) -> list[Path]:
    """Write sorted URLs beside the XML sitemap, one a line (sitemaps.org, "Text file").

    Beyond the limits of a file there are several, numbered as the parts of the XML are. A file of
    that name that holds anything but URLs of this site in their order is kept as ``.bak``. No file
    is removed: a text cannot say who wrote it. Raises WriteError.
    """
    stem = target.filename.rpartition(".")[0]
    parts = list(_split(locs))
    names = [f"{stem}{f'-{n}' if len(parts) > 1 else ''}.txt" for n in range(1, len(parts) + 1)]
    if taken := sorted({f"{stem}.txt", *names}.intersection(target.protected)):
        problems.append(_own_file(taken[0], "text"))
        return []
    for name, part in zip(names, parts, strict=True):
        path = target.folder / name
        if os.path.lexists(path) and not _is_text_of(path, target.base_url):
            backup = keep_backup(path) if path.is_file() else None
            if backup:
                message = f"the one that was there lists other things; it is kept as {backup.name}"
                problems.append(Problem("notice", message, name))
        write_whole(path, part)
    return [target.folder / name for name in names]


def _split(locs: Sequence[str]) -> Iterator[bytes]:
    lines: list[str] = []
    size = 0
    for loc in locs:
        if len(lines) == MAX_URLS or size + len(loc) + 1 > MAX_BYTES:
            yield "".join(lines).encode()
            lines, size = [], 0
        lines.append(f"{loc}\n")
        size += len(loc) + 1
    yield "".join(lines).encode()


def _is_text_of(path: Path, base_url: str) -> bool:
    """Tell whether a file consists of URLs of this site in our order, each ending its line."""
    try:
        *lines, rest = read_file(path, limit=MAX_BYTES).split(b"\n")
    except OSError:
        return False
    base = base_url.encode()
    return (
        not rest
        and all(line.startswith(base) for line in lines)
        and all(line < following for line, following in pairwise(lines))
    )

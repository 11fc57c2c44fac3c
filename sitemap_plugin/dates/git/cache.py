"""Keep what git answered, outside the site, so that a rebuild need not read the history again.

An entry belongs to one state of one history and never becomes wrong; whether a file is changed in
the working tree is not in it. A cache that cannot be read or written is as good as none.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from sitemap_plugin.commands.user_cache import user_cache

__all__ = ["Cache", "FileDate", "cache_folder"]

MOST_FILES = 64
MOST_BYTES = 64 * 1024 * 1024
_FORMAT = b"sitemap-plugin git dates 2"
_PREFIX = "dates-"


class FileDate(NamedTuple):
    """The commit that last changed a file, and its committer time in seconds since 1970."""

    commit: str
    time: int


Dates = dict[bytes, FileDate | None]
"""Dates by path below the repository's root, None for a file that the commit does not have."""


class Cache:
    """The answers for one state of a history, in a file of their own below ``folder``.

    ``state`` is all that the answers depend on.
    """

    def __init__(self, folder: Path | None, state: Iterable[bytes]) -> None:
        name = hashlib.sha256(b"\0".join((_FORMAT, *state))).hexdigest()
        self._file = folder / f"{_PREFIX}{name}" if folder else None

    def load(self) -> Dates:
        """Return what is known; nothing from a damaged file."""
        if self._file is None:
            return {}
        try:
            digest, _, body = self._file.read_bytes().partition(b"\n")
            if digest != _digest(body):
                return {}
            os.utime(self._file)  # The oldest are removed first.
            return _decode(body)
        except (OSError, ValueError):
            return {}

    def store(self, dates: Mapping[bytes, FileDate | None]) -> None:
        """Write what is known, whole or not at all, and remove what was not used for long."""
        if self._file is None:
            return
        body = _encode(dates)
        with contextlib.suppress(OSError):
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(
                dir=self._file.parent, prefix=_PREFIX, suffix=".new", delete=False
            ) as file:
                file.write(_digest(body) + b"\n" + body)
            Path(file.name).replace(self._file)
            _prune(self._file.parent)


def cache_folder(environment: Mapping[str, str], platform: str) -> Path | None:
    """Return the folder for this user's cached dates, None where there is no place for one."""
    folder = user_cache(environment, platform)
    return folder / "git-dates" if folder else None


def _prune(folder: Path) -> None:
    """Remove the files that were used least recently, beyond what is allowed."""
    files = []
    for path in folder.glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):
            stat = path.stat()
            files.append((stat.st_mtime, stat.st_size, path))
    size = 0
    for count, (_, bytes_, path) in enumerate(sorted(files, reverse=True), 1):
        size += bytes_
        if count > MOST_FILES or size > MOST_BYTES:
            with contextlib.suppress(OSError):
                path.unlink()


def _encode(dates: Mapping[bytes, FileDate | None]) -> bytes:
    """Return the commits with their times, then each path with the number of its commit.

    What stands between two NULs costs a tenth of what JSON costs to read.
    """
    table = list(dict.fromkeys(date for date in dates.values() if date))
    numbers: dict[FileDate | None, bytes] = {date: b"%d" % n for n, date in enumerate(table)}
    numbers[None] = b"-1"
    commits = " ".join(f"{date.commit} {date.time}" for date in table).encode("ascii")
    files = (field for path, date in dates.items() for field in (path, numbers[date]))
    return b"\0".join((commits, *files))


def _decode(body: bytes) -> Dates:
    commits, *files = body.split(b"\0")
    words = commits.decode("ascii").split()
    table: list[FileDate | None] = [
        FileDate(commit, int(time)) for commit, time in zip(words[::2], words[1::2], strict=True)
    ]
    table.append(None)
    return {path: table[int(number)] for path, number in zip(files[::2], files[1::2], strict=True)}


def _digest(body: bytes) -> bytes:
    return hashlib.sha256(body).hexdigest().encode("ascii")

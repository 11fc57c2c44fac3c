"""Whole files: written in a hidden folder beside their place, then renamed.

A build that is killed leaves its hidden folder behind; the next build of the same file removes it.
To tell it from the folder of a build that is still running, each build holds an advisory lock on
its own. Where folders cannot be locked (Windows, some network file systems) it is left alone.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import sys
import zlib
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from sitemap_plugin.errors import WriteError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

if sys.platform != "win32":
    import fcntl

__all__ = [
    "MARKER",
    "abandoned",
    "clone",
    "drop",
    "explain",
    "file_lock",
    "folder_lock",
    "is_ours",
    "like",
    "read_start",
    "refuse_other_kinds",
    "reported",
    "same_bytes",
    "set_aside",
    "staging",
    "write_whole",
]

MARKER = b"<!-- Written by sitemap-plugin -->"
"""The comment that tells a file that this package may replace or remove from any other."""

_HEAD = 1024
_READ_BYTES = os.O_RDONLY | getattr(os, "O_BINARY", 0)

_CURES = {
    errno.ENOSPC: "free some space on this disk and build again",
    errno.EDQUOT: "free some space or ask for a larger quota, and build again",
    errno.EFBIG: "raise the limit on the size of files (ulimit -f) and build again",
    errno.EACCES: "give the user who runs the build the right to write there",
    errno.EPERM: "give the user who runs the build the right to write there",
    errno.EROFS: "choose an output folder that can be written to",
    errno.EISDIR: "remove or rename that folder, or choose another filename",
    errno.ENOTDIR: "remove or rename the file that stands where a folder is needed",
    errno.EEXIST: "remove or rename the file that stands where a folder is needed",
    errno.ENAMETOOLONG: "choose a shorter filename",
}


def explain(error: OSError, path: Path) -> WriteError:
    """Turn an operating system's refusal into an error that names path, reason and cure."""
    reason = error.strerror or str(error)
    cure = _CURES.get(error.errno or 0, "check the output folder and build again")
    return WriteError(f"{path}: cannot be written: {reason}; {cure}")


@contextmanager
def reported(path: Path) -> Iterator[None]:
    """Raise WriteError about ``path`` for whatever the operating system refuses."""
    try:
        yield
    except OSError as error:
        raise explain(error, path) from error


def read_start(path: str | Path, size: int) -> bytes:
    """Return the first ``size`` bytes of a file, or all of a shorter one; raises OSError.

    For the many pages of a site: a file object takes longer to make than this takes in all.
    """
    file = os.open(path, _READ_BYTES)
    try:
        return os.read(file, size)
    finally:
        os.close(file)


def write_whole(path: Path, data: bytes) -> bool:
    """Write a file so that it is always whole; return whether its bytes changed.

    A file that already holds these bytes is not touched and keeps its modification time; one that
    is replaced keeps its mode. A symbolic link is replaced, never written through. Raises
    WriteError, after which the old file is unchanged and nothing else is left behind.
    """
    refuse_other_kinds(path)
    with staging(path.parent, path.name) as scratch, reported(path):
        new = scratch / path.name
        new.write_bytes(data)
        with folder_lock(path.parent):
            for dead in abandoned(path.parent, path.name):
                shutil.rmtree(dead, ignore_errors=True)
            if same_bytes(new, path):
                return False
            like(path, new).replace(path)
    return True


def refuse_other_kinds(path: Path) -> None:
    """Raise WriteError when a folder, a device or a pipe stands where a file should."""
    with reported(path):
        if path.exists() and not path.is_file():
            raise IsADirectoryError(errno.EISDIR, "Is not a file")


@contextmanager
def staging(folder: Path, name: str) -> Iterator[Path]:
    """Make a hidden folder for the files that will replace ``name`` and its like in ``folder``.

    It is removed at the end with all that is still in it. Raises WriteError when it cannot be made.
    """
    with reported(folder / name):
        folder.mkdir(parents=True, exist_ok=True)
    with reported(folder / name), folder_lock(folder):
        scratch = folder / f".{name}.{os.urandom(4).hex()}.tmp"
        scratch.mkdir()
        handle = _lock(scratch, wait=False)
    try:
        yield scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
        _unlock(handle)


def abandoned(folder: Path, name: str) -> list[Path]:
    """Find the staging folders that killed builds of ``name`` left; call with the lock held."""
    dead = []
    pattern = re.compile(rf"\.{re.escape(name)}\.[0-9a-f]{{8}}\.tmp")
    for scratch in folder.iterdir():
        if pattern.fullmatch(scratch.name):
            handle = _lock(scratch, wait=False)
            if handle is not None:
                dead.append(scratch)
            _unlock(handle)
    return sorted(dead)


@contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Keep other builds from renaming files in ``folder``; the lock leaves no file behind."""
    handle = _lock(folder, wait=True)
    try:
        yield
    finally:
        _unlock(handle)


@contextmanager
def file_lock(path: Path, waiting: Callable[[], None]) -> Iterator[None]:
    """Keep others waiting that lock the same file, which is made if need be, and stays.

    ``waiting`` is called before a wait. Where files cannot be locked, nobody waits.
    """
    handle = _lock_file(path, waiting)
    try:
        yield
    finally:
        _unlock(handle)


def _lock_file(path: Path, waiting: Callable[[], None]) -> int | None:
    if sys.platform == "win32":
        return None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        waiting()
        fcntl.flock(handle, fcntl.LOCK_EX)
    except OSError:
        pass  # Some network file systems know no locks.
    return handle


def _lock(folder: Path, *, wait: bool) -> int | None:
    """Lock a folder; return the handle, or None when it is taken or cannot be locked."""
    if sys.platform == "win32":
        return None
    try:
        handle = os.open(folder, os.O_RDONLY)
    except FileNotFoundError:  # The other build has finished.
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        return None
    return handle


def _unlock(handle: int | None) -> None:
    if handle is not None:
        os.close(handle)


def is_ours(path: Path) -> bool:
    """Tell whether a file, gzipped or not, says in its first KiB that this package wrote it."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if path.suffix == ".gz":
        try:
            head = zlib.decompressobj(31).decompress(head, _HEAD)
        except zlib.error:
            return False
    return MARKER in head


def same_bytes(first: Path, second: Path) -> bool:
    """Compare two files; one that does not exist equals none."""
    try:
        if first.stat().st_size != second.stat().st_size:
            return False
        with first.open("rb", buffering=0) as one, second.open("rb", buffering=0) as other:
            while chunk := one.read(1 << 18):
                if chunk != other.read(1 << 18):
                    return False
    except FileNotFoundError:
        return False
    return True


def like(old: Path, new: Path, *, times: bool = False) -> Path:
    """Give a file the mode, and if asked to the times, of the one it will replace; return it."""
    with suppress(FileNotFoundError):
        state = old.stat()
        new.chmod(state.st_mode & 0o7777)
        if times:
            os.utime(new, ns=(state.st_atime_ns, state.st_mtime_ns))
    return new


def clone(source: Path, target: Path, scratch: Path) -> None:
    """Give a file a second name, or copy it where the file system has no hard links.

    Raises FileExistsError when that name is taken. ``scratch`` is a folder for a copy in progress.
    """
    try:
        os.link(source, target)
    except FileExistsError:
        raise
    except OSError:
        if target.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target)) from None
        copy = scratch / f"{target.name}.copy"
        shutil.copy2(source, copy)
        copy.replace(target)


def set_aside(path: Path, scratch: Path) -> Path:
    """Keep a file of the user's under the next free name that ends in ``.bak``, ``.bak1``, ...

    The file stays in its place until it is replaced, so there is no moment without one.
    """
    number = 0
    while True:
        backup = path.with_name(f"{path.name}.bak{number or ''}")
        if same_bytes(path, backup):
            return backup
        with suppress(FileExistsError):
            clone(path, backup, scratch)
            return backup
        number += 1


def drop(path: Path) -> bool:
    """Remove a file if it is there and this package wrote it; return whether it was."""
    if not path.is_file() or not is_ours(path):
        return False
    path.unlink()
    return True

"""The one way to open a file that this run did not write, and the one way to write a file."""

from __future__ import annotations

import errno
import os
import re
import stat
import time
import zlib
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path

from sitemap_plugin.errors import WriteError

__all__ = [
    "MARKER",
    "UnfitFileError",
    "explain",
    "is_ours",
    "keep_backup",
    "read_file",
    "read_head",
    "read_start",
    "refuse_other_kinds",
    "remove_file",
    "remove_leftovers",
    "remove_ours",
    "write_whole",
]

MARKER = b"<!-- Written by sitemap-plugin -->"
"""The comment that tells the files that this package may replace or remove from all others."""

_HEAD = 1024
_GZIP_FORMAT = 31
# Without O_NONBLOCK, opening a FIFO waits for a writer.
_READ = sum(getattr(os, name, 0) for name in ("O_BINARY", "O_NONBLOCK", "O_NOCTTY"))
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_TRIES = 10

_RIGHTS = "give the user who runs the build the right to write there"
_NO_FOLDER = "remove or rename the file that stands where a folder is needed"
_CURES = {
    errno.ENOSPC: "free some space on this disk and build again",
    errno.EDQUOT: "free some space or ask for a larger quota, and build again",
    errno.EFBIG: "raise the limit on the size of files (ulimit -f) and build again",
    errno.EACCES: _RIGHTS,
    errno.EPERM: _RIGHTS,
    errno.EROFS: "choose an output folder that can be written to",
    errno.EISDIR: "remove or rename what stands there, or choose another filename",
    errno.ENOTDIR: _NO_FOLDER,
    errno.EEXIST: _NO_FOLDER,
    errno.ENAMETOOLONG: "choose a shorter filename",
}


class UnfitFileError(OSError):
    """A path that leads to something that is not read: no regular file, too large, or outside."""


def read_file(path: str | Path, *, limit: int, within: Sequence[str | Path] = ()) -> bytes:
    """Return the content of a regular file of at most ``limit`` bytes; raises OSError.

    With ``within``, the file that the path finally leads to must lie in one of these folders.
    """
    with os.fdopen(_open(path), "rb") as file:
        if within and not _is_within(path, within):
            raise UnfitFileError(errno.EPERM, "it is a link that leads out of the site", str(path))
        size = os.fstat(file.fileno()).st_size
        if size > limit:
            raise UnfitFileError(errno.EFBIG, f"it has more than {limit:,} bytes", str(path))
        return file.read(size)


def read_start(path: str | Path, size: int) -> bytes:
    """Return the first ``size`` bytes of a regular file, or all of a shorter one; raises OSError.

    For the many pages of a site: a file object takes longer to make than this takes in all.
    """
    handle = _open(path)
    try:
        return os.read(handle, size)
    finally:
        os.close(handle)


def _open(path: str | Path) -> int:
    try:
        handle = os.open(path, _READ)
    except ValueError as error:  # A null character in the name.
        raise UnfitFileError(errno.EINVAL, "its name has a null character", str(path)) from error
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return handle
    os.close(handle)
    raise _not_regular(path)


def _not_regular(path: str | Path) -> UnfitFileError:
    return UnfitFileError(errno.EISDIR, "it is not a regular file", str(path))


def _is_within(path: str | Path, folders: Sequence[str | Path]) -> bool:
    real = Path(os.path.realpath(path))
    return any(real.is_relative_to(os.path.realpath(folder)) for folder in folders)


def is_ours(path: Path) -> bool:
    """Tell whether a file, gzipped or not, says in its first KiB that this package wrote it.

    False for what is not there or cannot be read.
    """
    try:
        return MARKER in read_head(path)
    except OSError:
        return False


def read_head(path: Path) -> bytes:
    """Return the first KiB of a file's text, gzipped or not; raises OSError."""
    head = read_start(path, _HEAD)
    if path.suffix == ".gz":
        try:
            return zlib.decompressobj(_GZIP_FORMAT).decompress(head, _HEAD)
        except zlib.error:
            return b""
    return head


def explain(error: OSError, path: Path) -> WriteError:
    """Turn an operating system's refusal into an error that names path, reason and cure."""
    reason = error.strerror or str(error)
    cure = _CURES.get(error.errno or 0, "check the output folder and build again")
    return WriteError(f"{path}: cannot be written: {reason}; {cure}")


def write_whole(
    path: Path,
    data: bytes | Sequence[bytes],
    *,
    outdates: Path | None = None,
    like: Path | None = None,
) -> bool:
    """Write a file so that it is always whole; return whether it changed.

    ``data`` may be given in pieces. A file that already holds these bytes is not touched and keeps
    its modification time; one that is replaced keeps its mode, or gets that of ``like``. A
    symbolic link is replaced, never written through. The file ``outdates`` is removed right before
    this one changes. Raises WriteError, after which the old file is unchanged and nothing else is
    left behind.
    """
    pieces = [data] if isinstance(data, bytes) else data
    try:
        refuse_other_kinds(path)
        is_new = not _holds(path, pieces)
        if is_new:
            _replace(path, pieces, outdates, like or path)
        remove_leftovers(path.parent, re.escape(path.name))
    except OSError as error:
        raise explain(error, path) from error
    except ValueError as error:
        raise WriteError(f"{str(path)!a}: cannot be written: {error}") from error
    return is_new


def refuse_other_kinds(path: Path) -> None:
    """Raise UnfitFileError when a folder, a device or a pipe stands where a file should."""
    with suppress(FileNotFoundError):
        if not stat.S_ISREG(path.stat().st_mode):
            raise _not_regular(path)


def _holds(path: Path, pieces: Sequence[bytes]) -> bool:
    """Tell whether a file, and no link to one, consists of these pieces."""
    if path.is_symlink():
        return False
    try:
        handle = _open(path)
    except (FileNotFoundError, PermissionError):  # What may not be read may be replaced.
        return False
    with os.fdopen(handle, "rb") as file:
        is_as_long = os.fstat(handle).st_size == sum(map(len, pieces))
        return is_as_long and all(file.read(len(piece)) == piece for piece in pieces)


def _replace(path: Path, pieces: Sequence[bytes], outdates: Path | None, like: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    for left in reversed(range(_TRIES)):
        scratch = path.with_name(f".{path.name}.{os.urandom(4).hex()}.tmp")
        try:
            with os.fdopen(os.open(scratch, _NEW, 0o666), "wb") as file:
                file.writelines(pieces)
            with suppress(OSError):
                scratch.chmod(stat.S_IMODE(like.stat().st_mode))
            if outdates:
                remove_file(outdates)
            scratch.replace(path)
        except FileNotFoundError:
            # Another build of this file has just ended and removed ours as a leftover.
            if not left:
                raise
        except PermissionError:
            # Windows: somebody is just reading the file that is to be replaced.
            _discard(scratch)
            if os.name != "nt" or not left:
                raise
            time.sleep(0.05)
        except BaseException:
            _discard(scratch)
            raise
        else:
            return


def _discard(path: Path) -> None:
    with suppress(OSError):
        path.unlink()


def remove_leftovers(folder: Path, names: str) -> None:
    """Remove what killed builds left of files whose names match a regular expression.

    Call it after the own file is in place: so of two builds that write the same file at once one
    always gets ahead, and the other one tries again.
    """
    scratch = re.compile(rf"\.(?:{names})\.[0-9a-f]{{8}}\.tmp")
    with suppress(OSError):
        for path in sorted(folder.iterdir()):
            if scratch.fullmatch(path.name):
                _discard(path)


def remove_file(path: Path) -> bool:
    """Remove a file or a link; return whether it was there. Raises WriteError."""
    try:
        path.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        reason = error.strerror or str(error)
        raise WriteError(f"{path}: cannot be removed: {reason}; remove it by hand") from error
    return True


def remove_ours(path: Path, protected: Collection[str] = ()) -> bool:
    """Remove a file that this package wrote, unless its name is protected; tell if it was there."""
    return path.name not in protected and is_ours(path) and remove_file(path)


def keep_backup(path: Path) -> Path | None:
    """Keep a file under its name and ``.bak``, once; return that path if it is new.

    The file stays in its place, so there is no moment without one. What a link leads to stays
    where it is, and might not be meant to be published, so no copy is made of it.
    """
    backup = path.with_name(f"{path.name}.bak")
    if path.is_symlink() or os.path.lexists(backup):
        return None
    try:
        os.link(path, backup)
    except (FileNotFoundError, FileExistsError):
        return None
    except OSError:  # The file system has no second names.
        write_whole(backup, read_file(path, limit=1 << 30))
    return backup

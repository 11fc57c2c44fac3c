"""The one way to open a file that this run did not write, and the one way to write a file."""

import errno
import filecmp
import os
import re
import stat
import time
import zlib
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

from sitemap_plugin.errors import Result, WriteError, or_none

# The comment that tells the files that this package may replace or remove from all others.
MARKER = b"<!-- Written by sitemap-plugin -->"
_HEAD = 1024
_GZIP_FORMAT = 31
# Without O_NONBLOCK, opening a FIFO waits for a writer.
_READ = sum(getattr(os, name, 0) for name in ("O_BINARY", "O_NONBLOCK", "O_NOCTTY"))
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_TRIES = 10
_CURE = "check the output folder and build again"
_NOT_REGULAR = (errno.EISDIR, "it is not a regular file")
_CURES = {
    (errno.ENOSPC,): "free some space on this disk and build again",
    (errno.EACCES, errno.EPERM, errno.EROFS): "give the user of the build the right to write there",
    (errno.EISDIR, errno.ENOTDIR, errno.EEXIST): "remove or rename what stands there",
}


class UnfitFileError(OSError):
    """A path that leads to something that is not read: no regular file, too large, or outside."""


def relative_path(path: str | Path, start: str | Path) -> str:
    """Return a path as seen from a folder, with ``/``; whole on another drive of Windows."""
    return Path(or_none(os.path.relpath, path, start) or path).as_posix()


def read_file(path: str | Path, *, limit: int, within: Sequence[str | Path] = ()) -> bytes:
    """Return the content of a regular file of at most ``limit`` bytes; raises OSError.

    The file that the path finally leads to must lie ``within`` one of these folders, if any.
    """
    with os.fdopen(_open(path), "rb") as file:
        real = Path(os.path.realpath(path))
        if within and not any(real.is_relative_to(os.path.realpath(each)) for each in within):
            raise UnfitFileError(errno.EPERM, "it is a link that leads out of the site", str(path))
        size = os.fstat(file.fileno()).st_size
        if size > limit:
            raise UnfitFileError(errno.EFBIG, f"it has more than {limit:,} bytes", str(path))
        return file.read(size)


def read_start(path: str | Path, size: int) -> bytes:
    """Return up to ``size`` bytes of the beginning of a regular file; raises OSError."""
    handle = _open(path)  # A file object takes longer to make than this takes in all.
    try:
        return os.read(handle, size)
    finally:
        os.close(handle)


def _open(path: str | Path) -> int:
    try:
        handle = os.open(path, _READ)
    except ValueError as error:
        raise UnfitFileError(errno.EINVAL, "its name has a null character", str(path)) from error
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return handle
    os.close(handle)
    raise UnfitFileError(*_NOT_REGULAR, str(path))


def refuse_other_kinds(path: Path) -> None:
    """Raise UnfitFileError when a folder, a device or a pipe stands where a file should."""
    if path.exists() and not path.is_file():
        raise UnfitFileError(*_NOT_REGULAR, str(path))


def is_ours(path: Path) -> bool:
    """Tell whether a file, gzipped or not, says in its first KiB that this package wrote it."""
    with suppress(OSError):
        return MARKER in read_head(path)
    return False


def read_head(path: Path) -> bytes:
    """Return the first KiB of a file's text, gzipped or not; raises OSError."""
    head = read_start(path, _HEAD)
    with suppress(zlib.error):
        is_gzip = path.suffix == ".gz"
        return zlib.decompressobj(_GZIP_FORMAT).decompress(head, _HEAD) if is_gzip else head
    return b""


class LostFileError(WriteError):
    """A file that was being written is gone: to be written again."""


class NewFile:
    """A file that is written beside its place and takes it when it is whole, in a ``with``."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._scratch = path.with_name(f".{path.name}.{os.urandom(4).hex()}.tmp")

    def __enter__(self) -> Self:
        """Create the file. Raises WriteError, as all that follows."""
        try:
            with reported(self._path):
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._file = os.fdopen(os.open(self._scratch, _NEW, 0o666), "wb", buffering=0)
        except BaseException:  # Python calls __exit__ only for what is raised after this.
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Remove what has not taken its place."""
        with suppress(OSError, AttributeError):  # It may not have been opened.
            self._file.close()
        with suppress(OSError, ValueError):
            self._scratch.unlink()

    def write(self, data: bytes) -> None:
        """Append to the file."""
        view = memoryview(data)
        with reported(self._path):
            while view:
                view = view[self._file.write(view) :]

    def end(self) -> None:
        """Say that nothing follows; a large site has more files than may be open at once."""
        with reported(self._path):
            self._file.close()

    def take_place(
        self, path: Path, *, outdates: Path | None = None, like: Path | None = None
    ) -> bool:
        """Replace ``path``, never through a link; return whether that changed its bytes.

        An unchanged file keeps its modification time; one that is replaced keeps its mode, or gets
        that of ``like``. The file ``outdates`` is removed right before. Raises LostFileError where
        another build of this file has ended meanwhile and has removed ours as a leftover.
        """
        with reported(path):
            refuse_other_kinds(path)
            self._file.close()
            with suppress(FileNotFoundError, PermissionError):  # Replace what may not be read.
                if not path.is_symlink() and filecmp.cmp(self._scratch, path, shallow=False):
                    return False
            with suppress(OSError):
                self._scratch.chmod(stat.S_IMODE((like or path).stat().st_mode))
            if outdates:
                remove_file(outdates)
            self._replace(path)
        return True

    def _replace(self, path: Path) -> None:
        for left in reversed(range(_TRIES)):
            try:
                self._scratch.replace(path)
                break
            except FileNotFoundError as error:
                raise LostFileError(f"{path}: removed while it was written; build again") from error
            except PermissionError as error:
                # Windows replaces no file that somebody is just reading.
                if not getattr(error, "winerror", None) or not left:
                    raise
                time.sleep(0.05)


@contextmanager
def reported(path: Path, done: str = "written") -> Iterator[None]:
    """Raise WriteError for whatever the operating system refuses: path, reason and cure."""
    try:
        yield
    except OSError as error:
        cure = next((cure for codes, cure in _CURES.items() if error.errno in codes), _CURE)
        if getattr(error, "winerror", None):
            cure = (
                "close the program that has it open, or clear its read-only mark, and build again"
            )
        reason = error.strerror or str(error)
        raise WriteError(f"{path}: cannot be {done}: {reason}; {cure}") from error
    except ValueError as error:
        raise WriteError(f"{str(path)!a}: cannot be {done}: {error}") from error


def write_whole(path: Path, data: bytes) -> bool:
    """Write a file so that it is always whole, as ``NewFile``; return whether it changed."""

    def write() -> bool:
        with NewFile(path) as file:
            file.write(data)
            return file.take_place(path)

    is_new = write_again(write)
    remove_leftovers(path.parent, re.escape(path.name))
    return is_new


def write_again(write: Callable[[], Result]) -> Result:
    """Write, and do it again each time that another build has removed what was being written."""
    # That build has ended, so of some builds at once one always gets ahead.
    for _ in range(_TRIES):
        with suppress(LostFileError):
            return write()
    return write()


def remove_leftovers(folder: Path, names: str) -> None:
    """Remove what killed builds left of files whose names match a regular expression.

    Call it after the own file is in place, so that of two builds at once one always gets ahead.
    """
    scratch = re.compile(rf"\.(?:{names})\.[0-9a-f]{{8}}\.tmp")
    with suppress(OSError):
        for name in filter(scratch.fullmatch, os.listdir(folder)):  # noqa: PTH208 - it is quick
            with suppress(OSError):
                (folder / name).unlink()


def remove_file(path: Path) -> bool:
    """Remove a file or a link; return whether it was there. Raises WriteError."""
    with reported(path, "removed"), suppress(FileNotFoundError):
        path.unlink()
        return True
    return False


def remove_ours(path: Path, protected: Collection[str] = ()) -> bool:
    """Remove a file that this package wrote, unless its name is protected; tell if it was there."""
    with reported(path), suppress(FileNotFoundError, NotADirectoryError, UnfitFileError):
        return path.name not in protected and MARKER in read_head(path) and remove_file(path)
    return False


def keep_backup(path: Path) -> Path | None:
    """Keep a file, but no link, under its name and ``.bak`` too, once; return that path if new."""
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

"""What was announced lately, so that nothing is announced twice within ten minutes.

The wait is what IndexNow asks for between two announcements of one page.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sitemap_plugin.commands.user_cache import user_cache
from sitemap_plugin.common.files import file_lock, write_whole
from sitemap_plugin.errors import SitemapError, WriteError

__all__ = ["PAUSE", "Record", "default_path"]

PAUSE = 600
"""Seconds between two announcements of one page."""

_VERSION = 1
_NAME = "indexnow.json"
_LONGEST = 1 << 28
_OURS = re.compile(rb'[\0\s]*(?:\Z|\{\s*"version"\s*:\s*\d+\s*,\s*"announced")')


def default_path() -> Path:
    """Return the record of this user; raise SitemapError where there is no place for one."""
    folder = user_cache(os.environ, sys.platform)
    if folder is None:
        raise SitemapError("there is no folder for caches here; name a file with --record")
    return folder / _NAME


class Record:
    """A file of URLs with the times at which they were announced, in seconds since 1970.

    Times that lie further back than the pause are forgotten. A damaged file is begun anew, and
    another file is never replaced.
    """

    def __init__(self, path: Path, now: Callable[[], float], tell: Callable[[str], None]) -> None:
        self._path, self._now, self._tell = path, now, tell

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let no other announcement with this record begin before this one has ended.

        On Windows there is no such lock: two at a time may announce the same pages.
        """
        lock = self._path.with_name(f".{self._path.name}.lock")
        message = f"{self._path}: another announcement is under way; waiting for its end"
        with file_lock(lock, lambda: self._tell(message)):
            yield

    def open(self) -> Mapping[str, float]:
        """Return what was announced lately; make sure that more can be written.

        Raises SitemapError where the file is another one or cannot be written.
        """
        recent = self.recent()
        self._write(recent)
        return recent

    def add(self, urls: Iterable[str]) -> None:
        """Take note that URLs were announced now; others may have done so in the meantime."""
        self._write({**self.recent(), **dict.fromkeys(urls, self._now())})

    def recent(self) -> dict[str, float]:
        """Return what was announced lately; raise SitemapError where the file is another one."""
        times, now = self._read(), self._now()
        return {url: time for url, time in times.items() if now - PAUSE < time <= now + 1}

    def _write(self, times: Mapping[str, float]) -> None:
        lines = ",\n".join(f" {json.dumps(url)}: {time:.0f}" for url, time in sorted(times.items()))
        text = f'{{"version": {_VERSION}, "announced": {{\n{lines}\n}}}}\n'
        try:
            write_whole(self._path, text.encode())
        except WriteError as error:
            reason = getattr(error.__cause__, "strerror", None) or str(error)
            raise self._error(f"cannot be written: {reason}") from error

    def _read(self) -> dict[str, float]:
        try:
            with self._path.open("rb") as file:
                data = file.read(_LONGEST)
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise self._error(f"cannot be read: {error.strerror}") from error
        try:
            return _times(json.loads(data))
        except (ValueError, RecursionError):
            self._refuse_others(data)
            self._tell(f"{self._path}: damaged, so that nobody knows what was announced lately")
            return {}

    def _refuse_others(self, data: bytes) -> None:
        """Raise SitemapError for what does not begin as a record does, however damaged.

        What is no JSON at all may be damage too, where the file has the usual name.
        """
        try:
            is_other = bool(json.loads(data))
        except (ValueError, RecursionError):
            is_other = self._path.name != _NAME
        if is_other and not _OURS.match(data):
            raise self._error("there already, and no record")

    def _error(self, message: str) -> SitemapError:
        return SitemapError(f"{self._path}: {message}; name another file with --record")


def _times(data: Any) -> dict[str, float]:
    """Return the times in a record; raise ValueError for one that we did not write so."""
    announced = data.get("announced") if isinstance(data, dict) else None
    if not isinstance(announced, dict) or data.get("version") != _VERSION:
        raise ValueError("not a record of this version")
    times: dict[str, float] = {}
    for url, time in announced.items():
        if isinstance(time, bool) or not isinstance(time, int | float):
            raise ValueError(f"no time: {time!r}")  # noqa: TRY004 - one error for all damage
        times[url] = time
    return times

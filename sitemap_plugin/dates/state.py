"""The date source ``state``: the moment of the build that first saw a page say what it says now.

For sites without a usable history: shallow clones, generated pages, folders of HTML. The option
``state_file`` names a file that keeps each page's fingerprint and date from build to build; it is
to be committed or cached with the site. On first sight a page gets no date.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_plugin.common.files import read_file, write_whole
from sitemap_plugin.common.text import shown
from sitemap_plugin.dates.parse import DateError, build_time, check_range, parse_date
from sitemap_plugin.dates.words import plain_words
from sitemap_plugin.errors import ConfigError, Problem
from sitemap_plugin.hookspecs import LastmodFunction, hookimpl
from sitemap_plugin.html.content import main_text
from sitemap_plugin.models import Lastmod, Page, Site
from sitemap_plugin.report import Report

VERSION = 1
LARGEST = 512 * 1024 * 1024
"""Bytes of a state file: more than a million pages need."""
LARGEST_PAGE = 64 * 1024 * 1024

_WORDS = "w"
"""What fingerprints of words begin with; older versions kept others, which are not comparable."""
_OURS = re.compile(
    rb'(?:\xef\xbb\xbf)?[\0\s]*(?:\Z|\{\s*"version"\s*:\s*(\d{1,9})\s*,\s*"pages"\s*:)'
)
"""How a state file begins, however it is damaged: an empty one is one too, another file none."""


class _Seen(NamedTuple):
    """What a page said when it was last looked at, and since when, if that is known."""

    content: str
    date: Lastmod | None


class StatePlugin:
    """The plugin: provides the source, and keeps the file when the sitemap is in place."""

    def __init__(self) -> None:
        self._dates: _StateDates | None = None

    @hookimpl
    def sitemap_lastmod_source(self, site: Site, name: str) -> LastmodFunction | None:
        """Provide ``state``."""
        if name != "state":
            return None
        if site.config.state_file is None:
            message = (
                "lastmod: the date source 'state' needs the option 'state_file', the path of the "
                "file that remembers the pages"
            )
            raise ConfigError([message])
        self._dates = _StateDates(site, site.config_dir / site.config.state_file)
        return self._dates

    @hookimpl(trylast=True)
    def sitemap_written(self, site: Site, report: Report) -> None:  # noqa: ARG002 - hook
        """Write the file, unless the site is only looked at on this machine."""
        if self._dates is not None and not site.preview:
            self._dates.save()


class _StateDates:
    """Dates pages by comparing them with what a file remembers of them.

    Raises ConfigError for a file that is another one, of a newer version, or not to be read: it
    would be lost, and with it all dates, if it were written anew.
    """

    def __init__(self, site: Site, path: Path) -> None:
        self.problems: list[Problem] = []
        # A link is followed: it may lead to the cache that keeps the file from build to build.
        self._path = Path(os.path.realpath(path))
        self._base_url = site.base_url
        self._time = build_time().replace(microsecond=0)
        self._before = self._read()
        self._now: dict[str, _Seen] = {}
        self._unasked: dict[str, Page] = {}
        if path.absolute().is_relative_to(site.output_dir.absolute()):
            message = (
                f"{path} is in the folder that is published, and lost when that is emptied; name "
                "a place beside it"
            )
            self.problems.append(Problem("notice", message, "state_file"))

    def prepare(self, pages: Sequence[Page]) -> None:
        """Carry over what is known of the pages that still exist."""
        for page in pages:
            key = self._key(page)
            if key in self._before:
                self._now[key] = self._before[key]
                self._unasked[key] = page

    def __call__(self, page: Page) -> Lastmod | None:
        """Return since when the page says what it says."""
        if page.output is None:
            return None
        try:
            text = main_text(read_file(page.output, limit=LARGEST_PAGE))
        except OSError:
            return None
        digest = hashlib.sha256("\0".join(plain_words(text)).encode("utf-8", "surrogatepass"))
        content = f"{_WORDS}{digest.hexdigest()[:16]}"
        key = self._key(page)
        self._unasked.pop(key, None)
        before = self._before.get(key)
        if before is None:
            seen = _Seen(content, None)
        elif before.content == content or not before.content.startswith(_WORDS):
            seen = _Seen(content, before.date)
        else:
            seen = _Seen(content, self._time)
        self._now[key] = seen
        return seen.date

    def describe(self, page: Page) -> str:
        """Tell since when the page is unchanged."""
        seen = self._now.get(self._key(page))
        return f"state, unchanged since {seen.date}" if seen and seen.date else "state"

    def save(self) -> None:
        """Write the file: a line for each page, sorted, so that changes are easy to read.

        Raises ConfigError if the build itself has put another file there.
        """
        # Pages that another source has dated this time may change all the same, and on the day that
        # the other source is silent, that change must not count as one of that day.
        for page in list(self._unasked.values()):
            self(page)
        self._load()
        lines = [
            f"  {json.dumps(key, ensure_ascii=False)}: "
            f"{json.dumps([seen.content, seen.date and seen.date.isoformat()])}"
            for key, seen in sorted(self._now.items())
        ]
        text = f'{{"version": {VERSION}, "pages": {{\n' + ",\n".join(lines) + "\n}}\n"
        write_whole(self._path, text.encode("utf-8", "backslashreplace"))

    def _key(self, page: Page) -> str:
        return page.url.removeprefix(self._base_url)

    def _load(self) -> bytes | None:
        """Return the file's bytes; refuse another file, for this one is written anew."""
        try:
            data = read_file(self._path, limit=LARGEST)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self._refusal(
                f"cannot be read: {error.strerror}; make it readable, or name another file"
            ) from error
        begin = _OURS.match(data)
        if begin is None:
            raise self._refusal("is there already, and is no state file; name another file")
        if begin[1] and int(begin[1]) > VERSION:
            fault = "was written by a newer sitemap-plugin; update this one, or name another file"
            raise self._refusal(fault)
        return data

    def _refusal(self, fault: str) -> ConfigError:
        return ConfigError([f"state_file: {self._path} {fault}"])

    def _read(self) -> dict[str, _Seen]:
        data = self._load()
        if data is None:
            return {}
        try:
            seen = _parse(json.loads(data))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            message = "damaged; it is begun anew, and no page gets a date from it"
            self.problems.append(Problem("warning", message, str(self._path)))
            return {}
        return {key: self._possible(key, value) for key, value in seen.items()}

    def _possible(self, key: str, seen: _Seen) -> _Seen:
        """Forget a date that cannot be true, as a clock that was wrong once has left it."""
        try:
            if seen.date:
                check_range(seen.date)
        except DateError as error:
            message = f"the date of '{shown(key)}' is forgotten: {error}"
            self.problems.append(Problem("notice", message, str(self._path)))
            return _Seen(seen.content, None)
        return seen


def _parse(data: Any) -> dict[str, _Seen]:
    """Return the pages of a state file; what we did not write so raises one error or another."""
    if data["version"] != VERSION:
        raise ValueError("another version")
    return {
        key: _Seen(content.strip(), None if date is None else parse_date(date))
        for key, (content, date) in data["pages"].items()
    }

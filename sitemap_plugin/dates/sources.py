"""The date sources ``modified`` and ``date`` (front matter), ``mtime`` and ``state``.

``state`` is for sites without a usable history: the moment of the build that first saw a page say
what it says now. The option ``state_file`` names a file that keeps each page's fingerprint and date
from build to build. On first sight a page gets no date.
"""

import contextlib
import datetime as dt
import hashlib
import json
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_plugin.common.files import read_file, write_whole
from sitemap_plugin.dates import parse
from sitemap_plugin.dates.parse import DateError, PageDate, read_date
from sitemap_plugin.dates.words import plain_words
from sitemap_plugin.errors import ConfigError, Problem
from sitemap_plugin.hookspecs import LastmodFunction, hookimpl
from sitemap_plugin.html.content import main_text
from sitemap_plugin.models import Lastmod, Page, Site
from sitemap_plugin.pages.front_matter import raw_dates
from sitemap_plugin.report import Report

VERSION = 1
LARGEST = 512 * 1024 * 1024  # Bytes of a state file: more than a million pages need.
LARGEST_PAGE = 64 * 1024 * 1024
# How a state file begins, however it is damaged: an empty one is one too, another file none.
_OURS = re.compile(
    rb'(?:\xef\xbb\xbf)?[\0\s]*(?:\Z|\{\s*"version"\s*:\s*%d\s*,\s*"pages")' % VERSION
)


class SourcesPlugin:
    """The plugin: provides the sources, and keeps the state file when the sitemap is in place."""

    def __init__(self) -> None:
        self._state: _StateDates | None = None

    @hookimpl
    def sitemap_lastmod_source(self, site: Site, name: str) -> LastmodFunction | None:
        """Provide ``modified``, ``date``, ``mtime`` and ``state``."""
        if name == "mtime":
            return _mtime
        if name == "state":
            if site.config.state_file is None:
                cure = "'state_file', the path of the file that remembers the pages"
                raise ConfigError([f"lastmod: the date source 'state' needs the option {cure}"])
            self._state = _StateDates(site, site.config_dir / site.config.state_file)
            return self._state
        return _FrontMatterDates(name, site.timezone) if name in {"modified", "date"} else None

    @hookimpl(trylast=True)
    def sitemap_written(self, site: Site, report: Report) -> None:  # noqa: ARG002 - hook
        """Write the state file, unless the site is only looked at on this machine."""
        if self._state and not site.preview:
            self._state.save()


class _FrontMatterDates:
    """A date source that reads the first usable one of some front matter keys."""

    def __init__(self, name: str, timezone: dt.tzinfo) -> None:
        self.problems: list[Problem] = []
        self._name = name
        self._timezone = timezone
        self._origin = "front matter"

    def __call__(self, page: Page) -> Lastmod | None:
        """Return the page's date."""
        if not page.metadata:
            return None
        found = _first(page, self._name, self._timezone, self.problems)
        if found is None:
            return None
        self._origin = found.origin
        return found.lastmod

    def describe(self, page: Page) -> str:  # noqa: ARG002 - the page that was dated last
        """Return which key the page's date came from."""
        return self._origin


def publication_date(page: Page, timezone: dt.tzinfo) -> PageDate | None:
    """Return the day on which the page says that it was published."""
    return _first(page, "date", timezone, [])


def not_before_publication(
    page: Page, date: PageDate, timezone: dt.tzinfo, problems: list[Problem] | None = None
) -> PageDate:
    """Return the day of a page's publication in place of a date before it.

    With ``problems`` the date is that of no change, so that day counts; one that cannot be read is
    a warning there.
    """
    published = publication_date(page, timezone)
    if not published:
        if problems is not None:
            _first(page, "date", timezone, problems, parse.parse_date)
        return date
    if problems is not None:
        origin = f"{published.origin}; {date.origin} only added the page"
    elif parse.newest([date.lastmod, published.lastmod]) is published.lastmod:
        origin = f"{published.origin}, which is later than {date.origin}"
    else:
        return date
    return published._replace(origin=origin)


def _first(
    page: Page,
    name: str,
    timezone: dt.tzinfo,
    problems: list[Problem],
    read: Callable[[Any, dt.tzinfo], Lastmod] = read_date,
) -> PageDate | None:
    for key, value in raw_dates(page.metadata, name) if page.metadata else ():
        try:
            return PageDate(read(value, timezone), f'{_place(page)} "{key}"')
        except DateError as error:
            problems.append(Problem("warning", f"{_place(page)} {key!r}: {error}", page.where))
    return None


def _place(page: Page) -> str:
    """Name what the page's metadata were read from: its source, or the written page itself."""
    # Of two Paths, `==` takes far longer.
    is_written = page.source is not None and str(page.source) == str(page.output)
    return "HTML head" if is_written else "front matter"


def _mtime(page: Page) -> Lastmod | None:
    times = []
    for path in filter(None, (page.source, *page.dependencies)):
        try:
            times.append(int(path.stat().st_mtime))
        except OSError:
            continue
    return dt.datetime.fromtimestamp(max(times), dt.UTC) if times else None


class _Seen(NamedTuple):
    """What a page said when it was last looked at, and since when, if that is known."""

    content: str
    date: Lastmod | None


class _StateDates:
    """Dates pages by comparing them with what a file remembers of them.

    Raises ConfigError for another file, or one that cannot be read: writing it would lose that.
    """

    def __init__(self, site: Site, path: Path) -> None:
        self.problems: list[Problem] = []
        # A link is followed: it may lead to the cache that keeps the file from build to build.
        self._path = Path(os.path.realpath(path))
        self._base_url = site.base_url
        self._time = parse.build_time().replace(microsecond=0)
        self._pages: Sequence[Page] = ()
        self._now: dict[str, _Seen] = {}
        self._before: dict[str, _Seen] = {}
        try:
            self._before = _parse(self._load())
        except (ValueError, TypeError, AttributeError, RecursionError):
            message = "damaged; it is begun anew, and no page gets a date from it"
            self.problems.append(Problem("warning", message, str(self._path)))
        if path.absolute().is_relative_to(site.output_dir.absolute()):
            message = f"{path} is in the folder that is published, and lost when that is emptied"
            cure = "name a place beside it"
            self.problems.append(Problem("notice", f"{message}; {cure}", "state_file"))

    def prepare(self, pages: Sequence[Page]) -> None:
        """Take note of the pages that still exist."""
        self._pages = pages

    def __call__(self, page: Page) -> Lastmod | None:
        """Return since when the page says what it says."""
        if page.output is None:
            return None
        try:
            text = main_text(read_file(page.output, limit=LARGEST_PAGE))
        except OSError:
            return None
        words = "\0".join(plain_words(text)).encode("utf-8", "surrogatepass")
        content = f"w{hashlib.sha256(words).hexdigest()[:16]}"
        key = self._key(page)
        seen = self._before.get(key, _Seen(content, None))
        if seen.content != content:
            seen = _Seen(content, self._time)
        self._now[key] = seen
        return seen.date

    def describe(self, page: Page) -> str:
        """Tell since when the page is unchanged."""
        seen = self._now.get(self._key(page))
        return f"state, unchanged since {seen.date}" if seen and seen.date else "state"

    def save(self) -> None:
        """Write the file: a line for each page, sorted, so that changes are easy to read."""
        # Pages that another source has dated this time may change all the same, and on the day that
        # the other source is silent, that change must not count as one of that day.
        for page in self._pages:
            key = self._key(page)
            if key in self._before and key not in self._now:
                self(page)
                self._now.setdefault(key, self._before[key])
        self._load()  # The build itself may have put another file there.
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
            fault = f"cannot be read: {error.strerror}; make it readable, or name another file"
            raise ConfigError([f"state_file: {self._path} {fault}"]) from error
        if not _OURS.match(data):
            fault = "is there already, and is no state file; name another file"
            raise ConfigError([f"state_file: {self._path} {fault}"])
        return data


def _parse(data: bytes | None) -> dict[str, _Seen]:
    """Return the pages of a state file; what we did not write so raises one error or another."""
    seen: dict[str, _Seen] = {}
    for key, (content, text) in json.loads(data)["pages"].items() if data is not None else ():
        date = None if text is None else parse.parse_date(text)
        with contextlib.suppress(DateError):  # A clock that was wrong once may have left it.
            parse.check_range(date or dt.date.max)
            seen[key] = _Seen(content.strip(), date)
        seen.setdefault(key, _Seen(content.strip(), None))
    return seen

"""The date source ``git``: the committer date of the last commit that changed the page's content.

A source that is a symbolic link has changed when the link or the file behind it has. Where that
is not certain there is no date: for a file that is new or changed in the working tree, or that
last changed before a shallow clone begins.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from pathlib import Path

from sitemap_plugin.dates.git.cache import FileDate
from sitemap_plugin.dates.git.dates import date_files
from sitemap_plugin.dates.git.paths import Folder, by_repository, real_files
from sitemap_plugin.dates.sources.git_revision_date import KEY, localized_date
from sitemap_plugin.errors import Problem
from sitemap_plugin.hookspecs import LastmodFunction, hookimpl
from sitemap_plugin.models import Lastmod, Page, Site

__all__ = ["GitDates", "sitemap_lastmod_source"]

MANY_PAGES = 10
"""From so many pages on, one and the same date is suspicious, and so are sources unknown to git."""
_WHERE = "lastmod: git"


@hookimpl
def sitemap_lastmod_source(site: Site, name: str) -> LastmodFunction | None:
    """Provide ``git``."""
    return GitDates(site.config_dir) if name == "git" else None


class GitDates:
    """Dates pages by git, which is asked when the first date is wanted.

    ``prepare`` tells all pages, so that each repository is read once for all of them. The site is
    one with a history if ``home``, the folder of its configuration, lies in a repository.
    """

    def __init__(self, home: Path = Path()) -> None:
        self._home = home
        self._pages: Sequence[Page] = ()
        self._dates: dict[str, FileDate | None] = {}  # By source, as the page names it.
        self._cut: set[str] = set()
        self._asked_cut: set[str] = set()
        self._unknown: set[str] = set()
        self._asked_unknown: dict[str, Page] = {}
        self._problems: list[Problem] = []

    def prepare(self, pages: Sequence[Page]) -> None:
        """Take note of the pages whose dates will be wanted."""
        self._pages = pages

    def __call__(self, page: Page) -> Lastmod | None:
        """Return the moment of the page's last change, in UTC."""
        date = self._date(page)
        if date is not None:
            return _moment(date)
        if str(page.source) in self._cut:
            self._asked_cut.add(page.url)
            return None
        localized = None
        if KEY in page.metadata and _is_beyond_git(page):
            localized = localized_date(page)
        if localized is None and str(page.source) in self._unknown:
            self._asked_unknown[page.url] = page
        return localized

    def describe(self, page: Page) -> str:
        """Name the commit that the page's date comes from."""
        date = self._date(page)
        if date:
            return f"git {date.commit[:7]}"
        return "git, read by git-revision-date-localized" if KEY in page.metadata else "git"

    @property
    def problems(self) -> list[Problem]:
        """What the user should know, after the last page was dated."""
        problems = list(self._problems)
        if self._asked_cut:
            problems.append(Problem("notice", _shallow(len(self._asked_cut)), _WHERE))
        if self._asked_unknown and (message := self._mostly_unknown()):
            problems.append(Problem("notice", message, _WHERE))
        if self._dates and (message := self._all_alike()):
            problems.append(Problem("notice", message, _WHERE))
        return problems

    def _date(self, page: Page) -> FileDate | None:
        if page.source is None:
            return None
        source = str(page.source)
        if source not in self._dates:
            self._read((page,) if self._dates else (*self._pages, page))
        return self._dates[source]

    def _read(self, pages: Iterable[Page]) -> None:
        """Find out the dates of the pages' sources."""
        folders: dict[str, Folder] = {}
        files = {
            source: real_files(source, folders)
            for source in dict.fromkeys(
                str(page.source) for page in pages if page.source is not None
            )
        }
        found = date_files(dict.fromkeys(file for group in files.values() for file in group))
        self._problems += found.problems
        for source, group in files.items():
            dates = [date for file in group if (date := found.dates.get(file))]
            certain = len(dates) == len(group)
            self._dates[source] = max(dates, key=_time) if certain else None
            if not found.cut.isdisjoint(group):
                self._cut.add(source)
            if not found.unknown.isdisjoint(group):
                self._unknown.add(source)

    def _mostly_unknown(self) -> str | None:
        """Return what to say when git knows of most sources of a larger site nothing at all.

        A folder of HTML is its own source, and is seldom committed.
        """
        pages = [page for page in self._pages if page.source and page.source != page.output]
        unknown = [page for page in pages if page.url in self._asked_unknown]
        if (
            len(pages) < MANY_PAGES
            or 2 * len(unknown) <= len(pages)
            or not _has_history(self._home)
        ):
            return None
        return (
            f"{len(unknown)} of {len(pages)} pages have sources that git does not know (ignored, "
            f"not committed, or outside the repository), such as {unknown[0].source}, and get no "
            "date from it; commit them, let the build read them where they are committed, or set "
            "lastmod: [modified, date, state] and a state_file"
        )

    def _all_alike(self) -> str | None:
        """Return what to say when all pages of a larger site have one and the same date."""
        pages = [page for page in self._pages if not page.members]
        dates = [date for page in pages if (date := self._date(page))]
        moment = _moment(dates[0]) if len(dates) >= MANY_PAGES else None
        if moment is None or any(date.time != dates[0].time for date in dates):
            return None
        commits = {date.commit[:7] for date in dates}
        when = (
            f"in one commit, {min(commits)}" if len(commits) == 1 else "at one and the same moment"
        )
        return (
            f"all {len(dates)} pages last changed {when} of {moment.date()}; if that was an "
            "import, the date is not true of the pages: set lastmod: [modified, date] until they "
            "have a history of their own"
        )


def _is_beyond_git(page: Page) -> bool:
    """Tell whether the page has no source that lies in a repository, so that git was not asked."""
    return page.source is None or not by_repository(real_files(str(page.source), {}))


def _has_history(folder: Path) -> bool:
    return bool(by_repository([str(folder.resolve() / "a file in it")]))


def _time(date: FileDate) -> int:
    return date.time


def _moment(date: FileDate) -> dt.datetime | None:
    """Return a commit's time; a broken commit has none, or one that no calendar knows."""
    try:
        return dt.datetime.fromtimestamp(date.time, dt.UTC) if date.time else None
    except (ValueError, OverflowError, OSError):
        return None


def _shallow(count: int) -> str:
    pages = "1 page" if count == 1 else f"{count} pages"
    return (
        f"{pages} last changed before this shallow clone begins, and get no date from git; run "
        "git fetch --unshallow, or let CI fetch everything (GitHub Actions: fetch-depth: 0 for "
        "actions/checkout; GitLab CI/CD: GIT_DEPTH: 0)"
    )

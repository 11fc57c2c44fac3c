"""The date source ``git``: when what a reader reads of a page last changed.

That is the committer date, in UTC, of the last commit that changed a word of the page's source or
of a file that it is made of. Where this is not certain there is no date: for a file that is new or
changed in the working tree, or that last changed before a shallow clone begins. A source that is a
symbolic link has changed when the link or the file behind it has.
"""

from __future__ import annotations

import datetime as dt
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sitemap_plugin.common.text import counted
from sitemap_plugin.dates.front_matter_dates import publication_date
from sitemap_plugin.dates.git_changes import LastChange
from sitemap_plugin.dates.git_files import FileDates, date_files
from sitemap_plugin.dates.git_repository import find_repositories
from sitemap_plugin.dates.parse import DateError, parse_date
from sitemap_plugin.errors import Problem
from sitemap_plugin.hookspecs import LastmodFunction, hookimpl
from sitemap_plugin.models import Lastmod, Page, Site

__all__ = ["GitDates", "sitemap_lastmod_source"]

MANY_PAGES = 10
"""From so many pages on, one and the same date is suspicious, and so are sources unknown to git."""
LOCALIZED = "git_revision_date_localized_raw_iso_datetime"
"""Where the plugin mkdocs-git-revision-date-localized puts the date that it has found."""

_WHERE = "lastmod: git"


@hookimpl
def sitemap_lastmod_source(site: Site, name: str) -> LastmodFunction | None:
    """Provide ``git``."""
    return GitDates(site) if name == "git" else None


class _PageAnswer(NamedTuple):
    """What git says of a page: its change, whose file that is, and what the date rests on."""

    change: LastChange | None = None
    file: str | None = None
    is_cut: bool = False
    is_unknown: bool = False


class _RealFolder(NamedTuple):
    path: str
    links: frozenset[str]


class GitDates:
    """Dates pages by git, which is asked when the first date is wanted.

    ``prepare`` tells all pages, so that each repository is read once for all of them.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self._pages: Sequence[Page] = ()
        self._folders: dict[str, _RealFolder] = {}
        self._files: FileDates | None = None
        self._answers: dict[Page, _PageAnswer] = {}

    def prepare(self, pages: Sequence[Page]) -> None:
        """Take note of the pages whose dates will be wanted."""
        self._pages = pages

    def __call__(self, page: Page) -> Lastmod | None:
        """Return the moment of the page's last change, in UTC, or the day of its publication."""
        answer = self._answers[page] = self._ask(page)
        if answer.change is None:
            if LOCALIZED not in page.metadata or answer.is_cut:
                return None
            files = self._real_files(str(page.source)) if page.source else ()
            return None if find_repositories(files) else _localized(page)
        if answer.change.added and (published := publication_date(page, self._site.timezone)):
            return published[1]
        return _moment(answer.change)

    def describe(self, page: Page) -> str:
        """Name the commit that the page's date comes from, and those that were passed over."""
        answer = self._answers.get(page, _PageAnswer())
        change = answer.change
        if change is None:
            return (
                "git, read by git-revision-date-localized" if LOCALIZED in page.metadata else "git"
            )
        notes = []
        published = publication_date(page, self._site.timezone) if change.added else None
        if answer.file:
            notes.append(os.path.relpath(answer.file, self._site.config_dir))
        if change.passed:
            notes.append(f"{counted(change.passed, 'later commit')} changed no word")
        if published:
            notes.insert(0, "the commit that added the file is no change")
        commit = f"git {change.commit[:7]}"
        origin = f'front matter "{published[0]}"; {commit}' if published else commit
        return f"{origin} ({'; '.join(notes)})" if notes else origin

    @property
    def problems(self) -> list[Problem]:
        """What the user should know, after the last page was dated."""
        if not self._answers:
            return []
        problems = list(self._files.problems) if self._files else []
        messages = (self._cut(), self._unknown(), self._alike())
        problems += [Problem("notice", message, _WHERE) for message in messages if message]
        return problems

    @property
    def remarks(self) -> list[Problem]:
        """What the report says, and no console."""
        message = self._wordless()
        return [Problem("notice", message, _WHERE)] if message else []

    def _ask(self, page: Page) -> _PageAnswer:
        if page.source is None:
            return _PageAnswer()
        own = self._real_files(str(page.source))
        parts = [file for part in page.dependencies for file in self._real_files(str(part))]
        if self._files is None:
            self._files = self._read((*self._pages, page))
        files = self._files
        if not files.asked.issuperset((*own, *parts)):
            files = self._files = self._read((page,), files)
        if not files.unknown.isdisjoint(own):
            return _PageAnswer(is_unknown=True)
        if not files.changed.isdisjoint((*own, *parts)):
            return _PageAnswer()
        found: list[tuple[LastChange, str | None]] = [
            (files.dates[file], None) for file in own if file in files.dates
        ]
        added = min((change.time for change, _ in found), default=0)
        for file in parts:
            change = files.dates.get(file)
            # The commit that brings a part along with the page changes neither.
            if change and not (change.added and change.time <= added):
                found.append((change, file))
        known = [(change, file) for change, file in found if not change.is_cut]
        if not known:
            return _PageAnswer(is_cut=bool(found))
        change, name = max(known, key=lambda pair: pair[0].time)
        return _PageAnswer(change, name)

    def _read(self, pages: Iterable[Page], before: FileDates | None = None) -> FileDates:
        wanted = dict.fromkeys(
            file
            for page in pages
            if page.source is not None
            for path in (page.source, *page.dependencies)
            for file in self._real_files(str(path))
        )
        return date_files(wanted, minor_changes=self._site.config.minor_changes, before=before)

    def _real_files(self, source: str) -> tuple[str, ...]:
        """Return the real path of a file; of a symbolic link, also that of its target."""
        name_of_folder, name = os.path.split(source)
        folder = self._folders.get(name_of_folder)
        if folder is None:
            folder = self._folders[name_of_folder] = _read_folder(name_of_folder)
        file = os.path.join(folder.path, name)  # noqa: PTH118 - for each page, a Path is slow
        return (file, os.path.realpath(file)) if name in folder.links else (file,)

    def _cut(self) -> str | None:
        count = sum(answer.is_cut for answer in self._answers.values())
        return count and (  # type: ignore[return-value]
            f"{counted(count, 'page')} last changed before this shallow clone begins, and "
            f"{'gets' if count == 1 else 'get'} no date from git; run git fetch --unshallow, or "
            "let CI fetch everything (GitHub Actions: fetch-depth: 0 for actions/checkout; GitLab "
            "CI/CD: GIT_DEPTH: 0)"
        )

    def _unknown(self) -> str | None:
        """Return what to say when git knows nothing of most sources, or of a folder of HTML."""
        pages = [page for page in self._pages if page.source]
        unknown = [
            page
            for page in pages
            if page in self._answers and self._answers[page].is_unknown and _localized(page) is None
        ]
        if not unknown or 2 * len(unknown) <= len(pages):
            return None
        if not find_repositories([str(self._site.config_dir.resolve() / "a file in it")]):
            if "git" not in self._site.config.lastmod or len(self._site.config.lastmod) > 1:
                return None
            return "the site lies in no git repository, so no page gets a date from git"
        if all(page.source == page.output for page in pages):
            return (
                "this folder of HTML is not committed, so its pages get no date from git; name the "
                "folder of their sources with --source"
            )
        if len(pages) < MANY_PAGES:
            return None
        return (
            f"{len(unknown)} of {len(pages)} pages have sources that git does not know (ignored, "
            f"not committed, or outside the repository), such as {unknown[0].source}, and get no "
            "date from it; commit them, let the build read them where they are committed, or set "
            "lastmod: [modified, date, state] and a state_file"
        )

    def _alike(self) -> str | None:
        """Return what to say when one commit dates a quarter of a site's pages or more."""
        changes = {
            page: answer.change
            for page, answer in self._answers.items()
            if answer.change
            and not (answer.change.added and publication_date(page, self._site.timezone))
        }
        commits = Counter(change.commit for change in changes.values())
        for commit, count in commits.most_common(1):
            if count < MANY_PAGES or 4 * count < len(self._answers):
                break
            (change, *_) = (change for change in changes.values() if change.commit == commit)
            moment = _moment(change)
            when = f" of {moment.date()}" if moment else ""
            return (
                f"{count} of {len(self._answers)} pages are dated by one commit, "
                f"{commit[:7]}{when}; if it only reformatted or moved them, name its full id in "
                ".git-blame-ignore-revs; if it imported them, set lastmod: [modified, date] until "
                "they have a history"
            )
        return None

    def _wordless(self) -> str | None:
        count = sum(
            bool(answer.change and answer.change.passed) for answer in self._answers.values()
        )
        return count and (  # type: ignore[return-value]
            f"{count} of {counted(len(self._answers), 'page')} were last changed by commits that "
            "changed no word; their dates are those of the change before"
        )


def _read_folder(name: str) -> _RealFolder:
    path = os.path.realpath(name)
    try:
        with os.scandir(path) as entries:
            return _RealFolder(
                path, frozenset(entry.name for entry in entries if entry.is_symlink())
            )
    except OSError:
        return _RealFolder(path, frozenset())


def _moment(change: LastChange) -> dt.datetime | None:
    """Return a commit's time; a broken commit has none, or one that no calendar knows."""
    try:
        return dt.datetime.fromtimestamp(change.time, dt.UTC) if change.time else None
    except (ValueError, OverflowError, OSError):
        return None


def _localized(page: Page) -> dt.date | None:
    """Return the day that mkdocs-git-revision-date-localized gives the page, if it has found one.

    For a file that is not in git it gives the present time, which dates nothing. Its time is in a
    zone that it does not tell: only the day is known.
    """
    try:
        date = parse_date(page.metadata.get(LOCALIZED))
    except DateError:
        return None
    day = date.date() if isinstance(date, dt.datetime) else date
    return day if day < (dt.datetime.now(dt.UTC) - dt.timedelta(days=1)).date() else None

"""The date source ``git``: when what a reader reads of a page last changed.

That is the committer date, in UTC, of the last commit that changed a word of the page's source or
of a file that it is made of. Where this is not certain there is no date: for a file that is new or
changed in the working tree, or that last changed before a shallow clone begins. A source that is a
symbolic link has changed when the link or the file behind it has.
"""

import datetime as dt
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from sitemap_plugin.common.files import relative_path
from sitemap_plugin.common.text import counted
from sitemap_plugin.dates.git_repository import LastChange, date_files, find_repositories
from sitemap_plugin.dates.parse import PageDate
from sitemap_plugin.dates.sources import not_before_publication
from sitemap_plugin.errors import Problem
from sitemap_plugin.hookspecs import LastmodFunction, hookimpl
from sitemap_plugin.models import Lastmod, Page, Site

MANY_PAGES = 10
"""From so many pages on, one and the same date is suspicious, and so are sources unknown to git."""


@hookimpl
def sitemap_lastmod_source(site: Site, name: str) -> LastmodFunction | None:
    """Provide ``git``."""
    return GitDates(site) if name == "git" else None


class _Answer(NamedTuple):
    """What git says of a page: its last change, and its date where that is certain.

    ``is_unknown`` tells that git does not know the page's source.
    """

    change: LastChange | None = None
    date: PageDate | None = None
    is_unknown: bool = False


class GitDates:
    """Dates pages by git, which is asked when the first date is wanted.

    ``prepare`` tells all pages, so that each repository is read once for all of them.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self._pages: Sequence[Page] = ()
        self._real_folder = cache(os.path.realpath)
        self._files = cache(self._find_files)
        self._asked: set[str] = set()
        self._has_read_all = False
        self._dates: dict[str, LastChange | None] = {}
        self._problems: list[Problem] = []
        self._answers: dict[Page, _Answer] = {}

    def prepare(self, pages: Sequence[Page]) -> None:
        """Take note of the pages whose dates will be wanted."""
        self._pages = pages

    def __call__(self, page: Page) -> Lastmod | None:
        """Return the moment of the page's last change, in UTC, or the day of its publication."""
        answer = self._answers[page] = self._ask(page)
        return answer.date.lastmod if answer.date else None

    def describe(self, page: Page) -> str:
        """Name the commit that the page's date comes from, and those that were passed over."""
        answer = self._answers.get(page)
        return answer.date.origin if answer and answer.date else "git"

    @property
    def problems(self) -> list[Problem]:
        """What stood in the way of dates, known when all pages have been asked for."""
        said = [self._say_cut(), self._say_unknown(), self._say_alike()] if self._answers else []
        return self._problems + [Problem("notice", text, "lastmod: git") for text in said if text]

    @property
    def remarks(self) -> list[Problem]:
        """What the report says, and no console."""
        answers = self._answers.values()
        count = sum(bool(answer.change and answer.change.passed) for answer in answers)
        message = (
            f"{count} of {counted(len(answers), 'page')} were last changed by commits that "
            "changed no word; their dates are those of the change before"
        )
        return [Problem("notice", message, "lastmod: git")] if count else []

    def _ask(self, page: Page) -> _Answer:
        own, parts = self._files(page)
        if not self._has_read_all:
            self._has_read_all = True
            self._read(file for one in self._pages for files in self._files(one) for file in files)
        self._read((*own, *parts))
        if any(file not in self._dates for file in own):
            return _Answer(is_unknown=True)
        changes = [(self._dates[file], file) for file in (*own, *parts) if file in self._dates]
        found = [(change, file) for change, file in changes if change]
        if not found or len(found) < len(changes):
            return _Answer()
        # The commit that brings a part along with the page changes neither.
        added = min((change.time for change, file in found if file in own), default=0)
        known = [
            (change, file)
            for change, file in found
            if not change.is_cut and (file in own or not change.added or change.time > added)
        ]
        change, file = max(known or found, key=lambda pair: pair[0].time)
        try:
            moment = dt.datetime.fromtimestamp(change.time, dt.UTC)
        except (ValueError, OverflowError, OSError):  # A broken commit.
            return _Answer()
        if change.is_cut or not change.time:
            return _Answer(change)
        notes = [] if file in own else [relative_path(file, self._site.config_dir)]
        if change.passed:
            notes.append(f"{counted(change.passed, 'later commit')} changed no word")
        origin = f"git {change.commit[:7]}" + (f" ({'; '.join(notes)})" if notes else "")
        date = PageDate(moment, origin)
        is_change = not change.added
        date = not_before_publication(page, date, self._site.timezone, is_change=is_change)
        return _Answer(change, date)

    def _find_files(self, page: Page) -> tuple[list[str], list[str]]:
        """Return the real paths of a page's source and of its parts.

        Of a symbolic link, both its own path and that of its target count.
        """
        own: list[str] = []
        parts: list[str] = []
        for path in (page.source, *page.dependencies) if page.source else ():
            folder, name = os.path.split(path)
            file = os.path.join(self._real_folder(folder), name)  # noqa: PTH118 - a Path is slow
            found = own if path is page.source else parts
            found.append(file)
            if os.path.islink(file):  # noqa: PTH114 - a Path is slow
                found.append(os.path.realpath(file))
        return own, parts

    def _read(self, files: Iterable[str]) -> None:
        new = [file for file in dict.fromkeys(files) if file not in self._asked]
        if new:
            self._asked.update(new)
            dates, problems = date_files(new, minor_changes=self._site.config.minor_changes)
            self._dates |= dates
            self._problems += problems

    def _say_cut(self) -> str | None:
        changes = [answer.change for answer in self._answers.values()]
        count = sum(change is not None and change.is_cut for change in changes)
        if not count:
            return None
        return (
            f"{counted(count, 'page')} last changed before this shallow clone begins: no date from "
            "git; run git fetch --unshallow, or let CI fetch everything (GitHub Actions: "
            "fetch-depth: 0 for actions/checkout; GitLab CI/CD: GIT_DEPTH: 0)"
        )

    def _say_unknown(self) -> str | None:
        """Return what to say when git knows nothing of most sources, or of a folder of HTML."""
        pages = [page for page in self._pages if page.source]
        unknown = [p for p in pages if p in self._answers and self._answers[p].is_unknown]
        if 2 * len(unknown) <= len(pages):
            return None
        if not find_repositories([str(self._site.config_dir.resolve() / "a file in it")]):
            if self._site.config.lastmod != ("git",):
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

    def _say_alike(self) -> str | None:
        """Return what to say when one commit dates a quarter of a site's pages or more."""
        commits = Counter(
            (answer.change.commit[:7], answer.date.lastmod)
            for answer in self._answers.values()
            if answer.change and answer.date and answer.date.origin.startswith("git ")
        )
        ((commit, moment), count), *_ = *commits.most_common(1), (("", None), 0)
        if not moment or count < max(MANY_PAGES, len(self._answers) / 4):
            return None
        return (
            f"{count} of {len(self._answers)} pages are dated by one commit, "
            f"{commit} of {moment:%Y-%m-%d}; if it only reformatted or moved them, name its full "
            "id in .git-blame-ignore-revs; if it imported them, set lastmod: [modified, date] "
            "until they have a history"
        )

"""The date source ``git``: when what a reader reads of a page last changed.

That is the committer date, in UTC, of the last commit that changed a word of the page's source or
of a file that it is made of. Where this is not certain there is no date: for a file that is new or
changed in the working tree, or that last changed before a shallow clone begins. A source that is a
symbolic link has changed when the link or the file behind it has.
"""

import datetime as dt
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from typing import NamedTuple

from sitemap_plugin.common.files import relative_path
from sitemap_plugin.common.text import counted
from sitemap_plugin.dates.git_repository import LastChange, date_files, find_repositories
from sitemap_plugin.dates.parse import PageDate
from sitemap_plugin.dates.sources import not_before_publication
from sitemap_plugin.errors import Problem
from sitemap_plugin.hookspecs import LastmodFunction, hookimpl
from sitemap_plugin.models import Lastmod, Page, Site

_PLACE = "lastmod: git"
_MANY = 10  # From so many pages on, the same date and sources unknown to git are suspicious.


@hookimpl
def sitemap_lastmod_source(site: Site, name: str) -> LastmodFunction | None:
    """Provide ``git``."""
    return GitDates(site) if name == "git" else None


class _Answer(NamedTuple):
    """What git says of a page: its last change, and its date where that is certain."""

    change: LastChange | None = None
    date: PageDate | None = None
    is_unknown: bool = False  # Git does not know the page's source.


class GitDates:
    """Dates pages by git, which is asked once for all pages, when the first date is wanted."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._pages: Sequence[Page] = ()
        self._real_folder = cache(os.path.realpath)
        self._files = cache(self._find_files)
        self._answers: dict[Page, _Answer] = {}

    def prepare(self, pages: Sequence[Page]) -> None:
        """Take note of the pages whose dates will be wanted."""
        self._pages = pages

    @cached_property
    def _read(self) -> tuple[dict[str, LastChange | None], list[Problem]]:
        files = (file for page in self._pages for files in self._files(page) for file in files)
        return date_files(dict.fromkeys(files), minor_changes=self._site.config.minor_changes)

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
        if not self._answers:
            return []
        return self._read[1] + [Problem("notice", text, _PLACE) for text in self._notices()]

    @property
    def remarks(self) -> list[Problem]:
        """What the report says, and no console."""
        answers = self._answers.values()
        count = sum(bool(answer.change and answer.change.passed) for answer in answers)
        message = (
            f"{count} of {counted(len(answers), 'page')} were last changed by commits that "
            "changed no word; their dates are those of the change before"
        )
        return [Problem("notice", message, _PLACE)] if count else []

    def _ask(self, page: Page) -> _Answer:
        own, parts = self._files(page)
        dates = self._read[0]
        if any(file not in dates for file in own):
            return _Answer(is_unknown=True)
        changes = [(dates[file], file) for file in (*own, *parts) if file in dates]
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
        zone, is_change = self._site.timezone, not change.added
        return _Answer(change, not_before_publication(page, date, zone, is_change=is_change))

    def _find_files(self, page: Page) -> tuple[list[str], list[str]]:
        """Return the real paths of a page's source and of its parts; of a link both ends count."""
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

    def _notices(self) -> Iterator[str]:
        answers = self._answers.values()
        if cut := sum(bool(answer.change and answer.change.is_cut) for answer in answers):
            yield (
                f"{counted(cut, 'page')} last changed before this shallow clone begins: no date "
                "from git; run git fetch --unshallow, or let CI fetch everything (GitHub Actions: "
                "fetch-depth: 0 for actions/checkout; GitLab CI/CD: GIT_DEPTH: 0)"
            )
        pages = [page for page in self._pages if page.source]
        unknown = [page for page in pages if self._answers.get(page, _Answer()).is_unknown]
        if 2 * len(unknown) <= len(pages):
            pass
        elif not find_repositories([str(self._site.config_dir.resolve() / "a file in it")]):
            if self._site.config.lastmod == ("git",):
                yield "the site lies in no git repository, so no page gets a date from git"
        elif all(page.source == page.output for page in pages):
            yield (
                "this folder of HTML is not committed, so its pages get no date from git; name the "
                "folder of their sources with --source"
            )
        elif len(pages) >= _MANY:
            yield (
                f"{len(unknown)} of {len(pages)} pages have sources that git does not know "
                "(ignored, not committed, or outside the repository), such as "
                f"{unknown[0].source}, and get no date from it; commit them, let the build read "
                "them where they are committed, or set lastmod: [modified, date, state] and a "
                "state_file"
            )
        commits = Counter(
            f"{answer.change.commit[:7]} of {answer.date.lastmod:%Y-%m-%d}"
            for answer in answers
            if answer.change and answer.date and answer.date.origin.startswith("git ")
        )
        for commit, count in commits.most_common(1):
            if count >= max(_MANY, len(answers) / 4):
                yield (
                    f"{count} of {len(answers)} pages are dated by one commit, {commit}; if it "
                    "only reformatted or moved them, name its full id in .git-blame-ignore-revs; "
                    "if it imported them, set lastmod: [modified, date] until they have a history"
                )

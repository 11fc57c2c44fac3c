"""The date source ``git``: when what a reader reads of a page last changed.

That is the committer date, in UTC, of the last commit that changed a word of the page's source or
of a file that it is made of. Where this is not certain there is no date: for a file that is new or
changed in the working tree, or that last changed before a shallow clone begins. A source that is a
symbolic link has changed when the link or the file behind it has.
"""

import datetime as dt
import os
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

from sitemap_plugin.common.files import read_file, relative_path
from sitemap_plugin.common.text import counted
from sitemap_plugin.dates.git_history import Finder, folders_of
from sitemap_plugin.dates.git_process import FILES, STATUS, WHERE, Git, GitError
from sitemap_plugin.dates.parse import PageDate
from sitemap_plugin.dates.sources import not_before_publication
from sitemap_plugin.errors import Problem
from sitemap_plugin.hookspecs import LastmodFunction, hookimpl
from sitemap_plugin.models import Lastmod, Page, Site

_PLACE = "lastmod: git"
_MANY = 10  # From so many pages on, the same date and sources unknown to git are suspicious.
LARGEST_LIST = 4 * 1024 * 1024  # Bytes of a list of commits: 100,000 of them.
_OBJECT_ID = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")


class LastChange(NamedTuple):
    """The commit that counts as a file's last change, and its committer time in seconds."""

    commit: str
    time: int
    added: bool  # It put the file there.
    passed: int  # So many later commits changed no word of it.
    is_cut: bool  # The history of a shallow clone begins with it.


Dates = dict[str, LastChange | None]


@dataclass
class Repository:
    """A working tree, and what the last build in this process found out about it."""

    top: str
    shallow: Path  # The list of the commits with which a shallow clone begins.
    files: list[str] = field(default_factory=list)
    paths: dict[bytes, str] = field(default_factory=dict)  # Of the files, below `top`.
    folders: list[str] = field(default_factory=list)
    state: object = None  # HEAD, and which commits count: for these the answers hold.
    answers: dict[bytes, LastChange | None] = field(default_factory=dict)
    lacks_versions: bool = False


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
        self._unread: list[Problem] = []  # Days of publication.

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
        notices = [Problem("notice", text, _PLACE) for text in self._notices()]
        return self._read[1] + self._unread + notices

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
        problems = self._unread if change.added else None
        return _Answer(change, not_before_publication(page, date, self._site.timezone, problems))

    def _find_files(self, page: Page) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the real paths of a page's source and of its parts; of a link both ends count."""
        own: list[str] = []
        parts: list[str] = []
        for path in filter(None, (page.source, *page.dependencies)):
            folder, name = os.path.split(path)
            file = os.path.join(self._real_folder(folder), name)  # noqa: PTH118 - a Path is slow
            found = own if path is page.source else parts
            found.append(file)
            if os.path.islink(file):  # noqa: PTH114 - a Path is slow
                found.append(os.path.realpath(file))
        return tuple(own), tuple(parts)

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


remembered: dict[str, Repository] = {}
"""The repositories that builds in this process have read, by the folder that holds ``.git``."""


def date_files(files: Iterable[str], *, minor_changes: bool) -> tuple[Dates, list[Problem]]:
    """Return the last change of each file, by its real path, that git knows; None if uncertain."""
    dates: Dates = {}
    problems: list[Problem] = []
    for folder, members in find_repositories(files).items():
        try:
            with Git(folder) as git:
                repository = remembered.get(folder) or _open(git)
                remembered[folder] = repository
                dates |= _date(git, repository, members, problems, words=not minor_changes)
        except GitError as error:
            dates |= dict.fromkeys(members)
            problems.append(Problem(error.severity, str(error), folder))
    return dates, problems


def find_repositories(files: Iterable[str]) -> dict[str, list[str]]:
    """Group files by the nearest folder upwards with a ``.git``; leave out those without one."""

    @cache
    def find_top(folder: str) -> str | None:
        parent, name = os.path.split(folder)
        if os.path.lexists(os.path.join(folder, ".git")):  # noqa: PTH118 - once for each folder
            return folder
        return find_top(parent) if name else None

    tops: dict[str, list[str]] = {}
    for file in files:
        if top := find_top(file.rpartition(os.sep)[0] or os.sep):
            tops.setdefault(top, []).append(file)
    return tops


def _open(git: Git) -> Repository:
    """Ask git where the repository lies: not where ``.git`` is, if ``core.worktree`` is set."""
    for path in Path(git.folder, ".git").glob("*"):
        if path.is_fifo() or path.is_char_device():
            raise GitError(f"{path.name} in .git is not a regular file; clone the repository anew")
    lines = git.ask(*WHERE).splitlines()
    # An older git prints the option that it does not know.
    if len(lines) != 2 or not all(os.path.isabs(line) for line in lines):  # noqa: PLR2004, PTH117
        raise GitError("git is too old to give dates; install git 2.31 or newer")
    # Git writes "/" on Windows, too.
    return Repository(os.path.normpath(os.fsdecode(lines[0])), Path(os.fsdecode(lines[1])))


def _date(
    git: Git, repository: Repository, files: list[str], problems: list[Problem], *, words: bool
) -> Dates:
    """Return the last changes of a repository's files."""
    git.folder = repository.top
    if repository.files != files:
        start = os.path.join(repository.top, "")  # noqa: PTH118 - a Path has no slash at its end
        members = [file for file in files if file.startswith(start)]
        names = "\0".join([file[len(start) :] for file in members]).replace(os.sep, "/")
        if sys.platform == "darwin":  # Git composes accents there, unlike the disk.
            names = unicodedata.normalize("NFC", names)
        repository.files = files
        repository.paths = dict(zip(os.fsencode(names).split(b"\0"), members, strict=False))
        repository.folders = folders_of(repository.paths)
    paths = repository.paths
    head, changed = _read_status(git, repository.folders)
    if head is None:
        return {}
    boundary: frozenset[bytes] = frozenset()
    with suppress(OSError):
        boundary = frozenset(_OBJECT_ID.findall(read_file(repository.shallow, limit=LARGEST_LIST)))
    ignored = _read_ignored(repository.top, problems)
    state = (head, boundary, ignored, words)
    if repository.state != state:
        repository.state, repository.answers, repository.lacks_versions = state, {}, False
    answers = repository.answers
    missing = [path for path in paths if path not in answers]
    if missing:
        entries = git.ask(*FILES, os.fsdecode(head), "--", *folders_of(missing)).split(b"\0")
        found = [entry.partition(b"\t")[::2] for entry in entries]
        blobs = {path: description.rpartition(b" ")[2] for description, path in found}
        finder = Finder(git, ignored, words)
        searches = finder.find(head, {path: blobs[path] for path in missing if path in blobs})
        answers |= dict.fromkeys(missing)
        for each in searches:
            is_new, is_cut = not any(each.olds), each.commit in boundary
            change = LastChange(each.commit.decode(), each.time, is_new, each.passed, is_cut)
            answers[each.name] = change
        repository.lacks_versions |= finder.lacks_versions
    if repository.lacks_versions:
        message = "this clone lacks earlier versions of files, so each change of such a file counts"
        cure = "clone without --filter to leave out changes of no word"
        problems.append(Problem("notice", f"{message}; {cure}", _PLACE))
    dates = {file: answers[path] for path, file in paths.items() if answers[path]}
    return dates | {paths[path]: None for path in changed if path in paths}


def _read_status(git: Git, folders: Sequence[str]) -> tuple[bytes | None, set[bytes]]:
    """Return HEAD's commit, None before the first, and the files that differ from it."""
    head: bytes | None = None
    changed: set[bytes] = set()
    for entry in git.ask(*STATUS, "--", *folders).split(b"\0"):
        if entry.startswith(b"# branch.oid "):
            head = entry.split(b" ")[2]
        elif entry[:1] in {b"1", b"u"}:  # Seven fields stand before the path, nine in a conflict.
            changed.add(entry.split(b" ", 8 if entry[:1] == b"1" else 10)[-1])
    if head == b"(initial)":
        return None, changed
    if head is None or not _OBJECT_ID.fullmatch(head):
        raise GitError("git gives no dates: its status is not what was asked for")
    return head, changed


def _read_ignored(top: str, problems: list[Problem]) -> frozenset[bytes]:
    """Read the commits that `git blame` is told to ignore, since they reformat and change nothing.

    One full commit id a line, ``#`` starts a comment (git-blame, ``--ignore-revs-file``). What the
    file holds else is never shown: it may be a link to something secret.
    """
    path = f"{top}{os.sep}.git-blame-ignore-revs"  # Where code hosts look for it.
    try:
        lines = read_file(path, limit=LARGEST_LIST, within=(top,)).splitlines()
    except FileNotFoundError:
        return frozenset()
    except OSError as error:
        problems.append(Problem("warning", f"is not read: {error.strerror}", path))
        return frozenset()
    words = [line.partition(b"#")[0].strip().lower() for line in lines]
    found = frozenset(word for word in words if _OBJECT_ID.fullmatch(word))
    if bad := [number for number, word in enumerate(words, 1) if word and word not in found]:
        message = "this line is not a full commit id; write all of its digits"
        problems.append(Problem("warning", message, f"{path}:{bad[0]}"))
    return found

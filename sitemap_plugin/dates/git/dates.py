"""The dates of files that lie in any number of repositories, and what stands in their way."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from sitemap_plugin.dates.git.cache import Cache, FileDate, cache_folder
from sitemap_plugin.dates.git.changes import find_changes, folders_of
from sitemap_plugin.dates.git.paths import by_repository, paths_below
from sitemap_plugin.dates.git.process import (
    TIMEOUT_VARIABLE,
    GitError,
    GitMissingError,
    GitTimeoutError,
    timeout_fault,
)
from sitemap_plugin.dates.git.repository import (
    Repository,
    changed_files,
    open_repository,
    tracked_files,
)
from sitemap_plugin.errors import Problem

__all__ = ["FileDates", "date_files"]

_NO_REPOSITORY = (
    "is no repository that git can read, for lack of HEAD or since that is damaged, so the pages "
    "get no date from git; clone it anew"
)


@dataclass
class FileDates:
    """What git knows of some files, by absolute path.

    A file that is not in ``dates`` has none: it lies outside any repository, is not in HEAD, or
    differs from what HEAD has. The files in ``cut`` have changed in a commit that is the boundary
    of a shallow clone, or before: nobody can tell from this clone. Those in ``unknown`` lie in no
    repository or are not in HEAD.
    """

    dates: dict[str, FileDate] = field(default_factory=dict)
    cut: set[str] = field(default_factory=set)
    unknown: set[str] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)


def date_files(files: Iterable[str]) -> FileDates:
    """Ask each repository once for the files that lie in it.

    The paths are absolute and free of symbolic links, but for the last part.
    """
    found = FileDates()
    files = list(files)
    repositories = by_repository(files)
    if repositories and (fault := timeout_fault()):
        found.problems.append(Problem("warning", fault, TIMEOUT_VARIABLE))
    if sum(map(len, repositories.values())) < len(files):
        found.unknown.update(set(files).difference(*repositories.values()))
    for top, members in repositories.items():
        try:
            repository = open_repository(top)
        except GitError as error:
            found.problems.append(_problem(error, top))
            if isinstance(error, GitMissingError | GitTimeoutError):
                break  # It would be the same for the next repository.
            continue
        if repository is None:
            place = Path(top, ".git")
            if place.is_dir() and any(place.iterdir()):  # An empty folder is none by intention.
                found.problems.append(Problem("notice", _NO_REPOSITORY, str(place)))
        elif repository.head is None:
            found.unknown.update(members)
        else:
            _date(repository, repository.head, members, found)
    return found


def _date(repository: Repository, head: bytes, files: Iterable[str], found: FileDates) -> None:
    """Add the dates of a repository's files."""
    top = repository.top
    if repository.filter:
        found.problems.append(Problem("notice", _treeless(repository.filter), top))
        return
    for place, word in repository.ignored.faults:
        message = f"expected a full commit id, got {word!r}; write all of its digits"
        found.problems.append(Problem("warning", message, place))
    paths = paths_below(top, files)
    try:
        changed = changed_files(top, folders_of(paths))
        wanted = [path for path in paths if path not in changed]
        dates = _committed(repository, head, wanted)
    except GitError as error:
        found.problems.append(_problem(error, top))
        return
    boundary = {commit.decode() for commit in repository.boundary}
    for path in wanted:
        date = dates[path]
        if date is None:
            found.unknown.add(paths[path])
        elif date.commit in boundary:
            found.cut.add(paths[path])
        else:
            found.dates[paths[path]] = date


def _committed(
    repository: Repository, head: bytes, paths: Iterable[bytes]
) -> dict[bytes, FileDate | None]:
    """Return the date of each path as HEAD has it, None where HEAD has no such file."""
    ignored = repository.ignored.commits
    state = (head, b"shallow", *sorted(repository.boundary), b"ignored", *sorted(ignored))
    cache = Cache(cache_folder(os.environ, sys.platform), state)
    dates = cache.load()
    missing = {path for path in paths if path not in dates}
    if missing:
        tracked = missing & tracked_files(repository.top, head, folders_of(missing))
        changes = find_changes(repository.top, head, tracked, ignored)
        for path in missing:
            change = changes.get(path)
            dates[path] = FileDate(change.commit.decode(), change.time) if change else None
        cache.store(dates)
    return dates


def _problem(error: GitError, top: str) -> Problem:
    """Say why a repository gives no dates, and what to do."""
    if isinstance(error, GitMissingError):
        message = f"{error}, so no page has a date from git; install git 2.31 or newer"
        return Problem("notice", message, "lastmod: git")
    if isinstance(error, GitTimeoutError):
        message = (
            f"git gave no answer within {error} seconds, so no page gets a date from it; find out "
            f"what holds up git, or allow more seconds with the variable {TIMEOUT_VARIABLE}"
        )
    elif "dubious ownership" in str(error) or "unsafe repository" in str(error):
        command = f"git config --global --add safe.directory {shlex.quote(top)}"
        message = (
            "git refuses to read a repository of another user, so its pages get no date from git; "
            f"if you trust it, run: {command}"
        )
    elif "not a git repository" in str(error):
        message = (
            "the file .git here names a repository that is not there, so the pages get no date "
            "from git; check out all of the repository, or remove that file"
        )
    else:
        message = f"git gives no dates: {error}"
    return Problem("warning", message, top)


def _treeless(filter_: str) -> str:
    return (
        f"this clone was made with --filter={filter_} and lacks the folders of earlier commits, "
        "so its pages get no date from git; run: git fetch --refetch --filter=blob:none"
    )

"""The last changes of files in any number of repositories, and what stands in their way."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from sitemap_plugin.dates.git_changes import LastChange, Passing, find_changes
from sitemap_plugin.dates.git_log import folders_of
from sitemap_plugin.dates.git_process import (
    SECONDS,
    TIMEOUT_VARIABLE,
    Git,
    GitError,
    GitMissingError,
    GitTimeoutError,
    time_limit,
)
from sitemap_plugin.dates.git_repository import (
    Repository,
    changed_files,
    find_repositories,
    open_repository,
    tracked_files,
)
from sitemap_plugin.errors import Problem

__all__ = ["FileDates", "date_files", "forget"]

Answers = dict[bytes, LastChange | None]

_remembered: dict[str, tuple[tuple[bytes | None, Passing], Answers]] = {}
"""What the last build in this process found out in each repository, and of which state."""


@dataclass
class FileDates:
    """What git knows of some files, by absolute path.

    Those in ``unknown`` lie in no repository or are not in HEAD; those in ``changed`` differ from
    what HEAD has, or cannot be dated.
    """

    asked: set[str] = field(default_factory=set)
    dates: dict[str, LastChange] = field(default_factory=dict)
    unknown: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)


def date_files(
    files: Iterable[str], *, minor_changes: bool = False, before: FileDates | None = None
) -> FileDates:
    """Ask each repository once for the files that lie in it, beside what is known from before.

    The paths are absolute and free of symbolic links, but for the last part.
    """
    found = before or FileDates()
    new = [file for file in files if file not in found.asked]
    found.asked.update(new)
    repositories = find_repositories(new)
    if repositories and (fault := _limit_fault()):
        found.problems.append(Problem("warning", fault, TIMEOUT_VARIABLE))
    if sum(map(len, repositories.values())) < len(new):
        found.unknown.update(set(new).difference(*repositories.values()))
    for top, members in repositories.items():
        git = Git(top)
        try:
            _date(git, top, members, found, minor_changes=minor_changes)
        except GitError as error:
            found.changed.update(members)
            found.problems.append(_problem(error, top))
            if isinstance(error, GitMissingError | GitTimeoutError):
                break  # It would be the same for the next repository.
    return found


def forget() -> None:
    """Forget what earlier builds in this process have found out."""
    _remembered.clear()


def _date(
    git: Git, top: str, files: Iterable[str], found: FileDates, *, minor_changes: bool
) -> None:
    """Add the dates of a repository's files."""
    repository = open_repository(git)
    if repository is None or repository.head is None:
        found.unknown.update(files)
        place = Path(top, ".git")
        if repository is None and place.is_dir() and any(place.iterdir()):  # Else it is meant so.
            message = (
                "is no repository that git can read, for lack of HEAD or since that is damaged, so "
                "the pages get no date from git; clone it anew"
            )
            found.problems.append(Problem("notice", message, str(place)))
        return
    top = git.folder = repository.top
    found.problems.extend(repository.problems)
    if "tree:" in repository.filter:
        message = (
            f"this clone was made with --filter={repository.filter} and lacks the folders of "
            "earlier commits, so its pages get no date from git; run: git fetch --refetch "
            "--filter=blob:none"
        )
        found.changed.update(files)
        found.problems.append(Problem("notice", message, top))
        return
    start = os.path.join(top, "")  # noqa: PTH118 - a Path has no slash at its end
    paths = {
        os.fsencode(file[len(start) :].replace(os.sep, "/")): file
        for file in files
        if file.startswith(start)
    }
    changed = changed_files(git, folders_of(paths))
    passing = Passing(
        repository.ignored,
        repository.boundary,
        words=not minor_changes and not repository.filter,
        exact=bool(repository.filter),
    )
    answers = _committed(git, repository, repository.head, paths, passing)
    if repository.filter and not minor_changes:
        message = (
            "this is a partial clone, so git cannot compare the words of earlier versions: each "
            "change of a file counts; clone without --filter to leave out changes of no word"
        )
        found.problems.append(Problem("notice", message, "lastmod: git"))
    for path, file in paths.items():
        if path in changed:
            found.changed.add(file)
        elif change := answers[path]:
            found.dates[file] = change
        else:
            found.unknown.add(file)


def _committed(
    git: Git, repository: Repository, head: bytes, paths: Iterable[bytes], passing: Passing
) -> Answers:
    """Return the change of each path as HEAD has it, None where HEAD has no such file."""
    state = (head, passing)
    known, answers = _remembered.get(repository.top, (None, {}))
    if known != state:
        answers = {}
    missing = [path for path in paths if path not in answers]
    if missing:
        tracked = tracked_files(git, head, folders_of(missing))
        wanted = {path: tracked[path] for path in missing if path in tracked}
        changes = find_changes(git, head, wanted, passing) if wanted else {}
        for path in missing:
            answers[path] = changes.get(path)
        for path in wanted.keys() - changes.keys():
            answers[path] = _ask_for_one(git, head, path)
        _remembered[repository.top] = state, answers
    return answers


def _ask_for_one(git: Git, head: bytes, path: bytes) -> LastChange | None:
    """Return the change that git itself names, for a file whose version no commit has made."""
    name = (os.fsdecode(head), "--", os.fsdecode(path))
    fields = git.ask("log", "-1", "--format=%H %ct", *name).split()
    if len(fields) != 2:  # noqa: PLR2004 - commit and time
        return None
    return LastChange(fields[0].decode(), int(fields[1]))


def _limit_fault() -> str | None:
    """Return what is wrong with the time limit that the environment gives, None if nothing is."""
    text = os.environ.get(TIMEOUT_VARIABLE, "").strip()
    if not text or time_limit():
        return None
    return (
        f"expected a number of seconds above 0, got {text[:40]!r}; it is taken for {SECONDS:g}, as "
        "if it was not set"
    )


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

"""The last changes of files in any number of repositories, and what stands in their way."""

import os
import re
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

from sitemap_plugin.common.files import read_file
from sitemap_plugin.dates.git_history import Finder, folders_of
from sitemap_plugin.dates.git_process import Git, GitError
from sitemap_plugin.errors import Problem

LARGEST_LIST = 4 * 1024 * 1024  # Bytes of a list of commits: 100,000 of them.
_PLACE = ("rev-parse", "--path-format=absolute", "--show-toplevel", "--git-path", "shallow")
_STATUS = (
    *("status", "--porcelain=v2", "--branch", "--no-ahead-behind", "-z", "--no-renames"),
    *("--untracked-files=no", "--ignore-submodules=all"),
)
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


remembered: dict[str, Repository] = {}
"""The repositories that builds in this process have read, by the folder that holds ``.git``."""


def date_files(files: Iterable[str], *, minor_changes: bool) -> tuple[Dates, list[Problem]]:
    """Return the last change of each file that git knows; None where that is not certain.

    The paths are absolute and free of symbolic links, but for the last part.
    """
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
    lines = git.ask(*_PLACE).splitlines()
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
        command = ("ls-tree", "-r", "-z", "--full-tree", os.fsdecode(head), "--")
        entries = git.ask(*command, *folders_of(missing)).split(b"\0")
        found = [entry.partition(b"\t")[::2] for entry in entries]
        blobs = {path: description.rpartition(b" ")[2] for description, path in found}
        finder = Finder(git, ignored, words)
        searches = finder.find(head, {path: blobs[path] for path in missing if path in blobs})
        answers |= dict.fromkeys(missing)
        for search in searches:
            answers[search.name] = LastChange(
                search.commit.decode(),
                search.time,
                added=not any(search.olds),
                passed=search.passed,
                is_cut=search.commit in boundary,
            )
        repository.lacks_versions |= finder.lacks_versions
    if repository.lacks_versions:
        message = "this clone lacks earlier versions of files, so each change of such a file counts"
        cure = "clone without --filter to leave out changes of no word"
        problems.append(Problem("notice", f"{message}; {cure}", "lastmod: git"))
    return {
        file: None if path in changed else answers[path]
        for path, file in paths.items()
        if path in changed or answers[path]
    }


def _read_status(git: Git, folders: Sequence[str]) -> tuple[bytes | None, set[bytes]]:
    """Return HEAD's commit, None before the first, and the files that differ from it."""
    head: bytes | None = None
    changed: set[bytes] = set()
    for entry in git.ask(*_STATUS, "--", *folders).split(b"\0"):
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
    for number, word in enumerate(words, 1):
        if word and word not in found:
            message = "this line is not a full commit id; write all of its digits"
            problems.append(Problem("warning", message, f"{path}:{number}"))
            break
    return found

"""The last changes of files in any number of repositories, and what stands in their way."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sitemap_plugin.common.files import read_file
from sitemap_plugin.dates.git_changes import LastChange, Passing, find_changes
from sitemap_plugin.dates.git_log import folders_of
from sitemap_plugin.dates.git_process import Git, GitError, GitUnusableError, ObjectReader
from sitemap_plugin.errors import Problem

IGNORE_FILE = ".git-blame-ignore-revs"
"""Looked for at the root of the working tree, as code hosts do."""
LARGEST_LIST = 4 * 1024 * 1024
"""Bytes of a list of commits: 100,000 of them."""

_PLACE = ("rev-parse", "--path-format=absolute", "--show-toplevel", "--git-path", "shallow")
_STATUS = (
    *("status", "--porcelain=v2", "--branch", "-z", "--untracked-files=no", "--no-renames"),
    "--ignore-submodules=all",
)
_BAD_HEAD = "HEAD names a commit that is not there, or cannot be read; run git fsck"
_OBJECT_ID = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")

Dates = dict[str, LastChange | None]


@dataclass
class Repository:
    """A working tree, and what the last build in this process found out about it.

    ``shallow`` is the list of the commits with which a shallow clone begins. The answers hold for
    ``state``: HEAD, and which commits count.
    """

    top: Path
    shallow: Path
    state: tuple[bytes, Passing] | None = None
    answers: dict[bytes, LastChange | None] = field(default_factory=dict)
    lacks_versions: bool = False


remembered: dict[str, Repository] = {}
"""The repositories that builds in this process have read, by the folder that holds ``.git``."""


def date_files(files: Sequence[str], *, minor_changes: bool) -> tuple[Dates, list[Problem]]:
    """Return the last change of each file that git knows; None where the file is not as committed.

    None too where its repository cannot be read. The paths are absolute and free of symbolic
    links, but for the last part.
    """
    dates: Dates = {}
    problems: list[Problem] = []
    for folder, members in find_repositories(files).items():
        try:
            git = Git(folder)
            repository = remembered.get(folder) or _open(git)
            remembered[folder] = repository
            git.folder = str(repository.top)
            found = _date(git, repository, members, problems, words=not minor_changes)
            dates.update(found)
        except GitUnusableError as error:
            dates.update(dict.fromkeys(members))
            problems.append(Problem(error.severity, str(error), "lastmod: git"))
            break  # It would be the same for the next repository.
        except GitError as error:
            dates.update(dict.fromkeys(members))
            problems.append(Problem("warning", _explain(error, folder), folder))
    return dates, problems


def find_repositories(files: Iterable[str]) -> dict[str, list[str]]:
    """Group files by the root of the working tree that they lie in; leave out those in none."""
    known: dict[str, str | None] = {}
    tops: dict[str, list[str]] = {}
    for file in files:
        folder = file.rpartition(os.sep)[0] or os.sep
        if top := known[folder] if folder in known else _find_top(folder, known):
            tops.setdefault(top, []).append(file)
    return tops


def _find_top(folder: str, known: dict[str, str | None]) -> str | None:
    """Return the nearest folder upwards that has a ``.git``: a folder, or a file in a worktree."""
    if folder not in known:
        parent, name = os.path.split(folder)
        if os.path.lexists(os.path.join(folder, ".git")):  # noqa: PTH118 - once for each folder
            known[folder] = folder
        else:
            known[folder] = _find_top(parent, known) if name else None
    return known[folder]


def _open(git: Git) -> Repository:
    """Ask git where the repository lies: not where ``.git`` is, if ``core.worktree`` is set."""
    lines = git.ask(*_PLACE).splitlines()
    # An older git prints the option that it does not know.
    if len(lines) != 2 or not all(os.path.isabs(line) for line in lines):  # noqa: PLR2004, PTH117
        raise GitError("it does not say where the repository lies; install git 2.31 or newer")
    top, shallow = (Path(os.fsdecode(line)) for line in lines)
    return Repository(top, shallow)


def _date(
    git: Git, repository: Repository, files: Iterable[str], problems: list[Problem], *, words: bool
) -> Dates:
    """Return the last changes of a repository's files."""
    start = os.path.join(repository.top, "")  # noqa: PTH118 - a Path has no slash at its end
    members = [file for file in files if file.startswith(start)]
    names = "\0".join([file[len(start) :] for file in members]).replace(os.sep, "/")
    paths = dict(zip(os.fsencode(names).split(b"\0"), members, strict=False))
    head, changed = _read_status(git, repository, folders_of(paths))
    if head is None:
        return {}
    ignored = _read_ignored(repository.top, problems)
    passing = Passing(ignored, _read_boundary(git, repository.shallow), words)
    _read_changes(git, repository, head, paths, passing)
    if repository.lacks_versions:
        message = (
            "this clone lacks earlier versions of files (a partial clone), so git cannot compare "
            "their words: each change of such a file counts; clone without --filter to leave out "
            "changes of no word"
        )
        problems.append(Problem("notice", message, "lastmod: git"))
    answers = repository.answers
    return {
        file: None if path in changed else answers[path]
        for path, file in paths.items()
        if path in changed or answers[path]
    }


def _read_status(
    git: Git, repository: Repository, folders: Sequence[str]
) -> tuple[bytes | None, set[bytes]]:
    """Return HEAD's commit, None before the first, and the files that differ from it."""
    head: bytes | None = None
    changed: set[bytes] = set()
    for entry in git.ask(*_STATUS, "--", *folders).split(b"\0"):
        if entry.startswith(b"# branch.oid "):
            head = entry.split(b" ")[2]
        elif entry[:1] in {b"1", b"u"}:  # Seven fields stand before the path, nine in a conflict.
            changed.add(entry.split(b" ", 8 if entry[:1] == b"1" else 10)[-1])
    if head == b"(initial)":
        branch = os.fsdecode(git.ask("symbolic-ref", "HEAD").strip())
        if (repository.shallow.parent / branch).exists():
            raise GitError(_BAD_HEAD)
        return None, changed
    if head is None or not _OBJECT_ID.fullmatch(head):
        raise GitError("its status is not what it was asked for")
    return head, changed


def _read_changes(
    git: Git, repository: Repository, head: bytes, paths: Iterable[bytes], passing: Passing
) -> None:
    """Find the change of each path as HEAD has it, None where HEAD has no such file."""
    if repository.state != (head, passing):
        repository.state, repository.answers = None, {}
        repository.lacks_versions = False
    answers = repository.answers
    missing = [path for path in paths if path not in answers]
    commit = os.fsdecode(head)
    blobs: dict[bytes, bytes] = {}
    if missing:
        text = git.ask("ls-tree", "-r", "-z", "--full-tree", commit, "--", *folders_of(missing))
        for entry in text.split(b"\0"):
            description, _, path = entry.partition(b"\t")
            blobs[path] = description.rpartition(b" ")[2]
    wanted = {path: blobs[path] for path in missing if path in blobs}
    found: dict[bytes, LastChange | None] = dict.fromkeys(missing)
    if wanted:
        changes, lacks_versions = find_changes(git, head, wanted, passing)
        found |= changes
        repository.lacks_versions |= lacks_versions
    for path in [path for path in wanted if not found[path]]:  # No commit has made this version.
        fields = git.ask("log", "-1", "--format=%H %ct", commit, "--", os.fsdecode(path)).split()
        if len(fields) == 2:  # noqa: PLR2004 - commit and time
            found[path] = LastChange(fields[0].decode(), int(fields[1]))
    repository.state = (head, passing)
    answers |= found


def _read_boundary(git: Git, shallow: Path) -> frozenset[bytes]:
    """Return the commits whose parents are not there, of those that have parents.

    A clone that is just deep enough lists the very first commit as its boundary too.
    """
    try:
        commits = _OBJECT_ID.findall(read_file(shallow, limit=LARGEST_LIST))
    except FileNotFoundError:
        return frozenset()
    except OSError as error:
        reason = error.strerror or "it cannot be opened"
        message = f"{shallow} cannot be read, which lists where history ends: {reason}"
        raise GitError(message) from error
    found: set[bytes] = set()
    with ObjectReader(git) as reader:
        for commit in commits:
            for text in reader.read([commit]):
                if text and b"\nparent " in text.partition(b"\n\n")[0]:
                    found.add(commit)
    return frozenset(found)


def _read_ignored(top: Path, problems: list[Problem]) -> frozenset[bytes]:
    """Read the commits that `git blame` is told to ignore, since they reformat and change nothing.

    One full commit id a line, ``#`` starts a comment (git-blame, ``--ignore-revs-file``). What the
    file holds else is never shown: it may be a link to something secret.
    """
    path = top / IGNORE_FILE
    try:
        lines = read_file(path, limit=LARGEST_LIST, within=(top,)).splitlines()
    except FileNotFoundError:
        return frozenset()
    except OSError as error:
        reason = error.strerror or "it cannot be opened"
        problems.append(Problem("warning", f"is not read: {reason}", str(path)))
        return frozenset()
    words = [line.partition(b"#")[0].strip().lower() for line in lines]
    found = frozenset(word for word in words if _OBJECT_ID.fullmatch(word))
    faults = [number for number, word in enumerate(words, 1) if word and word not in found]
    if faults:
        message = "this line is not a full commit id; write all of its digits"
        if len(faults) > 1:
            message += f" ({len(faults) - 1} more lines have the same problem)"
        problems.append(Problem("warning", message, f"{path}:{faults[0]}"))
    return found


def _explain(error: GitError, folder: str) -> str:
    """Say why a repository gives no dates, and what to do."""
    text = str(error)
    if "dubious ownership" in text or "unsafe repository" in text:
        return (
            "git refuses to read a repository of another user, so its pages get no date from git; "
            "if you trust it, run: git config --global --add safe.directory " + shlex.quote(folder)
        )
    if "not a git repository" in text:
        return (
            "the .git here is damaged or names a repository that is not there, so the pages get no "
            "date from git; clone it anew, or remove that .git"
        )
    if "tree" in text or "promisor" in text or "transport" in text:
        return (
            f"git gives no dates: {text}; if this clone lacks the folders of earlier commits "
            "(--filter=tree:0), run: git fetch --refetch --filter=blob:none"
        )
    if "bad object HEAD" in text or "No such ref" in text:
        text = _BAD_HEAD
    return f"git gives no dates: {text}"

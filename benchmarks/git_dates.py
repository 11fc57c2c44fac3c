"""Time dating all files of a repository by git, and compare the dates with one log for each file.

Run ``python -m benchmarks.git_dates`` for a generated repository (``--quick`` for a small one), or
name a clone, and below it a folder, to take that. The contenders take turns; figures are medians
of CPU seconds, git's included, and of their ratios, as other work may share the machine.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from sitemap_plugin.git.changes import find_changes, folders_of
from sitemap_plugin.git.dates import FileDates, date_files
from sitemap_plugin.git.log import log

ROUNDS = 5
EACH = "git log -1 for each file"
CACHE_VARIABLE = "SITEMAP_PLUGIN_CACHE_DIR"


def generate(top: Path, files: int, commits: int) -> None:
    """Make a repository: two commits in three on the main line, the others on merged branches."""
    numbers = random.Random(1)
    names = [f"docs/section-{number % 50}/page-{number}.md" for number in range(files)]
    lines: list[str] = []

    def commit(mark: int, parents: Sequence[int], changed: Sequence[str]) -> None:
        lines.extend((f"commit refs/heads/main\nmark :{mark}", "committer A <a@example.org>"))
        lines[-1] += f" {1500000000 + mark * 3600} +0000\ndata 0"
        lines.extend(
            f"{word} :{parent}" for word, parent in zip(("from", "merge"), parents, strict=False)
        )
        for name in (*changed, "src/code.py"):
            text = f"{name} {mark}\n" * 20
            lines.append(f"M 100644 inline {name}\ndata {len(text)}\n{text}")

    commit(1, [], names)
    main = 1
    for mark in range(2, commits + 1):
        changed = numbers.sample(names, 3)
        if mark % 9 in {4, 5, 6}:  # Three commits of a branch, which the next one merges.
            commit(mark, [main if mark % 9 == 4 else mark - 1], changed)
        elif mark % 9 == 7 and mark > 7:
            commit(mark, [main, mark - 1], [])
            main = mark
        else:
            commit(mark, [main], changed)
            main = mark
    top.mkdir(parents=True)
    git(top, "init", "--quiet", "--initial-branch=main")
    git(top, "fast-import", "--quiet", "--force", text="\n".join(lines) + "\n")
    git(top, "reset", "--quiet", "--hard", "main")


def git(top: Path, *arguments: str, text: str | None = None) -> str:
    """Return what git prints."""
    command = ["git", *arguments]
    run = subprocess.run(
        command, cwd=top, input=text, capture_output=True, check=True, encoding="utf-8",
        errors="surrogateescape",
    )  # fmt: skip
    return run.stdout


def slow_commit(top: Path, commit: str, name: str) -> str:
    """Return the last commit that changed a file, by one log for it and one for each move."""
    while True:
        commit = git(top, "log", "-1", "--format=%H", commit, "--", f":(literal){name}").strip()
        for parent in git(top, "rev-parse", f"{commit}^@").split():
            if origin := _origin(top, parent, commit, name):
                commit, name = parent, origin
                break
        else:
            return commit


def _origin(top: Path, parent: str, commit: str, name: str) -> str | None:
    """Return the file of a parent that a commit only moved."""
    if git(top, "ls-tree", "-z", parent, "--", name):
        return None
    mode, _, blob = git(top, "ls-tree", "-z", commit, "--", name).split("\t")[0].split()
    fields = git(top, "diff-tree", "-z", "-r", "--no-renames", "--diff-filter=D", parent, commit)
    parts = fields.split("\0")
    origins = [
        path
        for description, path in zip(parts[::2], parts[1::2], strict=False)
        if description.split()[0] == f":{mode}" and description.split()[2] == blob
    ]
    same = [path for path in origins if Path(path).name == Path(name).name]
    return next(iter(same or origins), None)


def compare(top: Path, names: Sequence[str]) -> tuple[int, int]:
    """Return how many files have another date than by a log for each, and how many were moved."""
    head = git(top, "rev-parse", "HEAD").strip()
    every = [os.fsencode(name) for name in files_of(top, "")]
    wanted = [os.fsencode(name) for name in names]
    both = (
        find_changes(str(top), head.encode(), wanted),
        find_changes(str(top), head.encode(), every),  # Other folders, other ways to the origin.
    )
    wrong = moved = 0
    for name, path in zip(names, wanted, strict=True):
        right = slow_commit(top, head, name).encode()
        wrong += any(found[path].commit != right for found in both)
        moved += both[0][path].path != path
    return wrong, moved


def files_of(top: Path, folder: str) -> list[str]:
    """Return the files that HEAD has in a folder, without links and submodules."""
    entries = git(top, "ls-tree", "-r", "-z", "HEAD", "--", *([f"{folder}/"] if folder else []))
    return [entry.split("\t", 1)[1] for entry in entries.split("\0") if entry.startswith("100")]


def contenders(
    top: Path, names: Sequence[str], sample: Sequence[str], temporary: Path
) -> dict[str, Callable[[], object]]:
    """Return what takes turns; the last one asks for the files of the sample only."""
    folders = folders_of(os.fsencode(name) for name in names)
    paths = [str(top / name) for name in names]

    def our_log() -> None:
        with log(str(top), [b"HEAD"], folders) as process:
            while process.output.read(1 << 18):
                pass

    def bare_log(*arguments: str) -> None:
        command = ["git", "log", *arguments]
        subprocess.run(command, cwd=top, stdout=subprocess.DEVNULL, check=True)

    def first_build() -> None:
        with tempfile.TemporaryDirectory() as cache:
            os.environ[CACHE_VARIABLE] = cache
            date_files(paths)

    def rebuild() -> FileDates:
        os.environ[CACHE_VARIABLE] = str(temporary)
        return date_files(paths)

    def log_for_each() -> None:
        for name in sample:
            git(top, "log", "-1", "--format=%ct", "HEAD", "--", name)

    git(top, "status")  # A fresh clone's index is brought up to date once.
    print(f"{len(rebuild().dates)} files have a date; the others differ from HEAD")
    return {
        "git log": lambda: bare_log("HEAD"),
        "git log --raw -- FOLDERS": lambda: bare_log(
            "--raw", "--no-renames", "HEAD", "--", *folders
        ),
        "the log that is read, unread": our_log,
        "all dates, first build": first_build,
        "all dates, rebuild": rebuild,
        EACH: log_for_each,
    }


def seconds(function: Callable[[], object]) -> float:
    """Return the CPU time that a call takes, that of the programs it runs included."""
    before = _cpu_time()
    function()
    return _cpu_time() - before


def _cpu_time() -> float:
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    usages = [resource.getrusage(kind) for kind in kinds]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def measure(top: Path, names: Sequence[str], sample: Sequence[str]) -> None:
    """Print the figures for the files of one repository."""
    with tempfile.TemporaryDirectory() as temporary:
        functions = contenders(top, names, sample, Path(temporary))
        times: dict[str, list[float]] = {name: [] for name in functions}
        for _ in range(ROUNDS):
            for name, function in functions.items():
                scale = len(names) / len(sample) if function is functions[EACH] else 1
                times[name].append(seconds(function) * scale)
    ours = times["all dates, first build"]
    print(f"{'':30}{'CPU seconds':>12}{'first build is':>18}")
    for name, values in times.items():
        ratio = median(own / other for own, other in zip(ours, values, strict=True))
        print(f"{name:30}{median(values):12.3f}{ratio:12.3f} times")
    print(f"({EACH}: from a sample of {len(sample)})")


def main(arguments: Sequence[str] | None = None) -> int:
    """Time and compare; return 1 if a date differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clone", type=Path, nargs="?", help="a clone to take, else one is made")
    parser.add_argument("folder", nargs="?", default="", help="a folder of the clone")
    parser.add_argument("--quick", action="store_true", help="a small repository, 50 comparisons")
    parser.add_argument("--compare", type=int, default=500, help="compare so many files (500)")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as temporary:
        top = options.clone and options.clone.resolve()
        if top is None:
            top = Path(temporary, "site")
            generate(top, *((500, 500) if options.quick else (5000, 5000)))
        names = files_of(top, options.folder if options.clone else "docs")
        count = git(top, "rev-list", "--count", "HEAD").strip()
        print(f"{len(names)} files, {count} commits")
        shuffled = random.Random(1).sample(names, len(names))
        measure(top, names, shuffled[: 10 if options.quick else 50])
        compared = shuffled[: 50 if options.quick else options.compare]
        wrong, moved = compare(top, compared)
        print(f"{wrong} of {len(compared)} files are dated wrongly; {moved} were moved")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())

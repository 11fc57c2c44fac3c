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
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median

from sitemap_plugin.dates.git.changes import find_changes, folders_of
from sitemap_plugin.dates.git.dates import FileDates, date_files
from sitemap_plugin.dates.git.log import log

ROUNDS = 5
EACH = "`git log -1 -- FILE` for each file"
CACHE_VARIABLE = "SITEMAP_PLUGIN_CACHE_DIR"


def generate(top: Path, files: int, commits: int) -> None:
    """Make a repository: of nine commits, three are on a branch, and one merges it.

    At two thirds, one of the folders is moved.
    """
    numbers = random.Random(1)
    names = [f"docs/section-{number % 50}/page-{number}.md" for number in range(files)]
    lines: list[str] = []
    branch: dict[str, int] = {}
    main = 1
    _write_commit(lines, 1, [], dict.fromkeys(names, 1))
    for mark in range(2, commits + 1):
        changes = dict.fromkeys(numbers.sample(names, 3), mark)
        place = mark % 9
        if place in {4, 5, 6} and mark > place:
            _write_commit(lines, mark, [main if place == 4 else mark - 1], changes)
            branch = changes if place == 4 else branch | changes
        elif place == 7 and mark > place:
            _write_commit(lines, mark, [main, mark - 1], branch)
            main = mark
        else:
            _write_commit(lines, mark, [main], changes)
            main = mark
            if place == 0 and commits * 2 // 3 <= mark < commits * 2 // 3 + 9:
                lines.append("R docs/section-1 docs/part-1")
                names = [name.replace("/section-1/", "/part-1/") for name in names]
    top.mkdir(parents=True)
    git(top, "init", "--quiet", "--initial-branch=main")
    git(top, "fast-import", "--quiet", "--force", text="\n".join(lines) + "\n")
    git(top, "reset", "--quiet", "--hard", "main")


def _write_commit(
    lines: list[str], mark: int, parents: Sequence[int], changes: Mapping[str, int]
) -> None:
    """Write a commit as git fast-import reads it; a changed file holds the number given for it."""
    who = f"committer A <a@example.org> {1500000000 + mark * 3600} +0000"
    lines.append(f"commit refs/heads/main\nmark :{mark}\n{who}\ndata 0")
    lines.extend(
        f"{word} :{parent}" for word, parent in zip(("from", "merge"), parents, strict=False)
    )
    for name, number in {**changes, "src/code.py": mark}.items():
        text = f"{Path(name).name} {number}\n" * 20
        lines.append(f"M 100644 inline {name}\ndata {len(text)}\n{text}")


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
    print(f"{len(rebuild().dates)} of them are as HEAD has them, and get a date.")
    return {
        "`git log`, to nowhere": lambda: bare_log("HEAD"),
        "`git log --raw --no-renames -- FOLDERS`, to nowhere": lambda: bare_log(
            "--raw", "--no-renames", "HEAD", "--", *folders
        ),
        "the log that this project reads, to nowhere": our_log,
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
    print("\n| | CPU seconds | the first build takes |\n|---|---:|---:|")
    for name, values in times.items():
        ratio = median(own / other for own, other in zip(ours, values, strict=True))
        words = f"{ratio:.2f} times as long" if ratio > 0.1 else f"{1 / ratio:.0f} times less"
        print(f"| {name} | {median(values):.3f} | {words} |")
    print(f"\nThe time for {EACH} is that of {len(sample)} files, multiplied.")


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
        print(f"{len(names)} files, {count} commits.")
        shuffled = random.Random(1).sample(names, len(names))
        measure(top, names, shuffled[: 10 if options.quick else 50])
        compared = shuffled[: 50 if options.quick else options.compare]
        wrong, moved = compare(top, compared)
        print(f"Of {len(compared)} files compared, {wrong} are dated wrongly; {moved} were moved.")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())

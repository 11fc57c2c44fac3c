"""Time dating all files of a repository by git, words included, against the `git log` that is read.

Run ``python -m benchmarks.git_dates`` for a generated repository (``--quick`` for a small one), or
name a clone, and below it a folder, to take that. The contenders take turns; figures are medians
of CPU seconds, git's included, and of their ratios, as other work may share the machine.
"""

import argparse
import os
import random
import resource
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median

from sitemap_plugin.dates.git import date_files, remembered
from sitemap_plugin.dates.git_history import folders_of
from sitemap_plugin.dates.git_process import LOG, Git

ROUNDS = 7
EACH = "`git log -1 -- FILE` for each file"


def generate(top: Path, files: int, commits: int) -> None:
    """Make a repository: of nine commits, three are on a branch, and one merges it.

    At two thirds, one of the folders is moved. The last commits change no word of a page in three.
    """
    numbers = random.Random(1)
    names = [f"docs/section-{number % 50}/page-{number}.md" for number in range(files)]
    lines: list[str] = []
    branch: dict[str, int] = {}
    latest = dict.fromkeys(names, 1)
    main = 1
    _write_commit(lines, 1, [], latest)
    wordless = [names[start : start + 8] for start in range(0, files // 3, 8)]
    for mark in range(2, commits + 1):
        changes = dict.fromkeys(numbers.sample(names, 3), mark)
        place = mark % 9
        left = commits - mark
        if left < len(wordless):
            group = {name.replace("/section-1/", "/part-1/"): 0 for name in wordless[left]}
            _write_commit(lines, mark, [main], {name: latest[name] for name in group}, "tags: [a]")
            main = mark
            continue
        if place in {4, 5, 6} and mark > place:
            _write_commit(lines, mark, [main if place == 4 else mark - 1], changes)
            branch = changes if place == 4 else branch | changes
        elif place == 7 and mark > place:
            _write_commit(lines, mark, [main, mark - 1], branch)
            latest |= branch
            main = mark
        else:
            _write_commit(lines, mark, [main], changes)
            latest |= changes
            main = mark
            if place == 0 and commits * 2 // 3 <= mark < commits * 2 // 3 + 9:
                lines.append("R docs/section-1 docs/part-1")
                names = [name.replace("/section-1/", "/part-1/") for name in names]
                latest = {name.replace("/section-1/", "/part-1/"): n for name, n in latest.items()}
    top.mkdir(parents=True)
    git(top, "init", "--quiet", "--initial-branch=main")
    git(top, "fast-import", "--quiet", "--force", text="\n".join(lines) + "\n")
    git(top, "reset", "--quiet", "--hard", "main")
    git(top, "repack", "-adq")


def _write_commit(
    lines: list[str],
    mark: int,
    parents: Sequence[int],
    changes: Mapping[str, int],
    front_matter: str = "",
) -> None:
    """Write a commit as git fast-import reads it; a changed file holds the number given for it."""
    who = f"committer A <a@example.org> {1500000000 + mark * 3600} +0000"
    lines.append(f"commit refs/heads/main\nmark :{mark}\n{who}\ndata 0")
    lines.extend(
        f"{word} :{parent}" for word, parent in zip(("from", "merge"), parents, strict=False)
    )
    start = f"---\n{front_matter}\n---\n" if front_matter else ""
    for name, number in {**changes, "src/code.py": mark}.items():
        text = start + f"{Path(name).name} {number}\n" * 20
        lines.append(f"M 100644 inline {name}\ndata {len(text)}\n{text}")


def git(top: Path, *arguments: str, text: str | None = None) -> str:
    """Return what git prints."""
    command = ["git", *arguments]
    run = subprocess.run(
        command, cwd=top, input=text, capture_output=True, check=True, encoding="utf-8",
        errors="surrogateescape",
    )  # fmt: skip
    return run.stdout


def files_of(top: Path, folder: str) -> list[str]:
    """Return the files that HEAD has in a folder, without links and submodules."""
    entries = git(top, "ls-tree", "-r", "-z", "HEAD", "--", *([f"{folder}/"] if folder else []))
    return [entry.split("\t", 1)[1] for entry in entries.split("\0") if entry.startswith("100")]


def contenders(
    top: Path, names: Sequence[str], sample: Sequence[str]
) -> dict[str, Callable[[], object]]:
    """Return what takes turns; the last one asks for the files of the sample only."""
    folders = folders_of([os.fsencode(name) for name in names])
    paths = [str(top / name) for name in names]

    def our_log() -> None:
        Git(str(top)).ask(*LOG, "--", *folders, text=b"HEAD\n")

    def by_bytes() -> None:
        remembered.clear()
        date_files(paths, minor_changes=True)

    def first_build() -> None:
        remembered.clear()
        rebuild()

    def rebuild() -> None:
        date_files(paths, minor_changes=False)

    def log_for_each() -> None:
        for name in sample:
            git(top, "log", "-1", "--format=%ct", "HEAD", "--", name)

    git(top, "status")  # A fresh clone's index is brought up to date once.
    dates, _ = date_files(paths, minor_changes=False)
    passed = sum(bool(change and change.passed) for change in dates.values())
    print(f"{len(dates)} of them get a date; {passed} were last changed by a wordless commit.")
    return {
        "the log that this project reads, to nowhere": our_log,
        "all dates, by bytes": by_bytes,
        "all dates, by words": first_build,
        "all dates, rebuild in the same process": rebuild,
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
    functions = contenders(top, names, sample)
    times: dict[str, list[float]] = {name: [] for name in functions}
    for _ in range(ROUNDS):
        for name, function in functions.items():
            scale = len(names) / len(sample) if function is functions[EACH] else 1
            times[name].append(seconds(function) * scale)
    log = times["the log that this project reads, to nowhere"]
    print("\n| | CPU seconds | of the log that is read |\n|---|---:|---:|")
    for name, values in times.items():
        ratio = median(own / other for own, other in zip(values, log, strict=True))
        print(f"| {name} | {median(values):.3f} | {ratio:.2f} |")
    print(f"\nThe time for {EACH} is that of {len(sample)} files, multiplied.")


def main(arguments: Sequence[str] | None = None) -> int:
    """Time all contenders."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clone", type=Path, nargs="?", help="a clone to take, else one is made")
    parser.add_argument("folder", nargs="?", default="", help="a folder of the clone")
    parser.add_argument("--quick", action="store_true", help="a small repository")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as temporary:
        top = options.clone and options.clone.resolve()
        if top is None:
            top = Path(temporary, "site").resolve()
            generate(top, *((500, 500) if options.quick else (5000, 5000)))
        names = files_of(top, options.folder if options.clone else "docs")
        count = git(top, "rev-list", "--count", "HEAD").strip()
        print(f"{len(names)} files, {count} commits.")
        shuffled = random.Random(1).sample(names, len(names))
        measure(top, names, shuffled[: 5 if options.quick else 20])
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

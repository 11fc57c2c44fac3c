"""Whole builds of MkDocs and Pelican sites, with the plugin and without it."""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
MKDOCS = ROOT / ".venv/bin/python"
PELICAN = ROOT / ".venv-pelican/bin/python"
OWN_TIME = Path(__file__).with_name("own_time.py")
KINDS = ("with", "without")
Maker = Callable[[Path, int], dict[str, list[str]]]
WORDS = "Some words that a page of documentation may consist of, with `code` and *emphasis*. " * 4
SECTION = f"""\
## Section {{number}}

{WORDS}

- an item, with a [link](https://example.com/)
- another item

    def function(argument: int) -> int:
        return argument + 1

{WORDS}
"""
TEXT = "\n".join(SECTION.format(number=number) for number in range(1, 6))
"""What a page of documentation typically holds: 4 KB of headings, prose, lists and code."""


def make_mkdocs(folder: Path, count: int) -> dict[str, list[str]]:
    """Write a site with a small navigation; return the commands to build it."""
    docs = folder / "docs"
    for number in range(count):
        path = docs / f"part{number % 50}" / f"page{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"---\ndate: 2024-01-{number % 28 + 1:02}\n---\n# Page {number}\n\n{TEXT}")
    (docs / "index.md").write_text("# Home")
    base = "site_name: S\nsite_url: https://example.org/\nnav: [index.md]\n"
    (folder / "without.yml").write_text(base + "plugins: []\n")
    (folder / "with.yml").write_text(base + "plugins: [sitemap]\n")
    arguments = {name: ("-q", "-f", f"{name}.yml", "-d", f"site-{name}") for name in KINDS}
    return {
        "without": [str(MKDOCS), "-m", "mkdocs", "build", *arguments["without"]],
        "with": [str(MKDOCS), str(OWN_TIME), "mkdocs", "build", *arguments["with"]],
    }


def make_pelican(folder: Path, count: int) -> dict[str, list[str]]:
    """Write a blog; return the commands to build it."""
    content = folder / "content"
    content.mkdir()
    for number in range(count):
        header = (
            f"Title: Page {number}\nDate: 2024-01-{number % 28 + 1:02}\nCategory: c{number % 9}"
        )
        (content / f"page{number}.md").write_text(f"{header}\n\n{TEXT}")
    base = "SITEURL = 'https://example.org'\nFEED_ALL_ATOM = CATEGORY_FEED_ATOM = None\n"
    (folder / "without.py").write_text(base + "PLUGINS = []\n")
    (folder / "with.py").write_text(base + "PLUGINS = ['sitemap_plugin']\n")
    arguments = {name: ("-q", "-s", f"{name}.py", "-o", f"output-{name}") for name in KINDS}
    return {
        "without": [str(PELICAN), "-m", "pelican", "content", *arguments["without"]],
        "with": [str(PELICAN), str(OWN_TIME), "pelican", "content", *arguments["with"]],
    }


class Build(NamedTuple):
    """CPU seconds of a build, and of the plugin in it."""

    whole: float
    plugin: float = 0.0


def measure(kind: str, command: list[str], folder: Path) -> Build:
    """Run a build."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
    # Whoever builds a site has the bytecode of its generator and of the plugin on disk.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(command, check=True, cwd=folder, capture_output=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    whole = (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)
    return Build(whole, float(done.stdout.split()[-1]) if kind == "with" else 0.0)


def commit_all(folder: Path) -> None:
    """Make the site a repository, so that the plugin reads dates from git too."""
    identity = ["-c", "user.name=Nobody", "-c", "user.email=nobody@example.org"]
    for command in (["init", "-q"], ["add", "-A"], [*identity, "commit", "-qm", "Add"]):
        subprocess.run(["git", *command], check=True, cwd=folder)


def main() -> None:
    """Print what builds take, and the plugin's share of what they would take without it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=5_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="few pages, one round")
    arguments = parser.parse_args()
    pages, rounds = (200, 1) if arguments.quick else (arguments.pages, arguments.rounds)
    print(
        f"{pages:,} pages; the plugin reads every page's head, and git's dates if there are any.\n"
    )
    print("| generator | without (s) | with (s) | the plugin in it (s) | with / without | share |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, make, program in (
        ("MkDocs", make_mkdocs, MKDOCS),
        ("Pelican", make_pelican, PELICAN),
    ):
        for with_git in (True, False) if program.exists() else ():
            place = "" if with_git else ", no repository"
            figures = row(compare(make, pages, rounds, with_git=with_git))
            print(f"| {name}{place} | {figures} |", flush=True)


def compare(make: Maker, pages: int, rounds: int, *, with_git: bool) -> list[dict[str, Build]]:
    """Build a site with the plugin and without it, again and again."""
    folder = Path(tempfile.mkdtemp())
    try:
        commands = make(folder, pages)
        if with_git:
            commit_all(folder)
        for kind in KINDS:
            measure(kind, commands[kind], folder)  # Compiles what is not compiled yet.
        return [
            # Each goes first in every other round, so that no order is to its advantage.
            {kind: measure(kind, commands[kind], folder) for kind in KINDS[::order]}
            for order in ((1, -1) * rounds)[:rounds]
        ]
    finally:
        shutil.rmtree(folder)


def row(runs: list[dict[str, Build]]) -> str:
    """Return the medians: seconds, the ratio of the builds, and the plugin's share."""
    with_it = [run["with"] for run in runs]
    figures = {
        ".2f": (
            [run["without"].whole for run in runs],
            [build.whole for build in with_it],
            [build.plugin for build in with_it],
        ),
        ".3f": ([run["with"].whole / run["without"].whole for run in runs],),
        ".1%": ([build.plugin / (build.whole - build.plugin) for build in with_it],),
    }
    return " | ".join(
        format(statistics.median(values), form)
        for form, columns in figures.items()
        for values in columns
    )


if __name__ == "__main__":
    main()

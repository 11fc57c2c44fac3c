"""Whole builds of MkDocs and Pelican sites, with the plugin and without it."""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MKDOCS = ROOT / ".venv/bin/mkdocs"
PELICAN = ROOT / ".venv-pelican/bin/pelican"
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
    return {
        name: [str(MKDOCS), "build", "-q", "-f", f"{name}.yml", "-d", f"site-{name}"]
        for name in ("with", "without")
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
    return {
        name: [str(PELICAN), "content", "-q", "-s", f"{name}.py", "-o", f"output-{name}"]
        for name in ("with", "without")
    }


def cpu_seconds(command: list[str], folder: Path) -> float:
    """Run a build and return the CPU time that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
    # Whoever builds a site has the bytecode of its generator and of the plugin on disk.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    subprocess.run(command, check=True, cwd=folder, capture_output=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)


def commit_all(folder: Path) -> None:
    """Make the site a repository, so that the plugin reads dates from git too."""
    identity = ["-c", "user.name=Nobody", "-c", "user.email=nobody@example.org"]
    for command in (["init", "-q"], ["add", "-A"], [*identity, "commit", "-qm", "Add"]):
        subprocess.run(["git", *command], check=True, cwd=folder)


def main() -> None:
    """Print what the plugin adds to a build, in percent of the build without it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=5_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="few pages, one round")
    arguments = parser.parse_args()
    pages, rounds = (200, 1) if arguments.quick else (arguments.pages, arguments.rounds)
    print(f"{pages:,} pages; the plugin reads git dates and every page's head.\n")
    print("| generator | without (s) | with (s) | times the build without |")
    print("| --- | --- | --- | --- |")
    for name, make, program in (
        ("MkDocs", make_mkdocs, MKDOCS),
        ("Pelican", make_pelican, PELICAN),
    ):
        if not program.exists():
            print(f"| {name} | not installed | | |")
            continue
        folder = Path(tempfile.mkdtemp())
        try:
            commands = make(folder, pages)
            commit_all(folder)
            for command in commands.values():
                cpu_seconds(command, folder)  # Compiles what is not compiled yet.
            runs = [
                # Each goes first in every other round, so that no order is to its advantage.
                {kind: cpu_seconds(commands[kind], folder) for kind in sorted(commands)[::order]}
                for order in ((1, -1) * rounds)[:rounds]
            ]
        finally:
            shutil.rmtree(folder)
        without, with_us = (statistics.median(run[k] for run in runs) for k in ("without", "with"))
        ratio = statistics.median(run["with"] / run["without"] for run in runs)
        print(f"| {name} | {without:.2f} | {with_us:.2f} | {ratio:.3f} |")


if __name__ == "__main__":
    main()

"""The writer beside others: CPU time per entry, peak memory, and ratios.

    python benchmarks/writing.py --entries 10000 100000 1000000 --rounds 5

Each run is a process of its own, and rounds are interleaved, so that what else the machine does
falls on all alike. npm's sitemap takes part where Node is and ``npm install --prefix build/node
sitemap`` has been run; pelican-sitemap where it is installed in .venv-pelican.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import zlib
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PELICAN = ROOT / ".venv-pelican/bin/python"
NODE_MODULES = ROOT / "build/node/node_modules"

OTHERS = ("loop", "xml_sitemap_writer", "jinja", "pelican_sitemap", "sitemap.js")
RUNS = {
    "plain": ("ours", "bare_bytes", *OTHERS),
    "links": ("ours", "bare_bytes", "loop", "pelican_sitemap", "sitemap.js"),
    "gzip": ("ours", "ours_gzip", "loop_gzip", "xml_sitemap_writer_gzip"),
}
LABELS = {
    "ours": "sitemap-plugin, no twins",
    "ours_gzip": "sitemap-plugin, with twins",
    "bare_bytes": "the same number of bytes, written",
    "loop": "a loop with f-strings and html.escape",
    "loop_gzip": "that loop into gzip.open",
    "xml_sitemap_writer": "xml-sitemap-writer, gzip replaced by open",
    "xml_sitemap_writer_gzip": "xml-sitemap-writer",
    "jinja": "Jinja with MkDocs' template (loc, lastmod)",
    "pelican_sitemap": "pelican-sitemap",
    "sitemap.js": "npm sitemap",
}

Figures = dict[str, list[dict[str, float]]]


def run(writer: str, count: int, kind: str) -> dict[str, float] | None:
    """Run a writer once; return its figures, or None when it is not installed."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NODE_PATH": str(NODE_MODULES)}
    command = [sys.executable, str(HERE / "writers.py")]
    if writer == "pelican_sitemap":
        command[0] = str(PELICAN)
    elif writer == "sitemap.js":
        command = [shutil.which("node") or "node", str(HERE / "writers.cjs")]
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(
                [*command, writer, str(count), kind, folder],
                env=environment,
                capture_output=True,
                text=True,
                check=True,
            )
        except FileNotFoundError:
            return None
        except subprocess.CalledProcessError as error:
            if "No module named" in error.stderr or "Cannot find module" in error.stderr:
                return None
            raise SystemExit(error.stderr) from error
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def rounds(writers: Iterable[str], count: int, kind: str, number: int) -> Figures:
    """Run all writers in turn, several times."""
    figures: Figures = defaultdict(list)
    missing = set()
    for _ in range(number):
        for writer in writers:
            if writer in missing:
                continue
            result = run(writer, count, kind)
            if result is None:
                missing.add(writer)
            else:
                figures[writer].append(result)
    return figures


def show(title: str, figures: Figures) -> None:
    """Print medians, and ratios of the medians, as a table."""
    cost = {
        writer: statistics.median(result["cpu"] for result in results)
        for writer, results in figures.items()
    }
    print(f"\n{title}\n")
    print("| writer | µs per entry | times ours | peak memory, MiB | size, MB |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for writer, results in figures.items():
        memory = statistics.median(result["memory"] for result in results)
        size = results[0]["size"] / 1e6
        print(
            f"| {LABELS[writer]} | {cost[writer]:.2f} | {cost[writer] / cost['ours']:.2f} "
            f"| {memory:.0f} | {size:.1f} |"
        )


def show_levels() -> None:
    """Print what each level of compression costs and saves on a file of 50,000 entries."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, str(HERE / "writers.py"), "ours", "50000", "plain", folder],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            check=True,
        )
        data = (Path(folder) / "sitemap.xml").read_bytes()
    print(f"\nLevels of compression, one file of {len(data) / 1e6:.1f} MB\n")
    print("| level | µs per entry | size, kB |")
    print("| ---: | ---: | ---: |")
    for level in range(1, 10):
        spent = []
        size = 0
        for _ in range(3):
            start = time.process_time()
            size = len(zlib.compress(data, level))
            spent.append(time.process_time() - start)
        print(f"| {level} | {min(spent) / 50_000 * 1e6:.2f} | {size / 1e3:.0f} |")


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="few entries, one round")
    parser.add_argument(
        "--skip", choices=LABELS, nargs="+", default=[], help="writers to leave out"
    )
    parser.add_argument("--only", choices=(*RUNS, "levels"), nargs="+")
    arguments = parser.parse_args()
    counts, number = ([2_000], 1) if arguments.quick else (arguments.entries, arguments.rounds)
    only = arguments.only or (*RUNS, "levels")
    for count in counts:
        for title, writers in RUNS.items():
            if title in only:
                kind = "links" if title == "links" else "plain"
                chosen = [writer for writer in writers if writer not in arguments.skip]
                show(f"{count:,} entries, {title}", rounds(chosen, count, kind, number))
    if "levels" in only:
        show_levels()


if __name__ == "__main__":
    main()

"""The whole pipeline over synthetic pages: cost and memory of a page, stage by stage.

The reference does the least that any pipeline does: it makes the same pages and their entries,
sorts them, and writes one formatted text for each.
"""

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from html import escape
from operator import attrgetter
from pathlib import Path
from typing import Any

from sitemap_plugin import build as pipeline
from sitemap_plugin.config import parse_config
from sitemap_plugin.hookspecs import hookimpl
from sitemap_plugin.models import Entry, Page, Site

BASE = "https://example.org/"
STAGES = (
    "select_pages",
    "date_pages",
    "create_entries",
    "transform_entries",
    "link_translations",
    "write_site",
)


class Pages:
    """A plugin that contributes synthetic pages."""

    def __init__(self, count: int) -> None:
        self._count = count

    @hookimpl
    def sitemap_pages(self, site: Site) -> Iterator[Page]:  # noqa: ARG002 - the hook's argument
        """Yield the pages."""
        return pages(self._count)


def pages(count: int) -> Iterator[Page]:
    """Yield pages in no particular order."""
    for number in range(count):
        path = f"section-{number * 7919 % 97:02}/page-{number:07}/"
        yield Page(BASE + path, source_path=f"{path[:-1]}.md")


def measure(count: int, kind: str) -> dict[str, Any]:
    """Run one build in this process; return seconds of CPU time, bytes of memory and stages."""
    base_memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    stages: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        start = time.process_time()
        if kind == "reference":
            least(count, Path(folder))
        else:
            for name in STAGES:
                setattr(pipeline, name, timed(name, getattr(pipeline, name), stages))
            options: dict[str, Any] = {"gzip": False, "lastmod": ["modified", "date"]}
            config, _ = parse_config(options, generator="folder")
            site = Site(BASE, Path(folder), config=config)
            pipeline.build(site, [Pages(count)])
        seconds = time.process_time() - start
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - base_memory) * 1024
    stages["the rest"] = max(0, seconds - sum(stages.values()))  # type: ignore[assignment]
    return {"seconds": seconds, "memory": memory, "stages": stages}


def timed(name: str, function: Callable[..., Any], into: Counter[str]) -> Callable[..., Any]:
    """Return the function with its CPU time added up under its name."""

    def call(*arguments: Any, **named: Any) -> Any:
        start = time.process_time()
        try:
            return function(*arguments, **named)
        finally:
            into[name] += time.process_time() - start  # type: ignore[assignment]

    return call


def least(count: int, folder: Path) -> None:
    """Make pages and entries, sort and write them, and nothing else."""
    made = sorted(pages(count), key=attrgetter("url"))
    entries = [Entry(page.url) for page in made]
    with (folder / "sitemap.xml").open("w", encoding="utf-8") as file:
        for entry in entries:
            file.write(f"  <url>\n    <loc>{escape(entry.loc)}</loc>\n  </url>\n")


def in_child(count: int, kind: str) -> dict[str, Any]:
    """Measure in a process of its own, whose memory is that of the run alone."""
    command = [sys.executable, __file__, "--child", kind, "--pages", str(count)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    result: dict[str, Any] = json.loads(output)
    return result


def main() -> None:
    """Print a table of cost, memory and ratio, and the split by stage."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="small sizes, few rounds")
    parser.add_argument("--child", choices=["pipeline", "reference"])
    arguments = parser.parse_args()
    if arguments.child:
        print(json.dumps(measure(arguments.pages[0], arguments.child)))
        return
    sizes, rounds = ([10_000], 1) if arguments.quick else (arguments.pages, arguments.rounds)
    print("| pages | µs per page | bytes per page | times the reference |")
    print("| --- | --- | --- | --- |")
    for count in sizes:
        runs = [(in_child(count, "pipeline"), in_child(count, "reference")) for _ in range(rounds)]
        seconds = statistics.median(run["seconds"] for run, _ in runs)
        ratio = statistics.median(run["seconds"] / ref["seconds"] for run, ref in runs)
        memory = statistics.median(run["memory"] for run, _ in runs)
        print(f"| {count:,} | {seconds / count * 1e6:.2f} | {memory / count:.0f} | {ratio:.2f} |")
    print(f"\nµs per page by stage, at {sizes[-1]:,} pages:\n")
    print("| stage | µs |\n| --- | --- |")
    for name in runs[0][0]["stages"]:
        spent = statistics.median(run["stages"][name] for run, _ in runs)
        print(f"| {name} | {spent / sizes[-1] * 1e6:.2f} |")


if __name__ == "__main__":
    main()

"""Checking sitemaps of 50,000 URLs: time and memory, beside reading them alone.

Three files with the same entries, each with a date and five links to translations: in the usual
shape, with links that are written another way, and with a comment in every entry. The references
only read: expat with handlers that do nothing, lxml that makes a tree, and
ultimate-sitemap-parser. Each run is a process of its own, and all take turns.
"""

import argparse
import datetime as dt
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from statistics import median

from sitemap_plugin.commands.check.folder import check
from sitemap_plugin.commands.reading.reader import read_sitemap
from sitemap_plugin.models import Alternate, Entry
from sitemap_plugin.write.sitemap import Destination, Section, write_sitemap

BASE = "https://www.example.org/"
LANGUAGES = ("de", "en", "es", "fr", "ja")
REFERENCE = "expat, empty handlers"


def ours(path: Path) -> int:
    """Check a file."""
    outcome = check(path, base_url=BASE)
    assert not outcome.findings.counts
    return outcome.urls


def read_alone(path: Path) -> int:
    """Read a file into entries, and judge nothing."""
    return len(read_sitemap(path.read_bytes()).entries)


def empty_handlers(path: Path) -> int:
    """Parse with handlers that do nothing: what any reader in Python on expat costs at least."""
    from xml.parsers import expat  # noqa: PLC0415 - each contender loads what it needs

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.ordered_attributes = True
    parser.StartElementHandler = lambda _name, _attributes: None
    parser.EndElementHandler = lambda _name: None
    parser.CharacterDataHandler = lambda _text: None
    with path.open("rb") as file:
        parser.ParseFile(file)
    return 0


def lxml_tree(path: Path) -> int:
    """Make a tree."""
    from lxml import etree  # noqa: PLC0415 - optional

    return len(etree.parse(path).getroot())


def sitemap_parser(path: Path) -> int:
    """Read the pages with ultimate-sitemap-parser."""
    from usp.tree import sitemap_from_str  # noqa: PLC0415 - optional

    return sum(1 for _ in sitemap_from_str(path.read_text(encoding="utf-8")).all_pages())


CONTENDERS: dict[str, Callable[[Path], int]] = {
    "check": ours,
    "our reader alone": read_alone,
    REFERENCE: empty_handlers,
    "lxml, a tree": lxml_tree,
    "ultimate-sitemap-parser": sitemap_parser,
}
NEEDS = {"lxml, a tree": "lxml", "ultimate-sitemap-parser": "usp"}


def write_files(folder: Path, urls: int) -> dict[str, Path]:
    """Write the files, and return them by what is said of them."""
    count = urls // len(LANGUAGES)
    names = [f"section-{number % 97}/a-page-with-a-title-{number}/" for number in range(count)]
    sets = [tuple(Alternate(code, f"{BASE}{code}/{name}") for code in LANGUAGES) for name in names]
    first = dt.date(2020, 1, 1)
    dates = [first + dt.timedelta(days=number % 1500) for number in range(count)]
    entries = [
        Entry(alternates[language].href, dates[number], alternates=alternates)
        for number, alternates in enumerate(sets)
        for language in range(len(LANGUAGES))
    ]
    target = Destination(folder, BASE, gzip=False)
    write_sitemap(target, [Section("", sorted(entries), ("xhtml",))])
    usual = folder / "sitemap.xml"
    text = usual.read_text(encoding="utf-8")
    other, odd = folder / "other.xml", folder / "odd.xml"
    other.write_text(_other_links(text), encoding="utf-8")
    odd.write_text(text.replace("<url>", "<url><!-- a page -->"), encoding="utf-8")
    return {"the usual shape": usual, "links written another way": other, "any XML": odd}


def _other_links(text: str) -> str:
    """Move the address of each link to its front, and use the other quotes."""
    parts = text.split('<xhtml:link rel="alternate" hreflang="')
    turned = []
    for part in parts[1:]:
        code, _, rest = part.partition('" href="')
        href, _, rest = rest.partition('"/>')
        turned.append(f"href='{href}' hreflang='{code}' rel='alternate'></xhtml:link>{rest}")
    return "<xhtml:link ".join((parts[0], *turned))


def run_one(name: str, path: Path) -> None:
    """Run one contender once, and print CPU seconds and the process's peak of memory in MiB."""
    start = time.process_time()
    CONTENDERS[name](path)
    seconds = time.process_time() - start
    status = Path("/proc/self/status")
    lines = status.read_text(encoding="ascii").splitlines() if status.exists() else []
    peaks = [int(line.split()[1]) // 1024 for line in lines if line.startswith("VmHWM:")]
    print(json.dumps([seconds, peaks[0] if peaks else 0]))


def measure(paths: dict[str, Path], rounds: int) -> dict[tuple[str, str], tuple[float, int]]:
    """Return median seconds and MiB of each contender with each file."""
    names = [name for name in CONTENDERS if name not in NEEDS or find_spec(NEEDS[name])]
    samples: dict[tuple[str, str], list[tuple[float, int]]] = {}
    for _ in range(rounds):
        for kind, path in paths.items():
            for name in names:
                command = [sys.executable, __file__, "--one", name, str(path)]
                output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
                seconds, memory = json.loads(output)
                samples.setdefault((kind, name), []).append((seconds, memory))
    return {
        key: (median(seconds for seconds, _ in values), max(memory for _, memory in values))
        for key, values in samples.items()
    }


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a small file, one round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--one", nargs=2, metavar=("NAME", "FILE"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        run_one(arguments.one[0], Path(arguments.one[1]))
        return
    urls, rounds = (5_000, 1) if arguments.quick else (50_000, arguments.rounds)
    with tempfile.TemporaryDirectory() as folder:
        paths = write_files(Path(folder), urls)
        size = paths["the usual shape"].stat().st_size / 1e6
        results = measure(paths, rounds)
    print(f"{urls:,} URLs with {len(LANGUAGES)} links each, {size:.0f} MB.\n")
    print(f"| file | what is done | CPU s | times {REFERENCE} | MiB |\n|---|---|---|---|---|")
    for (kind, name), (seconds, memory) in results.items():
        ratio = seconds / results[kind, REFERENCE][0]
        print(f"| {kind} | {name} | {seconds:.2f} | {ratio:.2f} | {memory} |")


if __name__ == "__main__":
    main()

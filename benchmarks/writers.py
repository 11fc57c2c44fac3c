"""One sitemap writer at a time, in a process of its own: this package's and those of others.

    python benchmarks/writers.py WRITER ENTRIES plain|links FOLDER

Prints the CPU time in microseconds per entry, which includes making what the writer takes, the peak
memory in MiB and the size of the files. Which packages are needed depends on the writer alone.
"""

# ruff: noqa: PLC0415 - each writer is imported in the process that runs it, and in no other
import builtins
import datetime as dt
import gzip
import html
import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

BASE = "https://www.example.org/"
LANGUAGES = ("de", "en", "es", "fr", "it")
FIRST_DAY = dt.date(2020, 1, 1)
DAYS = [FIRST_DAY + dt.timedelta(days=number) for number in range(700)]
HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
)


class Item(NamedTuple):
    """What is to be written for one page; a set of links is one object that its pages share."""

    loc: str
    lastmod: dt.date
    changefreq: str
    priority: float
    links: tuple[Any, ...]


def items(
    count: int, kind: str, make: Callable[..., Any] = Item, link: Any = tuple
) -> Iterator[Any]:
    """Make sorted items, with or without a link for each of five languages."""
    if kind == "plain":
        for number in range(count):
            loc = f"{BASE}section-{number // 1000:04}/page-{number:07}/"
            yield make(loc, DAYS[number % 700], "weekly", 0.5, ())
        return
    sets = [
        tuple([link((code, f"{BASE}{code}/page-{number:07}/")) for code in LANGUAGES])
        for number in range(count // len(LANGUAGES))
    ]
    for code in LANGUAGES:
        for number, links in enumerate(sets):
            loc = f"{BASE}{code}/page-{number:07}/"
            yield make(loc, DAYS[number % 700], "weekly", 0.5, links)


def ours(count: int, kind: str, folder: Path, *, gzip: bool = False) -> None:
    """Write with this package."""
    from sitemap_plugin.models import Alternate, Entry
    from sitemap_plugin.write.sitemap import Destination, Section, write_sitemap

    entries: Any = items(count, kind, Entry, Alternate._make)
    prefixes = frozenset({"xhtml"} if kind == "links" else ())
    target = Destination(folder, BASE, gzip=gzip)
    write_sitemap(target, [Section("", entries, prefixes)])


def ours_gzip(count: int, kind: str, folder: Path) -> None:
    """Write with this package, with twins."""
    ours(count, kind, folder, gzip=True)


def bare_bytes(count: int, kind: str, folder: Path) -> None:
    """Write as many bytes, in as many files, and do nothing else."""
    size = {"plain": 181, "links": 648}[kind]
    piece = b"x" * (size * 512)
    for start in range(0, count, 50_000):
        with (folder / f"{start}.xml").open("wb") as file:
            for at in range(0, min(50_000, count - start), 512):
                file.write(piece if at + 512 <= 50_000 else piece[: (50_000 - at) * size])


def loop(count: int, kind: str, folder: Path, opener: Callable[..., Any] = open) -> None:
    """Format each entry and write it, as one would without a library."""
    escape = html.escape
    remaining = items(count, kind)
    for start in range(0, count, 50_000):
        with opener(folder / f"{start}.xml", "wt", encoding="utf-8") as file:
            file.write(HEAD)
            for item in islice(remaining, 50_000):
                links = "".join(
                    f'\n    <xhtml:link rel="alternate" hreflang="{code}" href="{escape(href)}"/>'
                    for code, href in item.links
                )
                file.write(
                    f"  <url>\n    <loc>{escape(item.loc)}</loc>\n"
                    f"    <lastmod>{item.lastmod.isoformat()}</lastmod>\n"
                    f"    <changefreq>{item.changefreq}</changefreq>\n"
                    f"    <priority>{item.priority}</priority>{links}\n  </url>\n"
                )
            file.write("</urlset>\n")


def loop_gzip(count: int, kind: str, folder: Path) -> None:
    """Do that into gzip.open."""
    loop(count, kind, folder, gzip.open)


def xml_sitemap_writer(count: int, kind: str, folder: Path) -> None:
    """Write with xml-sitemap-writer, whose files are made plain here; it knows no links."""

    def plain(path: str, mode: str, compresslevel: int) -> Any:  # noqa: ARG001 - gzip's arguments
        return builtins.open(path, mode)  # noqa: PTH123 - the library's way

    vars(import_module("xml_sitemap_writer"))["gzip"] = SimpleNamespace(open=plain)
    xml_sitemap_writer_gzip(count, kind, folder)


def xml_sitemap_writer_gzip(count: int, kind: str, folder: Path) -> None:
    """Write with xml-sitemap-writer as it is."""
    library = import_module("xml_sitemap_writer")
    with library.XMLSitemap(str(folder), BASE) as sitemap:
        sitemap.URLS_PER_FILE = 50_000
        for item in items(count, kind):
            sitemap.add_url(
                item.loc.removeprefix(BASE),
                item.lastmod.isoformat(),
                str(item.priority),
                item.changefreq,
            )


def jinja(count: int, kind: str, folder: Path) -> None:
    """Render MkDocs' own template, which knows loc and lastmod only, as MkDocs does."""
    import jinja2
    import mkdocs

    place = Path(mkdocs.__file__).parent / "templates"
    template = jinja2.Environment(loader=jinja2.FileSystemLoader(place)).get_template("sitemap.xml")
    files = [
        SimpleNamespace(
            page=SimpleNamespace(
                is_link=False, canonical_url=item.loc, update_date=item.lastmod.isoformat()
            )
        )
        for item in items(count, kind)
    ]
    (folder / "sitemap.xml").write_bytes(template.render(pages=files).encode())


def pelican_sitemap(count: int, kind: str, folder: Path) -> None:
    """Write with pelican-sitemap."""
    generator = import_module("pelican.plugins.sitemap.sitemap").SitemapGenerator()
    generator.page_queue = [
        (
            "",
            SimpleNamespace(
                url=item.loc.removeprefix(BASE),
                modified=dt.datetime.combine(item.lastmod, dt.time(), dt.UTC),
                translations=[
                    SimpleNamespace(lang=code, url=href.removeprefix(BASE))
                    for code, href in item.links
                ],
            ),
        )
        for item in items(count, kind)
    ]
    settings = {"SITEURL": BASE.rstrip("/")}
    generator._write_out(SimpleNamespace(output_path=str(folder), settings=settings))  # noqa: SLF001 - it has no public way


WRITERS: dict[str, Callable[[int, str, Path], None]] = {
    function.__name__: function
    for function in (
        ours,
        ours_gzip,
        bare_bytes,
        loop,
        loop_gzip,
        xml_sitemap_writer,
        xml_sitemap_writer_gzip,
        jinja,
        pelican_sitemap,
    )
}


def main() -> None:
    """Run one writer."""
    name, count, kind, folder = sys.argv[1:]
    with tempfile.TemporaryDirectory() as warm_up:  # Imports are not to be measured.
        WRITERS[name](10, kind, Path(warm_up))
    start = time.process_time()
    WRITERS[name](int(count), kind, Path(folder))
    spent = time.process_time() - start
    result = {
        "cpu": spent / int(count) * 1e6,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "size": sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file()),
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()

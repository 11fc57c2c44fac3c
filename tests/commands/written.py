"""Sitemaps and builds written by hand, and the commands that read them."""

import gzip
import io
import json
from collections.abc import Iterable, Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

import pytest
from lxml import etree

from sitemap_plugin.commands.cli import main
from sitemap_plugin.models import Page
from sitemaps import SCHEMAS, SITEMAP
from sites import build_pages

BASE = "https://example.org/"
Capsys = pytest.CaptureFixture[str]
_SITEMAP = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
_MORE = (
    'xmlns:xhtml="http://www.w3.org/1999/xhtml" '
    'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
)


def entry(
    path: str = "",
    lastmod: str | None = None,
    links: Mapping[str, str] | None = None,
    images: tuple[str, ...] = (),
    base: str = BASE,
) -> str:
    """Return the entry of a page below the base URL."""
    parts = [f"<loc>{escape(base + path)}</loc>"]
    parts += [f"<lastmod>{lastmod}</lastmod>"] if lastmod else []
    parts += [
        f'<xhtml:link rel="alternate" hreflang="{code}" href="{escape(BASE + to)}"/>'
        for code, to in (links or {}).items()
    ]
    parts += [f"<image:image><image:loc>{BASE}{at}</image:loc></image:image>" for at in images]
    return f"<url>\n{''.join(parts)}\n</url>\n"


def urlset(*entries: str) -> str:
    """Return a sitemap."""
    return f'<?xml version="1.0"?>\n<urlset {_SITEMAP} {_MORE}>\n{"".join(entries)}</urlset>\n'


def index_of(*urls: str) -> str:
    """Return an index."""
    items = "".join(f"<sitemap><loc>{escape(url)}</loc></sitemap>\n" for url in urls)
    return f'<?xml version="1.0"?>\n<sitemapindex {_SITEMAP}>\n{items}</sitemapindex>\n'


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files, gzipped where their names say so; return the folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = content.encode() if isinstance(content, str) else content
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return folder


def diff(old: object, new: object, *arguments: str, output: Path) -> Any:
    """Run the command, which has to succeed; return its JSON."""
    flags = ["--format", "json", "--output", str(output), "--max-wait", "0"]
    assert main(["diff", str(old), str(new), *flags, *arguments]) == 0
    return json.loads(output.read_text(encoding="utf-8"))


class Ran(NamedTuple):
    """What a command did."""

    status: int
    out: str
    err: str


def index(folder: Path, *arguments: str | Path) -> Ran:
    """Run ``sitemap-plugin index`` beside a folder."""
    out, err = io.StringIO(), io.StringIO()
    with chdir(folder.parent), redirect_stdout(out), redirect_stderr(err):
        status = main(["index", folder.name, *map(str, arguments)])
    return Ran(status, out.getvalue(), err.getvalue())


def page(*head: str) -> str:
    """Return a page."""
    return f'<!doctype html><html lang="en"><head><title>T</title>{"".join(head)}</head>'


def build(
    folder: Path, below: str, paths: Iterable[str], *, base_url: str = BASE, **options: Any
) -> Path:
    """Write pages and their sitemap as one build would, and return the sitemap.

    A path may be followed by a space and the page's date.
    """
    url = base_url + below
    dates = {path.partition(" ")[0]: path.partition(" ")[2] for path in paths}
    write(folder / below, {f"{path}index.html": page() for path in dates})
    pages = [Page(url + path, metadata={"modified": date} if date else {})
             for path, date in dates.items()]  # fmt: skip
    options = {"robots": False, "stylesheet": False, **options}
    return Path(build_pages(folder / below, pages, options, base_url=url).files[0])


def deploy(folder: Path, versions: Mapping[str, tuple[str, ...]], base_url: str = BASE) -> Path:
    """Write a tree as mike does: newest version first, aliases as links."""
    for name, aliases in versions.items():
        build(folder, f"{name}/", ["", "new/"], base_url=base_url)
        for alias in aliases:
            (folder / alias).symlink_to(name, target_is_directory=True)
    known = [{"version": name, "aliases": list(names)} for name, names in versions.items()]
    return write(folder, {"versions.json": json.dumps(known)})


def children(path: Path) -> dict[str, str | None]:
    """Read an index with lxml, checked against the schema where it is at hand."""
    root = etree.fromstring(path.read_bytes())
    assert root.tag == f"{SITEMAP}sitemapindex"
    schema = SCHEMAS / "siteindex.xsd"
    if schema.is_file():
        etree.XMLSchema(etree.parse(schema)).assertValid(root)
    items = root.findall(f"{SITEMAP}sitemap")
    found = {str(i.findtext(f"{SITEMAP}loc")): i.findtext(f"{SITEMAP}lastmod") for i in items}
    assert list(found) == sorted(found)
    return found


def listed(folder: Path, name: str = "sitemap.xml", base: str = BASE) -> list[str]:
    """Return the sitemaps in an index in a folder, as paths below the base URL."""
    return [loc.removeprefix(base) for loc in children(folder / name)]


def joined(folder: Path, *arguments: str) -> list[str]:
    """Run the command, which has to succeed without a word; return what it lists."""
    ran = index(folder, *arguments)
    assert (ran.status, ran.err) == (0, "")
    return listed(folder)


def snapshot(folder: Path) -> dict[str, bytes]:
    """Return the bytes of every file below a folder."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}

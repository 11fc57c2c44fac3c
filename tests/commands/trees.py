"""Trees of builds, written by hand, and the command that joins them."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Iterable, Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

from lxml import etree

from sitemap_plugin.commands.cli import main
from sitemap_plugin.models import Entry
from sitemap_plugin.write.sitemap import Destination, Section, write_sitemap
from sitemaps import SCHEMAS, SITEMAP

BASE = "https://example.org/"


class Ran(NamedTuple):
    """What a command did."""

    status: int
    out: str
    err: str


def index(folder: Path, *arguments: str | Path) -> Ran:
    """Run ``sitemap-plugin index`` beside a folder."""
    words = ["index", folder.name, *map(str, arguments)]
    out, err = io.StringIO(), io.StringIO()
    with chdir(folder.parent), redirect_stdout(out), redirect_stderr(err):
        try:
            status = main(words)
        except SystemExit as stopped:
            status = int(stopped.code or 0)
    return Ran(status, out.getvalue(), err.getvalue())


def page(*head: str, language: str = "en") -> str:
    """Return a page."""
    return f'<!doctype html><html lang="{language}"><head><title>T</title>{"".join(head)}</head>'


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files below a folder, and return it."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def build(
    folder: Path,
    below: str,
    entries: Iterable[str | Entry] = ("",),
    *,
    base_url: str = BASE,
    language: str = "en",
) -> Path:
    """Write pages and their sitemap as one build would, and return the sitemap."""
    url = base_url + below
    whole = [Entry(url + item) if isinstance(item, str) else item for item in entries]
    for entry in whole:
        name = f"{entry.loc.removeprefix(url)}index.html"
        write(folder / below, {name: page(language=language)})
    return write_parts(folder / below, url, {None: whole})[0]


def write_parts(
    folder: Path, base_url: str, sections: Mapping[str | None, list[Entry]], max_urls: int = 50_000
) -> list[Path]:
    """Write a sitemap, in parts if there are sections or too many entries."""
    target = Destination(folder, base_url, max_urls=max_urls)
    rest = "pages" if len(sections) > 1 else ""
    ordered = [Section(name or rest, sorted(some)) for name, some in sections.items()]
    return write_sitemap(target, ordered).files


def deploy(folder: Path, versions: Mapping[str, tuple[str, ...]], base_url: str = BASE) -> Path:
    """Write a tree as mike does: newest version first, aliases as links."""
    folder.mkdir(exist_ok=True)
    for name, aliases in versions.items():
        build(folder, f"{name}/", ["", "new/"], base_url=base_url)
        for alias in aliases:
            (folder / alias).symlink_to(name, target_is_directory=True)
    known = [{"version": name, "aliases": list(names)} for name, names in versions.items()]
    write(folder, {"versions.json": json.dumps(known)})
    return folder


def children(path: Path) -> dict[str, str | None]:
    """Read an index with lxml, checked against the schema where it is at hand."""
    root = etree.fromstring(path.read_bytes())
    assert root.tag == f"{SITEMAP}sitemapindex"
    schema = SCHEMAS / "siteindex.xsd"
    if schema.is_file():
        etree.XMLSchema(etree.parse(schema)).assertValid(root)
    found = {}
    for item in root.findall(f"{SITEMAP}sitemap"):
        loc = item.findtext(f"{SITEMAP}loc")
        assert loc is not None
        found[loc] = item.findtext(f"{SITEMAP}lastmod")
    assert list(found) == sorted(found)
    return found


def snapshot(folder: Path) -> dict[str, bytes]:
    """Return the bytes of every file below a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".git" not in path.parts
    }


def copy(source: Path, target: Path) -> Path:
    """Copy a tree with its links."""
    return Path(shutil.copytree(source, target, symlinks=True))

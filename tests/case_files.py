"""Whole sites as data: one file for each case, with the files of the site and what is right.

A line ``=== name`` begins a file of the site, or one of these sections:

- ``pages``: a short file a line, its path and its text; of HTML, the text stands in the head
- ``links``: symbolic links, ``path -> target``; ``times``: when files changed, ``path 2020-01-02``
- ``build``: the arguments of each build
- ``sitemap`` (or ``sitemap fr/sitemap.xml``): a line for each entry: path, date, other fields
- ``log``: what is said in the first build, and its exit status if that is not 0

What stands before the first such line says what is shown. With ``UPDATE_GOLDEN=1`` in the
environment, the sections ``sitemap`` and ``log`` are written anew.
"""

import datetime as dt
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from files import write_files
from sitemap_plugin.commands.check.folder import check
from sitemaps import Url, read_sitemap

BASE = "https://kiln.example"
HTML = '<!doctype html><html lang="en"><head><title>T</title>{}</head><body>Text</body></html>'
_MADE = ("pages", "links", "times", "build")
_OF_SITES = {"empty", "namespace", "no-sitemap", "page-canonical", "page-missing",
             "page-target-missing", "xml-broken"}  # fmt: skip


class Case(NamedTuple):
    """A case: its file, the arguments of its builds, and what is right, line by line."""

    path: Path
    builds: list[list[str]]
    expected: dict[str, list[str]]


def parametrize(test: str) -> pytest.MarkDecorator:
    """Run a test for each case in the folder ``cases`` beside the file of the test."""
    paths = sorted(Path(test).parent.joinpath("cases").glob("*.txt"))
    return pytest.mark.parametrize("path", paths, ids=[path.stem for path in paths])


def lay_out(path: Path, root: Path) -> Case:
    """Write the files of a case below a folder; return the rest of it."""
    _, *parts = re.split(r"^=== (.+)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    sections = dict(zip(parts[::2], parts[1::2], strict=True))
    expected = {name: text for name, text in sections.items() if name.split()[0] == "sitemap"}
    expected = {name: sections.pop(name) for name in (*expected, "log") if name in sections}
    pages, links, times, builds = (sections.pop(name, "") for name in _MADE)
    for line in pages.splitlines():
        name, _, text = line.partition(" ")
        sections[name] = HTML.format(text) if ".htm" in name or ".xhtml" in name else text
    write_files(root, sections)
    for link, target in (line.split(" -> ") for line in links.splitlines()):
        (root / link).symlink_to(target)
    for name, day in (line.split() for line in times.splitlines()):
        time = dt.datetime.fromisoformat(f"{day}T00:00:00+00:00").timestamp()
        os.utime(root / name, (time, time))
    lines = {name: text.strip().splitlines() for name, text in expected.items()}
    return Case(path, [line.split() for line in builds.splitlines() or [""]], lines)


def compare(case: Case, site: Path, log: Sequence[str]) -> None:
    """Compare what a build has written and said with what is right."""
    files = {name: site / (name.split()[1:] or ["sitemap.xml"])[0] for name in case.expected}
    found = {name: _entries(file) for name, file in files.items() if name != "log"}
    found = {name: {**found, "log": list(log)}[name] for name in case.expected}
    if os.environ.get("UPDATE_GOLDEN"):
        _update(case.path, found)
    else:
        assert found == case.expected, "\n".join(log)
        assert _faults(site) == []


def _faults(site: Path) -> list[str]:
    """Return what the check calls an error, but for what the site's own files do wrong."""
    found = check(site).findings.sorted() if site.is_dir() else []
    errors = [item for item in found if item.severity == "error" and item.code not in _OF_SITES]
    return [" ".join(map(str, item)) for item in errors]


def _entries(file: Path) -> list[str]:
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    if "<urlset" in text and text.startswith("<?xml"):
        return [_entry(url) for url in read_sitemap(file)]
    return [] if "<sitemapindex" in text else text.splitlines()


def _entry(url: Url) -> str:
    links = [f"{code}={_short(href)}" for code, href in url.alternates]
    fields = (_short(url.loc), url.lastmod, url.changefreq, url.priority, *links)
    return " ".join(part for part in fields if part)


def _short(address: str) -> str:
    return address.removeprefix(BASE) or "/"


def _update(path: Path, found: Mapping[str, Sequence[str]]) -> None:
    text = path.read_text(encoding="utf-8")
    for name, lines in found.items():
        section = "".join(f"{line}\n" for line in (f"=== {name}", *lines))
        pattern = rf"^=== {re.escape(name)}\n(?:(?!===).*\n)*"
        text = re.sub(pattern, section.replace("\\", r"\\"), text, flags=re.MULTILINE)
    path.write_text(text, encoding="utf-8")

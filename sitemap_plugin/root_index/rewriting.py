"""Read the entries of sitemaps whole, and write them again with other links."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from sitemap_plugin.check.batch import Batch
from sitemap_plugin.check.document import Document
from sitemap_plugin.check.findings import Findings
from sitemap_plugin.config import Config
from sitemap_plugin.dates import DateError, parse_w3c
from sitemap_plugin.files import is_ours
from sitemap_plugin.models import Alternate, Entry, Image, Lastmod
from sitemap_plugin.report import Problem
from sitemap_plugin.root_index.builds import Build, Sitemap
from sitemap_plugin.urls import join_url
from sitemap_plugin.writer import write_sitemap
from sitemap_plugin.writing.twins import twin_of
from sitemap_plugin.writing.validity import CHANGEFREQS, is_priority, loc_fault

__all__ = ["ReadSitemap", "read_entries", "rewrite"]

_START = 1024
_STYLESHEET = re.compile(rb'<\?xml-stylesheet type="text/css" href="([\w.-]+)"\?>')
_NUMBERED = re.compile(r"(?:(.+)-)?([1-9][0-9]*)")
_REST = "pages"


class ReadSitemap(NamedTuple):
    """A file's entries; ``loss`` says what of it they cannot hold, None if they hold all of it."""

    sitemap: Sitemap
    entries: tuple[Entry, ...]
    is_ours: bool
    loss: str | None


def read_entries(folder: Path, sitemap: Sitemap) -> ReadSitemap:
    """Read all entries of a sitemap; raises OSError."""
    path = folder / sitemap.path
    findings = Findings()
    base_url = join_url(sitemap.url, ".")
    losses: list[str] = []
    entries: list[Entry] = []
    for batch in Document(path, findings.for_file(path)).batches():
        entries += _entries(batch, base_url, losses)
    if found := findings.sorted():
        losses.insert(0, f"of a fault in it: {found[0].message}")
    if path.suffix != ".xml":
        losses.insert(0, "it is no plain XML file")
    return ReadSitemap(sitemap, tuple(entries), is_ours(path), losses[0] if losses else None)


def _entries(batch: Batch, base_url: str, losses: list[str]) -> Iterator[Entry]:
    images: dict[str | None, list[Image]] = {}
    for kind, line, loc, parts in batch.media:
        if kind == "image" and len(parts) == 1 and parts[0][0] == "loc":
            images.setdefault(loc, []).append(Image(parts[0][1]))
        else:
            losses.append(f"its line {line} has more of a {kind} than can be written again")
    for line, loc, lastmod, changefreq, priority, links in zip(
        batch.lines,
        batch.locs,
        batch.lastmods,
        batch.changefreqs,
        batch.priorities,
        batch.links,
        strict=True,
    ):
        fault = loc_fault(loc, base_url)
        if fault:
            losses.append(f"its line {line} lists {loc}, and {fault}")
            continue
        if links.faults:
            losses.append(f"its line {line} has a link that cannot be written again")
        yield Entry(
            loc,
            _lastmod(lastmod, line, losses),
            _changefreq(changefreq, line, losses),
            _priority(priority, line, losses),
            tuple(Alternate(code, href) for code, href in links.pairs),
            tuple(images.pop(loc, ())),
        )
    if images:
        losses.append("it has images outside of entries")


def _lastmod(text: str | None, line: int, losses: list[str]) -> Lastmod | None:
    try:
        date = parse_w3c(text) if text else None
    except DateError:
        date = None
    if date and date.granularity in {"day", "minute", "second"}:
        return date.value
    if text:
        losses.append(f"its line {line} has the date {text!r}, which cannot be written again")
    return None


def _changefreq(text: str | None, line: int, losses: list[str]) -> str | None:
    if text is None or text in CHANGEFREQS:
        return text
    losses.append(f"its line {line} has the changefreq {text!r}, which is none")
    return None


def _priority(text: str | None, line: int, losses: list[str]) -> float | None:
    try:
        value = None if text is None else float(text)
    except ValueError:
        value = None
    if value is not None and is_priority(value) and round(value, 1) == value:
        return value
    if text is not None:
        losses.append(f"its line {line} has the priority {text!r}, which cannot be written again")
    return None


def rewrite(
    folder: Path, build: Build, entries: Mapping[str, Sequence[Entry]], config: Config
) -> tuple[Build, list[Problem]]:
    """Write a build's sitemap again, in the same files; ``entries`` are those of each, by URL.

    A file that this package did not write is kept under another name. Raises WriteError.
    """
    top = folder / build.path
    sections: dict[str | None, list[Entry]] = {}
    numbered = [0]
    for sitemap, (section, number) in zip(build.sitemaps, _sections(build), strict=True):
        sections.setdefault(section, []).extend(entries[sitemap.url])
        numbered.append(sitemap.entries if number else 0)
    written = write_sitemap(
        {section: _sorted(some) for section, some in sections.items()},
        folder=top.parent,
        base_url=build.folder_url,
        filename=top.name,
        # The parts of a split sitemap stay as large as they were.
        max_urls=min(config.max_urls, max(numbered) or config.max_urls),
        max_bytes=config.max_bytes,
        gzip=twin_of(top).is_file(),
        stylesheet=_stylesheet(top),
    )
    sitemaps = tuple(
        Sitemap(part.path.relative_to(folder).as_posix(), part.url, part.count, part.newest)
        for part in written.parts
    )
    where = Path(build.path).parent
    problems = [
        problem._replace(where=(where / problem.where).as_posix() if problem.where else None)
        for problem in written.problems
    ]
    again = Build(build.path, build.url, sitemaps, written.is_index, build.faults)
    return again, problems


def _sections(build: Build) -> list[tuple[str | None, int]]:
    """Return the section of each file of a build, and its number; 0 where it has none.

    The writer names the parts of an index after it, so their names tell the sections.
    """
    stem, _, suffix = Path(build.path).name.rpartition(".")
    labels = [
        Path(sitemap.path).name.removesuffix(f".{suffix}").removeprefix(stem).removeprefix("-")
        for sitemap in build.sitemaps
    ]
    if not build.is_index or all(label.isdigit() for label in labels):
        return [(None, int(label or 0)) for label in labels]
    numbered = [_NUMBERED.fullmatch(label) for label in labels]
    counts = Counter(match[1] for match in numbered if match and match[1])
    found: list[tuple[str | None, int]] = []
    for label, match in zip(labels, numbered, strict=True):
        is_part = match is not None and counts[match[1]] > 1
        name, number = (match[1], int(match[2])) if match and is_part else (label, 0)
        found.append((None if name == _REST else name, number))
    return found


def _sorted(entries: Sequence[Entry]) -> list[Entry]:
    return sorted(entries, key=lambda entry: entry.loc)


def _stylesheet(path: Path) -> str | None:
    with path.open("rb") as file:
        match = _STYLESHEET.search(file.read(_START))
    return match[1].decode() if match else None

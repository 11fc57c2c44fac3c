"""Read the entries of sitemaps whole, and write them again with other links."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from sitemap_plugin.commands.check.batch import Batch
from sitemap_plugin.commands.check.document import Document
from sitemap_plugin.commands.check.findings import Findings
from sitemap_plugin.commands.check.vocabulary import NAMESPACE
from sitemap_plugin.commands.index.builds import Build, Sitemap
from sitemap_plugin.commands.index.media import exact_date, read_medium
from sitemap_plugin.common.files import is_ours
from sitemap_plugin.common.urls import join_url
from sitemap_plugin.config import Config
from sitemap_plugin.config.checks import CHANGEFREQS
from sitemap_plugin.errors import Problem, SitemapError
from sitemap_plugin.models import Alternate, Entry, Image, Lastmod, News, Video
from sitemap_plugin.write.protocol import is_priority, loc_fault
from sitemap_plugin.write.writer import write_sitemap
from sitemap_plugin.write.writing.extensions import EXTENSIONS
from sitemap_plugin.write.writing.twins import twin_of

__all__ = ["ReadSitemap", "read_entries", "rewrite"]

_START = 1024
_STYLESHEET = re.compile(rb'<\?xml-stylesheet type="text/css" href="([\w.-]+)"\?>')
_NUMBERED = re.compile(r"(?:(.+)-)?([1-9][0-9]*)")
_REST, _NEWS = "pages", "news"
_DECLARED = re.compile(rb"""\bxmlns(?::([\w.-]+))?\s*=\s*["']([^"']*)["']""")
_SCHEMA_INSTANCE = "http://www.w3.org/2001/XMLSchema-instance"
_NAMESPACES = {NAMESPACE, _SCHEMA_INSTANCE, *(extension.uri for extension in EXTENSIONS)}


class ReadSitemap(NamedTuple):
    """A file's entries; ``loss`` says what of it they cannot hold, None if they hold all of it."""

    sitemap: Sitemap
    entries: tuple[Entry, ...]
    is_ours: bool
    loss: str | None


def read_entries(folder: Path, sitemap: Sitemap) -> ReadSitemap:
    """Read all entries of a sitemap; raise SitemapError for a file that cannot be read."""
    path = folder / sitemap.path
    try:
        return _read(path, sitemap)
    except OSError as error:
        raise SitemapError(f"{path}: cannot be read: {error.strerror}") from error


def _read(path: Path, sitemap: Sitemap) -> ReadSitemap:
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
    elif foreign := _foreign_namespace(path.read_bytes()):
        losses.insert(0, f"it has elements of the namespace {foreign}")
    return ReadSitemap(sitemap, tuple(entries), is_ours(path), losses[0] if losses else None)


def _foreign_namespace(data: bytes) -> str | None:
    """Return a namespace of elements that readers of sitemaps pass over."""
    for prefix, uri in _DECLARED.findall(data):
        name: str = uri.decode("utf-8", "replace")
        if name not in _NAMESPACES and (not prefix or b"<" + prefix + b":" in data):
            return name
    return None


def _entries(batch: Batch, base_url: str, losses: list[str]) -> Iterator[Entry]:
    media = _media(batch, losses)
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
        own = media.pop(loc, [])
        yield Entry(
            loc,
            _lastmod(lastmod, line, losses),
            _changefreq(changefreq, line, losses),
            _priority(priority, line, losses),
            tuple(Alternate(code, href) for code, href in links.pairs),
            tuple(item for item in own if isinstance(item, Image)),
            next((item for item in own if isinstance(item, News)), None),
            tuple(item for item in own if isinstance(item, Video)),
        )
    if media:
        losses.append("it has images, articles or videos that belong to no entry")


def _media(batch: Batch, losses: list[str]) -> dict[str | None, list[Image | News | Video]]:
    """Return the images, articles and videos of each entry, by its address."""
    found: dict[str | None, list[Image | News | Video]] = {}
    for item in batch.media:
        medium = read_medium(item)
        if medium is None:
            what = {"news": "an article", "image": "an image"}.get(item.kind, "a video")
            losses.append(f"its line {item.line} has {what} that cannot be written again")
        else:
            found.setdefault(item.loc, []).append(medium)
    return found


def _lastmod(text: str | None, line: int, losses: list[str]) -> Lastmod | None:
    try:
        return exact_date(text) if text else None
    except ValueError:
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
    articles = sections.get(_NEWS, [])
    if any(entry.news for entry in articles):
        del sections[_NEWS]
    written = write_sitemap(
        {section: _sorted(some) for section, some in sections.items()},
        news=_sorted(articles) if _NEWS not in sections and _has_room_for_news(build) else None,
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


def _has_room_for_news(build: Build) -> bool:
    """Tell whether a build has news, or had some: its pages then have a file that is called so."""
    stem = Path(build.path).stem
    names = {Path(sitemap.path).stem.removeprefix(f"{stem}-") for sitemap in build.sitemaps}
    return build.is_index and any(re.fullmatch(rf"{_REST}(-\d+)?", name) for name in names)


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

"""The writer: entries in, sitemap files and their index out, within the protocol's limits.

Entries stream through: a batch at a time is rendered, and cut into parts in a hidden folder. When
the last part is finished, and not before, all take their places at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from urllib.parse import quote

from sitemap_plugin.common.files import explain, reported, staging
from sitemap_plugin.errors import Problem, WriteError
from sitemap_plugin.models import Entry, Lastmod
from sitemap_plugin.write.writing.documents import index
from sitemap_plugin.write.writing.parts import Layout, Part, Splitter
from sitemap_plugin.write.writing.placement import Staged, place, stage
from sitemap_plugin.write.writing.predecessor import remove_sitemap
from sitemap_plugin.write.writing.render import Renderer
from sitemap_plugin.write.writing.validity import url_fault

__all__ = ["MAX_BYTES", "MAX_URLS", "Written", "WrittenPart", "remove_sitemap", "write_sitemap"]

MAX_URLS = 50_000
MAX_BYTES = 52_428_800
_REST, _NEWS = "pages", "news"
_SECTION = re.compile(r"[^/\\~\x00-\x1f]+")
# More entries at a time cost less each until their text outgrows the processor's cache.
_BATCH = 128


@dataclass(frozen=True)
class WrittenPart:
    """A file of entries: its path, its URL, how many entries it has and their newest lastmod."""

    path: Path
    url: str
    count: int
    newest: Lastmod | None


@dataclass(frozen=True, kw_only=True)
class Written:
    """What was written: ``files`` are all of it but the gzipped twins, the index first.

    ``entries`` counts each page once, though news are in files of their own too. ``changed`` are
    the files whose bytes were different before, or that are new.
    """

    entries: int = 0
    files: list[Path] = field(default_factory=list)
    parts: list[WrittenPart] = field(default_factory=list)
    changed: list[Path] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    is_index: bool = False


def write_sitemap(  # noqa: PLR0913 - keyword-only, as the options are
    sections: Mapping[str | None, Iterable[Entry]],
    *,
    news: Iterable[Entry] | None = None,
    folder: Path,
    base_url: str,
    filename: str = "sitemap.xml",
    max_urls: int = MAX_URLS,
    max_bytes: int = MAX_BYTES,
    gzip: bool = True,
    stylesheet: str | None = None,
    protected: Collection[str] = (),
) -> Written:
    """Write the sitemap that ``folder``, which is served at ``base_url``, is to have.

    ``sections`` maps names to entries, each sorted by ``loc`` in code-point order; without sections
    it is ``{None: entries}``, and with them None stands for the rest. ``news`` are entries to list
    once more, in files that are called so; an empty one has no file, but makes room for it. Up to
    the limits, and without sections and news, there is one file; else an index of that name and
    parts beside it. An entry that is
    invalid, or equal to the one before, is left out with a warning, and so is what is invalid in
    it. Without a valid entry nothing is written or removed, and neither if a file would take the
    place of one of ``protected``, the names of the site's own files. Raises WriteError, after which
    the folder is as it was, and ValueError for entries out of order.
    """
    base_url = _checked(base_url, max_urls, max_bytes, sections)
    layout = Layout(max_urls, max_bytes, gzip, stylesheet)
    target = folder / filename
    renderer = Renderer(base_url)
    with staging(folder, filename) as scratch, closing(Splitter(scratch, layout)) as splitter:
        parts = {
            section: _write_section(entries, renderer, splitter, target)
            for section, entries in sections.items()
        }
        problems = renderer.problems + splitter.problems
        articles = (entry for entry in news or () if entry.news)
        repeated = _write_section(articles, renderer, splitter, target)
        # What is wrong with the URL of an article has been said of its page.
        known = set(problems)
        problems += [p for p in renderer.problems + splitter.problems if p not in known]
        named = _named(parts, filename, None if news is None else repeated)
        if not named:
            return Written(problems=problems)

        def render_index(rename: Callable[[str], str]) -> bytes:
            children = [(base_url + quote(rename(n)), part.newest) for n, part in named.items()]
            return index(stylesheet, children)

        staged = [Staged(name, part.file, part.twin) for name, part in named.items()]
        is_index = filename not in named
        if is_index:
            staged.insert(0, _stage_index(render_index(str), scratch, target, gzip=gzip))
        taken = {name for file in staged for name in (file.name, f"{file.name}.gz")}
        if kept := sorted(taken.intersection(protected)):
            return Written(problems=[*problems, _conflict(kept)])
        changed, more = place(folder, scratch, staged[0], staged[1:], render_index)
    return Written(
        entries=sum(part.count for files in parts.values() for part in files),
        files=[folder / file.name for file in staged],
        parts=[
            WrittenPart(folder / name, base_url + quote(name), part.count, part.newest)
            for name, part in named.items()
        ],
        changed=changed,
        problems=problems + more,
        is_index=is_index,
    )


def _conflict(names: Sequence[str]) -> Problem:
    message = (
        f"the site has a {' and a '.join(names)} of its own, which is kept; no sitemap was "
        "written. Remove it, or set the option 'filename' to another name"
    )
    return Problem("warning", message, names[0])


def _checked(base_url: str, max_urls: int, max_bytes: int, sections: Iterable[str | None]) -> str:
    """Refuse what no configuration can ask for; return the base URL with its final slash."""
    fault = url_fault(base_url)
    if fault:
        raise ValueError(f"base_url {base_url!r}: {fault}")
    if not (0 < max_urls <= MAX_URLS and 0 < max_bytes <= MAX_BYTES):
        raise ValueError(f"max_urls is 1 to {MAX_URLS}, max_bytes 1 to {MAX_BYTES}")
    for section in sections:
        if section is not None and not _SECTION.fullmatch(section):
            raise ValueError(f"a section cannot be called {section!r}")
    return base_url if base_url.endswith("/") else f"{base_url}/"


def _write_section(
    entries: Iterable[Entry], renderer: Renderer, splitter: Splitter, target: Path
) -> list[Part]:
    renderer.begin_section()
    for some in _batches(entries):
        batch = renderer.render(some)
        if batch:
            try:
                splitter.add(batch)
            except OSError as error:
                raise explain(error, target) from error
    with reported(target):
        return splitter.end_section()


def _batches(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    iterator = iter(entries)
    while some := list(islice(iterator, _BATCH)):
        yield some


def _named(
    parts: Mapping[str | None, list[Part]], filename: str, news: list[Part] | None
) -> dict[str, Part]:
    """Name the parts after the sitemap: ``sitemap-blog-1.xml``, ``sitemap-2.xml``.

    A single part without sections and news is the sitemap itself.
    """
    sectioned = news is not None or any(section is not None for section in parts)
    stem, dot, suffix = filename.rpartition(".")
    named: dict[str, Part] = {}
    taken = set()
    for section, files in (*parts.items(), (_NEWS, news or [])):
        if not sectioned and len(files) == 1:
            return {filename: files[0]}
        label = f"-{_REST if section is None else section}" if sectioned else ""
        for number, part in enumerate(files, start=1):
            name = f"{stem}{label}{f'-{number}' if len(files) > 1 else ''}{dot}{suffix}"
            if name.casefold() in taken:
                raise WriteError(f"two sections would both be written to {name}; rename one")
            taken.add(name.casefold())
            named[name] = part
    return named


def _stage_index(data: bytes, scratch: Path, target: Path, *, gzip: bool) -> Staged:
    """Write the index to the staging folder; raise WriteError if no index can be that large."""
    if len(data) > MAX_BYTES:
        raise WriteError(
            f"{target}: the index would have {len(data)} bytes, and an index may have {MAX_BYTES}; "
            "raise max_urls or max_bytes, so that there are fewer files"
        )
    return stage(data, scratch, target, gzip=gzip)

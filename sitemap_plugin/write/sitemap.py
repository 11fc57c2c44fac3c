"""The sitemap's files in their folder: whole at every instant, and no index names a missing one.

Parts are written first, then the index, and then our own parts that it does not name are removed.
A build that is killed leaves whole files and perhaps parts that nothing names; the next build
writes the same names again and removes the rest.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from sitemap_plugin.common.files import (
    MARKER,
    UnfitFileError,
    explain,
    keep_backup,
    read_head,
    remove_file,
    remove_leftovers,
    remove_ours,
    write_whole,
)
from sitemap_plugin.dates.parse import Lastmod
from sitemap_plugin.errors import Problem, WriteError
from sitemap_plugin.models import Entry
from sitemap_plugin.write.protocol import MAX_BYTES, MAX_PARTS, MAX_URLS
from sitemap_plugin.write.split import NEWS, FilePart, Limits, Sections, name_parts, split_entries
from sitemap_plugin.write.xml import render_entries, render_index

__all__ = ["Target", "WrittenFiles", "put_file", "remove_sitemap", "write_index", "write_sitemap"]

_TRIES = 3
_ZLIB_LEVEL = 6
_GZIP_FORMAT = 31


class Target(NamedTuple):
    """Where a sitemap is written, and how.

    ``folder`` is served at ``base_url``, which ends in ``/``. ``protected`` are names of the site's
    own files, which are never touched. ``keep_foreign`` keeps a file that this package did not
    write as ``.bak`` before it is replaced; folders that a generator has just made need none.
    """

    folder: Path
    base_url: str
    filename: str = "sitemap.xml"
    max_urls: int = MAX_URLS
    max_bytes: int = MAX_BYTES
    gzip: bool = True
    stylesheet: str | None = None
    protected: Collection[str] = ()
    keep_foreign: bool = False


class WrittenFiles(NamedTuple):
    """The files that were written, twins aside, the index first, and how many URLs they list.

    ``is_refused`` tells that a name is taken by a file of the site's own.
    """

    files: list[Path]
    urls: int
    problems: list[Problem]
    is_refused: bool = False


def write_sitemap(
    target: Target,
    sections: Sections,
    file_of: dict[str, str] | None = None,
    news_file_of: dict[str, str] | None = None,
) -> WrittenFiles:
    """Write the sitemap that the target's folder is to have.

    Up to the limits, and without sections and news, it is one file; else an index and parts beside
    it. Without a valid entry, and where a file would take the place of a protected one, nothing is
    written. ``file_of`` takes the name of the file that lists each URL, ``news_file_of`` the same
    for news. Raises WriteError, after which every file is whole.
    """
    for _ in range(_TRIES):
        written = _write_once(target, sections, file_of, news_file_of)
        # Another build of this folder may have removed a part before our index named it.
        if all(path.exists() for path in written.files):
            break
    return written


def _write_once(
    target: Target,
    sections: Sections,
    file_of: dict[str, str] | None,
    news_file_of: dict[str, str] | None,
) -> WrittenFiles:
    problems: list[Problem] = []
    parts = _render_parts(target, sections, problems)
    if any(_is_named_like_ours(name, target.filename) for name in target.protected):
        # Whether one of these names is needed is known when all parts are.
        parts, names = _names(parts, target.filename)
        if taken := sorted(names.intersection(target.protected)):
            return WrittenFiles([], 0, [*problems, _conflict(taken)], is_refused=True)
    count = 0
    children: dict[str, Lastmod | None] = {}
    for section, name, part in parts:
        put_file(target, name, part.data, problems)
        children[name] = part.newest
        is_news = sections.news is not None and section == NEWS
        count += 0 if is_news else len(part.locs)
        record = news_file_of if is_news else file_of
        if record is not None:
            record.update(dict.fromkeys(part.locs, name))
        part.data.clear()  # The next part is made while this one is still known.
    if children and target.filename not in children:
        write_index(
            target, [(target.base_url + quote(n), date) for n, date in children.items()], problems
        )
    if not children:
        return WrittenFiles([], 0, problems)
    written = list(dict.fromkeys((target.filename, *children)))
    _remove_stale(target, written, problems)
    return WrittenFiles([target.folder / name for name in written], count, problems)


def _render_parts(
    target: Target, sections: Sections, problems: list[Problem]
) -> Iterator[tuple[str | None, str, FilePart]]:
    limits = Limits(target.max_urls, target.max_bytes, target.stylesheet)
    news_problems: list[Problem] = []

    def split(entries: Iterable[Entry], problems: list[Problem]) -> Iterator[tuple[FilePart, bool]]:
        return split_entries(render_entries(entries, target.base_url, problems), limits, problems)

    split_sections = [
        (section, split(entries, problems)) for section, entries in sections.pages.items()
    ]
    if sections.news is not None:
        split_sections.append((NEWS, split(sections.news, news_problems)))
    is_plain = sections.news is None and not any(sections.pages)
    yield from name_parts(split_sections, target.filename, is_plain=is_plain)
    # What is wrong with the URL of an article has been said of its page.
    problems += [problem for problem in news_problems if problem not in problems]


def _names(
    parts: Iterable[tuple[str | None, str, FilePart]], filename: str
) -> tuple[Iterator[tuple[str | None, str, FilePart]], set[str]]:
    """Return the parts again, and the names of all files that the sitemap will have."""
    known = list(parts)
    names = {name for _, name, _ in known} | {filename}
    return iter(known), names | {f"{name}.gz" for name in names}


def _is_named_like_ours(name: str, filename: str) -> bool:
    stem, _, suffix = filename.rpartition(".")
    pattern = rf"{re.escape(stem)}(-[^/\\]*)?\.{re.escape(suffix)}(\.gz)?"
    return re.fullmatch(pattern, name) is not None


def _conflict(names: Sequence[str]) -> Problem:
    message = (
        f"the site has a {' and a '.join(names)} of its own, which is kept; no sitemap was "
        "written. Remove it, or set the option 'filename' to another name"
    )
    return Problem("warning", message, names[0])


def write_index(
    target: Target, children: Sequence[tuple[str, Lastmod | None]], problems: list[Problem]
) -> None:
    """Write an index of sitemaps, which are given by URL and newest ``lastmod``."""
    path = target.folder / target.filename
    data = render_index(target.stylesheet, children)
    if len(children) > MAX_PARTS:
        raise WriteError(
            f"{path}: the index would name {len(children)} files, and an index may name no more "
            f"than {MAX_PARTS}; raise max_urls or max_bytes"
        )
    if len(data) > MAX_BYTES:
        raise WriteError(
            f"{path}: the index would have {len(data)} bytes, and an index may have {MAX_BYTES}; "
            "raise max_urls or max_bytes, so that there are fewer files"
        )
    put_file(target, target.filename, [data], problems)


def put_file(target: Target, name: str, pieces: Sequence[bytes], problems: list[Problem]) -> None:
    """Write a file of a sitemap and its twin; a foreign file in its place is kept as ``.bak``.

    The twin is taken away right before its file changes, and returns after it: a build that is
    killed in between leaves a file without a twin, and never a twin that contradicts its file.
    """
    path, twin = target.folder / name, target.folder / f"{name}.gz"
    if target.keep_foreign:
        _keep_foreign(path, problems)
        _keep_foreign(twin, problems)
    write_whole(path, pieces, outdates=twin)
    if target.gzip:
        write_whole(twin, _compress(pieces), like=path)
    elif twin.name not in target.protected:
        remove_file(twin)


def _keep_foreign(path: Path, problems: list[Problem]) -> None:
    try:
        if not path.is_file() or MARKER in read_head(path):
            return
        backup = keep_backup(path)
    except OSError as error:
        raise explain(error, path) from error
    if backup:
        message = f"there was one that this plugin did not write; it is kept as {backup.name}"
        problems.append(Problem("notice", message, path.name))


def _compress(pieces: Sequence[bytes]) -> list[bytes]:
    compressor = zlib.compressobj(_ZLIB_LEVEL, zlib.DEFLATED, _GZIP_FORMAT)
    return [*map(compressor.compress, pieces), compressor.flush()]


def remove_sitemap(target: Target) -> list[Problem]:
    """Remove the sitemap that an earlier build wrote, the file at the top first."""
    problems: list[Problem] = []
    for name in (f"{target.filename}.gz", target.filename):
        remove_ours(target.folder / name, target.protected)
    _remove_stale(target, (), problems)
    return problems


def _remove_stale(target: Target, names: Collection[str], problems: list[Problem]) -> None:
    """Remove the parts of earlier builds that the sitemap of these names does not use.

    They are known by their names and our comment, and by being no index.
    """
    folder, filename = target.folder, target.filename
    used = {filename, f"{filename}.gz", *names, *(f"{name}.gz" for name in names)}
    used.update(target.protected)
    try:
        found = sorted(path.name for path in folder.iterdir())
    except OSError:
        return
    for name in found:
        if name not in used and _is_named_like_ours(name, filename):
            try:
                head = read_head(folder / name)
                if MARKER in head and b"<sitemapindex" not in head:
                    (folder / name).unlink(missing_ok=True)
            except UnfitFileError:
                continue
            except OSError as error:
                message = f"is no longer used but cannot be removed: {error.strerror or error}"
                problems.append(Problem("warning", message, name))
    stem, _, suffix = filename.rpartition(".")
    remove_leftovers(folder, rf"{re.escape(stem)}(-.*)?\.{re.escape(suffix)}(\.gz)?(\.bak)?")

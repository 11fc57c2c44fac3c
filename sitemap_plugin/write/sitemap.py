"""The sitemap's files in their folder: whole at every instant, and no index names a missing one.

All parts are written beside their places first. Then they take them, the index after its parts, and
then our own parts that it does not name are removed. A build that is killed leaves whole files and
perhaps parts that nothing names; the next build writes the same names again and removes the rest.
"""

import re
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from sitemap_plugin.common import files
from sitemap_plugin.common.text import shown
from sitemap_plugin.dates.parse import Lastmod, newest
from sitemap_plugin.errors import Problem, WriteError
from sitemap_plugin.models import Entry
from sitemap_plugin.write.protocol import MAX_BYTES, MAX_NEWS, MAX_PARTS, MAX_URLS
from sitemap_plugin.write.robots_line import RobotsStatus
from sitemap_plugin.write.xml import URLSET_END, render_entries, render_index, urlset_start

_BATCH = 512
_ZLIB_LEVEL = 6
_GZIP_FORMAT = 31


class Section(NamedTuple):
    """Entries in the order of their URLs that go into files of their own, named after ``label``.

    ``prefixes`` are those of the namespaces in use (``xhtml image news video``). ``is_repeated``
    tells that the entries are listed in another section, too: news.
    """

    label: str
    entries: Iterable[Entry]
    prefixes: Collection[str] = ()
    is_repeated: bool = False


class Destination(NamedTuple):
    """Where a sitemap is written, and how: in the folder that is served at ``base_url``.

    ``protected`` are names of the site's own files, which are never touched. ``keep_foreign`` keeps
    others' files as ``.bak``; in folders that a generator has just made, none is worth it.
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


@dataclass
class Written:
    """What was written: the files, twins aside, the index first, and the URLs that each lists.

    ``repeated`` is the same as ``listed`` for news, which are listed a second time.
    """

    files: list[Path] = field(default_factory=list)
    listed: list[tuple[str, list[str]]] = field(default_factory=list)
    repeated: list[tuple[str, list[str]]] = field(default_factory=list)
    robots: RobotsStatus = "skipped"
    problems: list[Problem] = field(default_factory=list)


class _NewPart:
    """A file of a sitemap, and its twin, that are written beside their places."""

    def __init__(self, target: Destination, section: Section, stack: ExitStack) -> None:
        self.section, self._target = section, target
        self.locs: list[str] = []
        self.texts: list[str] = []
        self.lastmods: set[Lastmod | None] = set()
        path, twin = (target.folder / each for each in _with_twins([target.filename]))
        # Pushed before they are open: enter_context may be interrupted between the two.
        self._file = stack.push(files.NewFile(path)).__enter__()
        self._twin = stack.push(files.NewFile(twin)).__enter__() if target.gzip else None
        self._compressor = zlib.compressobj(_ZLIB_LEVEL, zlib.DEFLATED, _GZIP_FORMAT)

    def flush(self, end: str = "") -> None:
        """Write the texts that have been gathered, which are ASCII."""
        data = f"{''.join(self.texts)}{end}".encode("ascii")
        self.texts.clear()
        self._file.write(data)
        if self._twin:
            self._twin.write(self._compressor.compress(data))

    def finish(self, end: str) -> None:
        """Write the end of the file."""
        self.flush(end)
        self._file.end()
        if self._twin:
            self._twin.write(self._compressor.flush())
            self._twin.end()
        del self._compressor  # It holds a quarter of a MiB.
        self.newest = newest(self.lastmods)
        self.lastmods.clear()

    def take_place(self, name: str, problems: list[Problem]) -> None:
        """Replace the file of that name; one that is not ours may be kept as ``.bak``.

        The twin is taken away right before its file changes, and returns after it: a build that is
        killed in between leaves a file without a twin, and never a twin that contradicts its file.
        """
        path, twin = (self._target.folder / each for each in _with_twins([name]))
        if self._target.keep_foreign:
            for each in (path, twin):
                with files.reported(each):
                    is_foreign = each.is_file() and files.MARKER not in files.read_head(each)
                    backup = files.keep_backup(each) if is_foreign else None
                if backup:
                    kept = f"this plugin did not write; it is kept as {backup.name}"
                    problems.append(Problem("notice", f"there was one that {kept}", each.name))
        self._file.take_place(path, outdates=twin)
        if self._twin:
            self._twin.take_place(twin, like=path)
        elif twin.name not in self._target.protected:
            files.remove_file(twin)


def write_sitemap(target: Destination, sections: Sequence[Section]) -> Written:
    """Write a sitemap: one file up to the limits and without labels, else an index and its parts.

    Where a file would take the place of a protected one, nothing is written. Without a valid entry
    an earlier sitemap is removed. Raises WriteError, after which every file is whole.
    """
    return files.write_again(partial(_write_once, target, sections))


def _write_once(target: Destination, sections: Sequence[Section]) -> Written:
    written = Written()
    with ExitStack() as stack:
        parts: list[_NewPart] = []
        for section in sections:
            # What is wrong with the URL of an article has been said of its page.
            told = [] if section.is_repeated else written.problems
            parts += _write_parts(target, section, stack, told)
        if not parts:
            if not written.problems:
                reason = "no page can be listed, so there is no sitemap"
                written.problems.append(Problem("warning", reason, target.base_url))
            for name in reversed(_with_twins([target.filename])):  # The file at the top is first.
                files.remove_ours(target.folder / name, target.protected)
            _remove_stale(target, [target.filename], written.problems)
            return written
        children = dict(zip(_name_files(target.filename, parts), parts, strict=True))
        names = list(dict.fromkeys((target.filename, *children)))
        if taken := sorted(set(_with_twins(names)).intersection(target.protected)):
            own = " and a ".join(taken)
            message = f"the site has a {own} of its own, which is kept; no sitemap was written"
            message += ". Remove it, or set the option 'filename' to another name"
            written.problems.append(Problem("warning", message, taken[0]))
            return written
        for name, part in children.items():
            part.take_place(name, written.problems)
            lists = written.repeated if part.section.is_repeated else written.listed
            lists.append((name, part.locs))
    if target.filename not in children:
        urls = [(target.base_url + quote(name), part.newest) for name, part in children.items()]
        write_index(target, urls, written.problems)
    _remove_stale(target, names, written.problems)
    written.files += (target.folder / name for name in names)
    if not all(path.exists() for path in written.files):
        # Another build of this folder has removed a part before our index named it.
        raise files.LostFileError(f"{written.files[0]}: removed while it was written; build again")
    return written


def _write_parts(
    target: Destination, section: Section, stack: ExitStack, problems: list[Problem]
) -> Iterator[_NewPart]:
    """Write a section beside its place, in parts within the limits.

    All bytes before compression count. What is left out is added to ``problems``.
    """
    start = urlset_start(target.stylesheet, section.prefixes)
    space = target.max_bytes - len(start) - len(URLSET_END)
    max_urls = min(target.max_urls, MAX_NEWS) if section.is_repeated else target.max_urls
    part: _NewPart | None = None
    room = left = 0
    for text, loc, lastmod in render_entries(section.entries, target.base_url, problems):
        size = len(text)
        if size > room or not left:
            if size > space:
                message = f"left out of the sitemap: its entry takes {size} bytes, which is more "
                message += f"than a file of {target.max_bytes} bytes (max_bytes) can hold"
                problems.append(Problem("warning", message, shown(loc)))
                continue
            if part:
                part.finish(URLSET_END)
                yield part
            part, room, left = _NewPart(target, section, stack), space, max_urls
            locs, lastmods, texts, flush = part.locs, part.lastmods, part.texts, part.flush
            texts.append(start)
        room -= size
        left -= 1
        locs.append(loc)
        texts.append(text)
        if lastmod is not None:
            lastmods.add(lastmod)
        if len(texts) == _BATCH:
            flush()
    if part:
        part.finish(URLSET_END)
        yield part


def _name_files(filename: str, parts: Sequence[_NewPart]) -> Iterator[str]:
    """Name files after the sitemap: ``sitemap-blog-1.xml``, ``sitemap-2.xml``.

    A file that is alone with its label has no number. Raises WriteError if two have one name.
    """
    stem, dot, suffix = filename.rpartition(".")
    labels = [part.section.label for part in parts]
    total, numbers, taken = Counter(labels), Counter[str](), set[str]()
    for label in labels:
        numbers[label] += 1
        number = str(numbers[label]) if total[label] > 1 else ""
        name = "-".join(filter(None, (stem, label, number)))
        if name.casefold() in taken:
            raise WriteError(f"two sections would both be written to {name}{dot}{suffix}")
        taken.add(name.casefold())
        yield f"{name}{dot}{suffix}"


def _with_twins(names: Sequence[str]) -> list[str]:
    return [*names, *(f"{name}.gz" for name in names)]


def write_index(
    target: Destination, children: Sequence[tuple[str, Lastmod | None]], problems: list[Problem]
) -> None:
    """Write an index of sitemaps, which are given by URL and newest ``lastmod``."""
    if (count := len(children)) > MAX_PARTS:
        fault = f"an index of {count} files is too large, the protocol allows {MAX_PARTS}"
        cure = "raise max_urls or max_bytes, so that there are fewer"
        raise WriteError(f"{target.folder / target.filename}: {fault}; {cure}")
    with ExitStack() as stack:
        index = _NewPart(target, Section("", ()), stack)
        index.finish(render_index(target.stylesheet, children))
        index.take_place(target.filename, problems)


def _remove_stale(target: Destination, names: Sequence[str], problems: list[Problem]) -> None:
    """Remove unused parts of earlier builds: they bear our comment and are no index."""
    stem, _, suffix = target.filename.rpartition(".")
    part = rf"{re.escape(stem)}(-.*)?\.{re.escape(suffix)}(\.gz)?"
    used = {*_with_twins(names), *target.protected}
    for name in sorted(path.name for path in target.folder.glob("*")):
        if name in used or not re.fullmatch(part, name):
            continue
        try:
            head = files.read_head(target.folder / name)
            if files.MARKER in head and b"<sitemapindex" not in head:
                (target.folder / name).unlink(missing_ok=True)
        except OSError as error:
            if not isinstance(error, files.UnfitFileError):
                message = f"is no longer used but cannot be removed: {error.strerror or error}"
                problems.append(Problem("warning", message, name))
    files.remove_leftovers(target.folder, rf"{part}(\.bak)?")

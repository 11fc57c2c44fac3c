"""The files that a page is made of, beside its source; adapters look for snippets here."""

import glob
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from sitemap_plugin.common.files import read_file
from sitemap_plugin.common.text import quoted
from sitemap_plugin.errors import Problem
from sitemap_plugin.models import Page, Site

if TYPE_CHECKING:
    from sitemap_plugin.pages.selection import Selection

_MOST_FILES = 1000  # So many files one pattern may name.
LIMIT = 1 << 24  # Bytes of a file in which includes are looked for.
# A file is named as `--8<-- "name"`, or one a line between two `--8<--`. What pymdownx.snippets
# appends to every page (`auto_append`, abbreviations mostly) does not count.
_SNIPPET = re.compile(
    r"^[ \t]*-+8<-+(?:[ \t]+([\"'])(.+?)\1[ \t]*$|[ \t]*\n(.*?)^[ \t]*-+8<-+[ \t]*$)",
    re.MULTILINE | re.DOTALL,
)
# Lines or a section may be named: `file.md:4:6`, `file.md:section`.
_PART = re.compile(r":[^/\\]*\Z")

Finder = Callable[[str, Path], Iterable[Path]]
"""Returns the files that a text includes, given also the file that holds the text."""


def with_dependencies(site: Site, selection: "Selection") -> tuple[list[Page], list[Problem]]:
    """Return the pages with all files they are made of: by themselves, front matter and rules."""
    problems: dict[Problem, None] = {}
    match = cache(_match)
    pages: list[Page] = []
    for given, settings, effect in zip(*selection[:3], strict=True):
        page = given
        own, ruled = settings.dependencies, effect.dependencies or ()
        if own or ruled:
            folders = [page.source.parent] if page.source else []
            found = dict.fromkeys(page.dependencies)
            for names, places in ((own, [*folders, site.config_dir]), (ruled, [site.config_dir])):
                for name in names:
                    files = next(filter(None, (match(folder, name) for folder in places)), ())
                    found.update(dict.fromkeys(files))
                    if not files:
                        problems[_nothing(name, page if names is own else None)] = None
            page = page._replace(dependencies=tuple(found))
        pages.append(page)
    return pages, list(problems)


def _nothing(name: str, page: Page | None) -> Problem:
    message = f"{quoted(name)} matches no file"
    if page is None:
        return Problem("warning", f"{message}, from the configuration file on", "rules")
    where = "from the page's source and from the configuration file on"
    message = f'front matter "sitemap.dependencies": {message}, {where}'
    return Problem("warning", message, page.where)


def _match(folder: Path, name: str) -> list[Path]:
    """Return the files that a path or a pattern names."""
    pattern = os.path.join(glob.escape(str(folder)), name)  # noqa: PTH118 - Path drops a final "/"
    try:
        names = glob.iglob(pattern, recursive=True)  # noqa: PTH207 - as rules' patterns, "../" works
        found = sorted(islice(names, _MOST_FILES))
    except (OSError, ValueError):
        return []
    return [Path(path) for path in found if os.path.isfile(path)]  # noqa: PTH113 - of many files


def find_included(source: Path, finders: Sequence[Finder]) -> tuple[Path, ...]:
    """Return the files that a source includes, and those that these include."""
    found: dict[Path, None] = {}
    waiting = [source] if finders else []
    while waiting:
        path = waiting.pop()
        try:
            text = read_file(path, limit=LIMIT).decode("utf-8", "replace").replace("\r\n", "\n")
        except OSError:
            continue
        named = dict.fromkeys(part for finder in finders for part in finder(text, path))
        new = [part for part in named if part not in found and part != source]
        found.update(dict.fromkeys(new))
        waiting += new
    return tuple(found)


def find_snippets(folders: Sequence[Path]) -> Finder:
    """Return a finder of snippets; ``folders`` are those of the option ``base_path``."""

    def find(text: str, _: Path) -> Iterator[Path]:
        for match in _SNIPPET.finditer(text) if "8<-" in text else ():
            for name in (match[2] or match[3]).split("\n"):
                path = _PART.sub("", name.strip())
                if path and not path.startswith((";", "http://", "https://")):
                    files = (Path(os.path.normpath(folder / path)) for folder in folders)
                    yield from [file for file in files if file.is_file()][:1]

    return find

"""What lies in a folder: its files, other names of its folders, redirects, other sitemaps."""

import os
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from sitemap_plugin.common.files import is_ours, read_file
from sitemap_plugin.common.text import and_more
from sitemap_plugin.errors import Problem

HTML = (".html", ".htm", ".xhtml")

REDIRECTS = "_redirects"
_LIMIT = 1 << 22
_RULE = re.compile(r"\s*/(\S*)\s+((?:/|http)\S*)(?:\s+30[12378](!?))?\s*(?:\s#.*)?")


class FolderFiles:
    """The files of some kinds that lie below a folder, hidden folders aside.

    A symbolic link to a folder inside, as mike's ``latest`` is, leads to pages that are found
    anyway; ``aliases`` has what it points to and its own path, both with a final slash. A link that
    leads out of the folder is followed, since a web server serves what lies there, but never twice.
    """

    def __init__(
        self, folder: Path, suffixes: Collection[str] = HTML, passed_over: Collection[str] = ()
    ) -> None:
        self.folder, self._root = folder, folder.resolve()
        self._suffixes, self._passed_over = suffixes, passed_over
        self._seen = {self._root}
        self.aliases: list[tuple[str, str]] = []
        self.names = [self._below(path) for path in sorted(self._walk(folder))]

    def all_names(self, name: str) -> list[str]:
        """Return the path of a file, and those that it has through links."""
        aliases = [(path, own) for path, own in self.aliases if name.startswith(path)]
        return [name, *(own + name[len(path) :] for path, own in aliases)]

    def _walk(self, folder: Path) -> Iterator[Path]:
        for entry in list(os.scandir(folder)):
            path = Path(entry.path)
            if entry.name.startswith(".") or (entry.is_symlink() and not self._leads_out(path)):
                continue
            if entry.is_dir():
                if not {entry.name, os.path.realpath(path)} & {*self._passed_over}:
                    yield from self._walk(path)
            elif path.suffix.lower() in self._suffixes and entry.is_file():
                yield path

    def _leads_out(self, link: Path) -> bool:
        """Tell whether to follow a link; take note of one that is another name of a folder."""
        try:
            target = link.resolve(strict=True)
        except (OSError, RuntimeError):  # A link to nothing, or to itself.
            return False
        if target.is_relative_to(self._root):
            if target.is_dir() and target != self._root:
                path = f"{target.relative_to(self._root).as_posix()}/"
                self.aliases.append((path, self._below(link, "/")))
            return False
        if self._root.is_relative_to(target) or target in self._seen:
            return False
        self._seen.add(target)
        return True

    def _below(self, path: Path, end: str = "") -> str:
        return "" if path == self.folder else path.relative_to(self.folder).as_posix() + end


def page_key(path: str) -> str:
    """Return what the paths ``a``, ``a/``, ``a.html`` and ``a/index.html`` have in common."""
    path = path.rstrip("/")
    stem, dot, suffix = path.rpartition(".")
    path = stem if f"{dot}{suffix}" in HTML else path
    return "" if path == "index" else path.removesuffix("/index")


def leftover_sitemaps(folder: Path, filename: str) -> list[Problem]:
    """Say that there are sitemaps which the generator wrote under other names than ours."""
    own = re.compile(rf"{re.escape(Path(filename).stem)}(?:-.*)?\.xml")
    others = (path for path in folder.glob("*sitemap*.xml") if path.name != filename)
    names = sorted(path.name for path in others if not (own.fullmatch(path.name) and is_ours(path)))
    message = f"{', '.join(names)}: written by something else, and search engines may know it"
    cure = "switch off the generator's own sitemap, or name ours instead where robots.txt names it"
    message = f"{message}; {cure}"
    return [Problem("notice", message, folder.name)] if names else []


def read_redirects(files: FolderFiles) -> tuple[dict[str, str], list[Problem]]:
    """Return where ``_redirects`` leads from files, and say which only some hosts redirect.

    Rules with conditions (a country, a query) or names for parts of a path are passed over.
    """
    try:
        data = read_file(files.folder / REDIRECTS, limit=_LIMIT, within=[files.folder])
    except OSError:
        return {}, []
    lines = map(_RULE.fullmatch, data.decode("utf-8-sig", "replace").splitlines())
    rules = {number: rule for number, rule in enumerate(lines, 1) if rule}
    # What stands before a "*", as in "old/*", which is about "old" too, and whole paths.
    starts: dict[str, int] = {}
    keys: dict[str, int] = {}
    for number, rule in rules.items():
        path = unquote(rule[1])
        into, start = (starts, path[:-1]) if path.endswith("*") else (keys, page_key(path))
        into.setdefault(start, number)
    forced: dict[str, str] = {}
    weak: list[tuple[str, int]] = []
    for name in files.names:
        key = page_key(name)
        fitting = [keys.get(key), *(starts.get(f"{key}/"[:end]) for end in range(len(key) + 2))]
        number = min(filter(None, fitting), default=0)  # The first rule that fits decides.
        found = rules.get(number)
        if found is None or (found[2].startswith("/") and _leads_to(found[2], key)):
            continue  # There is none, or it leads from the page to itself.
        if found[3]:
            forced[name] = found[2]
        else:
            weak.append((name, number))
    if not weak:
        return forced, []
    message = (
        f"line {weak[0][1]} redirects {weak[0][0]}, where there is a page too: Netlify serves the "
        "page, Cloudflare Pages redirects; remove one of them, or add ! to the status to redirect "
        f"everywhere{and_more(weak)}"
    )
    return forced, [Problem("notice", message, REDIRECTS)]


def _leads_to(target: str, key: str) -> bool:
    path = unquote(urlsplit(target).path[1:])
    return f"{key}/".startswith(path[:-1]) if path.endswith("*") else page_key(path) == key

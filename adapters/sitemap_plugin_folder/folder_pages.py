"""A folder of HTML: its files, other names of its folders, redirects, and the files as pages."""

import os
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from sitemap_plugin.common.files import is_ours, read_file
from sitemap_plugin.common.text import and_more
from sitemap_plugin.common.urls import encode_path, path_below, same_page
from sitemap_plugin.errors import Problem
from sitemap_plugin.hookspecs import hookimpl
from sitemap_plugin.html.head import Head, read_head
from sitemap_plugin.languages.codes import X_DEFAULT
from sitemap_plugin.languages.folders import LanguageFolders, unclaim_copies
from sitemap_plugin.models import STATIC_HTML, Page, Site
from sitemap_plugin.pages.addresses import ServedFiles, served_paths
from sitemap_plugin.pages.selection import ERROR_PAGES, SEARCH_PAGES
from sitemap_plugin_folder.project import Project

if TYPE_CHECKING:
    from sitemap_plugin_folder.sources import Source

HTML = (".html", ".htm", ".xhtml")
REDIRECTS = "_redirects"
_RULE = re.compile(r"\s*/(\S*)\s+((?:/|http)\S*)(?:\s+30[12378](!?))?\s*(?:\s#.*)?")
_REASONS = dict.fromkeys(ERROR_PAGES, "error page") | dict.fromkeys(SEARCH_PAGES, "search page")
# Files by which a site is known that was built into a folder of another one.
_SITE_MARKS = ("sitemap.xml", "sitemap.xml.gz", "objects.inv", "searchindex.js")
_OF_SPHINX = re.compile(r"genindex(-.*)?|[^/]+-modindex|_modules/.*")
_UNREAD = Head()

Link = tuple[str, str, str]
"""An hreflang code, a URL, and the file of this folder that it leads to, empty for others."""


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
        self.names = [path.relative_to(folder).as_posix() for path in sorted(self._walk(folder))]

    def all_names(self, name: str) -> list[str]:
        """Return the path of a file, and those that it has through links."""
        aliases = [(path, own) for path, own in self.aliases if name.startswith(path)]
        return [name, *(own + name[len(path) :] for path, own in aliases)]

    def _walk(self, folder: Path) -> Iterator[Path]:
        for entry in list(os.scandir(folder)):
            path = Path(entry.path)
            if entry.name.startswith(".") or (entry.is_symlink() and not self._leads_out(path)):
                continue
            if not entry.is_dir():
                if path.suffix.lower() in self._suffixes and entry.is_file():
                    yield path
            elif {entry.name, os.path.realpath(path)}.isdisjoint(self._passed_over):
                yield from self._walk(path)

    def _leads_out(self, link: Path) -> bool:
        """Tell whether to follow a link; take note of one that is another name of a folder."""
        try:
            target = link.resolve(strict=True)
        except (OSError, RuntimeError):  # A link to nothing, or to itself.
            return False
        if target.is_relative_to(self._root):
            if target.is_dir() and target != self._root:
                names = target.relative_to(self._root), link.relative_to(self.folder)
                self.aliases.append((f"{names[0].as_posix()}/", f"{names[1].as_posix()}/"))
            return False
        is_new = not self._root.is_relative_to(target) and target not in self._seen
        self._seen.add(target)
        return is_new


def page_key(path: str) -> str:
    """Return what the paths ``a``, ``a/``, ``a.html`` and ``a/index.html`` have in common."""
    path = path.rstrip("/")
    stem, dot, suffix = path.rpartition(".")
    path = stem if f"{dot}{suffix}" in HTML else path
    return "" if path == "index" else path.removesuffix("/index")


class FolderPages:
    """The plugin that contributes a folder's pages, and knows which files are no pages."""

    def __init__(self, files: FolderFiles, project: Project, *, extensionless: bool) -> None:
        self.files, self._project, self._extensionless = files, project, extensionless
        self.sources: Mapping[str, Source] = {}
        self._redirects, self.problems = read_redirects(files)
        self._heads: dict[Path, Head] = {}
        for path in (files.folder / name for name in files.names):
            with suppress(OSError):
                self._heads[path] = read_head(path)
        homes = (self._head(name) for name in files.names if not page_key(name))
        self.language = next((head.language for head in homes), None)

    def head_of(self, path: Path) -> Head:
        """Return the head of a file of this folder; raises OSError."""
        return self._heads.get(path) or read_head(path)

    def _head(self, name: str) -> Head:
        return self._heads.get(self.files.folder / name, _UNREAD)

    @hookimpl
    def sitemap_pages(self, site: Site) -> Iterator[Page]:
        """Yield a page for each file."""
        heads = {name: self._head(name) for name in self.files.names}
        urls = {name: self._choose_url(name, head, site) for name, head in heads.items()}
        files = {path: name for name in heads for path in self.files.all_names(name)}
        served = ServedFiles(site.base_url, files)
        folders = LanguageFolders(self._project.switcher, site.base_url)
        linked: defaultdict[str, list[Link]] = defaultdict(list)
        for name, head in heads.items():
            for code, href in head.alternates:
                target = head.resolve(urls[name], href) or href
                linked[name].append((code, target, files.get(served.file_of(target) or "", "")))
        back = {file: {own for *_, own in found} for file, found in linked.items()}
        pages: list[Page] = []
        for name, head in heads.items():
            # A page that is linked and does not link back is no translation: search engines ignore
            # the pair, and what is meant is often a menu that leads to home pages.
            links = [link for link in linked.get(name, ()) if name in back.get(link[2], {name})]
            page = self._page(name, head, urls[name], links)
            if version := folders.version(path_below(page.url, site.base_url)):
                page = page._replace(language=version[0], translation_key=version[1])
            pages.append(page)
        yield from unclaim_copies(pages, site.language)

    @hookimpl
    def sitemap_exclusion(self, site: Site) -> Callable[[Page], str | None]:  # noqa: ARG002 - the hook's argument
        """Leave out what is a part of pages and no page, and special pages of sites within."""
        is_site = cache(lambda folder: any((folder / mark).exists() for mark in _SITE_MARKS))
        names = self.files.names
        reasons = {self.files.folder / name: self._reason(name, is_site) for name in names}
        return lambda page: reasons.get(page.output) if page.output else None

    def _reason(self, name: str, is_site: Callable[[Path], bool]) -> str | None:
        path, folder = self.files.folder / name, self.files.folder
        # Versions, for example, are sites that were built into folders of this one.
        root = next(each for each in path.parents if each == folder or is_site(each))
        below = path.relative_to(root).as_posix()
        if below in _REASONS:
            return _REASONS[below]
        if _OF_SPHINX.fullmatch(page_key(below)) and (root / "searchindex.js").is_file():
            return "generated page"
        if name in self._redirects:
            return f"redirect ({self._redirects[name]})"
        return None if self._head(name).is_document else "fragment"

    def _page(self, name: str, head: Head, url: str, links: Sequence[Link]) -> Page:
        path, source = self.files.folder / name, self.sources.get(name)
        said: dict[str, Any] = {"modified": head.modified, "date": head.published}
        if source and source.is_copied:
            said[STATIC_HTML] = True if self._project.output else None
        elif source:
            # What the generator writes into the head comes from the source, or is the build's day.
            said = dict(source.metadata)
        metadata = {key: value for key, value in said.items() if value is not None}
        if links:
            metadata.setdefault("translations", {code: target for code, target, _ in links})
        own = (code for code, _, file in links if file == name)
        return Page(
            url=url,
            source=source.path if source else path,
            source_path=source.name if source else name,
            output=path,
            metadata=metadata,
            title=head.title,
            language=next((code for code in own if code.lower() != X_DEFAULT), head.language),
            dependencies=source.includes if source else (),
        )

    def _choose_url(self, name: str, head: Head, site: Site) -> str:
        """Return the one of a page's URLs that its canonical link, or one to itself, names."""
        paths = [path for each in self.files.all_names(name) for path in served_paths(each)]
        urls = [site.base_url + encode_path(path) for path in paths]
        usual = urls[1] if self._extensionless and not urls[0].endswith("/") else urls[0]
        given = [head.canonical] if head.canonical else [href for _, href in head.alternates]
        named = [head.resolve(usual, href) or "" for href in given]
        return next((url for url in urls if any(same_page(url, each) for each in named)), usual)


def leftover_sitemaps(folder: Path, filename: str) -> list[Problem]:
    """Say that there are sitemaps which the generator wrote under other names than ours."""
    own = re.compile(rf"{re.escape(Path(filename).stem)}(?:-.*)?\.xml")
    others = (path for path in folder.glob("*sitemap*.xml") if path.name != filename)
    names = sorted(path.name for path in others if not (own.fullmatch(path.name) and is_ours(path)))
    message = f"{', '.join(names)}: written by something else, and search engines may know it"
    cure = "switch off the generator's own sitemap, or name ours instead where robots.txt names it"
    return [Problem("notice", f"{message}; {cure}", folder.name)] if names else []


def read_redirects(files: FolderFiles) -> tuple[dict[str, str], list[Problem]]:
    """Return where ``_redirects`` leads from files, and say which only some hosts redirect.

    Rules with conditions (a country, a query) or names for parts of a path are passed over.
    """
    try:
        data = read_file(files.folder / REDIRECTS, limit=1 << 22, within=[files.folder])
    except OSError:
        return {}, []
    lines = map(_RULE.fullmatch, data.decode("utf-8-sig", "replace").splitlines())
    rules = {number: rule for number, rule in enumerate(lines, 1) if rule}
    numbers: dict[str, int] = {}
    for number, rule in rules.items():
        path = unquote(rule[1])
        numbers.setdefault(path if path.endswith("*") else page_key(path), number)
    forced: dict[str, str] = {}
    weak: list[tuple[str, int]] = []
    for name in files.names:
        key = page_key(name)
        starts = (f"{f'{key}/'[:end]}*" for end in range(len(key) + 2))  # "old/*" is about "old".
        # The first rule that fits decides.
        number = min((numbers[each] for each in (key, *starts) if each in numbers), default=0)
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

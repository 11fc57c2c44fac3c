"""Turn HTML files into the core's pages."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from sitemap_plugin.common.urls import encode_path, path_below, same_page
from sitemap_plugin.hookspecs import hookimpl
from sitemap_plugin.html.head import Head, read_head
from sitemap_plugin.languages.codes import X_DEFAULT
from sitemap_plugin.languages.folders import LanguageFolders, unclaim_copies
from sitemap_plugin.models import STATIC_HTML, Page, Site
from sitemap_plugin.pages.addresses import ServedFiles, served_paths
from sitemap_plugin.pages.selection import ERROR_PAGES, SEARCH_PAGES
from sitemap_plugin_folder.folder_files import FolderFiles, page_key
from sitemap_plugin_folder.project import Project
from sitemap_plugin_folder.sources import Source

_REASONS = dict.fromkeys(ERROR_PAGES, "error page") | dict.fromkeys(SEARCH_PAGES, "search page")
# Files by which a site is known that was built into a folder of another one.
_SITE_MARKS = ("sitemap.xml", "sitemap.xml.gz", "objects.inv", "searchindex.js")
_OF_SPHINX = re.compile(r"genindex(-.*)?|[^/]+-modindex|_modules/.*")
_UNREAD = Head()

Link = tuple[str, str, str]
"""An hreflang code, a URL, and the file of this folder that it leads to, empty for others."""


class FolderPages:
    """The plugin that contributes a folder's pages, and knows which files are no pages."""

    def __init__(self, files: FolderFiles, project: Project, *, extensionless: bool) -> None:
        self.files, self._project, self._extensionless = files, project, extensionless
        self.sources: Mapping[str, Source] = {}
        self.redirects: Mapping[str, str] = {}
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
        paths = {self.files.folder / name: name for name in self.files.names}
        reasons = {path: self._reason(path, name, is_site) for path, name in paths.items()}
        return lambda page: reasons.get(page.output) if page.output else None

    def _reason(self, path: Path, name: str, is_site: Callable[[Path], bool]) -> str | None:
        # Versions, for example, are sites that were built into folders of this one.
        root = next(each for each in path.parents if each == self.files.folder or is_site(each))
        below = path.relative_to(root).as_posix()
        if below in _REASONS:
            return _REASONS[below]
        if _OF_SPHINX.fullmatch(page_key(below)) and (root / "searchindex.js").is_file():
            return "generated page"
        if name in self.redirects:
            return f"redirect ({self.redirects[name]})"
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

"""Turn HTML files into the core's pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_plugin.common.urls import encode_path, path_below, same_page
from sitemap_plugin.dates.snippets import find_included, find_snippets
from sitemap_plugin.errors import Problem
from sitemap_plugin.hookspecs import hookimpl
from sitemap_plugin.html import Head, read_head
from sitemap_plugin.languages import X_DEFAULT
from sitemap_plugin.languages.switcher import LanguageFolders, unclaim_copies
from sitemap_plugin.models import Page, Site
from sitemap_plugin.pages.addresses import ServedFiles, served_paths
from sitemap_plugin.pages.collect import STATIC_HTML
from sitemap_plugin.pages.selection import ERROR_PAGES, SEARCH_PAGES
from sitemap_plugin_folder.folder_files import FolderFiles, page_key
from sitemap_plugin_folder.project import Project
from sitemap_plugin_folder.redirects import Redirects
from sitemap_plugin_folder.source_metadata import read_source_metadata

_REASONS = {
    **dict.fromkeys(ERROR_PAGES, "error page"),
    **dict.fromkeys(SEARCH_PAGES, "search page"),
}
_OF_SPHINX = re.compile(r"genindex(-.*)?|[^/]+-modindex|_modules/.*")
NO_HEAD = Head()
"""What stands for the head of a file that cannot be read."""


class HtmlFile(NamedTuple):
    """An HTML file: its path below the folder, what its head and its source say, and the source."""

    name: str
    head: Head
    source: Path | None
    metadata: Mapping[str, Any]
    includes: tuple[Path, ...] = ()


def read_pages(
    files: FolderFiles, sources: Mapping[str, Path], within: Sequence[Path], project: Project
) -> tuple[list[HtmlFile], list[Problem]]:
    """Read each file, and the front matter of those that have a source.

    Sources lie in the first of the folders ``within``, out of which no link may lead.
    """
    found: list[HtmlFile] = []
    problems: list[Problem] = []
    finders = [find_snippets(project.snippets)] if project.snippets else []
    for name in files.names:
        source = sources.get(name)
        try:
            head = read_head(files.folder / name)
        except OSError:
            head = NO_HEAD
        values: dict[str, Any] = {"modified": head.modified, "date": head.published}
        if source:
            front = read_source_metadata(source, within)
            if front.fault:
                where = source.relative_to(within[0]).as_posix()
                problems.append(Problem("warning", front.fault, where))
            # What the generator writes into the head comes from the source, or is the build's day.
            is_copy = source.suffix.lower() == ".html" and front.is_plain
            values = {**(values if is_copy else {}), **front.values}
            if is_copy and project.output:
                values[STATIC_HTML] = True
        metadata = {key: value for key, value in values.items() if value is not None}
        includes = find_included(source, finders) if source else ()
        found.append(HtmlFile(name, head, source, metadata, includes))
    return found, problems


class FolderPages:
    """The plugin that contributes a folder's pages, and knows which files are no pages.

    ``switcher`` are the items of ``extra.alternate`` in an MkDocs or Zensical project.
    """

    def __init__(
        self,
        written: Sequence[HtmlFile],
        files: FolderFiles,
        redirects: Redirects,
        switcher: Any = None,
        *,
        extensionless: bool = False,
    ) -> None:
        self._files, self._redirects, self._switcher = files, redirects, switcher
        self._written = {files.folder / file.name: file for file in written}
        self._extensionless = extensionless

    def head_of(self, path: Path) -> Head:
        """Return the head of a file of this folder; raises OSError."""
        file = self._written.get(path)
        return read_head(path) if file is None or file.head is NO_HEAD else file.head

    @property
    def language(self) -> str | None:
        """The language that the home page says it is in."""
        home = (file.head for file in self._written.values() if not page_key(file.name))
        return next((head.language for head in home), None)

    @hookimpl
    def sitemap_pages(self, site: Site) -> Iterator[Page]:
        """Yield a page for each file."""
        files = self._written.values()
        names = {name: file.name for file in files for name in self._files.all_names(file.name)}
        served = ServedFiles(site.base_url, names)
        urls = {file.name: self._choose_url(site, file) for file in files}

        def links(file: HtmlFile) -> Iterator[tuple[str, str, str | None]]:
            for code, href in file.head.alternates:
                target = file.head.resolve(urls[file.name], href) or href
                yield code, target, names.get(served.file_of(target) or "")

        linked = {file.name: [*links(file)] for file in files if file.head.alternates}
        back = {name: {other for *_, other in own} for name, own in linked.items()}
        pages: list[Page] = []
        for file in files:
            # A page that is linked and does not link back is no translation: search engines ignore
            # the pair, and what is meant is often a menu that leads to home pages.
            own = [
                link
                for link in linked.get(file.name, [])
                if file.name in back.get(link[2] or "", {file.name})
            ]
            pages.append(self._page(site, file, urls[file.name], own))
        if self._switcher:
            folders = LanguageFolders(self._switcher, site.base_url)
            pages = [*unclaim_copies(_switched(pages, folders, site), site.language)]
        yield from pages

    @hookimpl
    def sitemap_exclusion(self, site: Site) -> Callable[[Page], str | None]:  # noqa: ARG002 - the hook's argument
        """Leave out what is a part of pages and no page, and special pages of sites within."""

        def reason(page: Page) -> str | None:
            file = self._written.get(page.output) if page.output else None
            if file is None:
                return None
            if special := _special(file.name, self._files.sites):
                return special
            redirect = self._redirects.of(file.name)
            if redirect and redirect.forced:
                return f"redirect ({redirect.target})"
            return None if file.head.is_document else "fragment"

        return reason

    def _page(
        self, site: Site, file: HtmlFile, url: str, links: Sequence[tuple[str, str, str | None]]
    ) -> Page:
        """Return a page; ``links`` are code, URL and file of each of its translations."""
        path = self._files.folder / file.name
        below = file.source.relative_to(site.source_dir or "").as_posix() if file.source else None
        own = (code for code, _, name in links if name == file.name)
        language = next((code for code in own if code.lower() != X_DEFAULT), None)
        translations = {code: target for code, target, _ in links}
        return Page(
            url=url,
            source=file.source or path,
            source_path=below or file.name,
            output=path,
            metadata={**({"translations": translations} if links else {}), **file.metadata},
            title=file.head.title,
            language=language or file.head.language,
            dependencies=file.includes,
        )

    def _choose_url(self, site: Site, file: HtmlFile) -> str:
        """Return the one of a page's possible URLs that its canonical link names.

        Without such a link, its link to itself as one of its translations tells.
        """
        paths = [path for name in self._files.all_names(file.name) for path in served_paths(name)]
        urls = [site.base_url + encode_path(path) for path in paths]
        usual = urls[1] if self._extensionless and not urls[0].endswith("/") else urls[0]
        if file.head.canonical:
            canonical = file.head.resolve(usual, file.head.canonical) or ""
            return next((url for url in urls if same_page(url, canonical)), usual)
        named = {file.head.resolve(usual, href) for _, href in file.head.alternates}
        return next((url for url in urls if url in named), usual)


def _switched(pages: Sequence[Page], folders: LanguageFolders, site: Site) -> list[Page]:
    """Return the pages with the language and the key that the switcher gives them."""
    versions = [(page, folders.version(path_below(page.url, site.base_url))) for page in pages]
    return [
        page._replace(language=found[0], translation_key=found[1]) if found else page
        for page, found in versions
    ]


def _special(name: str, sites: Mapping[str, bool]) -> str | None:
    """Return what a file is in the site within the folder that it belongs to."""
    root = max((each for each in sites if name.startswith(each)), key=len)
    below = name[len(root) :]
    is_generated = sites[root] and _OF_SPHINX.fullmatch(page_key(below))
    return _REASONS.get(below) or ("generated page" if is_generated else None)

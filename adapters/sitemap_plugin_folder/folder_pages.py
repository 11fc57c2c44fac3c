"""Turn HTML files into the core's pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_plugin.common.urls import encode_path, path_below, same_page
from sitemap_plugin.errors import Problem
from sitemap_plugin.hookspecs import hookimpl
from sitemap_plugin.html import Head, read_head
from sitemap_plugin.languages import X_DEFAULT
from sitemap_plugin.languages.switcher import LanguageFolders, unclaim_copies
from sitemap_plugin.models import Page, Site
from sitemap_plugin.pages.addresses import ServedFiles, served_paths
from sitemap_plugin.pages.exclusions import ERROR_PAGES, SEARCH_PAGES, STATIC_HTML
from sitemap_plugin_folder.folder_files import FolderFiles, page_key
from sitemap_plugin_folder.project import Project
from sitemap_plugin_folder.redirects import Redirects
from sitemap_plugin_folder.snippets import find_snippets
from sitemap_plugin_folder.source_metadata import read_source_metadata

__all__ = ["FolderPages", "HtmlFile", "read_pages"]

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
    path: Path
    head: Head
    source: Path | None
    metadata: Mapping[str, Any]
    includes: tuple[Path, ...] = ()


def read_pages(
    names: Iterable[str],
    folder: Path,
    sources: Mapping[str, Path],
    within: Sequence[Path],
    project: Project,
) -> tuple[list[HtmlFile], list[Problem]]:
    """Read each file, and the front matter of those that have a source.

    Sources lie in the first of the folders ``within``, out of which no link may lead.
    """
    found: list[HtmlFile] = []
    problems: list[Problem] = []
    for name in names:
        path, source = folder / name, sources.get(name)
        try:
            head = read_head(path)
        except OSError:
            head = NO_HEAD
        values: dict[str, Any] = {"modified": head.modified, "date": head.published}
        includes: tuple[Path, ...] = ()
        if source:
            front = read_source_metadata(source, within)
            if front.fault:
                where = source.relative_to(within[0]).as_posix()
                problems.append(Problem("warning", front.fault, where))
            includes = find_snippets(front.text, project.snippets)
            # What the generator writes into the head comes from the source, or is the build's day.
            is_copy = source.suffix.lower() == ".html" and not front.has_block
            values = {**(values if is_copy else {}), **front.values}
            if is_copy and project.output:
                values[STATIC_HTML] = True
        metadata = {key: value for key, value in values.items() if value is not None}
        found.append(HtmlFile(name, path, head, source, metadata, includes))
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
        *,
        switcher: Any = None,
        extensionless: bool = False,
    ) -> None:
        self._written = {file.path: file for file in written}
        self._files, self._redirects, self._switcher = files, redirects, switcher
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
        urls: dict[str, str] = {}
        names: dict[str, str] = {}
        for file in self._written.values():
            paths = [file.name, *self._files.other_names(file.name)]
            names.update(dict.fromkeys(paths, file.name))
            urls[file.name] = self._choose(_spellings(paths, site.base_url), file.head)
        served = ServedFiles(site.base_url, names)

        def url_at(url: str) -> str | None:
            found = served.file_of(url)
            return urls[names[found]] if found is not None else None

        links = {
            urls[file.name]: _links(file.head, urls[file.name], url_at)
            for file in self._written.values()
            if file.head.alternates
        }
        pages = [self._page(site, file, urls[file.name], links) for file in self._written.values()]
        if self._switcher:
            folders = LanguageFolders(self._switcher, site.base_url)
            pages = list(unclaim_copies(_switched(pages, folders, site), site.language))
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
        self, site: Site, file: HtmlFile, url: str, links: Mapping[str, Mapping[str, str]]
    ) -> Page:
        own = links.get(url, {})
        # A page that is linked and does not link back is no translation: search engines ignore the
        # pair, and what is meant is often a menu that leads to home pages.
        mutual = {
            code: href
            for code, href in own.items()
            if href not in links or url in links[href].values()
        }
        named = (code for code, href in own.items() if href == url and code.lower() != X_DEFAULT)
        below = file.source.relative_to(site.source_dir or "") if file.source else None
        return Page(
            url=url,
            source=file.source or file.path,
            source_path=below.as_posix() if below else file.name,
            output=file.path,
            metadata={"translations": mutual, **file.metadata} if mutual else file.metadata,
            title=file.head.title,
            language=next(named, None) or file.head.language,
            dependencies=file.includes,
        )

    def _choose(self, urls: list[str], head: Head) -> str:
        """Return the one of a page's possible URLs that its canonical link names.

        Without such a link, its link to itself as one of its translations tells.
        """
        is_index = urls[0].endswith("/")
        usual = urls[1] if self._extensionless and not is_index else urls[0]
        if head.canonical:
            canonical = head.resolve(usual, head.canonical) or ""
            return next((url for url in urls if same_page(url, canonical)), usual)
        links = {head.resolve(usual, href) for _, href in head.alternates}
        return next((url for url in urls if url in links), usual)


def _switched(pages: Iterable[Page], folders: LanguageFolders, site: Site) -> list[Page]:
    """Return the pages with the language and the key that the switcher gives them."""
    versions = [(page, folders.version(path_below(page.url, site.base_url))) for page in pages]
    return [
        page._replace(language=found[0], translation_key=found[1]) if found else page
        for page, found in versions
    ]


def _special(name: str, sites: Mapping[str, bool]) -> str | None:
    """Return what a file is in the site within the folder that it belongs to."""
    folder, slash, _ = name.rpartition("/")
    for root in (folder + slash, f"{folder.rpartition('/')[0]}/".lstrip("/")):
        if root in sites and (reason := _REASONS.get(name[len(root) :])):
            return reason
    root = max((each for each in sites if name.startswith(each)), key=len)
    is_generated = sites[root] and _OF_SPHINX.fullmatch(page_key(name[len(root) :]))
    return "generated page" if is_generated else None


def _spellings(paths: Iterable[str], base_url: str) -> list[str]:
    """Return the URLs at which hosts serve a file that has these names, the usual one first."""
    return [base_url + encode_path(served) for path in paths for served in served_paths(path)]


def _links(head: Head, url: str, url_at: Callable[[str], str | None]) -> dict[str, str]:
    """Return a head's links to translations, each led to the page that it means."""
    targets = {code: head.resolve(url, href) or href for code, href in head.alternates}
    return {code: url_at(target) or target for code, target in targets.items()}

"""Turn MkDocs' files and pages into the core's pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitemap_plugin.common.text import plain_title
from sitemap_plugin.errors import Problem, Severity
from sitemap_plugin.hookspecs import hookimpl
from sitemap_plugin.languages.switcher import LanguageFolders, unclaim_copies
from sitemap_plugin.models import Page, Site
from sitemap_plugin_mkdocs import static_i18n
from sitemap_plugin_mkdocs.front_matter import read_front_matter
from sitemap_plugin_mkdocs.versions import NO_VERSION, Version

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File, Files
    from mkdocs.structure.nav import Navigation
    from mkdocs.structure.pages import Page as MkDocsPage

__all__ = ["MkDocsPages", "static_files"]

BLOG = "material/blog"
"""What Material's blog writes into ``generated_by`` of the files that it makes."""


class MkDocsPages:
    """The pages of one build, of all its languages, as a plugin that contributes them."""

    def __init__(self) -> None:
        self.language: str | None = None
        self._in_nav: set[str] = set()
        self._pages: dict[str, Page] = {}
        self.problems: list[Problem] = []

    def remember_navigation(self, nav: Navigation) -> None:
        """Note which pages the navigation reaches."""
        self._in_nav.update(page.file.dest_uri for page in nav.pages)

    def remember_files(self, files: Files, config: MkDocsConfig) -> None:
        """Translate every page that MkDocs builds; a later claimant of a file takes it."""
        if self.language is None:
            self.language = _site_language(config)
        tell = _versions(config)
        for file in files.documentation_pages():
            page = file.page
            if page is not None and page.canonical_url:
                # MkDocs writes pages in this order, so what the last one wrote is served.
                self._pages[file.dest_uri] = self._translate(file, page, tell, config)

    @hookimpl
    def sitemap_pages(self, site: Site) -> Iterator[Page]:  # noqa: ARG002 - the hook's argument
        """Yield the pages."""
        yield from unclaim_copies(self._pages.values(), self.language)

    def _translate(
        self,
        file: File,
        page: MkDocsPage,
        tell: Callable[[File, bool], Version],
        config: MkDocsConfig,
    ) -> Page:
        kind, members = _listing(file, page)
        source = _source(file, config)
        version = tell(file, source is None)
        front_matter = read_front_matter(file, page)
        if front_matter.fault:
            message = f"its front matter is not read, since it is not YAML: {front_matter.fault}"
            severity: Severity = "warning" if front_matter.matters else "notice"
            self._tell(Problem(severity, message, file.src_uri))
        return Page(
            url=page.canonical_url or "",
            source=source,
            source_path=file.src_uri,
            output=Path(file.abs_dest_path),
            metadata=front_matter.values,
            # YAML reads `title: 1984` as a number, which themes print as it is.
            title=None if page.title is None else plain_title(str(page.title)),
            language=version.language,
            translation_key=version.translation_key,
            kind=kind,
            members=members,
            in_nav=file.dest_uri in self._in_nav,
            fallback=version.fallback,
        )

    def _tell(self, problem: Problem) -> None:
        # A page in the default language may be built once for each language.
        if problem not in self.problems:
            self.problems.append(problem)


def static_files(files: Files) -> set[str]:
    """Return the paths below the output folder that the user's own static files take."""
    return {file.dest_uri for file in files if not file.is_documentation_page()}


def _site_language(config: MkDocsConfig) -> str | None:
    """Return the language that the site's configuration gives, as it spells it."""
    plugin = static_i18n.find_plugin(config)
    theme = config.theme
    for value in (
        getattr(plugin, "default_language", None),
        theme.get("language"),
        theme.get("locale"),
    ):
        if value:
            return str(value)
    return None


def _versions(config: MkDocsConfig) -> Callable[[File, bool], Version]:
    """Return a function that tells what is known of a file, given whether it was generated."""
    plugin = static_i18n.find_plugin(config)
    if plugin is not None:
        here = Version(plugin.current_language)
        return lambda file, generated: here if generated else static_i18n.version(file, plugin)
    alternates = config.extra.get("alternate")
    folders = LanguageFolders(alternates, f"{(config.site_url or '').rstrip('/')}/")

    def version(file: File, generated: bool) -> Version:
        found = None if generated else folders.version("" if file.url == "./" else file.url)
        return Version(*found) if found else NO_VERSION

    return version


def _source(file: File, config: MkDocsConfig) -> Path | None:
    """Return the file that the page was written in; generated pages may have none.

    mkdocs-gen-files marks pages that it only edited as generated too, so the docs folder is asked.
    """
    if file.generated_by:
        path = Path(config.docs_dir, file.src_uri)
        return path if path.is_file() else None
    return Path(file.abs_src_path) if file.abs_src_path else None


def _listing(file: File, page: MkDocsPage) -> tuple[Any, tuple[str, ...]]:
    """Return the kind of a page and, of a view of Material's blog, the URLs that it lists."""
    posts = getattr(page, "posts", None)
    if posts is None:
        return "page", ()
    pages = getattr(page, "pages", None) or [page]
    kind = "pagination" if page is not pages[0] and file.generated_by == BLOG else "listing"
    return kind, tuple(post.canonical_url for post in posts if post.canonical_url)

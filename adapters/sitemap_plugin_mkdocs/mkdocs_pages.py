"""Turn MkDocs' files and pages into the core's pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.utils import get_build_date

from sitemap_plugin.common.text import plain_title
from sitemap_plugin.dates.dating import UPDATE_DATE
from sitemap_plugin.dates.snippets import find_included
from sitemap_plugin.errors import Problem
from sitemap_plugin.hookspecs import hookimpl
from sitemap_plugin.languages.switcher import LanguageFolders, unclaim_copies
from sitemap_plugin.models import Page, Site
from sitemap_plugin.pages.exclusions import STATIC_HTML
from sitemap_plugin_mkdocs import static_i18n
from sitemap_plugin_mkdocs.includes import include_finders
from sitemap_plugin_mkdocs.page_meta import read_front_matter
from sitemap_plugin_mkdocs.static_i18n import LanguageVersion

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File, Files
    from mkdocs.structure.nav import Navigation
    from mkdocs.structure.pages import Page as MkDocsPage


BLOG = "material/blog"
"""What Material's blog writes into ``generated_by`` of the files that it makes."""


class MkDocsPages:
    """The pages of one build, of all its languages, as a plugin that contributes them."""

    def __init__(self) -> None:
        self.language: str | None = None
        self._build_date = get_build_date()
        self._in_nav: set[str] = set()
        self._pages: dict[str, Page] = {}
        self._static: dict[str, Page] = {}
        self.problems: list[Problem] = []

    def remember_navigation(self, nav: Navigation) -> None:
        """Note which pages the navigation reaches."""
        self._in_nav.update(page.file.dest_uri for page in nav.pages)

    def remember_files(self, files: Files, config: MkDocsConfig, base: str) -> None:
        """Translate every page that MkDocs builds; their URLs lie below the base."""
        if self.language is None:
            self.language = _site_language(config)
        pages = [(file, file.page) for file in files.documentation_pages() if file.page is not None]
        for file, page in pages:
            # A blog keeps its posts out of the navigation, which shows them through its views.
            if file.dest_uri in self._in_nav:
                posts = getattr(page, "posts", None) or ()
                self._in_nav.update(post.file.dest_uri for post in posts)
        version, finders = _versions(config, base), include_finders(config)
        for file, page in pages:
            source = _source(file, config)
            made_of = find_included(source, finders) if source else ()
            url = base + _relative_url(file)
            known = version(file, source is None)
            # MkDocs writes pages in this order, so what the last one wrote is served.
            self._pages[file.dest_uri] = Page(
                url=url,
                source=source,
                source_path=file.src_uri,
                output=Path(file.abs_dest_path),
                metadata=self._metadata(file, page, url, config, files),
                # YAML reads `title: 1984` as a number, which themes print as it is.
                title=None if page.title is None else plain_title(str(page.title)),
                language=known.language,
                translation_key=known.translation_key,
                in_nav=file.dest_uri in self._in_nav,
                fallback=known.fallback,
                dependencies=made_of,
                **_listing(file, page),
            )

    def remember_static_html(
        self, files: Files, templates: Mapping[str, Path], config: MkDocsConfig, base: str
    ) -> None:
        """Note the HTML that is copied as it is, or made from a template without a page."""
        site, themes = Path(config.site_dir), [Path(path) for path in config.theme.dirs]
        for path, template in templates.items():
            url = "" if path == "index.html" else path
            self._static[path] = _static_page(base + url, template, path, site / path)
        for file in files:
            source = Path(file.abs_src_path) if file.abs_src_path else None
            if file.is_documentation_page() or not file.dest_uri.endswith(".html"):
                continue
            if source is None or any(source.is_relative_to(theme) for theme in themes):
                continue
            if file.inclusion.is_included():  # type: ignore[no-untyped-call] # MkDocs' enum
                url, output = base + _relative_url(file), Path(file.abs_dest_path)
                self._static[file.dest_uri] = _static_page(url, source, file.src_uri, output)

    @hookimpl
    def sitemap_pages(self, site: Site) -> Iterator[Page]:  # noqa: ARG002 - the hook's argument
        """Yield the pages."""
        yield from unclaim_copies(self._pages.values(), self.language)
        for path, page in self._static.items():
            if path not in self._pages:
                yield page

    def _metadata(
        self, file: File, page: MkDocsPage, url: str, config: MkDocsConfig, files: Files
    ) -> dict[str, Any]:
        """Return the front matter, and what hooks have set on the page object besides."""
        values, fault = read_front_matter(file, page, config, files)
        found = dict(values)
        if fault:
            message = f"its front matter is not read, since it is not YAML: {fault}"
            problem = Problem("warning", message, file.src_uri)
            # A page in the default language may be built once for each language.
            if problem not in self.problems:
                self.problems.append(problem)
        if page.canonical_url not in (None, "", url) and not found.get("canonical"):
            found["canonical"] = page.canonical_url
        if page.update_date and page.update_date not in {self._build_date, get_build_date()}:
            found[UPDATE_DATE] = page.update_date
        return found


def _static_page(url: str, source: Path, source_path: str, output: Path) -> Page:
    return Page(url, source, source_path=source_path, output=output, metadata={STATIC_HTML: True})


def _relative_url(file: File) -> str:
    """Return a file's URL below the base; MkDocs has ``./`` for the home page."""
    return "" if file.url in (".", "./") else file.url


def _site_language(config: MkDocsConfig) -> str | None:
    """Return the language that the site's configuration gives, as it spells it."""
    plugin = static_i18n.find_plugin(config)
    own = getattr(plugin, "default_language", None)
    found = own or config.theme.get("language") or config.theme.get("locale")
    return str(found) if found else None


def _versions(config: MkDocsConfig, base: str) -> Callable[[File, bool], LanguageVersion]:
    """Return a function that tells what is known of a file, given whether it was generated."""
    plugin = static_i18n.find_plugin(config)
    if plugin is not None:
        here = LanguageVersion(plugin.current_language)
        return lambda file, generated: here if generated else static_i18n.version(file, plugin)
    folders = LanguageFolders(config.extra.get("alternate"), base)

    def version(file: File, generated: bool) -> LanguageVersion:
        found = None if generated else folders.version(_relative_url(file))
        return LanguageVersion(*found) if found else LanguageVersion()

    return version


def _source(file: File, config: MkDocsConfig) -> Path | None:
    """Return the file that the page was written in; generated pages may have none.

    mkdocs-gen-files marks pages that it only edited as generated too, so the docs folder is asked.
    """
    if file.generated_by:
        path = Path(config.docs_dir, file.src_uri)
        return path if path.is_file() else None
    return Path(file.abs_src_path) if file.abs_src_path else None


def _listing(file: File, page: MkDocsPage) -> dict[str, Any]:
    """Return kind and members of a page: a view of Material's blog lists its posts."""
    posts = getattr(page, "posts", None)
    if posts is None:
        return {}
    pages = getattr(page, "pages", None) or [page]
    kind = "pagination" if page is not pages[0] and file.generated_by == BLOG else "listing"
    return {"kind": kind, "members": tuple(each.canonical_url for each in posts)}

"""Turn MkDocs' files and pages into the core's pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urljoin

from mkdocs.utils import get_build_date

from sitemap_plugin.common.text import plain_title
from sitemap_plugin.dates.dating import UPDATE_DATE
from sitemap_plugin.errors import Problem, Severity
from sitemap_plugin.hookspecs import hookimpl
from sitemap_plugin.languages.switcher import LanguageFolders, unclaim_copies
from sitemap_plugin.models import Page, Site
from sitemap_plugin.pages.exclusions import STATIC_HTML
from sitemap_plugin_mkdocs import static_i18n
from sitemap_plugin_mkdocs.includes import find_includes
from sitemap_plugin_mkdocs.page_meta import read_front_matter
from sitemap_plugin_mkdocs.static_i18n import LanguageVersion

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
        self._build_date = get_build_date()
        self._in_nav: set[str] = set()
        self._pages: dict[str, Page] = {}
        self._static: dict[str, Page] = {}
        self._base_url = ""
        self.problems: list[Problem] = []

    def remember_navigation(self, nav: Navigation) -> None:
        """Note which pages the navigation reaches."""
        self._in_nav.update(page.file.dest_uri for page in nav.pages)

    def remember_files(self, files: Files, config: MkDocsConfig, base_url: str) -> None:
        """Translate every page that MkDocs builds; a later claimant of a file takes it."""
        if self.language is None:
            self.language = _site_language(config)
        self._base_url = config.site_url or base_url
        pages = [(file, file.page) for file in files.documentation_pages() if file.page is not None]
        for file, page in pages:
            # A blog keeps its posts out of the navigation, which shows them through its views.
            if file.dest_uri in self._in_nav:
                posts = getattr(page, "posts", None) or ()
                self._in_nav.update(post.file.dest_uri for post in posts)
        asked = _Asked(config, files, _versions(config), find_includes(config))
        for file, page in pages:
            # MkDocs writes pages in this order, so what the last one wrote is served.
            self._pages[file.dest_uri] = self._translate(file, page, asked)

    def remember_static_html(
        self, files: Files, templates: Mapping[str, Path], config: MkDocsConfig
    ) -> None:
        """Note the HTML that is copied as it is, or made from a template without a page."""
        site, themes = Path(config.site_dir), [Path(path) for path in config.theme.dirs]
        for path, template in templates.items():
            url = "" if path == "index.html" else path
            self._static[path] = self._static_page(url, template, path, site / path)
        for file in files:
            source = Path(file.abs_src_path) if file.abs_src_path else None
            if file.is_documentation_page() or not file.dest_uri.endswith(".html"):
                continue
            if source is None or any(source.is_relative_to(theme) for theme in themes):
                continue
            if file.inclusion.is_included():  # type: ignore[no-untyped-call] # MkDocs' enum
                url, output = _relative_url(file), Path(file.abs_dest_path)
                self._static[file.dest_uri] = self._static_page(url, source, file.src_uri, output)

    def _static_page(self, url: str, source: Path, source_path: str, output: Path) -> Page:
        return Page(
            url=urljoin(_folder(self._base_url), url),
            source=source,
            source_path=source_path,
            output=output,
            metadata={STATIC_HTML: True},
        )

    @hookimpl
    def sitemap_pages(self, site: Site) -> Iterator[Page]:  # noqa: ARG002 - the hook's argument
        """Yield the pages."""
        yield from unclaim_copies(self._pages.values(), self.language)
        for path, page in self._static.items():
            if path not in self._pages:
                yield page

    def _translate(self, file: File, page: MkDocsPage, asked: _Asked) -> Page:
        kind, members = _listing(file, page)
        source = _source(file, asked.config)
        version = asked.version(file, source is None)
        front_matter = read_front_matter(file, page, asked.config, asked.files)
        if front_matter.fault:
            message = f"its front matter is not read, since it is not YAML: {front_matter.fault}"
            severity: Severity = "warning" if front_matter.matters else "notice"
            self._tell(Problem(severity, message, file.src_uri))
        url = urljoin(_folder(self._base_url), _relative_url(file))
        return Page(
            url=url,
            source=source,
            source_path=file.src_uri,
            output=Path(file.abs_dest_path),
            metadata={
                **front_matter.values,
                **dict(self._set_by_hooks(page, url, front_matter.values)),
            },
            # YAML reads `title: 1984` as a number, which themes print as it is.
            title=None if page.title is None else plain_title(str(page.title)),
            language=version.language,
            translation_key=version.translation_key,
            kind=kind,
            members=members,
            in_nav=file.dest_uri in self._in_nav,
            fallback=version.fallback,
            dependencies=asked.includes(source) if source else (),
        )

    def _set_by_hooks(
        self, page: MkDocsPage, url: str, values: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Return what hooks have set on the page object, as front matter says it."""
        found = {}
        if page.canonical_url not in (None, "", url) and not values.get("canonical"):
            found["canonical"] = page.canonical_url
        if page.update_date and page.update_date not in {self._build_date, get_build_date()}:
            found[UPDATE_DATE] = page.update_date
        return found

    def _tell(self, problem: Problem) -> None:
        # A page in the default language may be built once for each language.
        if problem not in self.problems:
            self.problems.append(problem)


class _Asked(NamedTuple):
    """What every page of one language is translated with."""

    config: MkDocsConfig
    files: Files
    version: Callable[[File, bool], LanguageVersion]
    includes: Callable[[Path], tuple[Path, ...]]


def static_files(files: Files) -> set[str]:
    """Return the paths below the output folder that the user's own static files take."""
    return {file.dest_uri for file in files if not file.is_documentation_page()}


def _relative_url(file: File) -> str:
    """Return a file's URL below the base; MkDocs has ``./`` for the home page."""
    return "" if file.url in (".", "./") else file.url


def _folder(base_url: str) -> str:
    # mike sets `site_url` without a final slash.
    return f"{base_url.rstrip('/')}/"


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


def _versions(config: MkDocsConfig) -> Callable[[File, bool], LanguageVersion]:
    """Return a function that tells what is known of a file, given whether it was generated."""
    plugin = static_i18n.find_plugin(config)
    if plugin is not None:
        here = LanguageVersion(plugin.current_language)
        return lambda file, generated: here if generated else static_i18n.version(file, plugin)
    alternates = config.extra.get("alternate")
    folders = LanguageFolders(alternates, _folder(config.site_url or ""))

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


def _listing(file: File, page: MkDocsPage) -> tuple[Any, tuple[str, ...]]:
    """Return the kind of a page and, of a view of Material's blog, the URLs that it lists."""
    posts = getattr(page, "posts", None)
    if posts is None:
        return "page", ()
    pages = getattr(page, "pages", None) or [page]
    kind = "pagination" if page is not pages[0] and file.generated_by == BLOG else "listing"
    return kind, tuple(post.canonical_url for post in posts if post.canonical_url)

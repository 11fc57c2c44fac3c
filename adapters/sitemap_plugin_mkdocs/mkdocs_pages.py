"""Turn MkDocs' files and pages into the core's pages."""

import datetime as dt
import os
import re
from collections.abc import Iterator, Mapping
from glob import glob
from pathlib import Path, PurePosixPath
from typing import Any

import yaml
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page as MkDocsPage
from mkdocs.utils import get_build_date, meta

from sitemap_plugin.common.files import read_file
from sitemap_plugin.common.text import plain_title
from sitemap_plugin.dates.included_files import LIMIT, Finder, find_included, find_snippets
from sitemap_plugin.errors import Problem
from sitemap_plugin.hookspecs import hookimpl
from sitemap_plugin.languages.folders import LanguageFolders, unclaim_copies
from sitemap_plugin.models import STATIC_HTML, UPDATE_DATE, Page, Site

# How front matter begins; a page may begin with a thematic break instead.
_MEANT = re.compile(r"\s*(?:#.*\s+)*(?:[A-Za-z_][\w .-]*:(?:\s|$)|[A-Za-z_][\w-]*:(?!//)\S)")
_OUR_KEY = re.compile(
    r"^(?:sitemap|draft|private|noindex|robots|canonical(?:_url)?|lang|translation_key|translations"
    r"|changefreq|priority|lastmod|last_\w+|modified|updated|revision_date|date|created|published)"
    r"[ \t]*:(?!//)",
    re.MULTILINE,
)


class MkDocsPages:
    """The pages of one build, of all its languages, as a plugin that contributes them."""

    def __init__(self) -> None:
        self.language: str | None = None
        self.in_nav: set[str] = set()
        self.protected: set[str] = set()
        self.problems: list[Problem] = []
        self._build_dates = {get_build_date()}
        self._pages: dict[str, Page] = {}
        self._static: dict[str, Page] = {}

    def take(
        self, files: Files, templates: Mapping[str, Path], config: MkDocsConfig, base: str
    ) -> None:
        """Translate all that MkDocs builds in one language, and the templates without a page."""
        self._build_dates.add(get_build_date())
        if self.language is None:
            self.language = _site_language(config)
        pages = [(file, file.page) for file in files.documentation_pages() if file.page is not None]
        for file, page in pages:
            # A blog keeps its posts out of the navigation, which shows them through its views.
            if file.dest_uri in self.in_nav:
                posts = getattr(page, "posts", None) or ()
                self.in_nav.update(post.file.dest_uri for post in posts)
        i18n, finders = find_i18n(config), _include_finders(config)
        folders = LanguageFolders(config.extra.get("alternate"), base)
        for file, page in pages:
            source, path = _source(file, config), _relative_url(file)
            url, fields = base + path, _listing(file, page)
            if i18n:
                fields |= _i18n_version(file, i18n, generated=source is None)
            elif source and (version := folders.version(path)):
                fields |= {"language": version[0], "translation_key": version[1]}
            # MkDocs writes pages in this order, so what the last one wrote is served.
            self._pages[file.dest_uri] = Page(
                url=url,
                source=source,
                source_path=file.src_uri,
                output=Path(file.abs_dest_path),
                metadata=self._metadata(file, page, url, config, files),
                # YAML reads `title: 1984` as a number, which themes print as it is.
                title=None if page.title is None else plain_title(str(page.title)),
                in_nav=file.dest_uri in self.in_nav,
                dependencies=find_included(source, finders) if source else (),
                **fields,
            )
        site, said = Path(config.site_dir), {STATIC_HTML: True}
        for path, template in templates.items():
            url = base + ("" if path == "index.html" else path)
            self._static[path] = Page(url, template, path, site / path, said)
        for file in files:
            path = file.dest_uri
            if not file.is_documentation_page():
                self.protected.add(path)
                if path.endswith(".html") and _is_own(file, config):
                    url, source = base + _relative_url(file), Path(str(file.abs_src_path))
                    self._static[path] = Page(url, source, file.src_uri, site / path, said)

    @hookimpl
    def sitemap_pages(self, site: Site) -> Iterator[Page]:  # noqa: ARG002 - the hook's argument
        """Yield the pages."""
        yield from unclaim_copies(self._pages.values(), self.language)
        yield from (page for path, page in self._static.items() if path not in self._pages)

    def _metadata(
        self, file: File, page: MkDocsPage, url: str, config: MkDocsConfig, files: Files
    ) -> dict[str, Any]:
        """Return the front matter, and what hooks have set on the page object besides."""
        text = page.markdown
        if text is None and not page.meta:
            text = _read_skipped(file, page, config, files)
        values: dict[str, Any] = dict(page.meta) if page.meta else {}
        if isinstance(dates := values.get("date"), Mapping):
            values["date"] = {key: _as_written(value) for key, value in dates.items()}
        # MkDocs passes over YAML that it cannot read without a word, and leaves it in the text.
        left = meta.YAML_RE.match(text) if text and text.startswith("---") else None
        if left and _MEANT.match(left[1]) and _OUR_KEY.search(left[1]):
            message = f"its front matter is not read, since it is not YAML: {_fault(left[1])}"
            self.problems.append(Problem("warning", message, file.src_uri))
        if page.canonical_url not in (None, "", url) and not values.get("canonical"):
            values["canonical"] = page.canonical_url
        if page.update_date and page.update_date not in self._build_dates:
            values[UPDATE_DATE] = page.update_date
        return values


def _read_skipped(file: File, page: MkDocsPage, config: MkDocsConfig, files: Files) -> str:
    """Give a page that a dirty build skipped its front matter; return its text."""
    try:
        data = read_file(file.abs_src_path or "", limit=LIMIT)
    except OSError:
        return ""
    # `meta.get_data` expects MkDocs' newlines.
    text = data.decode("utf-8-sig", "replace").replace("\r\n", "\n")
    page.meta = meta.get_data(text)[1]
    # Material's plugin adds what `.meta.yml` says for a folder.
    if plugin := config.plugins.get("material/meta") or config.plugins.get("meta"):
        plugin.on_page_markdown("", page=page, config=config, files=files)
    return text


def _fault(block: str) -> str:
    try:
        yaml.safe_load(block)
    except Exception as error:  # noqa: BLE001 - MkDocs passes over all of them
        return " ".join(str(error).split())[:200]
    return "after the colon of each key there has to be a space"


def _as_written(value: Any) -> Any:
    """Return the day where Material's blog has made midnight of it, else the value."""
    is_moment = isinstance(value, dt.datetime)
    return value.date() if is_moment and value.timetz() == dt.time(tzinfo=dt.UTC) else value


def _is_own(file: File, config: MkDocsConfig) -> bool:
    """Tell whether a file is copied from the site's own sources, and not from a theme."""
    if not file.abs_src_path or not file.inclusion.is_included():  # type: ignore[no-untyped-call] # MkDocs' enum
        return False
    return not any(Path(file.abs_src_path).is_relative_to(folder) for folder in config.theme.dirs)


def _relative_url(file: File) -> str:
    """Return a file's URL below the base; MkDocs has ``./`` for the home page."""
    return "" if file.url in (".", "./") else file.url


def _source(file: File, config: MkDocsConfig) -> Path | None:
    """Return the file that the page was written in; generated pages may have none."""
    if file.generated_by:  # So mkdocs-gen-files marks pages that it only edited, too.
        path = Path(config.docs_dir, file.src_uri)
        return path if path.is_file() else None
    return Path(file.abs_src_path) if file.abs_src_path else None


def _listing(file: File, page: MkDocsPage) -> dict[str, Any]:
    """Return kind and members of a page: a view of Material's blog lists its posts."""
    posts = getattr(page, "posts", None)
    if posts is None:
        return {}
    pages = getattr(page, "pages", None) or [page]
    is_view = file.generated_by == "material/blog"
    kind = "pagination" if is_view and page is not pages[0] else "listing"
    return {"kind": kind, "members": tuple(each.canonical_url for each in posts)}


def find_i18n(config: MkDocsConfig) -> Any:
    """Return mkdocs-static-i18n's plugin, None where a site does without it."""
    plugin = config.plugins.get("i18n")
    # Another plugin may have its name.
    return plugin if hasattr(plugin, "current_language") else None


def _site_language(config: MkDocsConfig) -> str | None:
    """Return the language that the site's configuration gives, as it spells it."""
    own = getattr(find_i18n(config), "default_language", None)
    found = own or config.theme.get("language") or config.theme.get("locale")
    return str(found) if found else None


def _i18n_version(file: File, plugin: Any, *, generated: bool) -> dict[str, Any]:
    """Return what mkdocs-static-i18n knows of a file, which copies pages without a translation."""
    # Files that other plugins bring in may lack its marks.
    built_for = None if generated else getattr(file, "locale_alternate_of", None)
    if built_for is None:
        return {"language": plugin.current_language}
    written_in = getattr(file, "locale", built_for)
    if written_in != built_for:
        return {"language": written_in, "fallback": True}
    path = PurePosixPath(getattr(file, "norm_src_uri", file.src_uri))
    # Both names are a folder's page, and one language may have this and another one that.
    path = path.with_stem("index") if path.stem == "README" else path
    return {"language": built_for, "translation_key": f"static-i18n {path}"}


def _include_finders(config: MkDocsConfig) -> list[Finder]:
    """Return what finds the includes of a text: snippets, and mkdocs-include-markdown-plugin's."""
    finders: list[Finder] = []
    if "pymdownx.snippets" in config.markdown_extensions:
        given: Any = (config.mdx_configs.get("pymdownx.snippets") or {}).get("base_path", ".")
        bases = [given] if isinstance(given, str | os.PathLike) else given
        finders.append(find_snippets([Path.cwd() / base for base in bases]))
    if plugin := config.plugins.get("include-markdown"):
        start = re.escape(plugin.config.get("opening_tag") or "{%")
        name = r"""(?:"([^"\n]+)"|'([^'\n]+)')"""
        directive = re.compile(rf"{start}\s*include(?:-markdown)?\s+{name}")
        finders.append(lambda text, path: _included(directive, text, path, Path(config.docs_dir)))
    return finders


def _included(directive: re.Pattern[str], text: str, path: Path, docs: Path) -> Iterator[Path]:
    """Yield the files that a pattern names, from the including file if it begins with a point."""
    for found in directive.finditer(text):
        name = found[1] or found[2]
        base = path.parent if name.startswith(("./", "../")) else docs
        for match in sorted(glob(str(base / name), recursive=True)):  # noqa: PTH207 - the name may be absolute
            if (file := Path(os.path.normpath(match))).is_file():
                yield file

"""What Pelican wrote in one run: a short note for each file, and the pages that the files are.

pelican-i18n-subsites builds a nested Pelican per language inside the main one. All that they write
belongs to the main run, which alone ends in a sitemap. A file's URL is the most explicit of what
author and settings say: the metadata ``url``, the metadata ``save_as``, a ``*_URL`` setting that
was changed, the name of the file.
"""

import os
import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import Any, Literal, NamedTuple

from pelican.contents import Content, Static
from pelican.paginator import Page as ListingPage
from pelican.settings import DEFAULT_CONFIG
from pelican.urlwrappers import URLWrapper

from sitemap_plugin.common.files import read_start, relative_path
from sitemap_plugin.common.text import plain_title
from sitemap_plugin.common.urls import check_base_url, encode_path, is_below, join_url
from sitemap_plugin.config import Config
from sitemap_plugin.errors import Problem
from sitemap_plugin.hookspecs import hookimpl
from sitemap_plugin.models import STATIC_HTML, Page, Site
from sitemap_plugin.pages.addresses import GIVEN_BY, served_paths
from sitemap_plugin_pelican.headers import metadata

# The setting that holds an instance, and its key in the context of each file. A nested Pelican gets
# a copy of the settings around it, and so tells where it belongs.
MARK = "SITEMAP_PLUGIN_INSTANCE"
_HTML = (".html", ".htm", ".xhtml")
_SHOWS_ARTICLES = re.compile(r"\{[{%][^{}%]*\b(?:articles|dates)\b")
_ABSOLUTE = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?//[^/]")


class Instance:
    """One Pelican object: the main one, or one that runs inside it for a language."""

    def __init__(self, settings: Mapping[str, Any], run: "Run") -> None:
        self.settings, self.run = settings, run
        self.language: str | None = settings.get("DEFAULT_LANG") or None
        self.output_path = Path(os.path.abspath(settings["OUTPUT_PATH"]))  # noqa: PTH100 - without ".."
        self.base_url = ""  # Known when all is written.
        self.context: Mapping[str, Any] = {}  # What all its files have in common.
        self.static_files: Sequence[Any] = ()
        self.direct_templates = {
            _normal(name): template
            for template in settings["DIRECT_TEMPLATES"] or ()
            if (name := settings.get(f"{template.upper()}_SAVE_AS", f"{template}.html"))
        }
        pages = settings["TEMPLATE_PAGES"] or {}
        self.template_pages = {_normal(name): source for source, name in pages.items()}

    def __reduce__(self) -> tuple[type[None], tuple[()]]:
        """Leave only None where Pelican pickles settings into its content cache."""
        return type(None), ()

    def changed_url(self, kind: str) -> Any:
        """Return a ``*_URL`` setting, None for one that the user has not changed."""
        name = f"{kind.upper()}_URL"
        url = self.settings.get(name)
        return url if url != DEFAULT_CONFIG.get(name) else None


class Write(NamedTuple):
    """One written file, and what it shows or lists: contents, tags, categories or authors."""

    instance: Instance
    path: str
    name: str  # Its path below the instance's output folder.
    shown: Any = None
    template: str | None = None
    template_page: str | None = None  # The path of a template of TEMPLATE_PAGES.
    url: Any = None  # The address that somebody asked for, and where.
    given_by: str = ""
    kind: Literal["page", "listing", "pagination"] = "page"
    listed: Iterable[Any] = ()

    @property
    def content(self) -> Any:
        """The content that the file shows, if it shows one."""
        return self.shown if isinstance(self.shown, Content) else None

    @property
    def maker(self) -> str:
        """What to remove so that the file is not written."""
        if name := self.template or self.template_page:
            return f"{name} from {'DIRECT_TEMPLATES' if self.template else 'TEMPLATE_PAGES'}"
        return getattr(self.content, "relative_source_path", None) or "the plugin that writes it"


class Run:
    """The options of the main instance, the instances of one run, and their files by path."""

    main: Instance
    is_running = False

    def __init__(self, config: Config, problems: list[Problem], legacy: Any) -> None:
        self.config, self.problems, self.legacy = config, problems, legacy
        self.clear()

    def clear(self) -> None:
        """Forget all that was written."""
        self.pages: Sequence[Page] = ()
        self.instances: list[Instance] = []
        self.files: dict[str, Write] = {}

    def add(self, path: str, context: Mapping[str, Any], instance: Instance) -> None:
        """Note a file; Pelican reports one that another has overridden as written, too."""
        known = self.files.get(path)
        has_override = known and (known.template_page or hasattr(known.shown, "override_save_as"))
        if not known or not has_override or known.instance is not instance:
            name = _normal(context["output_file"])
            self.files[path] = Write(instance, path, name, **_describe(name, context, instance))

    @hookimpl
    def sitemap_pages(self, site: Site) -> Sequence[Page]:  # noqa: ARG002 - the hook's argument
        """Return the pages that the files are."""
        return self.pages


def _describe(name: str, context: Mapping[str, Any], instance: Instance) -> dict[str, Any]:
    if content := _content(context, instance):
        url, given_by = _content_url(content, instance)
        return {"shown": content, "url": url, "given_by": given_by}
    values = (value for key, value in context.items() if key.endswith("_page"))
    listing = next((value for value in values if isinstance(value, ListingPage)), None)
    if listing is not None and listing.number > 1:
        url, listed = listing.url if listing.url != listing.save_as else None, listing.object_list
        given_by = "PAGINATION_PATTERNS"
        return {"url": url, "given_by": given_by, "kind": "pagination", "listed": listed}
    found = {"kind": "listing", "listed": context.get("articles") or ()}
    if listing is not None:
        name, found["listed"] = _normal(listing.full_name), listing.paginator.object_list
    for key in ("tag", "category", "author"):
        if isinstance(wrapper := context.get(key), URLWrapper):
            url = instance.changed_url(key) and wrapper.url
            return {**found, "shown": wrapper, "url": url, "given_by": _settings(key)}
    if "period" in context:
        archives = chain(*(instance.context.get("period_archives") or {}).values())
        url = next((each["url"] for each in archives if _normal(each["save_as"]) == name), None)
        return {**found, "url": url, "given_by": "the *_ARCHIVE_URL and *_ARCHIVE_SAVE_AS"}
    # A template page may take the place of a direct template; only the latter has a page name.
    if (template := instance.direct_templates.get(name)) and "page_name" in context:
        url = instance.changed_url(template)
        found |= {"template": template, "url": url, "given_by": _settings(template)}
        if template in {"tags", "categories", "authors"}:
            return {**found, "listed": [each for each, _ in context[template]]}
    elif page := instance.template_pages.get(name):
        return {**found, "template_page": page, "kind": "page"}
    is_listing = listing is not None or template in {"index", "archives"}
    return found if is_listing else {**found, "kind": "page", "listed": ()}


def _content_url(content: Any, instance: Instance) -> tuple[Any, str]:
    """Return the URL that somebody asked for, if so, and where."""
    if url := getattr(content, "override_url", None):
        return url, "the headers url and save_as"
    if hasattr(content, "override_save_as"):
        return None, ""
    kind = type(content).__name__ + ("" if content.in_default_lang else "_LANG")
    return instance.changed_url(kind) and content.url, _settings(kind)


def _settings(kind: str) -> str:
    return f"{kind.upper()}_URL and {kind.upper()}_SAVE_AS"


def _content(context: Mapping[str, Any], instance: Instance) -> Any:
    """Return the content that a file shows, under whatever name its generator gives it."""
    usual = (context.get("article"), context.get("page"))
    # What stands in every file's context is shown by none in particular.
    own = (value for key, value in context.items() if instance.context.get(key) is not value)
    contents = (value for value in chain(usual, own) if isinstance(value, Content))
    return next((value for value in contents if not isinstance(value, Static)), None)


def _normal(name: object) -> str:
    return posixpath.normpath(str(name).replace(os.sep, "/"))


def set_base_urls(run: Run, base_url: str, host_url: str | None) -> None:
    """Set the URL of each instance's output folder; the option ``base_url`` wins over SITEURL."""
    for instance in run.instances:
        below = relative_path(instance.output_path, run.main.output_path)
        instance.base_url = base_url + encode_path(f"{below}/")
        with suppress(ValueError):  # Relative, or empty: then its place below the main one tells.
            own = check_base_url(instance.settings.get("SITEURL"))
            if host_url is None or not own.startswith(host_url):
                instance.base_url = own
    run.main.base_url = base_url


def collect_pages(run: Run) -> Iterator[Page]:
    """Yield a page for each HTML file of a run, those that are copied as they are last."""
    written = [(write, _file_url(write)) for write in run.files.values() if _is_html(write)]
    # A content may lie in several files; the first one is its own, and has its URL.
    addresses: defaultdict[int, list[str]] = defaultdict(list)
    for write, url in written:
        if write.shown is not None and write.kind != "pagination":
            addresses[id(write.shown)].append(url)
    sites = {str(instance.language).lower(): instance for instance in run.instances}
    for write, file_url in written:
        content, url, said = write.content, file_url, {}
        if write.url and (content is None or addresses[id(content)][0] == url):
            url, said = _given_url(write) or url, {GIVEN_BY: write.given_by}
        page = Page(
            url,
            output=Path(write.path),
            language=write.instance.language,
            metadata=said,
            kind=write.kind,
            title=None if write.shown is None else plain_title(str(write.shown)),
        )
        if content is not None:
            # A source belongs to the site of its language or, where it names none, to the main one.
            owner = sites.get(str(content.metadata.get("lang")).lower(), run.main)
            yield _content_page(page, content, fallback=owner is not write.instance)
            continue
        listed = write.listed
        if write.template_page is not None:
            source = Path(write.instance.settings["PATH"], write.template_page).absolute()
            name = write.template_page.replace(os.sep, "/")
            page = page._replace(source=source, source_path=name)
            listed = listed if _shows_articles(source) else ()
        if write.kind != "pagination" and write.shown is None and len(run.instances) > 1:
            # The same template at the same place of each language's site.
            page = page._replace(translation_key=f"pelican:{write.name}")
        members = (url for item in listed for url in addresses.get(id(item), ()))
        yield page._replace(members=tuple(members))
    for instance in run.instances:
        for static in instance.static_files:
            name, output = _normal(static.save_as), instance.output_path / static.save_as
            if name.lower().endswith(_HTML) and str(output) not in run.files:
                url = instance.base_url + encode_path(served_paths(name)[0])
                source = Path(static.source_path)
                path = static.relative_source_path
                yield Page(url, source, path, output, {STATIC_HTML: True})


def _is_html(write: Write) -> bool:
    """Tell whether a written file is a page, which a robots.txt or a feed is not."""
    if write.name.lower().endswith(_HTML):
        return True
    return write.content is not None and not PurePosixPath(write.name).suffix


def _file_url(write: Write) -> str:
    return write.instance.base_url + encode_path(served_paths(write.name)[0])


def _given_url(write: Write) -> str | None:
    """Return the URL that somebody asked for, None for one that cannot be the page's."""
    # Browsers, too, take a backslash in a URL for a slash.
    text = str(write.url).replace("\\", "/")
    if not _ABSOLUTE.match(text):
        text = text.lstrip("/")
        if posixpath.normpath(text) in map(posixpath.normpath, served_paths(write.name)):
            text = encode_path(text)  # Here a "#" or "%" is literal.
        text = f"./{text}"
    with suppress(ValueError):
        found = join_url(write.instance.base_url, text)
        return found if is_below(found, write.instance.base_url) else None
    return None


def _content_page(page: Page, content: Any, *, fallback: bool) -> Page:
    """Return a content object's page, with what its source and plugins say."""
    return page._replace(
        source=Path(content.source_path) if content.source_path else None,
        source_path=content.relative_source_path,
        metadata={**metadata(content), **page.metadata},
        title=plain_title(str(getattr(content, "title", ""))),
        language=getattr(content, "lang", None) or page.language,
        translation_key=_translation_key(content),
        status=content.status if content.status in {"hidden", "draft"} else "published",
        fallback=fallback,
    )


def _shows_articles(template: Path) -> bool:
    with suppress(OSError):
        text = read_start(template, 1 << 20).decode("utf-8", "replace")
        return _SHOWS_ARTICLES.search(text) is not None
    return False


def _translation_key(content: Any) -> str | None:
    """Return what an article or page has in common with its translations, if it has any."""
    # Pelican also groups pages of one language that happen to have the same slug.
    versions = (content, *content.translations)
    if len({version.lang for version in versions}) == 1:
        return None
    return f"pelican:{content.status}:{min(str(version.source_path) for version in versions)}"

"""What Pelican wrote in one run: a short note for each file.

pelican-i18n-subsites builds a nested Pelican per language inside the main one. All that they write
belongs to the main run, which alone ends in a sitemap.
"""

import os
import posixpath
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pelican.contents import Content, Static
from pelican.paginator import Page as ListingPage
from pelican.settings import DEFAULT_CONFIG
from pelican.urlwrappers import URLWrapper

from sitemap_plugin.hookspecs import hookimpl
from sitemap_plugin.models import Page, Site

if TYPE_CHECKING:
    from sitemap_plugin_pelican.finish import Options

MARK = "SITEMAP_PLUGIN_INSTANCE"
"""The setting that holds an instance; a nested Pelican gets a copy, and so tells where it belongs.

It is the key of the instance in the context of all its pages, too.
"""

_OVERVIEWS = {"tags", "categories", "authors"}


class Instance:
    """One Pelican object: the main one, or one that runs inside it for a language."""

    def __init__(self, settings: Mapping[str, Any], run: "Run") -> None:
        self.settings = settings
        self.run = run
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


class Run:
    """The options of the main instance, the instances of one run, and their files by path."""

    main: Instance
    is_running = False
    pages: Sequence[Page] = ()

    def __init__(self, options: "Options") -> None:
        self.options = options
        self.clear()

    @hookimpl
    def sitemap_pages(self, site: Site) -> Sequence[Page]:  # noqa: ARG002 - the hook's argument
        """Return the pages that the files are."""
        return self.pages

    def clear(self) -> None:
        """Forget all that was written."""
        self.pages = ()
        self.instances: list[Instance] = []
        self.files: dict[str, Write] = {}

    def add(self, path: str, context: Mapping[str, Any], instance: Instance) -> None:
        """Note a file; Pelican reports one that another has overridden as written, too."""
        known = self.files.get(path)
        has_override = known and (known.template_page or hasattr(known.shown, "override_save_as"))
        if not known or not has_override or known.instance is not instance:
            write = Write(instance, path, _normal(context["output_file"]))
            self.files[path] = _describe(write, context)


def _describe(write: Write, context: Mapping[str, Any]) -> Write:
    instance = write.instance
    if content := _content(context, instance):
        url, given_by = _content_url(content, instance)
        return write._replace(shown=content, url=url, given_by=given_by)
    values = (value for key, value in context.items() if key.endswith("_page"))
    listing = next((value for value in values if isinstance(value, ListingPage)), None)
    name, listed = write.name, context.get("articles") or ()
    if listing is not None:
        name, listed = _normal(listing.full_name), listing.paginator.object_list
    if listing is not None and listing.number > 1:
        url, listed = listing.url if listing.url != listing.save_as else None, listing.object_list
        given_by = "PAGINATION_PATTERNS"
        return write._replace(url=url, given_by=given_by, kind="pagination", listed=listed)
    write = write._replace(kind="listing", listed=listed)
    for key in ("tag", "category", "author"):
        if isinstance(wrapper := context.get(key), URLWrapper):
            url = instance.changed_url(key) and wrapper.url
            return write._replace(shown=wrapper, url=url, given_by=_settings(key))
    if "period" in context:
        archives = chain(*(instance.context.get("period_archives") or {}).values())
        url = next((each["url"] for each in archives if _normal(each["save_as"]) == name), None)
        return write._replace(url=url, given_by="the *_ARCHIVE_URL and *_ARCHIVE_SAVE_AS")
    # A template page may take the place of a direct template; only the latter has a page name.
    if (template := instance.direct_templates.get(name)) and "page_name" in context:
        url = instance.changed_url(template)
        write = write._replace(template=template, url=url, given_by=_settings(template))
        if template in _OVERVIEWS:
            return write._replace(listed=[each for each, _ in context[template]])
    elif page := instance.template_pages.get(name):
        return write._replace(template_page=page, kind="page")
    is_listing = listing is not None or write.template in {"index", "archives"}
    return write if is_listing else write._replace(kind="page", listed=())


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

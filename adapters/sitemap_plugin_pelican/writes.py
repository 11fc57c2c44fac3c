"""What Pelican wrote in one run: a short note for each file.

A run may contain others: pelican-i18n-subsites builds a nested Pelican per language inside the
main one. All that they write belongs to the main run, which alone ends in a sitemap.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pelican.contents import Content, Static
from pelican.paginator import Page as ListingPage
from pelican.urlwrappers import URLWrapper

from sitemap_plugin.hookspecs import hookimpl
from sitemap_plugin.models import Page, Site

if TYPE_CHECKING:
    from sitemap_plugin_pelican.finish import Options

MARK = "SITEMAP_PLUGIN_INSTANCE"
"""The setting that holds an instance, and so the key of it in the context of all its pages.

A nested Pelican gets a copy of the settings around it, and so tells where it belongs.
"""


class Instance:
    """One Pelican object: the main one, or one that runs inside it for a language.

    ``context`` is what all its files have in common; ``language`` is as the settings spell it.
    ``base_url`` is known when all is written.
    """

    def __init__(self, settings: Mapping[str, Any], run: Run) -> None:
        self.settings = settings
        self.run = run
        self.language: str | None = settings.get("DEFAULT_LANG") or None
        self.output_path = Path(os.path.abspath(settings["OUTPUT_PATH"]))  # noqa: PTH100 - without ".."
        self.base_url = ""
        self.context: Mapping[str, Any] = {}
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

    @cached_property
    def periods(self) -> Mapping[str, str]:
        """The URLs of period archives, as the settings give them, by their files' names."""
        archives = self.context.get("period_archives") or {}
        found = [archive for periods in archives.values() for archive in periods]
        return {_normal(archive["save_as"]): str(archive["url"]) for archive in found}


class Write(NamedTuple):
    """One written file.

    ``name`` is its path below the instance's output folder. Exactly one of ``content``,
    ``wrapper`` (a tag, category or author), ``template`` (the name of a direct template),
    ``template_page`` (a source path) and ``period_url`` tells what the file shows, unless a plugin
    wrote it. ``articles`` are all that a listing lists.
    """

    instance: Instance
    path: str
    name: str
    content: Any = None
    wrapper: Any = None
    template: str | None = None
    template_page: str | None = None
    period_url: str | None = None
    listing: Any = None
    articles: Sequence[Any] = ()

    @property
    def number(self) -> int:
        """The number of the page within its listing, from 1."""
        return self.listing.number if self.listing is not None else 1

    @property
    def is_saved(self) -> bool:
        """Whether this is the file in which a content says that it is saved."""
        try:
            return self.content is not None and _normal(self.content.save_as) == self.name
        except (AttributeError, KeyError, ValueError):
            return False  # Other generators need no setting for the names of their files.

    @property
    def overrides(self) -> bool:
        """Whether Pelican lets this file take the place of another one."""
        return self.template_page is not None or hasattr(self.content, "override_save_as")


class Run:
    """The options of the main instance, the instances of one run, and their files by path."""

    main: Instance
    is_running = False
    pages: Sequence[Page] = ()

    def __init__(self, options: Options) -> None:
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
        """Note a file.

        Pelican reports a file that it did not write as well, when another one has overridden it.
        """
        known = self.files.get(path)
        if known is None or not known.overrides or known.instance is not instance:
            self.files[path] = _describe(path, context, instance)


def _describe(path: str, context: Mapping[str, Any], instance: Instance) -> Write:
    name = _normal(context["output_file"])
    if content := _content(context, instance):
        return Write(instance, path, name, content)
    named = (value for key, value in context.items() if key.endswith("_page"))
    listing = next((value for value in named if isinstance(value, ListingPage)), None)
    first_name = name if listing is None else _normal(listing.full_name)
    articles = context.get("articles") if listing is None else listing.paginator.object_list
    write = Write(instance, path, name, listing=listing, articles=articles or ())
    for key in ("tag", "category", "author"):
        if isinstance(context.get(key), URLWrapper):
            return write._replace(wrapper=context[key])
    if "period" in context:
        return write._replace(period_url=instance.periods.get(first_name, ""))
    # A template page may take the place of a direct template; only the latter has a page name.
    if first_name in instance.direct_templates and "page_name" in context:
        return write._replace(template=instance.direct_templates[first_name])
    return write._replace(template_page=instance.template_pages.get(name))


def _content(context: Mapping[str, Any], instance: Instance) -> Any:
    """Return the content that a file shows, under whatever name its generator gives it.

    What stands in every file's context is shown by none in particular.
    """
    usual = (context.get("article"), context.get("page"))
    own = (value for key, value in context.items() if instance.context.get(key) is not value)
    contents = (value for value in chain(usual, own) if isinstance(value, Content))
    return next((value for value in contents if not isinstance(value, Static)), None)


def _normal(name: object) -> str:
    return posixpath.normpath(str(name).replace(os.sep, "/"))

"""What Pelican wrote in one run: a short note for each file."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from pelican.contents import Content, Static
from pelican.paginator import Page as ListingPage
from pelican.urlwrappers import URLWrapper


class Instance:
    """One Pelican object: the main one, or one that runs inside it for a language.

    ``context`` is what all its files have in common; ``language`` is as the settings spell it.
    ``base_url`` is known when all is written.
    """

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self.settings = settings
        self.language: str | None = settings.get("DEFAULT_LANG") or None
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

    @property
    def output_path(self) -> Path:
        """The folder that this instance writes to."""
        return Path(os.path.normpath(Path(self.settings["OUTPUT_PATH"]).absolute()))

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


class Writes:
    """The files of one run, by their paths, and the instances that wrote them."""

    def __init__(self, token: int, main: Instance) -> None:
        self.main = main
        self.instances = {token: main}
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
    listing = _listing(context)
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
    for key in ("article", "page"):
        if isinstance(context.get(key), Content):
            return context[key]
    for key, value in context.items():
        is_shared = instance.context.get(key) is value
        if isinstance(value, Content) and not isinstance(value, Static) and not is_shared:
            return value
    return None


def _listing(context: Mapping[str, Any]) -> Any:
    """Return the page of a listing, whatever the paginated things are called."""
    if isinstance(context.get("articles_page"), ListingPage):
        return context["articles_page"]
    named = (value for key, value in context.items() if key.endswith("_page"))
    return next((value for value in named if isinstance(value, ListingPage)), None)


def _normal(name: object) -> str:
    return posixpath.normpath(str(name).replace(os.sep, "/"))

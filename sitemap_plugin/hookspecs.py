"""The contract between the core and its plugins, one function per hook.

A hook is called once per build, that of date sources once for each source. Three of them hand back
a plain function that is then called for each page, in the order of the pages' URLs, so that a
plugin costs a plain call per page and not a hook call. Plugins registered later run first. What the
core itself does is written as plugins on these hooks.
"""

from collections.abc import Callable, Iterable

import pluggy

from sitemap_plugin.config import PROJECT_NAME
from sitemap_plugin.models import Entry, Lastmod, Page, Site
from sitemap_plugin.report import Report

hookspec = pluggy.HookspecMarker(PROJECT_NAME)
hookimpl = pluggy.HookimplMarker(PROJECT_NAME)

ExclusionFunction = Callable[[Page], str | None]
LastmodFunction = Callable[[Page], Lastmod | None]
TransformFunction = Callable[[Page, Entry], Entry | None]


@hookspec
def sitemap_pages(site: Site) -> Iterable[Page] | None:
    """Contribute pages to the sitemap.

    Called once per build, first of all hooks, after the generator has written its last file.

    :param site: the site being built.
    :return: an iterable of pages, which may be a generator, or None for no pages. The pages of
        all plugins are taken together. A page whose URL another plugin also gives is listed once.
    """


@hookspec
def sitemap_exclusion(site: Site) -> ExclusionFunction | None:
    """Leave pages out of the sitemap.

    Called once per build, after all pages are known.

    :param site: the site being built.
    :return: a function that takes a page and returns the reason to leave it out, or None to leave
        the decision to others; or None instead of a function when there is nothing to decide in
        this build. The first reason counts. Reasons are counted by the text before the first
        `` (``, so put what differs from page to page there: ``"archived (since 2019)"``.
    """


@hookspec(firstresult=True)
def sitemap_lastmod_source(site: Site, name: str) -> LastmodFunction | None:
    """Provide the date source called ``name``.

    Called once per build for each name that the option ``lastmod`` or a rule's ``lastmod`` uses;
    the first plugin that returns a function provides the source.

    :param site: the site being built.
    :param name: the source's name as the user wrote it.
    :return: a function that takes a page and returns the day it last changed as a date, the moment
        as an aware datetime, or None when it does not know (the next source is then asked); or
        None instead of a function when ``name`` is not this plugin's. If the function has an
        attribute ``describe``, that is called with a page to tell in the report where its date
        came from; ``prepare`` is called once with all listed pages before the first is dated;
        ``problems`` is a list of problems to report after the last.
    """


@hookspec
def sitemap_transform(site: Site) -> TransformFunction | None:
    """Change the entries before they are linked, sorted and written.

    Called once per build, after dates are known and before translations are linked.

    :param site: the site being built.
    :return: a function that takes a page and its entry and returns the entry to write
        (``entry.replace(priority=0.9)`` gives a changed copy) or None to drop it; or None instead
        of a function. All plugins' functions are applied in turn. Alternates that the function
        sets are taken as the page's own declaration of its translations.
    """


@hookspec
def sitemap_written(site: Site, report: Report) -> None:
    """Act after the last file is in place.

    Called once per build, last of all hooks; not called when nothing was written.

    :param site: the site that was built.
    :param report: what was written, what was left out and why, and what is wrong.
    :return: nothing.
    """

"""Decide which pages are listed, under which address: ask every plugin, page by page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from sitemap_plugin.common.text import and_more, shown
from sitemap_plugin.common.urls import path_below, same_page
from sitemap_plugin.errors import Problem
from sitemap_plugin.html import Head, read_head
from sitemap_plugin.models import Page, Site
from sitemap_plugin.pages.addresses import GIVEN_BY, Lead, SiteFiles
from sitemap_plugin.pages.collect import Collected, collect_pages
from sitemap_plugin.pages.exclusions import (
    NOTHING_SEEN,
    Seen,
    default_reason,
    front_matter_reason,
    is_home,
    rendered_reason,
)
from sitemap_plugin.pages.front_matter import NO_SETTINGS, Settings, read_settings
from sitemap_plugin.plugins import PluginManager

_url = attrgetter("page.url")

_NAMED = 3
"""Files that a message names, of many with the same fault."""

_CONTRADICTORY = (
    "is left out, because its front matter names another page as the canonical one, but the "
    "written page names itself, and search engines see only that: let the theme write the link of "
    "the front matter, or take it out there"
)

MAX_REASON = 500
"""Characters of a reason that are kept; it stands in one line of a log."""


class Effect(NamedTuple):
    """What all rules together say of one page; None where they say nothing.

    ``excluded_by`` is the rule that leaves the page out, by its place in the options.
    """

    changefreq: str | None = None
    priority: float | None = None
    lastmod: tuple[str, ...] | None = None
    dependencies: tuple[str, ...] | None = None
    excluded_by: str | None = None


NO_EFFECT = Effect()


class ListedPage(NamedTuple):
    """A page that is listed, with what it sets for itself and what the rules say of it."""

    page: Page
    settings: Settings = NO_SETTINGS
    effect: Effect = NO_EFFECT

    @property
    def where(self) -> str:
        """The place to name in a message."""
        return self.settings.place or self.page.where


class LeftOut(NamedTuple):
    """Why a page is not listed, and which plugin decided it."""

    reason: str
    plugin: str = "sitemap-plugin"


class Selection(NamedTuple):
    """The listed pages in the order of their URLs, and all others.

    ``page.url`` is the page's address, as search engines are to see it.
    """

    listed: list[ListedPage]
    left_out: dict[Page, LeftOut]
    problems: list[Problem]


def select_pages(
    site: Site, hooks: PluginManager, head_of: Callable[[Path], Head] = read_head
) -> Selection:
    """Return the pages that nobody has a reason to leave out.

    Raises PluginError for a function that raises or returns something other than a string or None.
    """
    collected = collect_pages(site, hooks)
    problems = collected.problems
    left_out = {page: LeftOut(_one_line(reason)) for page, reason in collected.left_out}
    files = SiteFiles(site, [*collected.pages, *chain(*collected.rivals.values())])
    decide = _decider(site, hooks)
    listed: list[ListedPage] = []
    changed: dict[str, str] = {}
    told: list[tuple[str, Problem]] = []
    for page in _one_url_each(collected, files, problems):
        item, seen = ListedPage(page), NOTHING_SEEN
        if page.output or page.metadata or page.url in collected.settings:
            item, seen = _look_at(page, site, files, collected, head_of)
        if site.config.rules:
            item = item._replace(effect=apply_rules(site, item.page))
        if reason := decide(item, seen):
            left_out[item.page] = reason
            if reason.reason.startswith("canonical elsewhere"):
                told += _judge_canonical(item, seen)
            continue
        if page.output:
            item = item._replace(page=_at_its_file(item.page, files, told))
        if item.page is not page:
            changed[page.url] = item.page.url
        listed.append(item)
    _name_members(listed, changed, files)
    listed.sort(key=_url)
    problems += [*_once_for_each_cause(told), *_home_left_out(site, listed, left_out)]
    return Selection(listed, left_out, problems)


def _once_for_each_cause(told: Sequence[tuple[str, Problem]]) -> Iterator[Problem]:
    """Yield the first problem of each cause, and say how many more there are."""
    by_cause: dict[str, list[Problem]] = {}
    for cause, problem in told:
        by_cause.setdefault(cause, []).append(problem)
    for first, *more in by_cause.values():
        yield first._replace(message=first.message + and_more([first, *more]))


def apply_rules(site: Site, page: Page) -> Effect:
    """Return what the option ``rules`` says of a page; later rules win key by key."""
    effect = NO_EFFECT
    path = path_below(page.url, site.base_url)
    for index, rule in enumerate(site.config.rules):
        if rule.match.match(page.source_path, path) is None:
            continue
        said = {key: value for key, value in rule._asdict().items() if value is not None}
        del said["match"]
        if "exclude" in said:
            said["excluded_by"] = f"rules[{index}]" if said.pop("exclude") else None
        effect = effect._replace(**said)
    return effect


def _one_url_each(
    collected: Collected, files: SiteFiles, problems: list[Problem]
) -> Iterable[Page]:
    """Give pages that share a URL the addresses of the files that they were written to."""
    if not collected.rivals:
        return collected.pages
    pages: dict[str, Page] = {}
    for page in collected.pages:
        rivals = [page, *collected.rivals.get(page.url, ())]
        if len(rivals) == 1:
            pages.setdefault(page.url, page)
            continue
        names = ", ".join(shown(str(rival.output)) for rival in rivals[:_NAMED])
        names += ", ..." if len(rivals) > _NAMED else ""
        message = (
            f"{page.url} is the URL of {len(rivals)} files, {names}; the files' own addresses "
            f"are listed; {_cure_of_url(page)}"
        )
        problems.append(Problem("warning", message, page.where))
        for rival in rivals:
            url = rival.url if files.is_served(rival) else files.own_address(rival) or rival.url
            pages.setdefault(url, rival._replace(url=url))
    return pages.values()


def _cure_of_url(page: Page) -> str:
    return f"let {page.metadata.get(GIVEN_BY, 'the settings for URL and file')} agree"


def _at_its_file(page: Page, files: SiteFiles, told: list[tuple[str, Problem]]) -> Page:
    """Return a page whose URL leads to no file with the address of its file.

    What hosts redirect is told too, where the site's settings have asked for such addresses.
    """
    lies = f"lies in {shown(str(page.output))}"
    if address := files.address_in_place(page):
        cure = _cure_of_url(page)
        message = (
            f"no file is served at {page.url}; the page {lies}, and {address} is listed; {cure}"
        )
        told.append((f"unserved {cure}", Problem("warning", message, page.where)))
        return page._replace(url=address)
    if GIVEN_BY in page.metadata and files.is_redirected(page):
        cure = _cure_of_url(page)
        message = (
            f"{page.url} {lies}, so hosts redirect it to the same address with a slash at its end"
        )
        told.append((f"redirected {cure}", Problem("notice", f"{message}; {cure}", page.where)))
    return page


def _look_at(
    page: Page,
    site: Site,
    files: SiteFiles,
    collected: Collected,
    head_of: Callable[[Path], Head],
) -> tuple[ListedPage, Seen]:
    """Read what a page says of itself, in its front matter and as it finally lies on disk.

    The page that is returned has the address of its own canonical link.
    """
    settings = collected.settings.get(page.url)
    if settings is None:
        settings, found = read_settings(page, site.timezone)
        collected.problems += found
    seen = NOTHING_SEEN
    if settings.canonical:
        seen = Seen(declared=files.follow(page, settings.canonical))
    if page.output is not None and site.config.inspect_html:
        try:
            seen = _read(page, head_of(page.output), files, seen.declared)
        except FileNotFoundError:
            seen = seen._replace(is_missing=True)
        except OSError as error:
            reason = shown(error.strerror or str(error))
            message = f"{shown(str(page.output))} cannot be read ({reason}); it is listed unseen"
            collected.problems.append(Problem("warning", message, page.where))
    link = seen.canonical or seen.declared
    if link and link.is_own and link.target != page.url:
        page = page._replace(url=link.target)
    return ListedPage(page, settings), seen


def _read(page: Page, head: Head, files: SiteFiles, declared: Lead | None) -> Seen:
    refresh = files.follow(page, head.refresh, head) if head.refresh else None
    if refresh and not same_page(refresh.target, page.url):
        # A redirect to another address of the same file is one all the same.
        refresh = refresh._replace(is_own=False)
    canonical = files.follow(page, head.canonical, head) if head.canonical else None
    return Seen(head, canonical=canonical, refresh=refresh, declared=declared)


def _name_members(listed: list[ListedPage], changed: Mapping[str, str], files: SiteFiles) -> None:
    """Let listings name their members by the addresses that are listed."""
    lists = [index for index, item in enumerate(listed) if item.page.members]
    if not lists:
        return
    known = {item.page.url for item in listed}
    at = {file: item.page.url for item in listed if (file := files.file_at(item.page.url))}
    for index in lists:
        page = listed[index].page
        members = tuple(
            url if url in known else changed.get(url) or at.get(files.file_at(url) or "", url)
            for url in page.members
        )
        listed[index] = listed[index]._replace(page=page._replace(members=members))


def _decider(site: Site, hooks: PluginManager) -> Callable[[ListedPage, Seen], LeftOut | None]:
    """Return a function that asks the plugins and then the built-in rules for a reason."""
    calls = hooks.exclusions(site)
    built_in = (
        ("front matter", front_matter_reason),
        ("options", default_reason(site)),
        ("inspect_html", rendered_reason),
    )

    def decide(item: ListedPage, seen: Seen) -> LeftOut | None:
        for call in calls:
            reason = call(item.page)
            if reason is None:
                continue
            if not isinstance(reason, str) or not reason.strip():
                raise call.returned(reason, "a text or None", item.page)
            return LeftOut(_one_line(reason), call.plugin)
        says_nothing = item.settings is NO_SETTINGS and seen is NOTHING_SEEN
        is_plain = says_nothing and item.page.status != "draft"
        for name, give_reason in built_in[1:2] if is_plain else built_in:
            if found := give_reason(item, seen):
                return LeftOut(_one_line(found), name)
        return None

    return decide


def _one_line(reason: str) -> str:
    return shown(" ".join(reason.split()), MAX_REASON)


def _judge_canonical(item: ListedPage, seen: Seen) -> Iterator[tuple[str, Problem]]:
    """Tell of a canonical link to a missing file, and of a written page that names itself."""
    head, _, canonical, _, declared = seen
    if canonical and canonical.is_own:
        if declared and not declared.is_own and head and not head.noindex and not head.refresh:
            yield "contradictory", Problem("notice", _CONTRADICTORY, item.page.where)
        return
    link = declared if declared and not declared.is_own else canonical
    if link and link.is_broken:
        message = (
            f"is left out, because its canonical link leads to {link.target}, and this site has no "
            "such file; let the link name the page itself"
        )
        yield "broken", Problem("warning", message, item.page.where)


def _home_left_out(
    site: Site, listed: list[ListedPage], left_out: Mapping[Page, LeftOut]
) -> Iterator[Problem]:
    """Tell why the home page is not listed under any of its addresses."""
    homes = [page for page in left_out if is_home(page, site)]
    if not homes or any(is_home(item.page, site) for item in listed):
        return
    # What repeats a URL comes first; the page that it repeats has the reason worth telling.
    reason = left_out[homes[-1]].reason
    cure = "; the option 'hidden' lists it" if reason == "hidden" else ""
    yield Problem("notice", f"the home page is left out: {reason}{cure}", homes[-1].where)

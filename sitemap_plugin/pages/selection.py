"""Decide which pages are listed, under which address: ask every plugin, page by page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from sitemap_plugin.common.text import counted, shown
from sitemap_plugin.common.urls import path_below, same_page
from sitemap_plugin.config import Rule
from sitemap_plugin.errors import Problem
from sitemap_plugin.html import Head, read_head
from sitemap_plugin.models import Page, Site
from sitemap_plugin.pages.addresses import GIVEN_BY, SiteFiles
from sitemap_plugin.pages.collect import Collected, collect_pages
from sitemap_plugin.pages.exclusions import (
    Facts,
    default_reason,
    front_matter_reason,
    is_home,
    rendered_reason,
)
from sitemap_plugin.pages.front_matter import NO_SETTINGS, Settings, read_settings
from sitemap_plugin.pages.patterns import Patterns
from sitemap_plugin.pages.rules import NO_EFFECT, Effect, apply_rules
from sitemap_plugin.plugins import PluginManager

__all__ = ["LeftOut", "ListedPage", "Selection", "select_pages", "unused_patterns"]

_url = attrgetter("page.url")

_NAMED = 3
"""Files that a message names, of many with the same fault."""

MAX_REASON = 500
"""Characters of a reason that are kept; it stands in one line of a log."""


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
    files = SiteFiles(site, _all_pages(collected))
    pages = _one_url_each(collected, files, problems)
    reader = _PageReader(site, files, collected.settings, head_of, problems)
    facts = [_look_at(page, reader) for page in pages]
    changed = _use_canonical_links(facts)
    if rules := site.config.rules:
        facts = [_ruled(each, rules, site.base_url) for each in facts]
    listed: list[ListedPage] = []
    decide = _decider(site, hooks)
    for each in facts:
        reason = decide(each)
        if reason is None:
            listed.append(ListedPage(each.page, each.settings, each.effect))
        else:
            left_out[each.page] = reason
    changed |= _use_file_addresses(listed, files, problems)
    problems += _redirected(listed, files)
    _name_members(listed, changed, files)
    listed.sort(key=_url)
    problems += _broken_links(facts, left_out)
    problems += _contradictions(facts, left_out)
    problems += _home_left_out(site, listed, left_out)
    return Selection(listed, left_out, problems)


def _all_pages(collected: Collected) -> Iterator[Page]:
    yield from collected.pages
    for rivals in collected.rivals.values():
        yield from rivals


def _one_url_each(collected: Collected, files: SiteFiles, problems: list[Problem]) -> list[Page]:
    """Give the pages that share a URL, or whose URL leads to no file, their file's own address."""
    if not collected.rivals:
        return collected.pages
    pages: dict[str, Page] = {}
    for page in collected.pages:
        rivals = [page, *collected.rivals.get(page.url, ())]
        if len(rivals) > 1:
            names = ", ".join(shown(str(rival.output)) for rival in rivals[:_NAMED])
            names += ", ..." if len(rivals) > _NAMED else ""
            message = (
                f"{page.url} is the URL of {len(rivals)} files, {names}; the files' own addresses "
                f"are listed; {_cure_of_url(page)}"
            )
            problems.append(Problem("warning", message, page.where))
        for rival in rivals:
            is_right = len(rivals) == 1 or files.is_served(rival)
            url = rival.url if is_right else files.own_address(rival) or rival.url
            pages.setdefault(url, rival._replace(url=url))
    return list(pages.values())


def _cure_of_url(page: Page) -> str:
    return f"let {page.metadata.get(GIVEN_BY, 'the settings for URL and file')} agree"


class _PageReader(NamedTuple):
    """What it takes to read what a page says of itself."""

    site: Site
    files: SiteFiles
    extra: Mapping[str, Settings]
    head_of: Callable[[Path], Head]
    problems: list[Problem]


def _look_at(page: Page, reader: _PageReader) -> Facts:
    """Read what a page says of itself, in its front matter and as it finally lies on disk."""
    site, files, extra, head_of, problems = reader
    if page.output is None and not page.metadata and page.url not in extra:
        return Facts(page)
    settings = extra.get(page.url)
    if settings is None:
        settings, found = read_settings(page, site.timezone)
        problems += found
    facts = Facts(page, settings)
    if settings.canonical:
        facts = facts._replace(declared=files.follow(page, settings.canonical))
    if page.output is None or not site.config.inspect_html:
        return facts
    try:
        head = head_of(page.output)
    except FileNotFoundError:
        return facts._replace(is_missing=True)
    except OSError as error:
        reason = shown(error.strerror or str(error))
        message = f"{shown(str(page.output))} cannot be read ({reason}); it is listed unseen"
        problems.append(Problem("warning", message, page.where))
        return facts
    refresh = files.follow(page, head.refresh, head) if head.refresh else None
    if refresh and not same_page(refresh.target, page.url):
        # A redirect to another address of the same file is one all the same.
        refresh = refresh._replace(is_own=False)
    return facts._replace(
        head=head,
        canonical=files.follow(page, head.canonical, head) if head.canonical else None,
        refresh=refresh,
    )


def _use_canonical_links(facts: list[Facts]) -> dict[str, str]:
    """Give each page the address of its own canonical link; return which URLs have changed."""
    changed: dict[str, str] = {}
    for index, each in enumerate(facts):
        link = each.canonical or each.declared
        if link and link.is_own and link.target != each.page.url:
            changed[each.page.url] = link.target
            facts[index] = each._replace(page=each.page._replace(url=link.target))
    return changed


def _use_file_addresses(
    listed: list[ListedPage], files: SiteFiles, problems: list[Problem]
) -> dict[str, str]:
    """Give pages whose URL leads to no file the address of the file that they were written to."""
    changed: dict[str, str] = {}
    for index, item in enumerate(listed):
        page = item.page
        if page.output is None or files.is_served(page) or not files.leads_nowhere(page):
            continue
        address = files.own_address(page)
        if address is None or not page.output.is_file():
            continue
        message = (
            f"no file is served at {page.url}; the page lies in {shown(str(page.output))}, and "
            f"{address} is listed; {_cure_of_url(page)}"
        )
        problems.append(Problem("warning", message, page.where))
        changed[page.url] = address
        listed[index] = item._replace(page=page._replace(url=address))
    return changed


def _redirected(listed: list[ListedPage], files: SiteFiles) -> Iterator[Problem]:
    """Tell of settings that give addresses which hosts redirect, once for each."""
    found: dict[str, list[Page]] = {}
    for item in listed:
        if GIVEN_BY in item.page.metadata and files.is_redirected(item.page):
            found.setdefault(item.page.metadata[GIVEN_BY], []).append(item.page)
    for names, pages in found.items():
        more = f" ({counted(len(pages) - 1, 'more page')} like it)" if len(pages) > 1 else ""
        message = (
            f"{pages[0].url} lies in {shown(str(pages[0].output))}, so hosts redirect it to the "
            f"same address with a slash at its end; let {names} agree{more}"
        )
        yield Problem("notice", message, pages[0].where)


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


def _ruled(facts: Facts, rules: Sequence[Rule], base_url: str) -> Facts:
    page = facts.page
    effect = apply_rules(rules, page.source_path, path_below(page.url, base_url))
    return facts._replace(effect=effect)


def _decider(site: Site, hooks: PluginManager) -> Callable[[Facts], LeftOut | None]:
    """Return a function that asks the plugins and then the built-in rules for a reason."""
    calls = hooks.exclusions(site)
    built_in = (
        ("front matter", front_matter_reason),
        ("options", default_reason(site)),
        ("inspect_html", rendered_reason),
    )

    def decide(facts: Facts) -> LeftOut | None:
        for call in calls:
            reason = call(facts.page)
            if reason is None:
                continue
            if not isinstance(reason, str) or not reason.strip():
                raise call.returned(reason, "a text or None", facts.page)
            return LeftOut(_one_line(reason), call.plugin)
        for name, give_reason in built_in:
            if found := give_reason(facts):
                return LeftOut(_one_line(found), name)
        return None

    return decide


def _one_line(reason: str) -> str:
    return shown(" ".join(reason.split()), MAX_REASON)


def _broken_links(facts: list[Facts], left_out: Mapping[Page, LeftOut]) -> Iterator[Problem]:
    """Warn of pages that are left out because their canonical link leads to a missing file."""
    for each in facts:
        reason = left_out.get(each.page)
        links = [link for link in (each.declared, each.canonical) if link and not link.is_own]
        if not links or not links[0].is_broken or (each.canonical and each.canonical.is_own):
            continue
        link = links[0]
        if reason and reason.reason.startswith("canonical elsewhere"):
            message = (
                f"is left out, because its canonical link leads to {link.target}, and this site "
                "has no such file; let the link name the page itself"
            )
            yield Problem("warning", message, each.page.where)


def _contradictions(facts: list[Facts], left_out: Mapping[Page, LeftOut]) -> Iterator[Problem]:
    """Tell of pages whose front matter names another page, while what is written does not."""
    found = [
        each.page.where
        for each in facts
        if each.declared
        and not each.declared.is_own
        and each.canonical
        and each.canonical.is_own
        and each.head
        and not each.head.noindex
        and not each.head.refresh
        and left_out.get(each.page, LeftOut("")).reason.startswith("canonical elsewhere")
    ]
    if found:
        more = f" ({counted(len(found) - 1, 'more page')} like it)" if len(found) > 1 else ""
        message = (
            "is left out, because its front matter names another page as the canonical one, but "
            "the written page names itself, and search engines see only that: let the theme write "
            f"the link of the front matter, or take it out there{more}"
        )
        yield Problem("notice", message, found[0])


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


def unused_patterns(site: Site, selection: Selection) -> Iterator[Problem]:
    """Warn of patterns that match nothing, not even a page that was left out before.

    Called when all stages are done, since sections and news have patterns too.
    """
    config = site.config
    places = [("exclude", config.exclude)]
    places += [(f"rules[{i}].match", rule.match) for i, rule in enumerate(config.rules)]
    places += [(f"sections.{name}", found) for name, found in config.sections.items()]
    places += [("news.match", config.news.match)] if config.news else []
    if isinstance(config.static_html, Patterns):
        places.append(("static_html", config.static_html))
    for place, patterns in places:
        if not any(True for _ in patterns.unused()):
            continue
        for page in selection.left_out:
            patterns.match(page.source_path, path_below(page.url, site.base_url))
        pages = [*selection.left_out, *(item.page for item in selection.listed)]
        for index, text in patterns.unused():
            message = (
                f"{shown(repr(text))} matches no page, by its source or its URL below the base"
            )
            near = _in_another_case(text, pages, site)
            yield Problem("warning", message + near, f"{place}[{index}]")


def _in_another_case(text: str, pages: list[Page], site: Site) -> str:
    """Return a hint at the pattern in another letter case, if that matches a page."""
    if text.startswith(("re:", "!")):
        return ""
    folded = Patterns([text.lower()])
    for page in pages:
        source, path = (page.source_path or "").lower(), path_below(page.url, site.base_url)
        if folded.match(source, path.lower()):
            spelt = _spelling(text, page.source_path or "") or _spelling(text, path)
            return f"; letters' case counts: write '{spelt}'" if spelt else ""
    return ""


def _spelling(text: str, path: str) -> str | None:
    """Return the part of a path that a pattern spells in another letter case."""
    bare = text.strip("/")
    start = path.lower().find(bare.lower())
    if start < 0:
        return None
    return shown(text.replace(bare, path[start : start + len(bare)]))

"""Decide which pages are listed, under which address, and give one reason for each other one.

Plugins are asked first, then what the front matter says, what the site's defaults and options say
(``sitemap: true`` overrides these), and what the written page says of itself.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_plugin.common.text import and_more, shown
from sitemap_plugin.common.urls import path_below, same_page
from sitemap_plugin.config.checks import Rule
from sitemap_plugin.errors import Problem
from sitemap_plugin.hookspecs import ExclusionFunction
from sitemap_plugin.html.head import Head, read_head
from sitemap_plugin.languages.codes import normalize
from sitemap_plugin.models import STATIC_HTML, Page, Site
from sitemap_plugin.pages.addresses import GIVEN_BY, INDEX_FILES, Lead, SiteFiles, output_path
from sitemap_plugin.pages.collect import Collected, LeftOut, collect_pages, cure_of_url
from sitemap_plugin.pages.front_matter import NO_SETTINGS, Settings, read_settings
from sitemap_plugin.pages.patterns import Patterns
from sitemap_plugin.plugins import Call, PluginManager

ERROR_PAGES = ("404.html", "404/index.html")
SEARCH_PAGES = ("search.html", "search/index.html")


class Seen(NamedTuple):
    """What a page says of itself, in its front matter and as it was written."""

    settings: Settings = NO_SETTINGS
    declared: Lead | None = None  # Where the canonical link of its front matter leads,
    canonical: Lead | None = None  # and that of the written page.
    reason: str | None = None  # Why the written page keeps itself out.


NOTHING_SEEN = Seen()


class Selection(NamedTuple):
    """The listed pages in the order of their URLs, what they and the options say, and others."""

    pages: list[Page]
    settings: list[Settings]
    effects: list[Rule]
    left_out: dict[Page, LeftOut]
    problems: list[Problem]


def select_pages(
    site: Site, hooks: PluginManager, head_of: Callable[[Path], Head] = read_head
) -> Selection:
    """Return the pages that nobody has a reason to leave out."""
    collected = collect_pages(site, hooks)
    files, extra, left_out = collected.files, collected.settings, collected.left_out
    calls, lists = hooks.exclusions(site), False
    usual = Rule(changefreq=site.config.changefreq, priority=site.config.priority)
    urls: list[str] = []
    pages: list[Page] = []
    settings: list[Settings] = []
    effects: list[Rule] = []
    told: dict[str, list[Problem]] = defaultdict(list)
    for given in collected.pages:
        page, effect, seen = given, usual, NOTHING_SEEN
        if page.output or page.metadata or (extra and page.url in extra):
            page, seen = _look_at(page, site, collected, head_of)
        if site.config.rules:
            effect = _apply_rules(usual, page, site)
        if why := (calls and _plugins_reason(page, calls)) or _reason(page, effect, seen, site):
            left_out[page] = why
            _judge_link(page, why, seen, told)
            continue
        if page.output:
            page = _at_its_file(page, files, told)
        lists = lists or bool(page.members)
        urls.append(page.url)
        pages.append(page)
        settings.append(seen.settings)
        effects.append(effect)
    if lists:
        pages = _with_named_members(pages, files)
    pages, settings, effects = by_url(urls, pages, settings, effects)
    for first, *more in told.values():  # One message for each cause.
        message = first.message + and_more([first, *more])
        collected.problems.append(first._replace(message=message))
    for page, why in left_out.items():  # Each stands in one line of a log.
        left_out[page] = why._replace(reason=shown(" ".join(why.reason.split()), 500))
    collected.problems.extend(_home_left_out(site, pages, left_out))
    return Selection(pages, settings, effects, left_out, collected.problems)


def by_url(urls: Sequence[str], *rows: list[Any]) -> list[list[Any]]:
    """Return each row, which has something for each URL, in the order of the URLs."""
    if urls == sorted(urls):  # As almost always: the pages come in it.
        return [*rows]
    order = sorted(range(len(urls)), key=urls.__getitem__)
    return [[row[number] for number in order] for row in rows]


def _apply_rules(effect: Rule, page: Page, site: Site) -> Rule:
    """Return what rules say of a page: they win over the other options, later ones key by key."""
    path = path_below(page.url, site.base_url)
    for rule in site.config.rules:
        if rule.match.match(page.source_path, path) is not None:
            said = {key: value for key, value in rule._asdict().items() if value is not None}
            effect = effect._replace(**said)
    return effect


def _plugins_reason(page: Page, calls: Sequence[Call[ExclusionFunction]]) -> LeftOut | None:
    """Return the first reason of a plugin to leave a page out."""
    for call in calls:
        if (reason := call(page)) is not None:
            if not isinstance(reason, str) or not reason.strip():
                raise call.returned(reason, "a text or None", page)
            return LeftOut(reason, call.plugin)
    return None


def _look_at(
    page: Page, site: Site, collected: Collected, head_of: Callable[[Path], Head]
) -> tuple[Page, Seen]:
    """Read what a page says of itself; return it with the address that it gives itself."""
    files, problems = collected.files, collected.problems
    settings = collected.settings.get(page.url)
    if settings is None:
        settings, found = read_settings(page, site.timezone)
        problems += found
    declared = files.follow(page, settings.canonical) if settings.canonical else None
    canonical = reason = None
    if page.output is not None and site.config.inspect_html:
        try:
            head = head_of(page.output)
        except FileNotFoundError:
            reason = "not written"
        except OSError as error:
            cause = shown(error.strerror or str(error))
            message = f"{shown(str(page.output))} cannot be read ({cause}); it is listed unseen"
            problems.append(Problem("warning", message, page.where))
        else:
            canonical = files.follow(page, head.canonical, head) if head.canonical else None
            reason = _written_reason(page, head, canonical, files)
    link = canonical or declared
    if link and link.is_own and link.target != page.url:
        page = page._replace(url=link.target)
    return page, Seen(settings, declared, canonical, reason)


def _written_reason(page: Page, head: Head, canonical: Lead | None, files: SiteFiles) -> str | None:
    """Return why a written page keeps itself from being listed."""
    if not head.is_document and STATIC_HTML in page.metadata:
        return "static HTML (no document)"
    if head.noindex:
        return "noindex"
    refresh = files.follow(page, head.refresh, head) if head.refresh else None
    # A redirect to another address of the same file is one all the same.
    if refresh and not same_page(refresh.target, page.url):
        return f"redirect ({refresh.target})"
    if canonical and not canonical.is_own:
        return _elsewhere(canonical)
    return None


def _reason(page: Page, effect: Rule, seen: Seen, site: Site) -> LeftOut | None:
    """Return the first built-in reason to leave a page out."""
    speaks = seen is not NOTHING_SEEN or page.status == "draft"
    if speaks and (reason := _own_reason(page, seen.settings, seen.declared)):
        return LeftOut(reason, "front matter")
    # A copy has its original's front matter, which does not speak of the copy.
    asks = page.fallback or not seen.settings.wanted
    if asks and (reason := _default_reason(page, effect, site)):
        return LeftOut(reason, "options")
    return LeftOut(seen.reason, "inspect_html") if seen.reason else None


def _own_reason(page: Page, settings: Settings, declared: Lead | None) -> str | None:
    if settings.draft or page.status == "draft":
        return "draft"
    if settings.noindex:
        return "noindex"
    if declared and not declared.is_own:
        return _elsewhere(declared)
    if settings.wanted is False:
        return "sitemap: false"
    return "private" if settings.private and not settings.wanted else None


def _default_reason(page: Page, effect: Rule, site: Site) -> str | None:
    config = site.config
    if page.status == "hidden" and not config.hidden:
        return "hidden"
    # Almost no page is called so, which makes the exact test rare.
    name = page.url if page.output is None else str(page.output)
    if "404" in name and _is_file(page, site, ERROR_PAGES):
        return "error page"
    if STATIC_HTML in page.metadata and not is_home(page, site):
        wanted = config.static_html
        if not (wanted if isinstance(wanted, bool) else _matched(wanted, page, site)):
            return "static HTML (see the option static_html)"
    # Elsewhere a search page is not among the pages that the generator names.
    if "search" in name and site.generator == "folder" and _is_file(page, site, SEARCH_PAGES):
        return "search page"
    if page.kind != "page":
        if page.kind == "pagination" and not config.pagination:
            return "later page of a listing"
        if page.kind == "listing" and not config.listings and not is_home(page, site):
            return "listing"
    if page.fallback and not config.fallback_pages:
        return "untranslated copy"
    if config.nav_only and not page.in_nav and page.source_path:
        return "not in the navigation"
    if config.exclude.texts and (pattern := _matched(config.exclude, page, site)):
        return f"excluded by pattern ({pattern})"
    return f"excluded by rule ({effect.exclude})" if effect.exclude else None


def _matched(patterns: Patterns, page: Page, site: Site) -> str | None:
    return patterns.match(page.source_path, path_below(page.url, site.base_url))


def _elsewhere(link: Lead) -> str:
    return f"canonical elsewhere ({link.target})"


def is_home(page: Page, site: Site) -> bool:
    """Tell whether a page is the site's home page."""
    return page.url.removeprefix(site.base_url) in ("", *INDEX_FILES)


def _is_file(page: Page, site: Site, files: tuple[str, ...]) -> bool:
    """Tell whether a page was written to one of some files, at the root or in a language folder."""
    path = output_path(page, site)
    if path is None:  # The URL of a page without a file decides.
        path = path_below(page.url, site.base_url)
        path += "index.html" if path.endswith("/") else ""
    folder, _, rest = path.partition("/")
    names = {name.lower() for name in site.config.languages}
    is_language = folder.lower() in names or normalize(folder).code is not None
    return path in files or (rest in files and is_language)


def _judge_link(page: Page, why: LeftOut, seen: Seen, told: Mapping[str, list[Problem]]) -> None:
    """Tell of a canonical link to a missing file, if that is why the page is left out."""
    links = (seen.declared, seen.canonical)
    link = next((link for link in links if link and link.is_broken), None)
    if link and why.reason == _elsewhere(link):
        message = f"is left out, because its canonical link leads to {shown(link.target)}, "
        message += "and this site has no such file; let the link name the page itself"
        told["broken"].append(Problem("warning", message, page.where))


def _at_its_file(page: Page, files: SiteFiles, told: Mapping[str, list[Problem]]) -> Page:
    """Return a page whose URL leads to no file with the address of its file."""
    if address := files.address_in_place(page):
        cure, file = cure_of_url(page), shown(str(page.output))
        where = f"the page lies in {file}, and {address} is listed"
        message = f"no file is served at {page.url}; {where}"
        told[f"unserved {cure}"].append(Problem("warning", f"{message}; {cure}", page.where))
        return page._replace(url=address)
    if GIVEN_BY in page.metadata and files.own_address(page) == f"{page.url}/":
        cure, file = cure_of_url(page), shown(str(page.output))
        fault = "so hosts redirect it to the same address with a slash at its end"
        message = f"{page.url} lies in {file}, {fault}; {cure}"
        told[f"redirected {cure}"].append(Problem("notice", message, page.where))
    return page


def _with_named_members(pages: list[Page], files: SiteFiles) -> list[Page]:
    """Let listings name their members by the addresses that are listed."""
    known = {page.url for page in pages}
    if known.issuperset(url for page in pages for url in page.members):
        return pages
    at = {file: page.url for page in pages if (file := files.file_at(page.url))}

    def listed_as(url: str) -> str:
        return url if url in known else at.get(files.file_at(url) or "", url)

    return [
        page._replace(members=tuple(map(listed_as, page.members))) if page.members else page
        for page in pages
    ]


def _home_left_out(
    site: Site, pages: Sequence[Page], left_out: Mapping[Page, LeftOut]
) -> Iterator[Problem]:
    """Tell why the home page is not listed under any of its addresses."""
    homes = [page for page in left_out if is_home(page, site)]
    if not homes or any(is_home(page, site) for page in pages):
        return
    # What repeats a URL comes first; the page that it repeats has the reason worth telling.
    reason = left_out[homes[-1]].reason
    cure = "; the option 'hidden' lists it" if reason == "hidden" else ""
    yield Problem("notice", f"the home page is left out: {reason}{cure}", homes[-1].where)

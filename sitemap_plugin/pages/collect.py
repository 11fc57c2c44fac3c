"""Collect the pages of all plugins and of the option ``extra_urls``, each URL once."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from sitemap_plugin.common.files import read_file
from sitemap_plugin.common.text import and_more, quoted, shown
from sitemap_plugin.common.urls import encode_url, is_below, join_url
from sitemap_plugin.config.checks import ExtraUrl
from sitemap_plugin.errors import Problem, or_none
from sitemap_plugin.models import STATIC_HTML, Page, Site
from sitemap_plugin.pages.addresses import GIVEN_BY, SiteFiles, base_of, respell
from sitemap_plugin.pages.front_matter import Settings
from sitemap_plugin.plugins import PluginManager

_HOST_WITHOUT_SCHEME = re.compile(r"[A-Za-z0-9.-]+\.[A-Za-z]+/")


class LeftOut(NamedTuple):
    """Why a page is not listed, and which plugin decided it."""

    reason: str
    plugin: str = "sitemap-plugin"


class Collected(NamedTuple):
    """The pages in the order of their URLs, and those that no sitemap of this site can list."""

    pages: list[Page]
    files: SiteFiles
    settings: dict[str, Settings]  # Of the option `extra_urls`, by URL.
    left_out: dict[Page, LeftOut]
    problems: list[Problem]


def collect_pages(site: Site, hooks: PluginManager) -> Collected:
    """Return all plugins' pages, their URLs encoded; of equal URLs the first stays, or its file."""
    base_url = site.base_url
    pages: dict[str, Page] = {}
    rivals: dict[str, list[Page]] = {}
    settings: dict[str, Settings] = {}
    outside: list[Page] = []
    left_out: dict[Page, LeftOut] = {}
    problems: list[Problem] = []
    for given in hooks.pages(site):
        page, url = given, given.url
        try:
            if encode_url(url) != url or not url.startswith(base_url) or page.members:
                page = _with_encoded_urls(given, site)
                url = page.url
        except ValueError as error:
            message = f"left out, because its URL {quoted(url)} is invalid: {error}"
            problems.append(Problem("warning", message, given.where))
            left_out[given] = LeftOut("invalid URL")
            continue
        if page is not given and base_of(url, site) is None:
            outside.append(page)
            continue
        first = pages.setdefault(url, page)
        if first is page or first == page or STATIC_HTML in page.metadata:
            continue
        if STATIC_HTML in first.metadata:
            pages[page.url] = page
        elif first.output != page.output and all(
            path is not None and path.is_file() for path in (first.output, page.output)
        ):
            rivals.setdefault(page.url, [first]).append(page)
        else:
            left_out[page] = LeftOut(f"same URL as another page ({first.where})")
    if outside:
        left_out |= dict.fromkeys(outside, LeftOut("not below the base URL"))
        first = min(outside, key=lambda page: page.url)
        message = f"{first.url} is not below {site.base_url}, so it is not in its sitemap"
        problems.append(Problem("warning", message + and_more(outside), first.where))
    for page, own in _extra_pages(site, problems):
        first = pages.setdefault(page.url, page)
        if STATIC_HTML in first.metadata:  # It is named, so it is listed if its HTML allows that.
            pages[page.url] = page._replace(output=first.output)
        if first is page or STATIC_HTML in first.metadata:
            settings[page.url] = own
        else:
            left_out[page] = LeftOut(f"same URL as another page ({first.where})")
    files = SiteFiles(site, [*pages.values(), *chain(*rivals.values())])
    problems += _part(rivals, pages, files)
    return Collected([pages[url] for url in sorted(pages)], files, settings, left_out, problems)


def _with_encoded_urls(page: Page, site: Site) -> Page:
    url = respell(encode_url(page.url), site)
    if not url.startswith(("https://", "http://")):
        raise ValueError("expected an absolute URL with http or https")
    encoded = (or_none(encode_url, member) for member in page.members)
    members = (respell(member, site) for member in encoded if member is not None)
    return page._replace(url=url, members=tuple(members))


def _part(
    rivals: Mapping[str, Sequence[Page]], pages: dict[str, Page], files: SiteFiles
) -> Iterator[Problem]:
    """Give pages that share a URL and lie in different files the addresses of their files."""
    for url, (first, *others) in sorted(rivals.items()):
        names = ", ".join(shown(str(page.output)) for page in (first, *others[:2]))
        message = f"{url} is the URL of {len(others) + 1} files, {names}; the files' own addresses "
        message += f"are listed; {cure_of_url(first)}"
        yield Problem("warning", message, first.where)
        del pages[url]
        for page in (first, *others):
            own_url = url if files.is_served(page) else files.own_address(page) or url
            pages.setdefault(own_url, page._replace(url=own_url))


def cure_of_url(page: Page) -> str:
    """Return what to do about a page whose URL does not lead to its file."""
    return f"let {page.metadata.get(GIVEN_BY, 'the settings for URL and file')} agree"


def _extra_pages(site: Site, problems: list[Problem]) -> Iterator[tuple[Page, Settings]]:
    """Yield a page for each URL of ``extra_urls`` that can be listed in this sitemap."""
    for place, extra in _extra_urls(site, problems):
        try:
            yield Page(_extra_url(extra.loc, site)), Settings(place=place, **extra.settings)
        except ValueError as error:
            problems.append(Problem("warning", str(error), place))


def _extra_url(text: str, site: Site) -> str:
    """Return the address that an element of ``extra_urls`` names; a ValueError says what ails."""
    loc = text.replace("\\", "/")
    if _HOST_WITHOUT_SCHEME.match(loc):
        cure = f"write '{shown('https://' + loc)}', or './{shown(loc)}' for a path"
        raise ValueError(f"{quoted(text)} has no protocol; {cure}")
    try:
        url = join_url(site.base_url, loc)
    except ValueError as error:
        raise ValueError(f"{quoted(text)} is not a URL ({error})") from error
    if "@" in url.split("/", 3)[2]:
        raise ValueError("the URL has a user name or a password, so it is not listed; take it out")
    url = respell(url, site)
    if not is_below(url, site.base_url):
        message = f"{shown(url)} is not below {site.base_url}, so it cannot be in this sitemap"
        raise ValueError(f"{message}; name it in the sitemap of its own host")
    return url


def _extra_urls(site: Site, problems: list[Problem]) -> Iterator[tuple[str, ExtraUrl]]:
    """Yield each URL with its place, the lines of ``{file: urls.txt}`` in its stead."""
    for index, extra in enumerate(site.config.extra_urls):
        place = f"extra_urls[{index}]"
        if extra.file is None:
            yield place, extra
            continue
        path = site.config_dir / extra.file
        try:
            text = read_file(path, limit=1 << 26).decode("utf-8-sig")
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            message = f"{shown(str(path))} cannot be read: {shown(str(reason))}"
            problems.append(Problem("warning", message, place))
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip() and not line.lstrip().startswith("#"):
                yield f"{place}, {shown(extra.file)}:{number}", ExtraUrl(line.strip(), {})

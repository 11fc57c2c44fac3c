"""Collect the pages of all plugins and of the option ``extra_urls``, each URL once."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from operator import itemgetter

from sitemap_plugin.common.files import read_file
from sitemap_plugin.common.text import and_more, quoted, shown
from sitemap_plugin.common.urls import encode_url, encoded_below, is_below, join_url
from sitemap_plugin.config import ExtraUrl
from sitemap_plugin.errors import Problem
from sitemap_plugin.models import Page, Site
from sitemap_plugin.pages.addresses import base_of, respell
from sitemap_plugin.pages.exclusions import STATIC_HTML
from sitemap_plugin.pages.front_matter import Settings
from sitemap_plugin.plugins import PluginManager

MAX_URL_FILE = 64 * 1024 * 1024
_HOST_WITHOUT_SCHEME = re.compile(r"[A-Za-z0-9.-]+\.[A-Za-z]+/")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_url = itemgetter(0)


@dataclass
class Collected:
    """The pages in the order of their URLs, and those that no sitemap of this site can list.

    ``settings`` are those of the option ``extra_urls``, by URL. ``rivals`` are pages that want the
    URL of another page, though they lie in another file.
    """

    pages: list[Page] = field(default_factory=list)
    settings: dict[str, Settings] = field(default_factory=dict)
    rivals: dict[str, list[Page]] = field(default_factory=lambda: defaultdict(list))
    left_out: list[tuple[Page, str]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def collect_pages(site: Site, hooks: PluginManager) -> Collected:
    """Return all plugins' pages, their URLs encoded and below the base URL.

    Of several pages with one URL the first that is given stays.
    """
    collected = Collected()
    pages: dict[str, Page] = {}
    outside: list[Page] = []
    is_encoded = encoded_below(site.base_url)
    for given in hooks.pages(site):
        page = given
        if page.members or not is_encoded(page.url):
            try:
                page = _with_encoded_urls(given, site)
            except ValueError as error:
                message = f"left out, because its URL {quoted(given.url)} is invalid: {error}"
                collected.problems.append(Problem("warning", message, given.where))
                collected.left_out.append((given, "invalid URL"))
                continue
            if base_of(page.url, site) is None:
                outside.append(page)
                continue
        first = pages.setdefault(page.url, page)
        if first is not page and first != page:
            if STATIC_HTML in first.metadata or STATIC_HTML in page.metadata:
                pages[page.url] = page if STATIC_HTML in first.metadata else first
            elif _lie_apart(first, page):
                collected.rivals[page.url].append(page)
            else:
                collected.left_out.append((page, _repeats(first)))
    if outside:
        collected.left_out += ((page, "not below the base URL") for page in outside)
        first = min(outside, key=_url)
        message = f"{first.url} is not below {site.base_url}, so it is not in its sitemap"
        problem = Problem("warning", message + and_more(outside), first.where)
        collected.problems.append(problem)
    for page, settings in _extra_pages(site, collected.problems):
        first = pages.setdefault(page.url, page)
        if STATIC_HTML in first.metadata:  # It is named, so it is listed if its HTML allows that.
            pages[page.url] = page._replace(output=first.output)
        if first is page or STATIC_HTML in first.metadata:
            collected.settings[page.url] = settings
        else:
            collected.left_out.append((page, _repeats(first)))
    collected.pages = sorted(pages.values(), key=_url)
    return collected


def _repeats(first: Page) -> str:
    return f"same URL as another page ({first.where})"


def _lie_apart(first: Page, second: Page) -> bool:
    """Tell whether two pages of one URL are two files, and not two claims to one."""
    outputs = {first.output, second.output}
    return len(outputs) > 1 and all(path is not None and path.is_file() for path in outputs)


def _with_encoded_urls(page: Page, site: Site) -> Page:
    url = respell(encode_url(page.url), site)
    if not url.startswith(("https://", "http://")):
        raise ValueError("expected an absolute URL with http or https")
    return page._replace(url=url, members=tuple(_encoded(page.members, site)))


def _encoded(urls: Iterable[str], site: Site) -> Iterator[str]:
    """Yield those of the URLs that are some; a member that is none lists nothing."""
    for url in urls:
        with suppress(ValueError):
            yield respell(encode_url(url), site)


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
    if not _SCHEME.match(loc) and _HOST_WITHOUT_SCHEME.match(loc):
        cure = f"write '{shown('https://' + loc)}', or './{shown(loc)}' for a path"
        raise ValueError(f"{quoted(text)} has no protocol; {cure}")
    try:
        joined = join_url(site.base_url, loc)
    except ValueError as error:
        raise ValueError(f"{quoted(text)} is not a URL ({error})") from error
    if "@" in joined.split("/", 3)[2]:
        raise ValueError("the URL has a user name or a password, so it is not listed; take it out")
    url = respell(joined, site)
    if not is_below(url, site.base_url):
        cure = "name it in the sitemap of its own host"
        message = f"{shown(url)} is not below {site.base_url}, so it cannot be in this sitemap"
        raise ValueError(f"{message}; {cure}")
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
            text = read_file(path, limit=MAX_URL_FILE).decode("utf-8-sig")
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else None
            message = f"{shown(str(path))} cannot be read: {shown(str(reason or error))}"
            problems.append(Problem("warning", message, place))
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip() and not line.lstrip().startswith("#"):
                yield f"{place}, {shown(extra.file)}:{number}", ExtraUrl(line.strip(), {})

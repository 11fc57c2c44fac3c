"""Collect the pages of all plugins and of the option ``extra_urls``, each URL once."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from operator import itemgetter

from sitemap_plugin.common.files import read_file
from sitemap_plugin.common.text import counted, quoted, shown
from sitemap_plugin.common.urls import encode_url, is_below, join_url
from sitemap_plugin.config import ExtraUrl
from sitemap_plugin.errors import Problem
from sitemap_plugin.models import Page, Site
from sitemap_plugin.pages.addresses import base_of, respell
from sitemap_plugin.pages.front_matter import Settings
from sitemap_plugin.plugins import PluginManager

__all__ = ["Collected", "collect_pages"]

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
    for given in hooks.pages(site):
        try:
            page = _with_encoded_urls(given, site)
        except ValueError as error:
            message = f"left out, because its URL {quoted(given.url)} is invalid: {error}"
            collected.problems.append(Problem("warning", message, given.where))
            collected.left_out.append((given, "invalid URL"))
            continue
        if base_of(page.url, site) is None:
            outside.append(page)
            collected.left_out.append((page, "not below the base URL"))
            continue
        first = pages.setdefault(page.url, page)
        if first is not page and first != page:
            if _lie_apart(first, page):
                collected.rivals[page.url].append(page)
            else:
                reason = f"same URL as another page ({first.where})"
                collected.left_out.append((page, reason))
    if outside:
        first = min(outside, key=_url)
        more = f" ({counted(len(outside) - 1, 'more page')} like it)" if len(outside) > 1 else ""
        message = f"{first.url} is not below {site.base_url}, so it is not in its sitemap{more}"
        collected.problems.append(Problem("warning", message, first.where))
    for page, settings in _extra_pages(site, collected.problems):
        if pages.setdefault(page.url, page) is page:
            collected.settings[page.url] = settings
        else:
            reason = f"same URL as another page ({pages[page.url].where})"
            collected.left_out.append((page, reason))
    collected.pages = sorted(pages.values(), key=_url)
    return collected


def _lie_apart(first: Page, second: Page) -> bool:
    """Tell whether two pages of one URL are two files, and not two claims to one."""
    return (
        first.output != second.output
        and first.output is not None
        and second.output is not None
        and first.output.is_file()
        and second.output.is_file()
    )


def _with_encoded_urls(page: Page, site: Site) -> Page:
    url = respell(encode_url(page.url), site)
    if not url.startswith(("https://", "http://")):
        raise ValueError("expected an absolute URL with http or https")
    members = tuple(_encoded(page.members, site)) if page.members else ()
    if url != page.url or members != page.members:
        return page._replace(url=url, members=members)
    return page


def _encoded(urls: Iterable[str], site: Site) -> Iterator[str]:
    """Yield those of the URLs that are some; a member that is none lists nothing."""
    for url in urls:
        with suppress(ValueError):
            yield respell(encode_url(url), site)


def _extra_pages(site: Site, problems: list[Problem]) -> Iterator[tuple[Page, Settings]]:
    """Yield a page for each URL of ``extra_urls`` that can be listed in this sitemap."""
    for place, extra in _extra_urls(site, problems):
        loc = extra.loc.replace("\\", "/")
        if not _SCHEME.match(loc) and _HOST_WITHOUT_SCHEME.match(loc):
            message = f"{quoted(extra.loc)} has no protocol; write '{shown('https://' + loc)}'"
            problems.append(Problem("warning", f"{message}, or './{shown(loc)}' for a path", place))
            continue
        try:
            joined = join_url(site.base_url, loc)
        except ValueError as error:
            message = f"{quoted(extra.loc)} is not a URL ({error})"
            problems.append(Problem("warning", message, place))
            continue
        url = respell(joined, site)
        if "@" in joined.split("/", 3)[2]:
            message = "the URL has a user name or a password, so it is not listed; take it out"
            problems.append(Problem("warning", message, place))
        elif not is_below(url, site.base_url):
            message = (
                f"{shown(url)} is not below {site.base_url}, so it cannot be in this sitemap; name "
                "it in the sitemap of its own host"
            )
            problems.append(Problem("warning", message, place))
        else:
            yield Page(url), Settings(place=place, **extra.settings)


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

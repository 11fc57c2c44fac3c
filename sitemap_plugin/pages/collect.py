"""Collect the pages of all plugins, each URL once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from operator import itemgetter

from sitemap_plugin.common.urls import encode_url, is_below, join_url
from sitemap_plugin.hookspecs import hookimpl
from sitemap_plugin.models import Page, Site
from sitemap_plugin.pages.bases import base_of
from sitemap_plugin.plugins import PluginManager
from sitemap_plugin.report import Report

__all__ = ["ExtraUrls", "collect_pages", "extra_url_place"]

_url = itemgetter(0)


class ExtraUrls:
    """The option ``extra_urls`` as a plugin: pages without a source."""

    def __init__(self, report: Report) -> None:
        self._report = report

    @hookimpl
    def sitemap_pages(self, site: Site) -> Iterator[Page]:
        """Yield a page for each URL that can be listed in this sitemap."""
        for index, extra in enumerate(site.config.extra_urls):
            place = f"extra_urls[{index}]"
            try:
                url = join_url(site.base_url, extra.loc.replace("\\", "/"))
            except ValueError as error:
                self._report.add("warning", f"{extra.loc!r} is not a URL ({error})", place)
                continue
            if not is_below(url, site.base_url):
                self._report.add(
                    "warning",
                    f"{url} is not below {site.base_url}, so it cannot be in this sitemap; name "
                    "it in the sitemap of its own host",
                    place,
                )
                continue
            yield Page(url, metadata={"sitemap": extra.settings} if extra.settings else {})


def extra_url_place(page: Page, site: Site) -> str | None:
    """Return which of ``extra_urls`` a page is, None for one that is not set there."""
    settings = page.metadata.get("sitemap")
    return next(
        (
            f"extra_urls[{index}]"
            for index, extra in enumerate(site.config.extra_urls)
            if extra.settings is settings
        ),
        None,
    )


def collect_pages(site: Site, plugins: PluginManager, report: Report) -> list[Page]:
    """Return all plugins' pages in the order of their URLs, which are encoded.

    Of several pages with one URL the first that is given stays. A page that is not below the base
    URL, or has no URL, is left out.
    """
    pages: dict[str, Page] = {}
    outside: list[Page] = []
    base_url = site.base_url
    for given in plugins.pages(site):
        page = _with_encoded_urls(given, base_url, report)
        if page is None:
            continue
        if base_of(page.url, site) is None:
            report.leave_out(page, "not below the base URL")
            outside.append(page)
            continue
        first = pages.setdefault(page.url, page)
        if first is not page and first != page:
            report.leave_out(page, f"same URL as another page ({first.where})")
    if outside:
        first = min(outside, key=lambda page: page.url)
        more = f", and {len(outside) - 1} more" if len(outside) > 1 else ""
        message = f"{first.url}{more}: not below {site.base_url}, so not in its sitemap"
        report.add("warning", message, first.where)
    return sorted(pages.values(), key=_url)


def _with_encoded_urls(page: Page, base_url: str, report: Report) -> Page | None:
    try:
        url = _absolute(encode_url(page.url))
        if not url.startswith(base_url) and is_below(url, base_url):
            url = _respelt(url, base_url)
        members = tuple(_encoded(page.members)) if page.members else ()
    except ValueError as error:
        report.add(
            "warning", f"left out, since its URL {page.url!r} is invalid: {error}", page.where
        )
        report.leave_out(page, "invalid URL")
        return None
    if url != page.url or members != page.members:
        return page._replace(url=url, members=members)
    return page


def _encoded(urls: Iterable[str]) -> Iterator[str]:
    """Yield those of the URLs that are some; a member that is none lists nothing."""
    for url in urls:
        with suppress(ValueError):
            yield encode_url(url)


def _absolute(url: str) -> str:
    if not url.startswith(("https://", "http://")):
        raise ValueError("expected an absolute URL with http or https")
    return url


def _respelt(url: str, base_url: str) -> str:
    """Return a URL that spells host and port otherwise in the base URL's own spelling."""
    path = url.split("/", 3)[3]
    folder = base_url.split("/", 3)[3]
    return base_url + path[len(folder) :] if path.startswith(folder) else url

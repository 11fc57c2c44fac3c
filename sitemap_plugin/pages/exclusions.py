"""Built-in reasons to leave a page out.

Three groups, asked in this order: what the front matter says, what the site's defaults and options
say (``sitemap: true`` overrides these), and what the rendered page says of itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugin.common.urls import path_below
from sitemap_plugin.html import Head
from sitemap_plugin.languages import normalize
from sitemap_plugin.models import Page, Site
from sitemap_plugin.pages.addresses import INDEX_FILES, Lead, output_path

if TYPE_CHECKING:
    from sitemap_plugin.pages.selection import ListedPage

ERROR_PAGES = ("404.html", "404/index.html")
SEARCH_PAGES = ("search.html", "search/index.html")
SITE_MARKS = frozenset({"sitemap.xml", "sitemap.xml.gz", "objects.inv", "searchindex.js"})
"""Files by which a site is known that was built into a folder of another one."""

STATIC_HTML = "static_html_by_host"
"""The key by which an adapter marks HTML that its generator copies, or makes without a page."""


class Seen(NamedTuple):
    """What a page says of itself beside its settings; None for a link that is not there.

    ``canonical`` and ``refresh`` are of the written page, ``declared`` is the canonical link of
    its front matter.
    """

    head: Head | None = None
    is_missing: bool = False
    canonical: Lead | None = None
    refresh: Lead | None = None
    declared: Lead | None = None


NOTHING_SEEN = Seen()


def front_matter_reason(item: ListedPage, seen: Seen) -> str | None:
    """Return why the page's status or front matter keeps it out."""
    settings, declared = item.settings, seen.declared
    if settings.draft or item.page.status == "draft":
        return "draft"
    if settings.noindex:
        return "noindex"
    if declared and not declared.is_own:
        return f"canonical elsewhere ({declared.target})"
    if settings.wanted is False:
        return "sitemap: false"
    return "private" if settings.private and not settings.wanted else None


def rendered_reason(item: ListedPage, seen: Seen) -> str | None:
    """Return why the written page keeps itself from being listed."""
    head, _, canonical, refresh, _ = seen
    if seen.is_missing:
        return "not written"
    if head and not head.is_document and STATIC_HTML in item.page.metadata:
        return "static HTML (no document)"
    if head and head.noindex:
        return "noindex"
    if refresh and not refresh.is_own:
        return f"redirect ({refresh.target})"
    if canonical and not canonical.is_own:
        return f"canonical elsewhere ({canonical.target})"
    return None


def default_reason(site: Site) -> Callable[[ListedPage, Seen], str | None]:
    """Return a function that gives the reason found in defaults, options and rules."""
    config, has_patterns = site.config, bool(site.config.exclude)

    def reason(page: Page) -> str | None:
        if page.status == "hidden" and not config.hidden:
            return "hidden"
        # Almost no page is called so, which makes the exact test rare.
        names = page.url if page.output is None else f"{page.url} {page.output}"
        if "404" in names and _is_file(page, site, ERROR_PAGES):
            return "error page"
        if STATIC_HTML in page.metadata and not (is_home(page, site) or _wants_static(page, site)):
            return "static HTML (see the option static_html)"
        # Elsewhere a search page is not among the pages that the generator names.
        if "search" in names and site.generator == "folder" and _is_file(page, site, SEARCH_PAGES):
            return "search page"
        if page.kind == "pagination" and not config.pagination:
            return "later page of a listing"
        if page.kind == "listing" and not config.listings and not is_home(page, site):
            return "listing"
        if page.fallback and not config.fallback_pages:
            return "untranslated copy"
        if config.nav_only and not page.in_nav and page.source_path:
            return "not in the navigation"
        return None

    def unless_wanted(item: ListedPage, _seen: Seen) -> str | None:
        page, settings, effect = item
        found = reason(page)
        if has_patterns:
            # Asked for each page, because a pattern that matches none is reported.
            pattern = config.exclude.match(page.source_path, path_below(page.url, site.base_url))
            found = found or (pattern and f"excluded by pattern ({pattern})")
        if not found and effect.excluded_by:
            found = f"excluded by rule ({effect.excluded_by})"
        # A copy has its original's front matter, which does not speak of the copy.
        return None if found and settings.wanted and not page.fallback else found

    return unless_wanted


def _wants_static(page: Page, site: Site) -> bool:
    """Tell whether the option ``static_html`` lists a page that has no source of its own."""
    wanted = site.config.static_html
    if isinstance(wanted, bool):
        return wanted
    return wanted.match(page.source_path, path_below(page.url, site.base_url)) is not None


def is_home(page: Page, site: Site) -> bool:
    """Tell whether a page is the site's home page."""
    return page.url.removeprefix(site.base_url) in ("", *INDEX_FILES)


def _is_file(page: Page, site: Site, files: tuple[str, ...]) -> bool:
    """Tell whether a page was written to one of some files, at the root or in a language folder.

    Of a page without a file the URL decides.
    """
    path = output_path(page, site)
    if path is None:
        path = path_below(page.url, site.base_url)
        path += "index.html" if path.endswith("/") else ""
    folder, _, rest = path.partition("/")
    if path in files or rest not in files:
        return path in files
    names = {name.lower() for name in site.config.languages}
    return folder.lower() in names or normalize(folder).code is not None

"""Built-in reasons to leave a page out.

Three groups, asked in this order: what the front matter says, what the site's defaults and options
say (``sitemap: true`` overrides these), and what the rendered page says of itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sitemap_plugin.common.urls import path_below
from sitemap_plugin.html import Head
from sitemap_plugin.languages import normalize
from sitemap_plugin.models import Page, Site
from sitemap_plugin.pages.addresses import INDEX_FILES, Lead, output_path
from sitemap_plugin.pages.front_matter import NO_SETTINGS, Settings
from sitemap_plugin.pages.rules import NO_EFFECT, Effect

__all__ = [
    "ERROR_PAGES",
    "SEARCH_PAGES",
    "SITE_MARKS",
    "STATIC_HTML",
    "Facts",
    "default_reason",
    "front_matter_reason",
    "is_home",
    "rendered_reason",
]

ERROR_PAGES = ("404.html", "404/index.html")
SEARCH_PAGES = ("search.html", "search/index.html")
SITE_MARKS = frozenset({"sitemap.xml", "sitemap.xml.gz", "objects.inv", "searchindex.js"})
"""Files by which a site is known that was built into a folder of another one."""

STATIC_HTML = "static_html_by_host"
"""The key by which an adapter marks HTML that its generator copies, or makes without a page."""

Reason = Callable[["Facts"], str | None]


class Facts(NamedTuple):
    """What decides about one page: what it sets, what rules say, and where its links lead.

    ``canonical`` and ``refresh`` are of the written page, ``declared`` is the canonical link of
    its front matter; None for a link that is not there.
    """

    page: Page
    settings: Settings = NO_SETTINGS
    effect: Effect = NO_EFFECT
    head: Head | None = None
    is_missing: bool = False
    canonical: Lead | None = None
    refresh: Lead | None = None
    declared: Lead | None = None


def front_matter_reason(facts: Facts) -> str | None:
    """Return why the page's status or front matter keeps it out."""
    settings, declared = facts.settings, facts.declared
    if settings.draft or facts.page.status == "draft":
        return "draft"
    if settings.noindex:
        return "noindex"
    if declared and not declared.is_own:
        return f"canonical elsewhere ({declared.target})"
    if settings.wanted is False:
        return "sitemap: false"
    if settings.private and not settings.wanted:
        return "private"
    return None


def rendered_reason(facts: Facts) -> str | None:
    """Return why the written page keeps itself from being listed."""
    if facts.is_missing:
        return "not written"
    if STATIC_HTML in facts.page.metadata and facts.head and not facts.head.is_document:
        return "static HTML (no document)"
    if facts.head and facts.head.noindex:
        return "noindex"
    if facts.refresh and not facts.refresh.is_own:
        return f"redirect ({facts.refresh.target})"
    if facts.canonical and not facts.canonical.is_own:
        return f"canonical elsewhere ({facts.canonical.target})"
    return None


def default_reason(site: Site) -> Reason:
    """Return a function that gives the reason found in defaults, options and rules."""
    config = site.config
    is_error_page = _file_test(site, ERROR_PAGES, "404")
    # Elsewhere a search page is not among the pages that the generator names.
    is_search_page = _file_test(site, SEARCH_PAGES, "search")
    is_folder, has_patterns = site.generator == "folder", bool(config.exclude)

    def reason(facts: Facts, pattern: str | None) -> str | None:
        page = facts.page
        if page.status == "hidden" and not config.hidden:
            return "hidden"
        if is_error_page(page):
            return "error page"
        if STATIC_HTML in page.metadata and not (is_home(page, site) or wants_static(page, site)):
            return "static HTML (see the option static_html)"
        if is_folder and is_search_page(page):
            return "search page"
        if page.kind == "pagination" and not config.pagination:
            return "later page of a listing"
        if page.kind == "listing" and not config.listings and not is_home(page, site):
            return "listing"
        if page.fallback and not config.fallback_pages:
            return "untranslated copy"
        if config.nav_only and not page.in_nav and page.source_path:
            return "not in the navigation"
        if pattern:
            return f"excluded by pattern ({pattern})"
        if facts.effect.excluded_by:
            return f"excluded by rule ({facts.effect.excluded_by})"
        return None

    def unless_wanted(facts: Facts) -> str | None:
        page, pattern = facts.page, None
        if has_patterns:
            pattern = config.exclude.match(page.source_path, path_below(page.url, site.base_url))
        found = reason(facts, pattern)
        # A copy has its original's front matter, which does not speak of the copy.
        return None if found and facts.settings.wanted and not page.fallback else found

    return unless_wanted


def wants_static(page: Page, site: Site) -> bool:
    """Tell whether the option ``static_html`` lists a page that has no source of its own."""
    wanted = site.config.static_html
    if isinstance(wanted, bool):
        return wanted
    return wanted.match(page.source_path, path_below(page.url, site.base_url)) is not None


def is_home(page: Page, site: Site) -> bool:
    """Tell whether a page is the site's home page."""
    return page.url.removeprefix(site.base_url) in ("", *INDEX_FILES)


def _file_test(site: Site, files: tuple[str, ...], mark: str) -> Callable[[Page], bool]:
    """Return a test for pages written to one of some files, at the root or in a language folder.

    ``mark`` is what all their names contain.
    """
    names = {name.lower() for name in site.config.languages}

    def is_one_of_them(page: Page) -> bool:
        # Almost no page is called so, which makes the exact test rare.
        if mark not in page.url and (page.output is None or mark not in str(page.output)):
            return False
        path = _written_path(page, site)
        if path in files:
            return True
        folder, _, rest = path.partition("/")
        if rest not in files:
            return False
        return folder.lower() in names or normalize(folder).code is not None

    return is_one_of_them


def _written_path(page: Page, site: Site) -> str:
    """Return the written file's path below the output folder, else what the URL stands for."""
    path = output_path(page, site)
    if path is None:
        path = path_below(page.url, site.base_url)
        return path + "index.html" if path.endswith("/") else path
    return path

"""Built-in reasons to leave a page out, as ordinary hook implementations.

Three plugins, asked in this order: what the front matter says, what the site's defaults and
options say (``sitemap: true`` overrides these), and what the rendered page says of itself.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sitemap_plugin.common.urls import path_below, same_page
from sitemap_plugin.errors import Problem
from sitemap_plugin.hookspecs import ExclusionFunction, hookimpl
from sitemap_plugin.html import Head, read_head
from sitemap_plugin.languages import normalize
from sitemap_plugin.models import Page, Site
from sitemap_plugin.pages.front_matter import FrontMatter, wants_in
from sitemap_plugin.pages.rules import Rules
from sitemap_plugin.report import Report

__all__ = ["DefaultExclusions", "FrontMatterExclusions", "RenderedExclusions"]

_OUT_KEYS = frozenset(
    {"canonical", "canonical_url", "draft", "noindex", "private", "robots", "sitemap"}
)
"""The keys of front matter that can leave a page out; most pages have none of them."""

NO_HEAD = Head()
ERROR_PAGES = ("404.html", "404/index.html")
SEARCH_PAGES = ("search.html", "search/index.html")
SITE_MARKS = frozenset({"sitemap.xml", "sitemap.xml.gz", "objects.inv", "searchindex.js"})
"""Files by which a site is known that was built into a folder of another one."""


class FrontMatterExclusions:
    """Leaves out drafts and what the front matter keeps from being indexed or listed."""

    def __init__(
        self, front_matter: FrontMatter, head_of: Callable[[Path], Head] = read_head
    ) -> None:
        self._front_matter = front_matter
        self._head_of = head_of
        self._reads_pages = False
        self._contradicted: list[Page] = []

    @hookimpl
    def sitemap_exclusion(self, site: Site) -> ExclusionFunction:
        """Give the first reason found in the page's status and front matter."""
        self._reads_pages = site.config.inspect_html
        return self._reason

    @property
    def problems(self) -> list[Problem]:
        """What to say when all pages were looked at."""
        if not self._contradicted:
            return []
        first, *others = self._contradicted
        more = f"; so it is with {len(others)} more" if others else ""
        message = (
            "is left out, since its front matter names another page as the canonical one, but what "
            "is written names the page itself, and search engines see only that: let the theme "
            f"write the link of the front matter, or take it out there{more}"
        )
        return [Problem("notice", message, first.where)]

    def _reason(self, page: Page) -> str | None:
        if page.status == "draft":
            return "draft"
        if _OUT_KEYS.isdisjoint(page.metadata):
            return None
        front_matter = self._front_matter
        if front_matter.flag(page, "draft"):
            return "draft"
        if front_matter.noindex(page):
            return "noindex"
        canonical = front_matter.canonical(page)
        if canonical and (target := _elsewhere(page, canonical)):
            if self._reads_pages and self._is_its_own_canonical(page):
                self._contradicted.append(page)
            return f"canonical elsewhere ({target})"
        if front_matter.says_out(page):
            return "sitemap: false"
        if front_matter.flag(page, "private") and not wants_in(page):
            return "private"
        return None

    def _is_its_own_canonical(self, page: Page) -> bool:
        """Tell whether the written page names itself, whatever its front matter says."""
        if page.output is None:
            return False
        try:
            head = self._head_of(page.output)
        except OSError:
            return False
        # With noindex or a redirect, the link makes no difference.
        return bool(
            head.canonical
            and not head.noindex
            and not head.refresh
            and not _elsewhere(page, head.canonical, head)
        )


class DefaultExclusions:
    """Leaves out what a site does not list unless it asks for it, and what its options name."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    @hookimpl
    def sitemap_exclusion(self, site: Site) -> ExclusionFunction:
        """Give the first reason found in defaults, options and rules."""
        config, rules = site.config, self._rules
        is_error_page = _file_test(site, ERROR_PAGES, "404")
        # Elsewhere a search page is not among the pages that the generator names.
        is_folder = site.generator == "folder"
        is_search_page = _file_test(site, SEARCH_PAGES, "search") if is_folder else _never
        has_patterns, has_rules = bool(config.exclude), bool(rules)

        def reason(page: Page) -> str | None:
            if page.status == "hidden" and not config.hidden:
                return "hidden"
            if is_error_page(page):
                return "error page"
            if is_search_page(page):
                return "search page"
            if page.kind == "pagination" and not config.pagination:
                return "later page of a listing"
            if page.kind == "listing" and not config.listings and not _is_home(page, site):
                return "listing"
            if page.fallback and not config.fallback_pages:
                return "untranslated copy"
            if config.nav_only and not page.in_nav and page.source_path:
                return "not in the navigation"
            if has_patterns:
                url_path = path_below(page.url, site.base_url)
                if pattern := config.exclude.match(page.source_path, url_path):
                    return f"excluded by pattern ({pattern})"
            if has_rules and (place := rules.effect(page).excluded_by):
                return f"excluded by rule ({place})"
            return None

        def unless_wanted(page: Page) -> str | None:
            found = reason(page)
            # A copy has its original's front matter, which does not speak of the copy.
            if not found or not page.metadata or page.fallback or not wants_in(page):
                return found
            # The page is listed all the same, but patterns that name it have been of use.
            config.exclude.match(page.source_path, path_below(page.url, site.base_url))
            rules.effect(page)
            return None

        return unless_wanted


class RenderedExclusions:
    """Leaves out what the written HTML itself keeps from being indexed."""

    def __init__(self, report: Report, head_of: Callable[[Path], Head] = read_head) -> None:
        self._report = report
        self._head_of = head_of

    @hookimpl
    def sitemap_exclusion(self, site: Site) -> ExclusionFunction | None:
        """Read each page's head as it finally lies on disk."""
        return self._reason if site.config.inspect_html else None

    def _reason(self, page: Page) -> str | None:
        if page.output is None:
            return None
        try:
            head = self._head_of(page.output)
        except FileNotFoundError:
            return "not written"
        except OSError as error:
            message = f"{page.output} cannot be read ({error.strerror}); it is listed unseen"
            self._report.add("warning", message, page.where)
            return None
        if head.noindex:
            return "noindex"
        if head.refresh and (target := _elsewhere(page, head.refresh, head)):
            return f"redirect ({target})"
        if head.canonical and (target := _elsewhere(page, head.canonical, head)):
            return f"canonical elsewhere ({target})"
        return None


def _elsewhere(page: Page, link: str, head: Head = NO_HEAD) -> str | None:
    """Return where a link of the page leads, None if that is the page itself.

    A link that is no address of a page leads nowhere, so it says nothing about this one.
    """
    if link == page.url:
        return None
    target = head.resolve(page.url, link)
    if target is None or not target.startswith(("https://", "http://")):
        return None
    return None if same_page(page.url, target) else target


def _is_home(page: Page, site: Site) -> bool:
    return page.url in (site.base_url, site.base_url + "index.html")


def _never(page: Page) -> bool:  # noqa: ARG001 - a test that always fails
    return False


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
    if page.output is not None:
        try:
            return Path(page.output).relative_to(site.output_dir).as_posix()
        except ValueError:
            pass
    path = path_below(page.url, site.base_url)
    return path + "index.html" if path.endswith("/") else path

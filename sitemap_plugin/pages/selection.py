"""Leave pages out: ask every plugin for a reason, page by page."""

from __future__ import annotations

from collections.abc import Sequence

from sitemap_plugin.common.urls import path_below
from sitemap_plugin.models import Page, Site
from sitemap_plugin.pages.patterns import Patterns
from sitemap_plugin.plugins import PluginManager
from sitemap_plugin.report import Report

__all__ = ["select_pages", "warn_of_unused_patterns"]


def select_pages(
    site: Site, pages: Sequence[Page], plugins: PluginManager, report: Report
) -> list[Page]:
    """Return the pages that no plugin has a reason to leave out.

    Raises PluginError for a function that raises or returns something other than a text or None.
    """
    calls = plugins.exclusions(site)
    listed: list[Page] = []
    for page in pages:
        for call in calls:
            try:
                reason = call.function(page)
            except Exception as error:
                raise call.failed(error, page) from error
            if reason is None:
                continue
            if not isinstance(reason, str) or not reason.strip():
                raise call.returned(reason, "a text or None", page)
            report.leave_out(page, reason, call.plugin)
            break
        else:
            listed.append(page)
    home = _home_left_out(site, listed, report)
    if home:
        report.add("notice", f"the home page is left out: {report.left_out[home]}", home.where)
    return listed


def _home_left_out(site: Site, listed: Sequence[Page], report: Report) -> Page | None:
    """Return the home page where it is not listed under any of its addresses."""
    addresses = {site.base_url, f"{site.base_url}index.html"}
    left_out = [page for page in report.left_out if page.url in addresses]
    if not left_out or any(page.url in addresses for page in listed):
        return None
    # What repeats a URL comes first; the page that it repeats has the reason worth telling.
    return left_out[-1]


def warn_of_unused_patterns(site: Site, report: Report) -> None:
    """Warn of patterns that match nothing, pages that were left out before they were tried too."""
    places = [("exclude", site.config.exclude)]
    places += [(f"rules[{i}].match", rule.match) for i, rule in enumerate(site.config.rules)]
    places += [(f"sections.{name}", found) for name, found in site.config.sections.items()]
    places += [("news.match", site.config.news.match)] if site.config.news else []
    for place, patterns in places:
        _try_on_left_out(patterns, site, report)
        for index, text in patterns.unused():
            message = f"{text!r} matches no page, by its source or its URL below the base"
            report.add("warning", message, f"{place}[{index}]")


def _try_on_left_out(patterns: Patterns, site: Site, report: Report) -> None:
    if any(True for _ in patterns.unused()):
        for page in report.left_out:
            patterns.match(page.source_path, path_below(page.url, site.base_url))

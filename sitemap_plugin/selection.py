"""Leave pages out: ask every plugin for a reason, page by page."""

from __future__ import annotations

from collections.abc import Sequence

from sitemap_plugin.models import Page, Site
from sitemap_plugin.plugins import PluginManager
from sitemap_plugin.report import Report

__all__ = ["select_pages"]


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
            if not isinstance(reason, str):
                raise call.returned(reason, "a text or None", page)
            report.leave_out(page, reason, call.plugin)
            break
        else:
            listed.append(page)
    home = next((page for page in report.left_out if page.url == site.base_url), None)
    if home and "canonical" in report.left_out[home]:
        report.add("notice", f"the home page is left out: {report.left_out[home]}", home.where)
    return listed

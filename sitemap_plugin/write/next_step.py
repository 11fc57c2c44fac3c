"""What is left to do by hand when a site has a sitemap for the first time."""

from __future__ import annotations

from sitemap_plugin.common.urls import host_root, is_host_root, is_local_host, join_url
from sitemap_plugin.models import Site
from sitemap_plugin.report import Report

__all__ = ["next_step"]


def next_step(site: Site, report: Report) -> str | None:
    """Return what makes the sitemap known to search engines, None where that has been done.

    Who has named the sitemap in robots.txt by hand need not be told; nor is a preview published.
    """
    if not report.files or report.robots == "present":
        return None
    if site.preview or is_local_host(site.base_url):
        return None
    url = join_url(site.base_url, site.config.filename)
    step = f"next: publish, then submit {url} in the search consoles"
    if is_host_root(site.base_url) or site.config.robots is False:
        return step
    return f"{step} or add its line to {host_root(site.base_url)}robots.txt"

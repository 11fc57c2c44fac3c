"""Check a target: a sitemap, an index, or the folder of a built site."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Collection
from pathlib import Path

from sitemap_plugin.commands.check.findings import CheckOutcome, Findings, display
from sitemap_plugin.commands.check.folder import FileSource, Folder, sample_locs
from sitemap_plugin.commands.check.listing import Surroundings, judge_links, list_urls
from sitemap_plugin.commands.check.published_folder import PublishedFolder, derive_base
from sitemap_plugin.commands.check.sitemaps import Sitemaps
from sitemap_plugin.common.urls import is_below, is_local_host, origin

__all__ = ["check"]


def check(
    target: Path,
    *,
    base_url: str | None = None,
    ignored: Collection[str] = (),
    now: dt.datetime | None = None,
) -> CheckOutcome:
    """Check a sitemap, with the sitemaps that it lists, or a whole site.

    ``base_url`` is the address at which the target, or the folder of the target, is published.
    ``ignored`` are codes of findings to leave out; ``now`` is the present time. Raises OSError
    when the target cannot be read.
    """
    findings = Findings(ignored)
    now = now or dt.datetime.now(dt.UTC)
    local = base_url is not None and is_local_host(base_url)
    pages = 0
    if target.is_dir():
        with os.scandir(target):
            pass  # It raises if the folder itself cannot be read.
        folder = Folder(target, base_url, findings, now, local=local)
        folder.check()
        known, sitemaps, pages = folder.base_url, folder.sitemaps, folder.looked_at
    else:
        published = PublishedFolder(target.parent, scan=False)
        known = base_url or derive_base(sample_locs(target), published.find_path, share=0.5)
        if known:
            published.publish(known)
        sitemaps = Sitemaps(FileSource(published, findings), findings, now, local=local)
        sitemaps.read(str(target), published.url_of(target.name))
        _judge_together(sitemaps, known)
    guessed = known is not None and base_url is None
    files, urls = len(sitemaps.files), sitemaps.distinct
    return CheckOutcome(display(target), known, files, urls, pages, findings, guessed)


def _judge_together(sitemaps: Sitemaps, base_url: str | None) -> None:
    """Judge the entries of a file, and of those that it lists, without the pages."""
    sitemaps.judge()
    common = sitemaps.most_common_origin

    def is_own(url: str) -> bool:
        if base_url:
            return is_below(url, base_url)
        try:
            return origin(url) == common
        except ValueError:
            return False

    judge_links(list_urls(sitemaps), Surroundings(is_own, complete=sitemaps.complete))

"""Check a target: a sitemap, an index, or the folder of a built site."""

from __future__ import annotations

import datetime as dt
import os
from collections import Counter
from collections.abc import Collection
from pathlib import Path

from sitemap_plugin.commands.check.findings import CheckOutcome, Findings, display
from sitemap_plugin.commands.check.folder import FileSource, Folder, sample_locs
from sitemap_plugin.commands.check.listing import Surroundings, judge_links, list_urls
from sitemap_plugin.commands.check.published_folder import PublishedFolder, derive_base
from sitemap_plugin.commands.check.sitemaps import Sitemaps
from sitemap_plugin.common.urls import is_below, is_local_host, origin


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
    pages = 0
    if target.is_dir():
        with os.scandir(target):
            pass  # It raises if the folder itself cannot be read.
        folder = Folder(target, base_url, findings, now)
        folder.check()
        known, sitemaps, pages = folder.base_url, folder.sitemaps, folder.looked_at
    else:
        known, sitemaps = _check_file(target, base_url, findings, now)
    guessed = known is not None and base_url is None
    files, urls = len(sitemaps.files), sitemaps.distinct
    return CheckOutcome(display(target), known, files, urls, pages, findings, guessed)


def _check_file(
    path: Path, base_url: str | None, findings: Findings, now: dt.datetime
) -> tuple[str | None, Sitemaps]:
    """Check a sitemap and those that it lists, without the pages; return the base URL if known."""
    published = PublishedFolder(path.parent, scan=False)
    locs, local = sample_locs(path), base_url is not None and is_local_host(base_url)
    base_url = base_url or derive_base(locs, published.find_path, share=0.5)
    if base_url:
        published.publish(base_url)
    site = Counter(filter(None, map(_origin, locs))).most_common(1)
    common = site[0][0] if site else None
    source = FileSource(published, findings)
    sitemaps = Sitemaps(source, findings, now, local=local, site=common)
    sitemaps.read(str(path), published.url_of(path.name))
    sitemaps.judge()

    def is_own(url: str) -> bool:
        return is_below(url, base_url) if base_url else _origin(url) == common

    judge_links(list_urls(sitemaps), Surroundings(is_own, complete=sitemaps.complete))
    return base_url, sitemaps


def _origin(url: str) -> str | None:
    try:
        return origin(url)
    except ValueError:
        return None

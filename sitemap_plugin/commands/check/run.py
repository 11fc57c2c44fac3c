"""Check a target: a sitemap, an index, or the folder of a built site."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Collection
from pathlib import Path

from sitemap_plugin.commands.check.findings import Findings, display
from sitemap_plugin.commands.check.folder import FileSource, Folder, sample_locs
from sitemap_plugin.commands.check.listing import Surroundings, judge_links, list_urls
from sitemap_plugin.commands.check.outcome import Outcome
from sitemap_plugin.commands.check.publication import Publication, derive_base
from sitemap_plugin.commands.check.sitemaps import Sitemaps
from sitemap_plugin.common.urls import is_below, is_local_host, origin

__all__ = ["check"]


def check(
    target: Path,
    *,
    base_url: str | None = None,
    ignored: Collection[str] = (),
    now: dt.datetime | None = None,
) -> Outcome:
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
        folder = Folder(target, base_url, findings)
        sitemaps = Sitemaps(folder.source, findings, now, local=local)
        folder.check(sitemaps)
        known, pages = folder.base_url, folder.looked_at
    else:
        known, sitemaps = _check_file(target, base_url, findings, now)
    return Outcome(
        display(target),
        known,
        len(sitemaps.files),
        sitemaps.distinct,
        pages,
        findings,
        guessed=known is not None and base_url is None,
    )


def _check_file(
    path: Path, base_url: str | None, findings: Findings, now: dt.datetime
) -> tuple[str | None, Sitemaps]:
    """Check a sitemap and those that it lists; return the address of its folder if known."""
    publication = Publication(path.parent, scan=False)
    local = base_url is not None and is_local_host(base_url)

    def exists(below: str) -> bool:
        return publication.find_path(below) is not None

    base_url = base_url or derive_base(sample_locs(path), exists, share=0.5)
    if base_url:
        publication.publish(base_url)
    source = FileSource(publication, findings)
    sitemaps = Sitemaps(source, findings, now, local=local)
    sitemaps.read(str(path), publication.url_of(path.name))
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
    return base_url, sitemaps

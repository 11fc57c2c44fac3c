"""Check a target: a sitemap, an index, or the folder of a built site."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from sitemap_plugin.commands.check.document import sample_locs
from sitemap_plugin.commands.check.findings import Findings, display
from sitemap_plugin.commands.check.folder import FolderCheck
from sitemap_plugin.commands.check.inspection import Inspection
from sitemap_plugin.commands.check.publication import Publication, derive_base
from sitemap_plugin.common.urls import is_below

__all__ = ["Outcome", "check"]


class Outcome(NamedTuple):
    """What a check went through, and what it found.

    ``base_url`` is the address of the folder, given or found out; None where it is unknown.
    """

    target: str
    base_url: str | None
    files: int
    urls: int
    pages: int
    findings: Findings


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
    inspection = Inspection(Findings(ignored), now or dt.datetime.now(dt.UTC))
    base_url, pages = _check(target, base_url, inspection)
    return Outcome(
        display(target), base_url, inspection.files, inspection.urls, pages, inspection.findings
    )


def _check(target: Path, base_url: str | None, inspection: Inspection) -> tuple[str | None, int]:
    """Return the address of the folder, and how many pages were looked at."""
    if target.is_dir():
        with os.scandir(target):
            pass  # It raises if the folder itself cannot be read.
        folder = FolderCheck(target, base_url, inspection)
        folder.run()
        return folder.base_url, folder.pages
    return _check_file(target, base_url, inspection), 0


def _check_file(path: Path, base_url: str | None, inspection: Inspection) -> str | None:
    """Check a sitemap and those that it lists; return the address of its folder if known."""
    publication = Publication(path.parent, scan=False)

    def exists(below: str) -> bool:
        return publication.find_path(below) is not None

    def locate(url: str) -> Path | None:
        located = publication.find(url)
        return path.parent / located.path if located and not located.outside else None

    base_url = base_url or derive_base(sample_locs(path), exists, share=0.5)
    if base_url:
        publication.publish(base_url)
    inspection.locate = locate
    inspection.is_missing = lambda url: (
        publication.path_of(url) is not None and publication.find(url) is None
    )
    inspection.check(path, publication.url_of(path.name))
    inspection.origins.judge()

    def is_own(url: str) -> bool:
        return is_below(url, base_url) if base_url else inspection.origins.includes(url)

    inspection.listing.judge_links(is_own, lambda _url: None, inspection.complete)
    return base_url

"""Check a target: a sitemap, an index, or the folder of a built site."""

import datetime as dt
import os
from collections.abc import Collection
from pathlib import Path

from sitemap_plugin.commands.check.findings import CheckOutcome, Findings, display
from sitemap_plugin.commands.check.folder import File, Folder
from sitemap_plugin.commands.check.judge import SiteCheck


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
    findings, now, pages = Findings(ignored), now or dt.datetime.now(dt.UTC), 0
    if target.is_dir():
        with os.scandir(target):
            pass  # It raises if the folder itself cannot be read.
        folder = Folder(target, base_url, findings)
        done = folder.check(now)
        pages = len(folder.heads)
    else:
        done = SiteCheck(File(target, base_url, findings), findings, now)
        done.run()
    known, files, urls = done.site.base_url, len(done.sitemaps.files), done.sitemaps.distinct
    guessed = known is not None and base_url is None
    return CheckOutcome(display(target), known, files, urls, pages, findings, guessed)

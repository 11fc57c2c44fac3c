"""The date source ``mtime``: when the source file was last written.

It has to be asked for: a fresh clone gives every file the time of the clone, so it is wrong in CI.
"""

from __future__ import annotations

import datetime as dt

from sitemap_plugin.hookspecs import LastmodFunction, hookimpl
from sitemap_plugin.models import Lastmod, Page, Site

__all__ = ["sitemap_lastmod_source"]


@hookimpl
def sitemap_lastmod_source(site: Site, name: str) -> LastmodFunction | None:  # noqa: ARG001
    """Provide ``mtime``."""
    return _mtime if name == "mtime" else None


def _mtime(page: Page) -> Lastmod | None:
    if page.source is None:
        return None
    times = []
    for path in (page.source, *page.dependencies):
        try:
            times.append(int(path.stat().st_mtime))
        except OSError:
            continue
    return dt.datetime.fromtimestamp(max(times), dt.UTC) if times else None

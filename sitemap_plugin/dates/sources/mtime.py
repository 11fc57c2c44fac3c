"""The date source ``mtime``: when the source file was last written.

Opt-in, since a fresh clone gives every file the time of the clone: it is wrong in CI.
"""

from __future__ import annotations

import datetime as dt

from sitemap_plugin.hookspecs import LastmodFunction, hookimpl
from sitemap_plugin.models import Lastmod, Page, Site


@hookimpl
def sitemap_lastmod_source(site: Site, name: str) -> LastmodFunction | None:  # noqa: ARG001
    """Provide ``mtime``."""
    return _mtime if name == "mtime" else None


def _mtime(page: Page) -> Lastmod | None:
    if page.source is None:
        return None
    try:
        seconds = int(page.source.stat().st_mtime)
    except OSError:
        return None
    return dt.datetime.fromtimestamp(seconds, dt.UTC)

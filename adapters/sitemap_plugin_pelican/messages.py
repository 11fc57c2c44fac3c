"""Say things the way Pelican does: warnings through its log, the rest on its console."""

from __future__ import annotations

import logging
import sys
from typing import NoReturn

from pelican.log import console

from sitemap_plugin.errors import SitemapError
from sitemap_plugin.report import Report
from sitemap_plugin_pelican.command_line import is_autoreload

__all__ = ["fail", "show"]

log = logging.getLogger("pelican.plugins.sitemap_plugin")


def show(report: Report) -> None:
    """Show what a build has to say, its summary last; fail if it has to fail."""
    for problem in report.problems:
        if problem.severity == "notice":
            _print(f"Sitemap: {problem}")
        else:
            log.warning("Sitemap: %s", problem)
    if report.files or report.left_out:
        _print(f"Sitemap: {report.summary()}")
    if report.failure:
        fail(SitemapError(report.failure))


def fail(error: SitemapError) -> NoReturn:
    """End the build without a traceback; in autoreload mode only this round of it."""
    if is_autoreload():
        raise error
    # Pelican's "critical" is what ends a build; "error" would raise again under --fatal.
    log.critical("Sitemap: %s", error)
    sys.exit(1)


def _print(text: str) -> None:
    """Print a line as Pelican prints its own closing line; one to be copied is not wrapped."""
    console.print(text, markup=False, highlight=False, soft_wrap=True)

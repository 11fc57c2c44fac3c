"""Say things the way Pelican does: warnings through its log, the rest on its console."""

from __future__ import annotations

import inspect
import logging
import sys
from collections.abc import Iterable
from typing import NoReturn

from pelican.log import console

from sitemap_plugin.errors import Problem, SitemapError

__all__ = ["fail", "is_reloading", "say", "tell"]

log = logging.getLogger("pelican.plugins.sitemap_plugin")


def say(text: str) -> None:
    """Print a line as Pelican prints its own closing line; one to be copied is not wrapped."""
    console.print(text, markup=False, highlight=False, soft_wrap=True)


def tell(problems: Iterable[Problem], *, strict: bool) -> None:
    """Log the warnings and print the notices; fail when there are warnings under ``strict``."""
    problems = list(problems)
    warnings = [problem for problem in problems if problem.severity != "notice"]
    for problem in problems:
        if problem.severity == "notice":
            say(f"Sitemap: {problem}")
    for problem in warnings:
        log.warning("Sitemap: %s", problem)
    if warnings and strict:
        count = "1 warning" if len(warnings) == 1 else f"{len(warnings)} warnings"
        fail(SitemapError(f"{count}, and SITEMAP has 'strict': True"))


def fail(error: SitemapError) -> NoReturn:
    """End the build without a traceback; in autoreload mode only this round of it."""
    if is_reloading():
        raise error
    # Pelican's "critical" is what ends a build; "error" would raise again under --fatal.
    log.critical("Sitemap: %s", error)
    sys.exit(1)


def is_reloading() -> bool:
    """Tell whether ``pelican --autoreload`` is running, which passes this on to nobody."""
    frame = inspect.currentframe()
    while frame is not None:
        if frame.f_code.co_name == "autoreload" and frame.f_globals.get("__name__") == "pelican":
            return True
        frame = frame.f_back
    return False

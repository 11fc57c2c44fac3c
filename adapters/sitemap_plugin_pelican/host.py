"""What Pelican shows and hides: its console, its log, and its command line."""

from __future__ import annotations

import logging
import sys
from argparse import Namespace
from pathlib import Path
from typing import NoReturn

from pelican import DEFAULT_CONFIG_NAME, parse_arguments  # type: ignore[attr-defined] # untyped
from pelican.log import console

from sitemap_plugin.errors import SitemapError
from sitemap_plugin.report import Report

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


def is_autoreload() -> bool:
    """Tell whether ``pelican --autoreload`` is running, which Pelican tells no plugin."""
    arguments = _arguments()
    return arguments is not None and bool(arguments.autoreload)


def settings_folder() -> Path:
    """Return the folder of the settings file; a program that runs Pelican has the current one."""
    arguments = _arguments()
    name = arguments.settings if arguments is not None else None
    return Path(name or DEFAULT_CONFIG_NAME).absolute().parent


def _arguments() -> Namespace | None:
    """Return the arguments of the command line, None where another program runs Pelican."""
    program = Path(sys.argv[0])
    if program.stem == "__main__":
        program = program.parent
    return parse_arguments(sys.argv[1:]) if program.stem == "pelican" else None

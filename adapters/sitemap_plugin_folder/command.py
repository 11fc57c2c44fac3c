"""``sitemap-plugin build FOLDER --base-url URL``."""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import fields
from pathlib import Path

from sitemap_plugin.commands.option_flags import add_option_flags, read_option_flags
from sitemap_plugin.commands.settings_file import Settings, read_settings
from sitemap_plugin.config import Config
from sitemap_plugin.errors import ConfigError, Problem, SitemapError
from sitemap_plugin_folder import build_folder

__all__ = ["add_arguments", "run"]

BASE_URL = "base_url"
"""The key that says in a file what ``--base-url`` says on the command line."""

OPTIONS = tuple(item.name for item in fields(Config))
SWITCHES = frozenset(item.name for item in fields(Config) if isinstance(item.default, bool))

MOST_OF_A_KIND = 10

LONG_RUN = 5_000
"""Files that take long enough to read, about half a second, for progress to be told."""

_QUOTED = re.compile(r"'[^']*'")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments, one flag for each option among them."""
    parser.add_argument("folder", type=Path, help="the folder of HTML files that is published")
    parser.add_argument("--base-url", metavar="URL", help="where the folder is served")
    parser.add_argument("--config", type=Path, metavar="FILE", help="read the options from here")
    parser.add_argument(
        "--extensionless", action="store_true", help="a.html is served as a, without .html"
    )
    add_option_flags(parser, OPTIONS, SWITCHES)


def run(arguments: argparse.Namespace) -> int:
    """Write the sitemap; return the exit status."""
    flags = read_option_flags(arguments, OPTIONS)
    if arguments.base_url:
        flags[BASE_URL] = arguments.base_url
    settings = Settings({}, Path())
    try:
        settings = read_settings(arguments.config, Path.cwd())
        options = {**settings.options, **flags}
        report = build_folder(
            arguments.folder,
            options.pop(BASE_URL, None),
            options,
            config_dir=settings.folder,
            extensionless=arguments.extensionless,
            progress=_progress if sys.stderr.isatty() else None,
        )
    except ConfigError as error:
        for text in error.problems:
            print(f"error: {settings.place(text, flags)}", file=sys.stderr)
        return 2
    except SitemapError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    for line in _lines(report.problems):
        print(line, file=sys.stderr)
    print(f"sitemap: {report.summary()}")
    strict = options.get("strict") is True
    return 1 if not report.files or (strict and report.warnings) else 0


def _lines(problems: Iterable[Problem]) -> Iterator[str]:
    """Yield problems as lines: the first of each kind, since what a theme does is on every page."""
    kinds: Counter[str] = Counter()
    for problem in problems:
        kind = problem.severity + ": " + _QUOTED.sub("'...'", problem.message)
        kinds[kind] += 1
        if kinds[kind] <= MOST_OF_A_KIND:
            yield f"{problem.severity}: {problem}"
    for kind, count in kinds.items():
        if count > MOST_OF_A_KIND:
            yield f"{kind} ({count - MOST_OF_A_KIND:,} more like this)"


def _progress(done: int, total: int) -> None:
    if total < LONG_RUN:
        return
    end = "\n" if done == total else ""
    print(f"\rreading pages: {done:,} of {total:,}", end=end, file=sys.stderr, flush=True)

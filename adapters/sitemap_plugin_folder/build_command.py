"""``sitemap-plugin build [FOLDER] [--base-url URL] [--source FOLDER]``."""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import fields
from pathlib import Path

from sitemap_plugin.commands.option_flags import add_option_flags, read_option_flags
from sitemap_plugin.config import Config
from sitemap_plugin.errors import ConfigError, Problem, SitemapError
from sitemap_plugin_folder import build_folder
from sitemap_plugin_folder.project import Project, read_project

__all__ = ["add_arguments", "run"]

OPTIONS = tuple(item.name for item in fields(Config))
SWITCHES = frozenset(item.name for item in fields(Config) if isinstance(item.default, bool))

MOST_OF_A_KIND = 10

_QUOTED = re.compile(r"'[^']*'")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments, one flag for each option among them."""
    parser.add_argument(
        "folder",
        type=Path,
        nargs="?",
        help="the folder of HTML files that is published; else site_dir of a Zensical or MkDocs "
        "project in the current folder",
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="read the options from here")
    parser.add_argument(
        "--extensionless", action="store_true", help="a.html is served as a, without .html"
    )
    add_option_flags(parser, OPTIONS, SWITCHES)


def run(arguments: argparse.Namespace) -> int:
    """Write the sitemap; return the exit status."""
    flags = read_option_flags(arguments, OPTIONS)
    if isinstance(flags.get("source"), str):
        flags["source"] = str(Path.cwd() / flags["source"])
    project = Project()
    try:
        project = read_project(arguments.config, Path.cwd())
        folder = arguments.folder or project.output
        if folder is None:
            print("error: name the folder of HTML: sitemap-plugin build FOLDER", file=sys.stderr)
            return 2
        report = build_folder(
            folder,
            project.site_url,
            {**project.settings.options, **flags},
            config_dir=project.settings.folder,
            extensionless=arguments.extensionless,
            project=project,
        )
    except ConfigError as error:
        for text in error.problems:
            print(f"error: {project.settings.place(text, flags)}", file=sys.stderr)
        return 2
    except SitemapError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    for line in _lines(report.problems):
        print(line, file=sys.stderr)
    print(f"sitemap: {report.summary()}")
    if report.failure:
        print(f"error: {report.failure}", file=sys.stderr)
    return 1 if report.failure or not report.files else 0


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

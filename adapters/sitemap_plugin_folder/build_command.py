"""``sitemap-plugin build [FOLDER] [--base-url URL] [--source FOLDER]``."""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from sitemap_plugin.build import build
from sitemap_plugin.commands.options import add_option_flags, read_option_flags
from sitemap_plugin.config import Config, find_base_url, parse_config
from sitemap_plugin.errors import ConfigError, Problem, SitemapError
from sitemap_plugin.models import Site
from sitemap_plugin.report import Report
from sitemap_plugin_folder.folder_pages import FolderFiles, FolderPages, leftover_sitemaps
from sitemap_plugin_folder.project import Project, read_project
from sitemap_plugin_folder.sources import read_sources

OPTIONS = tuple(item.name for item in fields(Config))
SWITCHES = frozenset(name for name, value in vars(Config()).items() if isinstance(value, bool))
NO_PROJECT = Project()
MOST_OF_A_KIND = 10
_QUOTED = re.compile(r"'[^']*'")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments, one flag for each option among them."""
    add = parser.add_argument
    folder = "the published folder of HTML; else site_dir of a Zensical or MkDocs project here"
    add("folder", type=Path, nargs="?", help=folder)
    add("--config", type=Path, metavar="FILE", help="read the options from here")
    add("--extensionless", action="store_true", help="a.html is served as a, without .html")
    add_option_flags(parser, OPTIONS, SWITCHES)


def run(arguments: argparse.Namespace) -> int:
    """Write the sitemap; return the exit status."""
    for texts in (getattr(arguments, name) or [] for name in SWITCHES):
        # In `--strict site`, argparse takes the folder for the value of the flag.
        if arguments.folder is None and texts and Path(texts[-1]).is_dir():
            arguments.folder, texts[-1] = Path(texts[-1]), "true"
    flags = read_option_flags(arguments, OPTIONS)
    if isinstance(flags.get("source"), str):
        flags["source"] = str(Path.cwd() / flags["source"])
    project = NO_PROJECT
    try:
        project = read_project(arguments.config, Path.cwd())
        folder = arguments.folder or project.output
        if folder is None:
            print("error: name the folder of HTML: sitemap-plugin build FOLDER", file=sys.stderr)
            return 2
        options, short = {**project.settings.options, **flags}, arguments.extensionless
        report = build_folder(folder, project.site_url, options, project, extensionless=short)
    except SitemapError as error:
        told = [str(error)]
        if isinstance(error, ConfigError):
            told = [project.settings.place(text, flags) for text in error.problems]
        print(*(f"error: {line}" for line in told), sep="\n", file=sys.stderr)
        return 2
    _print(report.problems)
    print(f"sitemap: {report.summary()}")
    if report.failure:
        print(f"error: {report.failure}", file=sys.stderr)
    return 1 if report.failure or not report.files else 0


def build_folder(
    folder: Path,
    base_url: object,
    settings: Mapping[str, Any],
    project: Project = NO_PROJECT,
    *,
    extensionless: bool = False,
) -> Report:
    """Write the sitemap of a folder that is served at ``base_url``; return what was done.

    ``settings`` are the options as the user wrote them. With ``extensionless``, ``a.html`` is
    served as ``a``.
    """
    if not folder.is_dir():
        raise SitemapError(f"{folder}: there is no such folder; name the one that is published")
    config, problems = parse_config(settings, generator="folder")
    base = find_base_url(config, base_url, setting=project.base_url_setting, generator="folder")
    if base.url is None:
        raise SitemapError(str(base.problems[0]))
    config_dir = project.settings.folder
    source_dir = folder if config.source is None else config_dir / config.source
    if not source_dir.is_dir():
        raise SitemapError(f"source: there is no folder {source_dir}")
    try:
        pages = FolderPages(FolderFiles(folder), project, extensionless=extensionless)
        if config.source is not None:
            pages.sources, found = read_sources(source_dir, pages.files, pages.language, project)
            problems += found
    except OSError as error:
        raise SitemapError(f"{error.filename}: cannot be read ({error.strerror})") from error
    problems += [*base.problems, *pages.problems, *leftover_sitemaps(folder, config.filename)]
    site = Site(
        base_url=base.url,
        host_url=base.host_url,
        output_dir=folder,
        source_dir=source_dir,
        language=pages.language,
        generator="folder",
        config=config,
        config_dir=config_dir,
    )
    return build(site, [pages], problems=problems, head_of=pages.head_of)


def _print(problems: Iterable[Problem]) -> None:
    """Print the first problems of each kind, since what a theme does is on every page."""
    kinds: Counter[str] = Counter()
    for problem in problems:
        kind = problem.severity + ": " + _QUOTED.sub("'...'", problem.message)
        kinds[kind] += 1
        if kinds[kind] <= MOST_OF_A_KIND:
            print(f"{problem.severity}: {problem}", file=sys.stderr)
    for kind, count in kinds.items():
        if count > MOST_OF_A_KIND:
            print(f"{kind} ({count - MOST_OF_A_KIND:,} more like this)", file=sys.stderr)

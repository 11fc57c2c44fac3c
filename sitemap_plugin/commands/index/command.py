"""``sitemap-plugin index FOLDER``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from sitemap_plugin.commands.option_flags import add_option_flags, read_option_flags
from sitemap_plugin.errors import ConfigError, SitemapError

__all__ = ["add_arguments", "run"]

OPTIONS = (
    "filename",
    "gzip",
    "stylesheet",
    "robots",
    "languages",
    "x_default",
    "max_urls",
    "max_bytes",
    "strict",
)
"""Those that make a difference here; others in a file are for the builds."""

_BASE_URL = "base_url"
_MOST_FINDINGS = 10
_FINE, _FOUND, _UNUSABLE = 0, 1, 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument(
        "folder", type=Path, metavar="FOLDER", help="the folder with all builds, as published"
    )
    parser.add_argument(
        "--base-url",
        metavar="URL",
        help="where the folder is served; if left out, the sitemaps in it tell",
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="read the options from here")
    parser.add_argument(
        "--versions",
        nargs="+",
        action="extend",
        default=[],
        metavar="NAME",
        help="mike's versions to list, by name or alias, or all (default: latest)",
    )
    parser.add_argument(
        "--also",
        action="append",
        default=[],
        metavar="SITEMAP",
        help="list this one too: a path in the folder, or the URL of one deployed from elsewhere",
    )
    parser.add_argument(
        "--skip",
        action="append",
        default=[],
        metavar="PATTERN",
        help="leave out sitemaps whose path in the folder matches, such as old/",
    )
    parser.add_argument(
        "--link-translations",
        action="store_true",
        help="link translations in different builds with each other, and rewrite their sitemaps",
    )
    parser.add_argument(
        "--report",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="a build's report, for the translation keys of pages whose paths differ",
    )
    parser.add_argument(
        "--force",
        action="store_true",
        help="rewrite sitemaps of other programs too; the old ones are kept as .bak",
    )
    parser.add_argument(
        "--prune",
        action="store_true",
        help="remove sitemaps of this plugin that list pages of other folders, as old versions'",
    )
    add_option_flags(parser, OPTIONS, {"gzip", "stylesheet", "strict"})


def run(arguments: argparse.Namespace) -> int:
    """Write the index, tell what there is to tell, and return the exit status."""
    from sitemap_plugin.commands.index import Request, write_root_index  # noqa: PLC0415 - not needed for --help
    from sitemap_plugin.commands.settings_file import Settings, read_settings  # noqa: PLC0415 - the same

    settings, flags = Settings({}, Path()), read_option_flags(arguments, OPTIONS)
    if arguments.base_url:
        flags[_BASE_URL] = arguments.base_url
    try:
        settings = read_settings(arguments.config, Path.cwd())
        options = {**settings.options, **flags}
        request = Request(
            base_url=options.pop(_BASE_URL, None),
            settings=options,
            versions=arguments.versions,
            also=arguments.also,
            skip=arguments.skip,
            link=arguments.link_translations,
            force=arguments.force,
            prune=arguments.prune,
            reports=arguments.report,
        )
        outcome = write_root_index(arguments.folder, request)
    except ConfigError as error:
        for text in error.problems:
            sys.stderr.write(f"error: {settings.place(text, flags)}\n")
        return _UNUSABLE
    except SitemapError as error:
        sys.stderr.write(f"error: {error}\n")
        return _UNUSABLE
    for problem in outcome.problems:
        sys.stderr.write(f"{problem.severity}: {problem}\n")
    found = outcome.findings.sorted()
    for item in found[:_MOST_FINDINGS]:
        line = f":{item.line}" if item.line else ""
        sys.stderr.write(f"{item.severity}: {item.path}{line}: {item.message} {item.cure}\n")
    if len(found) > _MOST_FINDINGS:
        more = len(found) - _MOST_FINDINGS
        sys.stderr.write(f"{more:,} more findings: sitemap-plugin check {outcome.path}\n")
    sys.stdout.write(f"index: {outcome.summary()}\n")
    strict = options.get("strict") is True and outcome.warnings
    return _FOUND if outcome.errors or strict else _FINE

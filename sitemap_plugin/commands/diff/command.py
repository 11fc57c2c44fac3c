"""The command ``sitemap-plugin diff``."""

from __future__ import annotations

import argparse
from pathlib import Path

from sitemap_plugin.commands.web.options import add_patience, put_out, read_patience, teller
from sitemap_plugin.errors import SitemapError

__all__ = ["FORMATS", "STRANGERS", "TARGET", "add_arguments", "base_url", "run"]

FORMATS = ("text", "json", "urls")
TARGET = (
    "a sitemap, an index, a text sitemap, gzipped or not, the folder of a built site, a report, or "
    "a URL of one of these"
)
STRANGERS = "the two have no address in common; are they of one site, built for one address?"
_FINE, _DIFFERENT, _UNREADABLE = 0, 1, 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("old", metavar="OLD", help=TARGET)
    parser.add_argument("new", metavar="NEW", help="the same, as it is now")
    parser.add_argument(
        "--base-url",
        type=base_url,
        metavar="URL",
        help="the address of the folders; if left out, it is found out from the sitemaps",
    )
    parser.add_argument(
        "--format", choices=FORMATS, default="text", help="how to write differences (default: text)"
    )
    parser.add_argument(
        "--output", type=Path, metavar="FILE", help="write to a file instead of the terminal"
    )
    parser.add_argument(
        "--exit-code", action="store_true", help="make the exit status 1 if there are differences"
    )
    add_patience(parser)


def base_url(text: str) -> str:
    """Return a base URL in its normal form; for argparse."""
    from sitemap_plugin.common.urls import check_base_url  # noqa: PLC0415 - not needed for --help

    try:
        return check_base_url(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def run(arguments: argparse.Namespace) -> int:
    """Compare, write what was found, and return the exit status."""
    from sitemap_plugin.commands.diff import formats  # noqa: PLC0415 - not needed for --help
    from sitemap_plugin.commands.diff.run import diff  # noqa: PLC0415 - the same
    from sitemap_plugin.commands.web.fetch import Fetcher  # noqa: PLC0415 - the same

    tell = teller("diff")
    try:
        fetcher = Fetcher(read_patience(arguments), tell)
        outcome = diff(arguments.old, arguments.new, fetcher, base_url=arguments.base_url)
        render = formats.FORMATS[arguments.format]
        put_out(render(outcome.difference, arguments.old, arguments.new), arguments)
    except SitemapError as error:
        tell(f"error: {error}")
        return _UNREADABLE
    if outcome.strangers:
        tell(STRANGERS)
    return _DIFFERENT if arguments.exit_code and outcome.difference else _FINE

"""The command ``sitemap-plugin check``."""

import argparse
import sys
from pathlib import Path

from sitemap_plugin.commands.check.findings import CheckOutcome
from sitemap_plugin.commands.check.formats import FORMATS
from sitemap_plugin.commands.options import add_result_flags, number, put_out
from sitemap_plugin.commands.reading.faults import RULES, SEVERITIES
from sitemap_plugin.common.text import did_you_mean
from sitemap_plugin.errors import SitemapError

_TARGET = "a sitemap, an index or a text sitemap, the folder of a built site, or a site's URL"
_FAIL_ON = "the slightest severity that makes the exit status 1 (default: error)"
_SAMPLE = "how many pages to fetch, evenly spread (default: 100)"
_DELAY = "how long to wait between two requests (default: 0.1)"
_FINE, _FOUND, _INTERRUPTED = 0, 1, 130
_AN_HOUR, _MOST = 3600, 10**9


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    add = parser.add_argument
    add("target", metavar="TARGET", help=_TARGET)
    add_result_flags(parser, FORMATS)
    add("--fail-on", choices=(*SEVERITIES, "never"), default="error", help=_FAIL_ON)
    ignore = "leave out findings with this code; may be repeated"
    add("--ignore", action="append", default=[], type=_code, metavar="CODE", help=ignore)
    published = parser.add_argument_group("for a published site")
    against = "the built folder to compare the site with"
    published.add_argument("--against", type=Path, metavar="FOLDER", help=against)
    pages = published.add_mutually_exclusive_group()
    sample, delay = number(int, 0, _MOST), number(float, 0, _AN_HOUR)
    pages.add_argument("--sample", type=sample, default=100, metavar="N", help=_SAMPLE)
    pages.add_argument("--all", action="store_true", help="fetch every page")
    published.add_argument("--delay", type=delay, default=0.1, metavar="SECONDS", help=_DELAY)


def _code(text: str) -> str:
    if text not in RULES:
        raise argparse.ArgumentTypeError(f"unknown code {text!r}{did_you_mean(text, RULES)}")
    return text


def run(arguments: argparse.Namespace) -> int:
    """Check, write what was found, and return the exit status."""
    target: str = arguments.target
    outcome = _check_url(arguments) if "://" in target else _check_path(arguments)
    put_out(FORMATS[arguments.format](outcome), arguments)
    if outcome.interrupted:
        return _INTERRUPTED
    order = ("never", *SEVERITIES)
    grave = order[1 : order.index(arguments.fail_on) + 1]
    counts = outcome.findings.severities().items()
    return _FOUND if any(count for severity, count in counts if severity in grave) else _FINE


def _check_path(arguments: argparse.Namespace) -> CheckOutcome:
    from sitemap_plugin.commands.check.folder import check  # noqa: PLC0415 - not needed for --help

    if arguments.against:
        raise SitemapError("--against is for a published site; name its URL as TARGET")
    return check(Path(arguments.target), base_url=arguments.base_url, ignored=arguments.ignore)


def _check_url(arguments: argparse.Namespace) -> CheckOutcome:
    from sitemap_plugin.commands.check import published_site as site  # noqa: PLC0415 - see above

    if arguments.base_url:
        raise SitemapError("--base-url is for a file or a folder; a published site has its own")
    against: Path | None = arguments.against
    if against and not against.is_dir():
        raise SitemapError(f"{against} is no folder")

    def tell(text: str) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()

    visit = site.Visit(None if arguments.all else arguments.sample, arguments.delay, tell=tell)
    try:
        target, ignored = arguments.target, arguments.ignore
        return site.check_published(target, visit, against=against, ignored=ignored)
    finally:
        tell("")

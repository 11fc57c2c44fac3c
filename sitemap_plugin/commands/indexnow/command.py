"""The command ``sitemap-plugin indexnow``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sitemap_plugin.commands.diff.command import TARGET, base_url
from sitemap_plugin.commands.web.options import add_patience, put_out, read_patience, teller
from sitemap_plugin.errors import SitemapError

if TYPE_CHECKING:
    from sitemap_plugin.commands.indexnow.run import Request

__all__ = ["add_arguments", "run"]

_ENDPOINT = "https://api.indexnow.org/indexnow"
_DONE, _REFUSED, _WRONG = 0, 1, 2
_TARGETS = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "targets", nargs="*", metavar="OLD NEW", help=f"{TARGET}; before, and as it is now"
    )
    parser.add_argument(
        "--urls",
        metavar="FILE",
        help="announce these instead of a difference, one a line; - is the standard input",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="tell what would be announced, and announce nothing"
    )
    _add_key(parser)
    parser.add_argument(
        "--endpoint",
        type=_url,
        default=_ENDPOINT,
        metavar="URL",
        help=f"the server to tell; it tells the other search engines (default: {_ENDPOINT})",
    )
    parser.add_argument(
        "--record",
        type=Path,
        metavar="FILE",
        help="where to remember what was announced in the last ten minutes",
    )
    parser.add_argument(
        "--base-url", type=base_url, metavar="URL", help="the address of the folders"
    )
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="how to write what was done"
    )
    parser.add_argument(
        "--output", type=Path, metavar="FILE", help="write to a file instead of the terminal"
    )
    add_patience(parser)


def _add_key(parser: argparse.ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--key",
        metavar="KEY",
        help="if left out, it is the option indexnow_key, or that of the key file in NEW",
    )
    which.add_argument("--key-file", type=Path, metavar="FILE", help="a file that holds the key")
    parser.add_argument(
        "--key-location",
        type=_url,
        metavar="URL",
        help="where the key file is published, if not in NEW or at the root of the host",
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="read indexnow_key from here")


def _url(text: str) -> str:
    from sitemap_plugin.common.urls import encode_url, origin  # noqa: PLC0415 - not needed for --help

    try:
        url = encode_url(text)
        origin(url)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    if urlsplit(url).scheme not in {"http", "https"}:
        raise argparse.ArgumentTypeError(f"expected a URL with http:// or https://, got {text!r}")
    return url


def run(arguments: argparse.Namespace) -> int:
    """Announce, tell what was done, and return the exit status."""
    from sitemap_plugin.commands.indexnow import formats  # noqa: PLC0415 - not needed for --help
    from sitemap_plugin.commands.indexnow.run import run_request  # noqa: PLC0415 - the same

    tell = teller("indexnow")
    try:
        result = run_request(_request(arguments), read_patience(arguments), tell)
    except SitemapError as error:
        tell(f"error: {error}")
        return _WRONG
    status = _DONE if all(sent.accepted for sent in result.sent) else _REFUSED
    text = formats.as_json(result) if arguments.format == "json" else formats.as_text(result)
    try:
        put_out(text, arguments)
    except SitemapError as error:
        # What has been sent must not remain untold.
        tell(f"error: {error}")
        sys.stdout.write(text)
        return _REFUSED
    return status


def _request(arguments: argparse.Namespace) -> Request:
    """Return what is asked for; raise SitemapError where that makes no sense."""
    from sitemap_plugin.commands.indexnow.record import default_path  # noqa: PLC0415 - not for --help
    from sitemap_plugin.commands.indexnow.run import Request  # noqa: PLC0415 - the same

    targets: list[str] = arguments.targets
    if arguments.urls is not None and targets:
        raise SitemapError("give OLD and NEW, or --urls, and not both")
    if arguments.urls is None and len(targets) != _TARGETS:
        raise SitemapError(f"give OLD and NEW, or --urls; got {len(targets)} of the two")
    return Request(
        endpoint=arguments.endpoint,
        record=arguments.record or default_path(),
        targets=tuple(targets),
        urls=arguments.urls,
        key=arguments.key,
        key_file=arguments.key_file,
        key_location=arguments.key_location,
        base_url=arguments.base_url,
        config=arguments.config,
        dry_run=arguments.dry_run,
    )

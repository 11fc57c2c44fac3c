"""Flags of the commands that reach the network."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable

from sitemap_plugin.commands.web.client import Patience
from sitemap_plugin.errors import SitemapError

__all__ = ["add_patience", "message_writer", "put_out", "read_patience"]

_LONGEST = 86_400.0
_MOST_RETRIES = 100


def add_patience(parser: argparse.ArgumentParser) -> None:
    """Declare how long to wait for servers."""
    parser.add_argument(
        "--timeout",
        type=_seconds,
        default=30.0,
        metavar="SECONDS",
        help="how long a server may be silent (default: 30)",
    )
    parser.add_argument(
        "--retries",
        type=_count,
        default=3,
        metavar="N",
        help="how often to ask again a server that is busy or breaks off (default: 3)",
    )
    parser.add_argument(
        "--max-wait",
        type=_wait,
        default=120.0,
        metavar="SECONDS",
        help="the longest time to wait before asking again (default: 120)",
    )


def read_patience(arguments: argparse.Namespace) -> Patience:
    """Return what the flags say."""
    return Patience(arguments.timeout, arguments.retries, arguments.max_wait)


def message_writer(command: str) -> Callable[[str], None]:
    """Return a function that tells the user something that is not the command's result."""

    def tell(text: str) -> None:
        sys.stderr.write(f"sitemap-plugin {command}: {text}\n")
        sys.stderr.flush()

    return tell


def put_out(text: str, arguments: argparse.Namespace) -> None:
    """Write a command's result where ``--output`` says; raise SitemapError if that fails."""
    if arguments.output is None:
        sys.stdout.write(text)
        return
    try:
        # A path of the command line may hold bytes that are no text.
        arguments.output.write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise SitemapError(f"{arguments.output} cannot be written: {error.strerror}") from error


def _seconds(text: str) -> float:
    value = _wait(text)
    if not value:
        raise argparse.ArgumentTypeError("at least a part of a second is needed, got 0")
    return value


def _wait(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= _LONGEST or math.isnan(value):
        raise argparse.ArgumentTypeError(f"expected seconds, at most a day of them, got {text!r}")
    return value


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text[:4]) > _MOST_RETRIES:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to 100, got {text!r}")
    return int(text[:4])

"""Flags of the commands that reach the network, and messages beside their results."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from sitemap_plugin.commands.web.client import RetryPolicy

_LONGEST = 86_400.0
_MOST_RETRIES = 100
_TIMEOUT = "how long a server may be silent (default: 30)"
_RETRIES = "how often to ask again a server that is busy or breaks off (default: 3)"
_MAX_WAIT = "the longest time to wait before asking again (default: 120)"


def add_retry_flags(parser: argparse.ArgumentParser) -> None:
    """Declare how long to wait for servers."""
    add = parser.add_argument
    add("--timeout", type=_timeout, default=30.0, metavar="SECONDS", help=_TIMEOUT)
    add("--retries", type=_count, default=3, metavar="N", help=_RETRIES)
    add("--max-wait", type=_seconds, default=120.0, metavar="SECONDS", help=_MAX_WAIT)


def read_retry_flags(arguments: argparse.Namespace) -> RetryPolicy:
    """Return what the flags say."""
    return RetryPolicy(arguments.timeout, arguments.retries, arguments.max_wait)


def message_writer(command: str) -> Callable[[str], None]:
    """Return a function that tells the user something that is not the command's result."""

    def tell(text: str) -> None:
        sys.stderr.write(f"sitemap-plugin {command}: {text}\n")
        sys.stderr.flush()

    return tell


def _timeout(text: str) -> float:
    value = _seconds(text)
    if not value:
        raise argparse.ArgumentTypeError("at least a part of a second is needed, got 0")
    return value


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= _LONGEST:  # Not a number is outside too.
        raise argparse.ArgumentTypeError(f"expected seconds, at most a day of them, got {text!r}")
    return value


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text[:4]) > _MOST_RETRIES:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to 100, got {text!r}")
    return int(text[:4])

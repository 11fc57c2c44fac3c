"""Flags of the commands that reach the network, and messages beside their results."""

import argparse
import sys
from collections.abc import Callable

from sitemap_plugin.commands.option_flags import number
from sitemap_plugin.commands.web.client import RetryPolicy

_A_DAY, _MOST_RETRIES = 86_400, 100
_TIMEOUT = "how long a server may be silent (default: 30)"
_RETRIES = "how often to ask again a server that is busy or breaks off (default: 3)"
_MAX_WAIT = "the longest time to wait before asking again (default: 120)"


def add_retry_flags(parser: argparse.ArgumentParser) -> None:
    """Declare how long to wait for servers."""
    add, seconds, timeout = (
        parser.add_argument,
        number(float, 0, _A_DAY),
        number(float, 1e-9, _A_DAY),
    )
    add("--timeout", type=timeout, default=30.0, metavar="SECONDS", help=_TIMEOUT)
    add("--retries", type=number(int, 0, _MOST_RETRIES), default=3, metavar="N", help=_RETRIES)
    add("--max-wait", type=seconds, default=120.0, metavar="SECONDS", help=_MAX_WAIT)


def read_retry_flags(arguments: argparse.Namespace) -> RetryPolicy:
    """Return what the flags say."""
    return RetryPolicy(arguments.timeout, arguments.retries, arguments.max_wait)


def message_writer(command: str) -> Callable[[str], None]:
    """Return a function that tells the user something that is not the command's result."""

    def tell(text: str) -> None:
        sys.stderr.write(f"sitemap-plugin {command}: {text}\n")
        sys.stderr.flush()

    return tell

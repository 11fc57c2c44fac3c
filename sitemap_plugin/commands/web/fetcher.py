"""Fetch single files for a command, as its flags say, and only what robots.txt allows."""

import argparse
import sys
from collections.abc import Callable
from http import HTTPStatus
from typing import Self

from sitemap_plugin.commands.option_flags import number
from sitemap_plugin.commands.web.client import (
    AGENT,
    Answer,
    FetchError,
    RetryPolicy,
    check_url,
    fetch,
)
from sitemap_plugin.common.robots import GOOGLE_LIMIT, Robots
from sitemap_plugin.common.text import shown
from sitemap_plugin.common.urls import host_root

_CURES = {
    401: "the server wants a password; download the file and name that",
    403: "the server forbids it; download the file and name that",
    404: "there is no such file; correct the address",
}
_A_DAY, _MOST_RETRIES = 86_400, 100
_TIMEOUT = "how long a server may be silent (default: 30)"
_RETRIES = "how often to ask again a server that is busy or breaks off (default: 3)"
_MAX_WAIT = "the longest time to wait before asking again (default: 120)"


def add_retry_flags(parser: argparse.ArgumentParser) -> None:
    """Declare how long to wait for servers."""
    timeout, retries = number(float, 1e-9, _A_DAY), number(int, 0, _MOST_RETRIES)
    add, wait = parser.add_argument, number(float, 0, _A_DAY)
    add("--timeout", type=timeout, default=30.0, metavar="SECONDS", help=_TIMEOUT)
    add("--retries", type=retries, default=3, metavar="N", help=_RETRIES)
    add("--max-wait", type=wait, default=120.0, metavar="SECONDS", help=_MAX_WAIT)


def message_writer(command: str) -> Callable[[str], None]:
    """Return a function that tells the user something that is not the command's result."""

    def tell(text: str) -> None:
        sys.stderr.write(f"sitemap-plugin {command}: {text}\n")
        sys.stderr.flush()

    return tell


def is_address(target: str) -> bool:
    """Tell whether a target on the command line is a URL and not a path."""
    return "://" in target


class Fetcher:
    """Fetches one file after the other, and knows the robots.txt of each host.

    ``tell`` is given a sentence for each wait. Every method raises FetchError, with the address.
    """

    def __init__(self, policy: RetryPolicy, tell: Callable[[str], None]) -> None:
        self._policy, self._tell = policy, tell
        self._robots: dict[str, Robots] = {}

    @classmethod
    def from_flags(cls, arguments: argparse.Namespace, tell: Callable[[str], None]) -> Self:
        """Return a fetcher that waits as the flags say."""
        return cls(RetryPolicy(arguments.timeout, arguments.retries, arguments.max_wait), tell)

    def read(self, url: str, limit: int) -> tuple[str, bytes]:
        """Return what is at a URL, and the URL to which redirects led."""
        answer = fetch(url, limit=limit, policy=self._policy, judge=self._refuse, tell=self._tell)
        if answer.status != HTTPStatus.OK:
            cure = _CURES.get(answer.status, "try again later, or download the file and name that")
            reason = f"{answer.status} {shown(answer.reason, 60)}".rstrip()
            raise FetchError(f"{shown(answer.url)}: the server answers {reason}; {cure}")
        if answer.cut:
            raise FetchError(f"{shown(answer.url)}: it has more than {limit:,} bytes")
        return answer.url, answer.body

    def post(self, url: str, data: bytes) -> Answer:
        """Send JSON; return whatever the server answers."""
        return fetch(url, limit=1 << 16, data=data, policy=self._policy, tell=self._tell)

    def robots(self, url: str) -> Robots:
        """Return the robots.txt of a URL's host; one that does not exist says nothing."""
        root = host_root(check_url(url))
        if root not in self._robots:
            self._robots[root] = self._fetch_robots(f"{root}robots.txt")
        return self._robots[root]

    def _fetch_robots(self, url: str) -> Robots:
        try:
            answer = fetch(url, limit=GOOGLE_LIMIT, policy=self._policy, tell=self._tell)
        except FetchError as error:
            if "redirects" in str(error):
                return Robots()
            raise
        if answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise FetchError(
                f"{shown(url)}: the server answers {answer.status}, and while it does not say what "
                "is allowed, nothing may be fetched; try again later"
            )
        return Robots(answer.body if answer.status == HTTPStatus.OK else b"")

    def _refuse(self, url: str) -> str | None:
        rule = self.robots(url).rule_for(url, AGENT)
        return rule and (
            f"robots.txt forbids to fetch it by 'Disallow: {shown(rule, 100)}'; allow it there, or "
            "download the file and name that"
        )

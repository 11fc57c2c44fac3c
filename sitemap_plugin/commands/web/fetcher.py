"""Fetch single files for a command: what robots.txt allows, and nothing that is not there."""

from collections.abc import Callable
from http import HTTPStatus

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

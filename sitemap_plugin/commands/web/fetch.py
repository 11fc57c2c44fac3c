"""Fetch files from URLs: slowly if asked to, only what robots.txt allows, and never too much."""

from __future__ import annotations

import http
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from sitemap_plugin.commands.check.findings import clip
from sitemap_plugin.commands.web.exchange import Answer, ExchangeError, exchange
from sitemap_plugin.commands.web.patience import Patience, insist
from sitemap_plugin.commands.web.politeness import rule_against
from sitemap_plugin.common.robots import GOOGLE_LIMIT
from sitemap_plugin.common.urls import encode_url, host_root, join_url
from sitemap_plugin.errors import SitemapError

__all__ = ["Fetcher", "checked_url", "is_address"]

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_MOST_REDIRECTS = 5
_LONGEST_SHOWN = 300
_CURES = {
    401: "the server wants a password; download the file and name that",
    403: "the server forbids it; download the file and name that",
    404: "there is no such file; correct the address",
    410: "the file is gone; correct the address",
    429: "the server wants to be left alone for a while; try again later",
}


def is_address(target: str) -> bool:
    """Tell whether a target on the command line is a URL and not a path."""
    return "://" in target


class Fetcher:
    """Fetches one file after the other, and knows the robots.txt of each host.

    ``tell`` is given a sentence for each wait.
    """

    def __init__(self, patience: Patience, tell: Callable[[str], None]) -> None:
        self._patience, self._tell = patience, tell
        self._robots: dict[str, bytes] = {}

    def fetch(self, url: str, path: Path, limit: int) -> str:
        """Write what is at a URL to a file; return the URL to which redirects led.

        Raises SitemapError with place, reason and cure.
        """
        url = checked_url(url)
        start = url
        for _ in range(_MOST_REDIRECTS + 1):
            self._ask_leave(url)
            answer = self._get(url, path, limit)
            if answer.status == http.HTTPStatus.OK:
                return url
            if answer.status not in _REDIRECTS:
                raise SitemapError(f"{_shown(url)}: {_refusal(answer)}")
            url = _next(url, answer)
        raise SitemapError(f"{_shown(start)}: more than {_MOST_REDIRECTS} redirects; correct it")

    def robots(self, url: str) -> bytes:
        """Return the robots.txt of a URL's host; one that does not exist says nothing."""
        root = host_root(url)
        if root not in self._robots:
            self._robots[root] = self._fetch_robots(f"{root}robots.txt")
        return self._robots[root]

    def _fetch_robots(self, url: str) -> bytes:
        for _ in range(_MOST_REDIRECTS + 1):
            answer = self._get(url, None, GOOGLE_LIMIT)
            if answer.status in _REDIRECTS:
                url = _next(url, answer)
                continue
            if answer.status >= http.HTTPStatus.INTERNAL_SERVER_ERROR:
                raise SitemapError(
                    f"{_shown(url)}: the server answers {answer.status}, and while it does not "
                    "say what is allowed, nothing may be fetched; try again later"
                )
            return answer.body if answer.status == http.HTTPStatus.OK else b""
        return b""

    def _ask_leave(self, url: str) -> None:
        rule = rule_against(self.robots(url), url)
        if rule is not None:
            raise SitemapError(
                f"{_shown(url)}: robots.txt forbids to fetch it by 'Disallow: {clip(rule, 100)}'; "
                "allow it there, or download the file and name that"
            )

    def _get(self, url: str, path: Path | None, limit: int) -> Answer:
        def ask() -> Answer:
            if path is None:
                return exchange(url, timeout=self._patience.timeout, limit=limit)
            with path.open("wb") as file:
                sink: BinaryIO = file
                return exchange(url, timeout=self._patience.timeout, sink=sink, limit=limit)

        try:
            return insist(ask, self._patience, lambda text: self._tell(f"{_shown(url)}: {text}"))
        except ExchangeError as error:
            raise SitemapError(f"{_shown(url)}: it cannot be fetched: {error}") from error


def checked_url(url: str) -> str:
    """Return a URL as it is sent; raise SitemapError for what is none that can be fetched."""
    if not url.lower().startswith(("http://", "https://")):
        raise SitemapError(f"{_shown(url)}: only http:// and https:// can be fetched")
    try:
        url = encode_url(url)
        host_root(url)
    except ValueError as error:
        shown = "the URL" if "@" in url else _shown(url)
        raise SitemapError(f"{shown}: {error}; correct the address") from error
    if "@" in url.split("/", 3)[2]:
        raise SitemapError("a URL with a password is not fetched; download the file and name that")
    return url


def _next(url: str, answer: Answer) -> str:
    """Return the URL that a redirect leads to."""
    location = answer.headers.get("Location")
    if not location:
        raise SitemapError(f"{_shown(url)}: the server redirects to nowhere")
    try:
        target = join_url(url, location)
    except ValueError as error:
        raise SitemapError(f"{_shown(url)}: the server redirects to no URL: {error}") from error
    target = checked_url(target)
    if url.startswith("https:") and not target.startswith("https:"):
        raise SitemapError(
            f"{_shown(url)}: the server redirects to {_shown(target)}, which is not encrypted; "
            "name that address if this is right"
        )
    return target


def _refusal(answer: Answer) -> str:
    cure = _CURES.get(answer.status, "try again later, or download the file and name that")
    reason = clip(answer.reason, 60)
    return f"the server answers {answer.status} {reason}".rstrip() + f"; {cure}"


def _shown(url: str) -> str:
    return clip(url, _LONGEST_SHOWN)

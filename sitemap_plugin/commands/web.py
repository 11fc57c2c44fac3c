"""Fetch from URLs: bounded in time and size, asking busy servers again, each redirect judged.

Redirects are followed by hand, so that each hop is judged like the first address. No address with
a user name or password is ever fetched, printed or sent on.
"""

import re
import time
import urllib.request
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from threading import Thread
from typing import Any, NamedTuple

import urllib3
from urllib3 import exceptions

from sitemap_plugin.common.robots import GOOGLE_LIMIT, Robots
from sitemap_plugin.common.text import shown
from sitemap_plugin.common.urls import encode_url, host_root, join_url
from sitemap_plugin.errors import SitemapError

AGENT = "sitemap-plugin"  # To servers and in robots.txt.
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_BUSY = frozenset({429, 500, 502, 503, 504})
_MOST_REDIRECTS, _CHUNK = 5, 1 << 16
_FIRST_WAIT, _WHOLE = 2.0, 10  # In seconds, and in times the longest silence.
_CAUSES: tuple[tuple[tuple[type[Exception], ...], str, bool], ...] = (
    ((exceptions.NameResolutionError,), "the host name cannot be resolved", False),
    ((exceptions.NewConnectionError, ConnectionRefusedError), "no connection to the server", False),
    ((exceptions.TimeoutError, TimeoutError), "no answer within {timeout:g} seconds", True),
    ((exceptions.SSLError,), "no secure connection", False),
    ((exceptions.ProxyError,), "the proxy does not connect to the server", False),
    ((exceptions.InvalidChunkLength, exceptions.DecodeError), "the answer is damaged", False),
    ((exceptions.IncompleteRead,), "the answer ended too early", True),
    ((exceptions.ProtocolError, OSError), "the connection broke, or the answer is not HTTP", True),
)
_CURES = {
    401: "the server wants a password; download the file and name that",
    403: "the server forbids it; download the file and name that",
    404: "there is no such file; correct the address",
}
_shown = partial(shown, limit=300)


class RetryPolicy(NamedTuple):
    """How long to wait, in seconds, for what, and whom to tell about each wait."""

    timeout: float = 30.0  # The longest silence; a whole answer may take ten times as long.
    retries: int = 3
    longest_wait: float = 120.0  # Before any of the retries.
    sleep: Callable[[float], None] = time.sleep
    tell: Callable[[str], None] = lambda _text: None


class Answer(NamedTuple):
    """The last answer to a request, of the URL to which redirects led."""

    url: str
    status: int
    reason: str
    headers: Mapping[str, str]
    body: bytes
    cut: bool = False  # There was more than the limit.
    hops: tuple[tuple[int, str], ...] = ()  # Status and target of each redirect.

    @property
    def status_line(self) -> str:
        """The status with the server's own words for it."""
        return f"{self.status} {shown(self.reason, 60)}".rstrip()


class FetchError(SitemapError):
    """A request without an answer; ``passing`` tells that another attempt may have one."""

    def __init__(self, message: str, *, passing: bool = False) -> None:
        super().__init__(message)
        self.passing = passing


def is_address(target: str) -> bool:
    """Tell whether a target on the command line is a URL and not a path."""
    return "://" in target


class Fetcher:
    """Fetches what robots.txt allows, which it remembers; raises FetchError with the address."""

    def __init__(self, policy: RetryPolicy) -> None:
        self._policy, self.tell = policy, policy.tell
        self._robots: dict[str, Robots] = {}

    def read(self, url: str, limit: int) -> tuple[str, bytes]:
        """Return what is at a URL, and the URL to which redirects led."""
        answer = fetch(url, limit=limit, policy=self._policy, judge=self._refuse)
        if answer.status != HTTPStatus.OK:
            cure = _CURES.get(answer.status, "try again later, or download the file and name that")
            told = f"the server answers {answer.status_line}; {cure}"
            raise FetchError(f"{shown(answer.url)}: {told}")
        if answer.cut:
            raise FetchError(f"{shown(answer.url)}: it has more than {limit:,} bytes")
        return answer.url, answer.body

    def post(self, url: str, data: bytes) -> Answer:
        """Send JSON; return whatever the server answers."""
        return fetch(url, limit=1 << 16, data=data, policy=self._policy)

    def robots(self, url: str) -> Robots:
        """Return the robots.txt of a URL's host; one that does not exist says nothing."""
        root = host_root(check_url(url))
        if root in self._robots:
            return self._robots[root]
        data, at = b"", f"{root}robots.txt"
        try:
            answer = fetch(at, limit=GOOGLE_LIMIT, policy=self._policy)
        except FetchError as error:
            if "redirects" not in str(error):
                raise
        else:
            if answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
                raise FetchError(
                    f"{shown(at)}: the server answers {answer.status}, and while it does not say "
                    "what is allowed, nothing may be fetched; try again later"
                )
            data = answer.body if answer.status == HTTPStatus.OK else data
        return self._robots.setdefault(root, Robots(data))

    def _refuse(self, url: str) -> str | None:
        rule = self.robots(url).rule_for(url, AGENT)
        return rule and (
            f"robots.txt forbids to fetch it by 'Disallow: {shown(rule, 100)}'; allow it there, or "
            "download the file and name that"
        )


def fetch(
    url: str,
    *,
    limit: int,
    data: bytes | None = None,
    policy: RetryPolicy,
    judge: Callable[[str], str | None] = lambda _url: None,
) -> Answer:
    """Send a GET, or a POST of JSON if there is ``data``, which follows no redirect.

    ``judge`` returns why an address must not be fetched, the first one or one that a redirect
    leads to. Raises FetchError, with the address, for everything that is no answer.
    """
    url = start = check_url(url)
    hops: list[tuple[int, str]] = []
    for _ in range(_MOST_REDIRECTS + 1):
        if refusal := judge(url):
            raise FetchError(f"{_shown(url)}: {refusal}")
        answer = _ask_again(partial(_exchange, url, data, limit, policy.timeout), policy)
        if answer.status not in _REDIRECTS or data is not None:
            return answer._replace(hops=tuple(hops))
        url = _redirect(answer)
        hops.append((answer.status, url))
    raise FetchError(f"{_shown(start)}: more than {_MOST_REDIRECTS} redirects")


def check_url(url: str) -> str:
    """Return a URL as it is sent; raise FetchError for what is none that can be fetched."""
    if "@" in re.split(r"[/?#]", url.partition("://")[2], maxsplit=1)[0]:
        raise FetchError("a URL with a user name or password is not fetched; leave them out")
    if not url.lower().startswith(("http://", "https://")):
        raise FetchError(f"{_shown(url)}: only http:// and https:// can be fetched")
    try:
        encoded = encode_url(url)
        host_root(encoded)
    except ValueError as error:
        raise FetchError(f"{_shown(url)}: {error}; correct the address") from error
    return encoded


def _redirect(answer: Answer) -> str:
    """Return the URL that a redirect leads to."""
    here, location = _shown(answer.url), answer.headers.get("Location")
    if not location:
        raise FetchError(f"{here}: the server redirects to nowhere")
    with suppress(UnicodeError):  # Headers come as Latin-1, and many servers send UTF-8.
        location = location.encode("latin-1").decode()
    try:
        target = check_url(join_url(answer.url, location))
    except (ValueError, FetchError) as error:
        raise FetchError(f"{here}: the server redirects to what is not fetched: {error}") from error
    if answer.url.startswith("https:") and not target.startswith("https:"):
        raise FetchError(f"{here}: the server redirects to {_shown(target)}, which has no https")
    return target


def _ask_again(ask: Callable[[], Answer], policy: RetryPolicy) -> Answer:
    """Ask until there is a final answer or no attempt is left; wait longer, or as a server asks."""
    attempt = 0
    while True:
        wait, last = min(_FIRST_WAIT * 2**attempt, policy.longest_wait), attempt == policy.retries
        try:
            answer = ask()
        except FetchError as error:
            if last or not error.passing:
                raise
            said = str(error)
        else:
            with suppress(exceptions.InvalidHeader, ValueError, OverflowError):
                after = answer.headers.get("Retry-After")
                wait = urllib3.Retry().parse_retry_after(after) if after else wait
            if last or answer.status not in _BUSY or wait > policy.longest_wait:
                return answer
            said = f"{_shown(answer.url)}: the server answers {answer.status}"
        policy.tell(f"{said}; asking again in {wait:g} seconds")
        policy.sleep(wait)
        attempt += 1


def _exchange(url: str, data: bytes | None, limit: int, timeout: float) -> Answer:
    """Send one request, in a thread: the socket's timeout does not end a drip of single bytes."""
    future: Future[Answer] = Future()

    def work() -> None:
        try:
            future.set_result(_send(url, data, limit, timeout))
        except Exception as error:  # noqa: BLE001 - raised where it is waited for
            future.set_exception(error)

    Thread(target=work, daemon=True).start()
    try:
        error = future.exception(_WHOLE * timeout)
    except TimeoutError:
        what, passing = f"the answer was not complete after {_WHOLE * timeout:g} seconds", True
    else:
        if error is None:
            return future.result()
        what, passing = _explain(error, timeout)
    raise FetchError(f"{_shown(url)}: {what}", passing=passing)


def _send(url: str, data: bytes | None, limit: int, timeout: float) -> Answer:
    headers = {"User-Agent": AGENT, "Accept-Encoding": "identity"}
    if data is not None:
        headers["Content-Type"] = "application/json; charset=utf-8"
    scheme, _, host = url.partition("://")
    proxy = urllib.request.getproxies().get(scheme)
    if proxy and urllib.request.proxy_bypass(host.partition("/")[0]):
        proxy = None
    given: dict[str, Any] = {"headers": headers, "timeout": timeout, "retries": False}
    with urllib3.ProxyManager(proxy, **given) if proxy else urllib3.PoolManager(**given) as manager:
        method = "GET" if data is None else "POST"
        response = manager.request(method, url, body=data, redirect=False, preload_content=False)
        body = bytearray()
        while len(body) <= limit and (chunk := response.read1(_CHUNK)):
            body += chunk
        response.close()
    reason, cut = response.reason or "", len(body) > limit
    return Answer(url, response.status, reason, response.headers, bytes(body[:limit]), cut)


def _explain(error: BaseException, timeout: float) -> tuple[str, bool]:
    """Say what went wrong on the way, and whether it may pass."""
    for kinds, what, passing in _CAUSES:
        if any(isinstance(each, kinds) for each in (error, *error.args)):
            return what.format(timeout=timeout), passing
    return f"no request can be made: {_shown(str(error))}", False

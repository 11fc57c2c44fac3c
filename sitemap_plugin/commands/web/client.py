"""Fetch from URLs: bounded in time and size, asking busy servers again, each redirect judged.

No address with a user name or password is ever fetched, printed or sent on.
"""

import re
import time
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread
from typing import NamedTuple

import urllib3
from urllib3 import exceptions

from sitemap_plugin.common.text import shown
from sitemap_plugin.common.urls import encode_url, host_root, join_url
from sitemap_plugin.errors import SitemapError

AGENT = "sitemap-plugin"  # To servers and in robots.txt.
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_BUSY = frozenset({429, 500, 502, 503, 504})
_MOST_REDIRECTS = 5
_FIRST_WAIT = 2.0
_WHOLE = 10
_CHUNK = 1 << 16
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
_shown = partial(shown, limit=300)


class RetryPolicy(NamedTuple):
    """How long to wait, in seconds, and for what."""

    timeout: float = 30.0  # The longest silence; a whole answer may take ten times as long.
    retries: int = 3
    longest_wait: float = 120.0  # Before any of the retries.
    sleep: Callable[[float], None] = time.sleep


class Answer(NamedTuple):
    """The last answer to a request, of the URL to which redirects led."""

    url: str
    status: int
    reason: str
    headers: Mapping[str, str]
    body: bytes
    cut: bool = False  # There was more than the limit.
    hops: tuple[tuple[int, str], ...] = ()  # Status and target of each redirect.


class FetchError(SitemapError):
    """A request without an answer; ``passing`` tells that another attempt may have one."""

    def __init__(self, message: str, *, passing: bool = False) -> None:
        super().__init__(message)
        self.passing = passing


def fetch(  # noqa: PLR0913 - each is a choice of its own
    url: str,
    *,
    limit: int,
    data: bytes | None = None,
    policy: RetryPolicy,
    judge: Callable[[str], str | None] = lambda _url: None,
    tell: Callable[[str], None] = lambda _text: None,
) -> Answer:
    """Send a GET, or a POST of JSON if there is ``data``, and return the final answer.

    ``judge`` is asked for the first address and for each that a redirect leads to, and returns why
    it must not be fetched. A POST follows no redirect. ``tell`` is given a sentence for each wait.
    Raises FetchError, with the address, for everything that is no answer.
    """
    url = start = check_url(url)
    hops: list[tuple[int, str]] = []
    for _ in range(_MOST_REDIRECTS + 1):
        if refusal := judge(url):
            raise FetchError(f"{_shown(url)}: {refusal}")
        answer = _ask_again(partial(_exchange, url, data, limit, policy.timeout), policy, tell)
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


def _ask_again(
    ask: Callable[[], Answer], policy: RetryPolicy, tell: Callable[[str], None]
) -> Answer:
    """Ask until there is a final answer or no attempt is left; wait longer, or as a server asks."""
    for attempt in range(policy.retries + 1):
        wait = min(_FIRST_WAIT * 2**attempt, policy.longest_wait)
        last = attempt == policy.retries
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
        tell(f"{said}; asking again in {wait:g} seconds")
        policy.sleep(wait)
    raise AssertionError("the last attempt returns or raises")


def _exchange(url: str, data: bytes | None, limit: int, timeout: float) -> Answer:
    """Send one request; return the answer with no more of its body than ``limit``.

    A timeout of the socket ends a silence only. A server that sends a byte now and then is left to
    a thread, which nobody waits for any longer.
    """
    outcome: SimpleQueue[Answer | Exception] = SimpleQueue()

    def work() -> None:
        try:
            outcome.put(_send(url, data, limit, timeout))
        except Exception as error:  # noqa: BLE001 - raised where it is waited for
            outcome.put(error)

    Thread(target=work, daemon=True).start()
    try:
        result = outcome.get(timeout=_WHOLE * timeout)
    except Empty:
        what = f"the answer was not complete after {_WHOLE * timeout:g} seconds"
        raise FetchError(f"{_shown(url)}: {what}", passing=True) from None
    if isinstance(result, Answer):
        return result
    what, passing = _explain(result, timeout)
    raise FetchError(f"{_shown(url)}: {what}", passing=passing) from result


def _send(url: str, data: bytes | None, limit: int, timeout: float) -> Answer:
    end = time.monotonic() + (_WHOLE + 1) * timeout
    headers = {"User-Agent": AGENT, "Accept-Encoding": "identity"}
    if data is not None:
        headers["Content-Type"] = "application/json; charset=utf-8"
    scheme, _, host = url.partition("://")
    proxy = urllib.request.getproxies().get(scheme)
    if proxy and urllib.request.proxy_bypass(host.partition("/")[0]):
        proxy = None
    with urllib3.ProxyManager(proxy) if proxy else urllib3.PoolManager() as manager:
        response = manager.request(
            "GET" if data is None else "POST",
            url,
            body=data,
            headers=headers,
            timeout=timeout,
            retries=False,
            redirect=False,
            preload_content=False,
        )
        body = bytearray()
        while len(body) <= limit and (chunk := response.read1(_CHUNK)):
            body += chunk
            if time.monotonic() > end:
                break  # Nobody waits for it any longer.
        response.close()
    reason, cut = response.reason or "", len(body) > limit
    return Answer(url, response.status, reason, response.headers, bytes(body[:limit]), cut)


def _explain(error: Exception, timeout: float) -> tuple[str, bool]:
    """Say what went wrong on the way, and whether it may pass."""
    errors = (error, *error.args)
    for kinds, what, passing in _CAUSES:
        if any(isinstance(each, kinds) for each in errors):
            return what.format(timeout=timeout), passing
    return f"no request can be made: {_shown(str(error))}", False

"""One HTTP request and its answer, bounded in time and size; no redirect is followed."""

from __future__ import annotations

import http.client
import io
import socket
import ssl
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email.message import Message
from functools import partial
from typing import BinaryIO, NamedTuple
from urllib.error import URLError

from sitemap_plugin.errors import SitemapError

__all__ = ["AGENT", "Answer", "ExchangeError", "exchange"]

AGENT = "sitemap-plugin"
"""How the client calls itself, to servers and in robots.txt."""

_CHUNK = 1 << 16
_SHORT = 1 << 16
_WHOLE = 10


class Answer(NamedTuple):
    """What a server has answered; ``body`` is empty where it went elsewhere."""

    status: int
    reason: str
    headers: Message
    body: bytes


class ExchangeError(SitemapError):
    """A request without an answer; ``passing`` tells that another attempt may have one."""

    def __init__(self, message: str, *, passing: bool) -> None:
        super().__init__(message)
        self.passing = passing


def exchange(
    url: str,
    *,
    timeout: float,
    data: bytes | None = None,
    sink: BinaryIO | None = None,
    limit: int = _SHORT,
) -> Answer:
    """Send a GET, or a POST if there is ``data``, which is JSON; return the answer.

    ``timeout`` is the longest silence in seconds; the whole may take ten times as long. The body of
    an answer 200 goes to ``sink`` if there is one, and more than ``limit`` bytes of it are an
    error; otherwise its beginning is returned. Proxies are used as the environment names them.
    """
    request = urllib.request.Request(  # noqa: S310 - the opener knows HTTP only
        url, data=data, headers={"User-Agent": AGENT, "Accept-Encoding": "identity"}
    )
    if data is not None:
        request.add_header("Content-Type", "application/json; charset=utf-8")
    end = time.monotonic() + _WHOLE * timeout
    with _explained(timeout, end), _opened(request, timeout) as response:
        if time.monotonic() > end:
            # A head that was cut off looks like one that has no more lines.
            raise _TooSlowError
        body = b""
        if sink is not None and response.status == http.HTTPStatus.OK:
            _copy(response, sink, limit, end)
        else:
            body = _beginning(response, limit if sink is None else _SHORT, end)
        return Answer(response.status, response.reason or "", response.headers, body)


class _TooSlowError(TimeoutError):
    """The answer trickles in without end."""


def _copy(response: http.client.HTTPResponse, sink: BinaryIO, limit: int, end: float) -> None:
    size = 0
    while chunk := response.read1(_CHUNK):
        size += len(chunk)
        sink.write(chunk)
        if size > limit:
            message = f"it has more than {limit:,} bytes, which is far beyond every limit"
            raise ExchangeError(message, passing=False)
        if time.monotonic() > end:
            raise _TooSlowError
    if response.length:
        raise http.client.IncompleteRead(b"", response.length)


def _beginning(response: http.client.HTTPResponse, size: int, end: float) -> bytes:
    """Return the first bytes of a body; what follows is of no interest."""
    body = io.BytesIO()
    with suppress(ExchangeError):
        _copy(response, body, size, end)
    return body.getvalue()[:size]


@contextmanager
def _opened(request: urllib.request.Request, timeout: float) -> Iterator[http.client.HTTPResponse]:
    """Send a request and read the head of the answer, within the time for the whole.

    A timeout of the socket ends a silence only, so a server that sends a byte now and then has its
    connection cut.
    """
    sockets: list[socket.socket] = []
    opener = urllib.request.OpenerDirector()
    plain, secure = _Plain(), _Secure()
    plain.sockets = secure.sockets = sockets
    for handler in (urllib.request.ProxyHandler(), plain, secure):
        opener.add_handler(handler)
    watch = threading.Timer(_WHOLE * timeout, _cut, (sockets,))
    watch.daemon = True
    watch.start()
    try:
        response = opener.open(request, timeout=timeout)
    finally:
        watch.cancel()
    with response:
        yield response


def _cut(sockets: list[socket.socket]) -> None:
    for connected in sockets:
        with suppress(OSError):
            connected.shutdown(socket.SHUT_RDWR)


class _Plain(urllib.request.HTTPHandler):
    """Opens connections, and remembers their sockets."""

    sockets: list[socket.socket]

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(partial(_Connection, self.sockets), req)


class _Secure(urllib.request.HTTPSHandler):
    """Opens encrypted connections, and remembers their sockets."""

    sockets: list[socket.socket]

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(partial(_SecureConnection, self.sockets), req)


class _Connection(http.client.HTTPConnection):
    def __init__(self, sockets: list[socket.socket], host: str, timeout: float) -> None:
        super().__init__(host, timeout=timeout)
        self._sockets = sockets

    def connect(self) -> None:
        super().connect()
        self._sockets.append(self.sock)


class _SecureConnection(_Connection, http.client.HTTPSConnection):
    """The same, encrypted."""


@contextmanager
def _explained(timeout: float, end: float) -> Iterator[None]:
    """Turn whatever goes wrong on the way into an ExchangeError that says what it was."""
    try:
        yield
    except (OSError, http.client.HTTPException) as error:
        cause = error.reason if isinstance(error, URLError) else error
        if isinstance(cause, _TooSlowError) or time.monotonic() > end:
            message = f"the answer was not complete after {_WHOLE * timeout:g} seconds"
            raise ExchangeError(message, passing=True) from error
        raise _explain(cause, timeout) from error
    except (ValueError, UnicodeError) as error:
        raise ExchangeError(f"no request can be made: {error}", passing=False) from error


def _explain(cause: BaseException | str, timeout: float) -> ExchangeError:
    if isinstance(cause, TimeoutError):
        return ExchangeError(f"no answer within {timeout:g} seconds", passing=True)
    if isinstance(cause, ConnectionResetError | BrokenPipeError | ConnectionAbortedError):
        return ExchangeError("the server closed the connection", passing=True)
    if isinstance(cause, http.client.IncompleteRead):
        return ExchangeError("the answer ended too early", passing=True)
    if isinstance(cause, http.client.HTTPException):
        return ExchangeError("the answer is not HTTP", passing=False)
    if isinstance(cause, ssl.SSLCertVerificationError):
        message = f"its certificate cannot be trusted: {cause.verify_message}"
        return ExchangeError(message, passing=False)
    if isinstance(cause, socket.gaierror):
        passing = cause.errno == socket.EAI_AGAIN
        return ExchangeError("the host name cannot be resolved", passing=passing)
    reason = getattr(cause, "strerror", None) or str(cause)
    return ExchangeError(f"no connection: {reason}", passing=False)

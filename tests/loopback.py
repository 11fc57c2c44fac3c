"""HTTP servers on this machine: one that serves what it is told to, and an IndexNow server."""

import json
import re
import socket
import struct
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.parse import unquote, urlsplit

Reply = Callable[["Handler"], None]


class Asked(NamedTuple):
    """A request that a server got."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


class Loopback:
    """A server; ``replies`` are given in their order to a path, the last one ever again.

    What has no reply is served from ``folder``.
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.url = ""
        self.asked: list[Asked] = []
        self.replies: dict[str, list[Reply]] = {}

    def add(self, path: str, *replies: Reply) -> str:
        """Set the replies for a path; return its URL."""
        self.replies[path] = list(replies)
        return self.url + path.removeprefix("/")

    def paths(self, method: str = "GET") -> list[str]:
        """Return the paths that were asked for."""
        return [asked.path for asked in self.asked if asked.method == method]

    @property
    def posted(self) -> list[Any]:
        """The JSON that was posted."""
        return [json.loads(asked.body) for asked in self.asked if asked.method == "POST"]


class Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    server: "_Server"
    body: bytes

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def log_message(self, format: str, *_arguments: Any) -> None:  # noqa: A002 - named by the base
        """Say nothing."""

    def _answer(self) -> None:
        site = self.server.site
        self.body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        site.asked.append(Asked(self.command, self.path, headers, self.body))
        replies = site.replies.get(self.path)
        with suppress(ConnectionError):
            if replies:
                (replies.pop(0) if len(replies) > 1 else replies[0])(self)
            else:
                self._serve_file(site.folder)

    def _serve_file(self, folder: Path | None) -> None:
        name = unquote(urlsplit(self.path).path).lstrip("/")
        path = folder / name if folder else None
        if path and (name.endswith("/") or not name):
            path /= "index.html"
        if path and path.is_file():
            self.send(200, path.read_bytes())
        else:
            self.send(404, b"not here")

    def send(
        self, status: int, body: bytes = b"", headers: Mapping[str, str] | None = None
    ) -> None:
        """Answer as usual."""
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


class _Server(ThreadingHTTPServer):
    site: Loopback
    daemon_threads = True

    def handle_error(self, *_arguments: Any) -> None:
        """Say nothing; a client that has gone is what some tests are about."""


@contextmanager
def serving(folder: Path | None = None) -> Iterator[Loopback]:
    """Run a server on a free port."""
    site = Loopback(folder)
    with _Server(("127.0.0.1", 0), Handler) as server:
        server.site = site
        site.url = f"http://127.0.0.1:{server.server_port}/"
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield site
        finally:
            server.shutdown()
            thread.join()


def reply(status: int, body: bytes = b"", **headers: str) -> Reply:
    """Return a reply; ``_`` in the names of headers stands for a hyphen."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda handler: handler.send(status, body, named)


def raw(data: bytes) -> Reply:
    """Return a reply that is sent as it is, after which the connection is closed."""

    def send(handler: Handler) -> None:
        handler.wfile.write(data)
        handler.close_connection = True

    return send


def reset(handler: Handler) -> None:
    """Break off the connection, as a host that restarts does."""
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()


def slow(seconds: float) -> Reply:
    """Return a reply that comes too late."""

    def send(handler: Handler) -> None:
        time.sleep(seconds)
        handler.send(200)

    return send


def trickle(head: bytes) -> Reply:
    """Return a reply that has no end, and in which there is never a long silence."""

    def send(handler: Handler) -> None:
        handler.wfile.write(head)
        for _ in range(400):
            handler.wfile.write(b"x")
            handler.wfile.flush()
            time.sleep(0.02)

    return send


def indexnow(handler: Handler) -> None:
    """Reply as the documentation of IndexNow says, with a look at the key's file."""
    handler.send(_judge(handler))


def _judge(handler: Handler) -> int:
    if not handler.headers.get("Content-Type", "").startswith("application/json"):
        return 400
    try:
        content = json.loads(handler.body)
        host, key, urls = content["host"], content["key"], content["urlList"]
    except (ValueError, KeyError, TypeError):
        return 400
    location = content.get("keyLocation", f"http://{host}/{key}.txt")
    if not 0 < len(urls) <= 10_000:
        return 400
    if not re.fullmatch(r"[A-Za-z0-9-]{8,128}", key):
        return 422
    folder = location.rpartition("/")[0] + "/"
    if urlsplit(location).netloc != host or not all(url.startswith(folder) for url in urls):
        return 422
    try:
        with urllib.request.urlopen(location, timeout=10) as answer:
            return 200 if answer.read().decode().strip() == key else 403
    except HTTPError:
        return 403

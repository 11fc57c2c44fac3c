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
    """A server; a path's ``replies`` are given in order, the last ever again, else its file."""

    def __init__(self, folder: Path) -> None:
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

    def log_message(self, format: str, *_arguments: Any) -> None:  # noqa: A002 - named by the base
        """Say nothing."""

    def do_GET(self) -> None:
        site = self.server.site
        self.body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        site.asked.append(Asked(self.command, self.path, headers, self.body))
        replies = site.replies.get(self.path, [Handler._serve_file])
        with suppress(ConnectionError):
            (replies.pop(0) if len(replies) > 1 else replies[0])(self)

    def do_POST(self) -> None:
        self.do_GET()

    def _serve_file(self) -> None:
        name = unquote(urlsplit(self.path).path)[1:]
        name += "index.html" if not name or name.endswith("/") else ""
        path = self.server.site.folder / name
        self.send(*((200, path.read_bytes()) if path.is_file() else (404, b"not here")))

    def send(self, status: int, body: bytes = b"", **headers: str) -> None:
        """Answer as usual; ``_`` in the names of headers stands for a hyphen."""
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)


class _Server(ThreadingHTTPServer):
    site: Loopback
    daemon_threads = True

    def handle_error(self, *_arguments: Any) -> None:
        """Say nothing; a client that has gone is what some tests are about."""


@contextmanager
def serving(folder: Path = Path(__file__)) -> Iterator[Loopback]:
    """Run a server on a free port."""
    with _Server(("127.0.0.1", 0), Handler) as server:
        site = server.site = Loopback(folder)
        site.url = f"http://127.0.0.1:{server.server_port}/"
        thread = Thread(target=server.serve_forever, args=[0.01], daemon=True)
        thread.start()
        try:
            yield site
        finally:
            server.shutdown()


def reply(status: int, body: bytes = b"", **headers: str) -> Reply:
    """Return a reply."""
    return lambda handler: handler.send(status, body, **headers)


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
            time.sleep(0.02)

    return send


def indexnow(handler: Handler) -> None:
    """Reply as the documentation of IndexNow says, with a look at the key's file."""
    handler.send(_judge(handler))


def _judge(handler: Handler) -> int:
    try:
        content = json.loads(handler.body)
        host, key, urls = content["host"], content["key"], content["urlList"]
    except (ValueError, KeyError, TypeError):
        return 400
    is_json = handler.headers.get("Content-Type", "").startswith("application/json")
    if not is_json or not 0 < len(urls) <= 10_000:
        return 400
    location = content.get("keyLocation", f"http://{host}/{key}.txt")
    is_key = re.fullmatch(r"[A-Za-z0-9-]{8,128}", key) and urlsplit(location).netloc == host
    if not is_key or not all(url.startswith(location.rpartition("/")[0] + "/") for url in urls):
        return 422
    try:
        with urllib.request.urlopen(location, timeout=10) as answer:
            return 200 if answer.read().decode().strip() == key else 403
    except HTTPError:
        return 403

"""A real Chromium, and a server on the loopback for it to read from."""

import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from chromium import ARGUMENTS, PROGRAM


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start Chromium with a new profile."""
    if PROGRAM is None:
        pytest.skip("there is no Chromium; on Debian: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def new_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Return a function that opens a window; what it prints to its console fails the test."""
    contexts = []
    said: list[str] = []

    def open_page(url: str = "about:blank", **options: object) -> Page:
        context = browser.new_context(**{"viewport": {"width": 1200, "height": 800}, **options})  # type: ignore[arg-type] # passed on
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(url)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert said == []


class _Handler(SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        """Answer; browsers ask every site for an icon, which here has no use."""
        if self.path == "/favicon.ico":
            self.send_response(204)
            self.end_headers()
        else:
            super().do_GET()

    def log_message(self, *_: object) -> None:
        """Say nothing of requests."""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    """Serve the test's folder; return the URL, which ends in a slash."""
    handler = partial(_Handler, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()
        thread.join()

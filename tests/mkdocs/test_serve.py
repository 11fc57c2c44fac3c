"""``mkdocs serve`` builds many times in one process."""

import os
import re
import signal
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest

from files import BIN
from mkdocs_sites import Builder

PATIENCE = 60
"""Seconds after which a server that does not answer counts as broken."""


@pytest.mark.slow
def test_rebuilds_neither_grow_nor_repeat(build_site: Builder, tmp_path: Path) -> None:
    root = build_site({"index.md": "# Home", "a.md": "# A"}).root
    log = tmp_path / "serve.log"
    with log.open("wb") as stream:
        server = subprocess.Popen(
            [BIN / "mkdocs", "serve", "-f", root / "mkdocs.yml", "-a", f"127.0.0.1:{_free_port()}"],
            stdout=stream,
            stderr=subprocess.STDOUT,
            cwd=root,
            env={**os.environ, "NO_COLOR": "1", "PYTHONUNBUFFERED": "1"},
        )
        try:
            address = _wait(log, r"Serving on (http://\S+)")[-1]
            for number in range(1, 4):
                (root / "docs" / f"new{number}.md").write_text("# New")
                _wait(log, rf"sitemap: {2 + number} URLs in")
            with urllib.request.urlopen(address + "sitemap.xml", timeout=PATIENCE) as answer:
                locs = re.findall(r"<loc>(.*?)</loc>", answer.read().decode())
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(PATIENCE)

    names = ["", "a/", "new1/", "new2/", "new3/"]
    assert [loc.rsplit(":", 1)[1].partition("/")[2] for loc in locs] == names
    assert "WARNING" not in log.read_text()


def _wait(log: Path, pattern: str) -> list[str]:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := re.findall(pattern, log.read_text()):
            return found
        time.sleep(0.05)
    pytest.fail(f"{pattern!r} did not appear in:\n{log.read_text()}")


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])

"""A built site with a key, the server that it is on, and an IndexNow server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from commands.place import Announce, Place
from loopback import indexnow, serving
from sitemap_plugin.commands.cli import main


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Reach the servers directly, and find no configuration in the current folder."""
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    new = tmp_path / "new"
    with serving(new) as site, serving() as engine:
        place = Place(tmp_path, tmp_path / "old", new, site, engine)
        engine.add("/indexnow", indexnow)
        place.build(place.old, {"": "2024-01-01", "same/": "2024-01-01", "gone/": "2024-01-01"})
        place.build(place.new, {"": "2024-02-02", "same/": "2024-01-01", "more/": "2024-02-02"})
        yield place


@pytest.fixture
def announce(place: Place) -> Announce:
    """Return a function that runs the command against the servers and returns its status."""

    def run(*arguments: str | Path, between: bool = True) -> int:
        targets = [place.old, place.new] if between else []
        flags = ["--endpoint", f"{place.engine.url}indexnow"]
        policy = ["--timeout", "5", "--max-wait", "0"]
        return main(["indexnow", *map(str, [*targets, *flags, *policy, *arguments])])

    return run

"""What was announced is remembered for ten minutes, come what may."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from indexnow.place import Announce, Place
from sitemap_plugin.commands.indexnow.record import PAUSE, Record, default_path
from sitemap_plugin.errors import SitemapError

NOW = 1_749_513_600.0
URL, OTHER = "https://example.org/", "https://example.org/ä"


class Times:
    """A record whose time is set, and what it has told."""

    def __init__(self, path: Path) -> None:
        self.time = NOW
        self.told: list[str] = []
        self.record = Record(path, lambda: self.time, self.told.append)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "indexnow.json"


@pytest.fixture
def times(path: Path) -> Times:
    return Times(path)


def test_what_was_announced_is_remembered_for_ten_minutes(times: Times) -> None:
    assert times.record.open() == {}
    times.record.add([URL])
    times.time += PAUSE - 1
    times.record.add([OTHER])

    assert set(times.record.recent()) == {URL, OTHER}
    times.time += 1
    assert set(times.record.recent()) == {OTHER}


def test_what_is_forgotten_is_not_kept_in_the_file(times: Times, path: Path) -> None:
    times.record.add([URL])
    times.time += PAUSE
    times.record.add([OTHER])

    assert list(json.loads(path.read_text())["announced"]) == [OTHER]


def test_two_runs_at_a_time_do_not_forget_each_others_urls(path: Path) -> None:
    one, other = Times(path), Times(path)
    one.record.open()
    other.record.open()
    one.record.add([URL])
    other.record.add([OTHER])

    assert set(one.record.recent()) == {URL, OTHER}


def test_times_in_the_future_are_not_believed(times: Times) -> None:
    times.record.add([URL])
    times.time -= 3600

    assert times.record.recent() == {}


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"\0" * 4096,
        b'{"version": 1, "announced": {\n "https://exa',
        b'{"version": 1, "announced": {"https://example.org/": "now"}}',
        b'{"version": 1, "announced": {"https://example.org/": true}}',
        b'{"version": 1, "announced": []}',
        b'{"version": 9, "announced": {}}',
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b"[]",
    ],
)
def test_a_damaged_record_is_begun_anew(times: Times, path: Path, damage: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(damage)

    assert times.record.open() == {}
    assert "damaged" in times.told[0]
    times.record.add([URL])
    assert set(times.record.recent()) == {URL}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("mkdocs.yml", "site_name: Mine"),
        ("notes.txt", "to do"),
        ("package.json", '{"name": "mine"}'),
        ("list.json", "[1, 2]"),
        ("broken.json", '{"name": "mine", // a comment'),
    ],
)
def test_a_file_of_somebody_elses_is_not_replaced(tmp_path: Path, name: str, content: str) -> None:
    path = tmp_path / name
    path.write_text(content)

    with pytest.raises(SitemapError, match="no record; name another file"):
        Times(path).record.open()
    assert path.read_text() == content


def test_a_record_that_cannot_be_written_is_told_before_anything_is_sent(
    place: Place, announce: Announce, capsys: pytest.CaptureFixture[str]
) -> None:
    (place.root / "file").touch()

    nowhere = ["/proc/sent.json"] if sys.platform == "linux" else []
    for name in ("file/sent.json", *nowhere):
        assert announce("--record", place.root / name) == 2
        told = capsys.readouterr().err
        assert "sent.json: cannot be " in told
        assert told.endswith("; name another file with --record\n")
    assert place.engine.asked == []


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other folders")
def test_the_record_lies_in_the_cache_folder_of_the_user(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("SITEMAP_PLUGIN_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    assert default_path() == tmp_path / "sitemap-plugin" / "indexnow.json"

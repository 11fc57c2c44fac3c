"""What Windows and macOS do differently, simulated where the system cannot be had."""

import os
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from files import run_program, write_files
from git_repositories import Repo
from sitemap_plugin.common.files import relative_path, write_whole
from sitemap_plugin.dates.git import date_files
from sitemap_plugin.errors import WriteError


class _InUseError(PermissionError):
    """What Windows raises where somebody has the file open."""

    winerror = 32


@pytest.mark.parametrize(("refusals", "is_written"), [(2, True), (99, False)])
def test_a_file_that_somebody_reads_is_replaced_a_little_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refusals: int, is_written: bool
) -> None:
    path = tmp_path / "sitemap.xml"
    path.write_text("old")
    left = [True] * refusals
    replace = Path.replace

    def refuse(self: Path, target: Path) -> Path:
        if left:
            left.pop()
            raise _InUseError(13, "Permission denied")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", refuse)
    monkeypatch.setattr("time.sleep", lambda _: None)
    if is_written:
        assert write_whole(path, b"new")
    else:
        with pytest.raises(WriteError, match=r"close the program that has it open"):
            write_whole(path, b"new")

    assert path.read_text() == ("new" if is_written else "old")
    assert [found.name for found in tmp_path.iterdir()] == ["sitemap.xml"]


def test_a_path_on_another_drive_is_named_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> str:
        raise ValueError("path is on mount 'D:', start on mount 'C:'")

    assert relative_path("/site/docs/a.md", "/site") == "docs/a.md"
    monkeypatch.setattr(os.path, "relpath", refuse)
    assert relative_path("/site/docs/a.md", "/site") == "/site/docs/a.md"


def test_a_name_that_the_disk_decomposes_is_dated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Repo.make(tmp_path, "1 d\u00e9j\u00e0.md=a")
    file = os.path.realpath(tmp_path / unicodedata.normalize("NFD", "d\u00e9j\u00e0.md"))

    assert date_files([file], minor_changes=False)[0] == {}
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr("sitemap_plugin.dates.git.remembered", {})
    [change] = date_files([file], minor_changes=False)[0].values()
    assert change
    assert change.added


def test_a_console_with_few_letters_shows_the_others_as_escapes(tmp_path: Path) -> None:
    (tmp_path / "\u65e5.xml").write_text("no sitemap")
    command = [sys.executable, "-m", "sitemap_plugin.commands.cli", "check", "\u65e5.xml"]
    around = {**os.environ, "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"}
    run = subprocess.run(command, cwd=tmp_path, env=around, capture_output=True, check=False)

    assert run.returncode == 1
    assert b"\\u65e5.xml" in run.stdout
    assert run.stderr == b""


def test_a_byte_order_mark_is_no_part_of_what_is_read(tmp_path: Path) -> None:
    files = {
        "sitemap.toml": 'base_url = "https://example.org/"\nsource = "src"\n'
        'extra_urls = [{file = "urls.txt"}]\nlastmod = ["modified"]\n',
        "urls.txt": "extra\n",
        "src/a.md": "---\nlastmod: 2024-05-06\n---\n",
        "site/a.html": "<!doctype html><title>A</title>",
        "site/robots.txt": "User-agent: *\r\n",
        "site/_redirects": "/b.html /a.html 301!\n",
        "site/b.html": "<!doctype html><title>B</title>",
    }
    write_files(tmp_path, {name: f"\ufeff{content}" for name, content in files.items()})
    command = [sys.executable, "-m", "sitemap_plugin.commands.cli", "build", "site"]
    assert "warning" not in run_program(*command, cwd=tmp_path)
    text = (tmp_path / "site/sitemap.xml").read_text()

    assert text.count("<loc>") == 2
    assert "<loc>https://example.org/a.html</loc>\n    <lastmod>2024-05-06</lastmod>" in text
    line = "Sitemap: https://example.org/sitemap.xml"
    robots = (tmp_path / "site/robots.txt").read_bytes()
    assert robots == f"\ufeffUser-agent: *\r\n{line}\r\n".encode()

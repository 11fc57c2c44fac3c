"""Files are opened without waiting, with a limit, and not outside; they are written whole."""

import errno
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest

from interruptions import interrupted_at
from sitemap_plugin.common.files import (
    UnfitFileError,
    read_file,
    read_head,
    read_start,
    reported,
    write_whole,
)
from sitemap_plugin.errors import WriteError
from sitemap_plugin.write.sitemap import Destination, write_index
from sites import BASE, build_pages, page

posix = pytest.mark.skipif(sys.platform == "win32", reason="pipes, devices and links are POSIX's")


def test_a_file_is_read_up_to_its_limit(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"12345")

    assert read_file(path, limit=5) == b"12345"
    assert read_start(path, 3) == b"123"
    with pytest.raises(UnfitFileError, match="it has more than 4 bytes"):
        read_file(path, limit=4)
    with pytest.raises(FileNotFoundError):
        read_file(tmp_path / "nowhere", limit=4)


@posix
@pytest.mark.parametrize("read", [lambda p: read_file(p, limit=9), lambda p: read_start(p, 9)])
def test_what_is_no_regular_file_is_refused_without_waiting(
    tmp_path: Path, read: Callable[[Path], bytes]
) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "device").symlink_to("/dev/zero")

    for path in (tmp_path / "pipe", tmp_path / "device", tmp_path, Path("/dev/null")):
        with pytest.raises(UnfitFileError, match="it is not a regular file"):
            read(path)
    with pytest.raises(OSError, match="null character"):
        read(tmp_path / "a\0b")


@posix
def test_links_are_followed_within_the_given_folders_only(tmp_path: Path) -> None:
    site, secret = tmp_path / "site", tmp_path / "secret"
    site.mkdir()
    secret.write_bytes(b"secret")
    (site / "page").write_bytes(b"page")
    (site / "inside").symlink_to("page")
    (site / "outside").symlink_to(secret)

    assert read_file(site / "inside", limit=9, within=[site]) == b"page"
    for path in (site / "outside", site / ".." / "secret"):
        with pytest.raises(UnfitFileError, match="leads out of the site"):
            read_file(path, limit=9, within=[site])
    assert read_file(site / "outside", limit=9, within=[site, tmp_path]) == b"secret"


def test_writing_says_whether_something_changed(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "file"

    assert write_whole(path, b"12")
    assert not write_whole(path, b"12")
    assert write_whole(path, b"13")
    assert write_whole(path, b"13\n")
    assert path.read_bytes() == b"13\n"
    assert list(path.parent.iterdir()) == [path]


def test_writing_removes_what_killed_runs_left_and_nothing_like_it(tmp_path: Path) -> None:
    for name in (".file.0123abcd.tmp", ".file.xyz.tmp", ".files.0123abcd.tmp", "file.tmp"):
        (tmp_path / name).write_bytes(b"")
    write_whole(tmp_path / "file", b"1")

    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"file", ".file.xyz.tmp", ".files.0123abcd.tmp", "file.tmp"}


@posix
@pytest.mark.parametrize("name", ["pipe", "folder", "a\0b", "\ud800x" * 200])
def test_what_cannot_be_written_is_an_error_that_helps(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    with pytest.raises(WriteError, match="cannot be written: "):
        write_whole(tmp_path / name, b"1")

    assert {path.name for path in tmp_path.iterdir()} == {"pipe", "folder"}


@posix
def test_a_link_is_replaced_and_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(b"mine")
    (tmp_path / "link").symlink_to("target")
    write_whole(tmp_path / "link", b"mine")

    assert not (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == b"mine"


def test_the_cure_fits_the_reason() -> None:
    fault = "sitemap.xml: cannot be written: No space left on device; free some space on this disk"
    with pytest.raises(WriteError, match=fault), reported(Path("sitemap.xml")):
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_head_that_is_no_gzip_is_empty(tmp_path: Path) -> None:
    (tmp_path / "x.gz").write_bytes(b"<urlset>")
    assert read_head(tmp_path / "x.gz") == b""


@posix
@pytest.mark.parametrize("name", ["robots.txt", "report.json", "sitemap.xml", "sitemap.txt"])
def test_a_build_never_waits_for_a_pipe(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    options = {"report": "report.json", "text": True}
    with pytest.raises(WriteError, match=f"{name}: .*it is not a regular file"):
        build_pages(tmp_path, [page("a/")], options, config_dir=tmp_path)


@posix
def test_a_key_file_that_is_a_pipe_is_a_warning(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "0123456789.txt")
    report = build_pages(tmp_path, [page("a/")], {"indexnow_key": "0123456789"})

    assert [problem.severity for problem in report.problems] == ["warning"]
    assert "is there already and holds something else" in report.problems[0].message


def test_an_interruption_at_any_call_leaves_no_file_open(tmp_path: Path) -> None:
    """What is thrown away while it is open is a warning of Python, and so an error here."""
    for step in count(1):
        with suppress(KeyboardInterrupt), interrupted_at(step):
            write_index(Destination(tmp_path, BASE), [(f"{BASE}a.xml", None)], [])
            break
    assert step > 100

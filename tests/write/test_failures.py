"""What cannot be written is an error that helps, and leaves the folder as it was."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sitemap_plugin.common.files import explain, write_whole
from sitemap_plugin.errors import WriteError
from sitemap_plugin.models import Entry
from write.folders import entries, published, state, write

posix = pytest.mark.skipif(sys.platform == "win32", reason="limits and users are POSIX's")

BUILD = """
import resource, sys
from pathlib import Path
from sitemap_plugin.errors import WriteError
from write.folders import entries, write
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
try:
    write(Path(sys.argv[1]), entries(3000, 1), max_urls=1000)
except WriteError as error:
    print(error)
    sys.exit(3)
"""


def build_with_limit(folder: Path, limit: int) -> tuple[int, str]:
    """Build in a process of its own that may not write files larger than ``limit``."""
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", BUILD, str(folder), str(limit)],
        env={"PYTHONPATH": os.pathsep.join((str(root), str(root / "tests"))), "PATH": os.defpath},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


@posix
@pytest.mark.parametrize("limit", [1, 100, 1000, 50_000, 70_000])
def test_a_full_disk_leaves_the_old_files_and_no_other(tmp_path: Path, limit: int) -> None:
    write(tmp_path, entries(3000), max_urls=1000)
    before = state(tmp_path)

    status, message = build_with_limit(tmp_path, limit)

    assert status == 3
    assert str(tmp_path / "sitemap.xml") in message
    assert "File too large" in message
    assert "ulimit" in message
    assert state(tmp_path) == before
    assert list(tmp_path.glob(".*")) == []


@posix
def test_a_full_file_system_is_told_as_such() -> None:
    """The system has a device that is always full; a folder on such a disk looks the same."""
    with pytest.raises(OSError, match="No space left") as caught:
        Path("/dev/full").write_bytes(b"x")

    message = str(explain(caught.value, Path("site/sitemap.xml")))
    assert message.startswith("site/sitemap.xml: cannot be written: No space left on device; free")


@posix
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs another user")
def test_a_folder_of_somebody_elses_is_told_as_such(tmp_path: Path) -> None:
    write(tmp_path, entries(3))
    before = state(tmp_path)
    tmp_path.chmod(0o755)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        message = b""
        try:
            os.chdir(tmp_path)
            os.setuid(65534)
            write(Path(), entries(4))
        except WriteError as error:
            message = str(error).encode()
        finally:
            os.write(writer, message)
            os._exit(0)
    os.waitpid(child, 0)
    told = os.read(reader, 1000).decode()
    os.close(reader)
    os.close(writer)

    assert told.startswith("sitemap.xml: cannot be written: Permission denied; give the user who")
    assert state(tmp_path) == before


@pytest.mark.parametrize(
    "name", ["sitemap.xml", "sitemap.xml.gz", "sitemap-2.xml", "sitemap-3.xml.gz"]
)
def test_a_folder_in_the_place_of_a_file_is_an_error(tmp_path: Path, name: str) -> None:
    write(tmp_path, entries(3), max_urls=2, gzip=False)
    (tmp_path / name).unlink(missing_ok=True)
    (tmp_path / name).mkdir()
    before = state(tmp_path)

    with pytest.raises(WriteError, match=f"{name}: cannot be written.*remove or rename"):
        write(tmp_path, entries(7, 1), max_urls=2)

    assert state(tmp_path) == before
    assert list(tmp_path.glob(".*")) == []


def test_a_file_in_the_place_of_the_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "site").write_text("mine")

    for folder in (tmp_path / "site", tmp_path / "site" / "docs"):
        with pytest.raises(WriteError, match=r"sitemap\.xml: cannot be written"):
            write(folder, entries(1))

    assert (tmp_path / "site").read_text() == "mine"


def test_a_name_too_long_is_an_error_with_its_cure(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match="choose a shorter filename"):
        write(tmp_path, entries(1), filename=f"{'x' * 300}.xml")


def test_an_error_in_what_provides_the_entries_comes_through(tmp_path: Path) -> None:
    """It is not ours, so it is not explained as one of writing."""

    def stream() -> Iterator[Entry]:
        yield from entries(2000)
        raise FileNotFoundError(errno.ENOENT, "no such page")

    write(tmp_path, entries(3))
    before = state(tmp_path)

    with pytest.raises(FileNotFoundError, match="no such page"):
        write(tmp_path, stream())

    assert state(tmp_path) == before
    assert list(tmp_path.glob(".*")) == []


def test_entries_out_of_order_are_an_error_of_the_caller(tmp_path: Path) -> None:
    for listed in (entries(2)[::-1], [*entries(600, 100), *entries(1)]):
        with pytest.raises(ValueError, match="not sorted by loc"):
            write(tmp_path, listed)

    assert state(tmp_path) == {}


@pytest.mark.parametrize(
    "options", [{"max_urls": 0}, {"max_urls": 50_001}, {"max_bytes": 0}, {"max_bytes": 52_428_801}]
)
def test_limits_beyond_the_protocols_are_an_error_of_the_caller(
    tmp_path: Path, options: dict[str, int]
) -> None:
    with pytest.raises(ValueError, match="max_"):
        write(tmp_path, entries(1), **options)


class TestBuildsAtTheSameTime:
    def test_in_threads_leave_one_of_them_whole(self, tmp_path: Path) -> None:
        builds: list[Callable[[], object]] = [
            lambda: write(tmp_path, entries(7), max_urls=3),
            lambda: write(tmp_path, entries(9, 20), max_urls=2),
            lambda: write(tmp_path, entries(3, 40)),
        ]
        faults: list[BaseException] = []

        def repeat(build: Callable[[], object]) -> None:
            try:
                for _ in range(15):
                    build()
            except BaseException as error:  # noqa: BLE001 - shown below
                faults.append(error)

        threads = [threading.Thread(target=repeat, args=(build,)) for build in builds]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert faults == []
        site = published(tmp_path)
        whole = [[entry.loc for entry in listed] for listed in (entries(7), entries(9, 20))]
        assert site.locs in [*whole, [entry.loc for entry in entries(3, 40)]]
        assert {name.removesuffix(".gz") for name in state(tmp_path)} == site.names()
        assert list(tmp_path.glob(".*")) == []

    @posix
    def test_in_processes_leave_one_of_them_whole(self, tmp_path: Path) -> None:
        root = Path(__file__).parents[2]
        script = (
            "import sys; from pathlib import Path; from write.folders import entries, write\n"
            "for _ in range(15): write(Path(sys.argv[1]), entries(9, int(sys.argv[2])), max_urls=2)"
        )
        environment = {"PYTHONPATH": os.pathsep.join((str(root), str(root / "tests")))}
        running = [
            subprocess.Popen(
                [sys.executable, "-c", script, str(tmp_path), str(start)], env=environment
            )
            for start in (0, 100)
        ]

        assert [process.wait() for process in running] == [0, 0]
        site = published(tmp_path)
        assert site.locs in [[entry.loc for entry in entries(9, start)] for start in (0, 100)]
        assert {name.removesuffix(".gz") for name in state(tmp_path)} == site.names()
        assert list(tmp_path.glob(".*")) == []


class TestWriteWhole:
    def test_tells_whether_the_bytes_changed(self, tmp_path: Path) -> None:
        path = tmp_path / "robots.txt"

        assert write_whole(path, b"a")
        os.utime(path, (1, 1))
        before = state(tmp_path)
        assert not write_whole(path, b"a")
        assert state(tmp_path) == before
        assert write_whole(path, b"b")
        assert path.read_bytes() == b"b"
        assert [file.name for file in tmp_path.iterdir()] == ["robots.txt"]

    def test_keeps_the_mode(self, tmp_path: Path) -> None:
        path = tmp_path / "robots.txt"
        path.write_bytes(b"a")
        path.chmod(0o604)

        write_whole(path, b"b")

        assert path.stat().st_mode & 0o777 == 0o604

    def test_makes_the_folder(self, tmp_path: Path) -> None:
        assert write_whole(tmp_path / "a" / "robots.txt", b"")

    def test_replaces_a_symbolic_link_and_not_what_it_points_to(self, tmp_path: Path) -> None:
        (tmp_path / "source").write_bytes(b"mine")
        for target in ("source", "nowhere"):
            path = tmp_path / "robots.txt"
            path.unlink(missing_ok=True)
            path.symlink_to(tmp_path / target)
            assert write_whole(path, b"b")
            assert path.read_bytes() == b"b"

        assert (tmp_path / "source").read_bytes() == b"mine"
        assert not (tmp_path / "nowhere").exists()

    def test_leaves_the_old_file_when_it_fails(self, tmp_path: Path) -> None:
        path = tmp_path / "robots.txt"
        (path / "folder").mkdir(parents=True)

        with pytest.raises(WriteError, match=r"robots\.txt: cannot be written: Is not a file"):
            write_whole(path, b"")
        with pytest.raises(WriteError, match="cannot be written"):
            write_whole(Path("/proc/robots.txt"), b"")

        assert [file.name for file in tmp_path.iterdir()] == ["robots.txt"]

    @posix
    def test_does_not_wait_for_a_pipe(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "robots.txt")

        with pytest.raises(WriteError, match="Is not a file"):
            write_whole(tmp_path / "robots.txt", b"")

    def test_removes_what_a_killed_run_left_and_nothing_like_it(self, tmp_path: Path) -> None:
        others = [".robots.txt.mine.tmp", ".robots.txt.0123456.tmp", ".sitemap.xml.01234567.tmp"]
        for name in (".robots.txt.01234567.tmp", *others):
            (tmp_path / name).mkdir()
            (tmp_path / name / "robots.txt").write_bytes(b"half")

        write_whole(tmp_path / "robots.txt", b"whole")

        assert {file.name for file in tmp_path.iterdir()} == {"robots.txt", *others}

    def test_tells_of_a_name_that_is_too_long(self, tmp_path: Path) -> None:
        with pytest.raises(WriteError, match="choose a shorter filename"):
            write_whole(tmp_path / ("x" * 300), b"")

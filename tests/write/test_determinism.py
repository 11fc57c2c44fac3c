"""The output is a function of the input, whatever runs the build."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from write.folders import entries, published, state, write

BUILD = """
import sys, datetime as dt
from pathlib import Path
from zoneinfo import ZoneInfo
from sitemap_plugin.models import Alternate, Entry, Image
from write.folders import write_sitemap
BASE = "https://example.org/"
start = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
zones = [dt.UTC, dt.timezone(dt.timedelta(hours=-7)), dt.timezone(dt.timedelta(minutes=345))]
def entries():
    for n in range(3000):
        moment = (start + dt.timedelta(hours=n)).astimezone(zones[n // 5 % 3])
        yield Entry(
            f"{BASE}{n:05}/?a=1&b='{n}'",
            [None, moment, moment.date()][n % 3],
            [None, "daily"][n % 2],
            [None, n / 3000, 1e-7, 1][n % 4],
            tuple(Alternate(code, f"{BASE}{code}/{n}") for code in ("de", "en")[: n % 3]),
            tuple(Image(f"{BASE}{i}.png") for i in range(n % 7 // 5)),
        )
written = write_sitemap(
    {"b": list(entries())[::2], None: list(entries())[1::2]},
    folder=Path(sys.argv[1]), base_url=BASE, max_urls=700, stylesheet="sitemap.css",
)
assert not written.problems
"""


def digests(folder: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.glob("*.xml"))
    }


def build(interpreter: str, folder: Path, **environment: str) -> dict[str, str]:
    """Build in another process, with the packages that this one has."""
    packages = [path for path in sys.path if path.endswith("site-packages")]
    path = os.pathsep.join((str(Path(__file__).parents[2]), *packages))
    done = subprocess.run(
        [interpreter, "-c", BUILD, str(folder)],
        env={"PYTHONPATH": path, "PATH": os.defpath, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return digests(folder)


def test_two_runs_write_the_same_bytes(tmp_path: Path) -> None:
    """With different hash seeds and time zones, and in the gzipped twins too."""
    first = build(sys.executable, tmp_path / "1", PYTHONHASHSEED="1", TZ="Asia/Tokyo")
    second = build(sys.executable, tmp_path / "2", PYTHONHASHSEED="2", TZ="America/Lima")

    assert first == second
    assert len(first) == 1 + 3 + 3
    contents = [
        {name: data for name, (data, _) in state(tmp_path / run).items()} for run in ("1", "2")
    ]
    assert contents[0] == contents[1]


def other_interpreters() -> list[str]:
    """Find other versions of Python that this package supports."""
    found = [shutil.which(f"python3.{minor}") for minor in range(11, 20)]
    found += map(str, Path.home().glob(".pyenv/versions/3.1[1-9]*/bin/python"))
    ours = f"3.{sys.version_info.minor}"
    return sorted({path for path in found if path and f"{ours}." not in path and works(path)})


def works(interpreter: str) -> bool:
    return subprocess.run([interpreter, "-c", ""], check=False, capture_output=True).returncode == 0


def test_other_versions_of_python_write_the_same_bytes(tmp_path: Path) -> None:
    interpreters = other_interpreters()
    if not interpreters:
        pytest.skip("there is no other version of Python here")
    ours = build(sys.executable, tmp_path / "ours")

    for number, interpreter in enumerate(interpreters):
        assert build(interpreter, tmp_path / str(number)) == ours


class TestCompressors:
    @pytest.mark.parametrize("module", ["zlib", "isal.isal_zlib"])
    def test_write_the_same_content(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str
    ) -> None:
        chosen = pytest.importorskip(module, reason="the extra 'fast' is not installed")
        monkeypatch.setattr(twins, "isal_zlib", None if chosen is zlib else chosen)

        write(tmp_path, entries(3000), max_urls=1000)

        assert published(tmp_path).locs == [entry.loc for entry in entries(3000)]
        assert len(list(tmp_path.glob("*.gz"))) == 4
        assert (tmp_path / "sitemap-1.xml.gz").stat().st_size < 30_000
        assert (tmp_path / "sitemap-1.xml.gz").read_bytes()[4:8] == bytes(4)

    def test_may_change_from_build_to_build(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Only the twins are written again."""
        pytest.importorskip("isal", reason="the extra 'fast' is not installed")
        write(tmp_path, entries(3000))
        before = state(tmp_path)
        monkeypatch.setattr(twins, "isal_zlib", None)

        assert write(tmp_path, entries(3000)).changed == []

        after = state(tmp_path)
        assert after["sitemap.xml"] == before["sitemap.xml"]
        assert after["sitemap.xml.gz"] != before["sitemap.xml.gz"]

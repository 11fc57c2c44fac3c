"""What Windows and macOS do differently, simulated where the system cannot be had."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemap_plugin.common.files import write_whole
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

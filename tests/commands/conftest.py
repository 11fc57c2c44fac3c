"""No proxy and no configuration for the commands."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Reach the servers directly, and find no configuration in the current folder."""
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)

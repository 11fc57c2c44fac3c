"""What all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# A busy machine is no fault of the code, and a run that lets a change in looks at the same examples
# each time; people who work on the code look at new ones.
settings.register_profile("people", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "people")


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the dates that tests find out of the cache of whoever runs them."""
    folder: Path = tmp_path_factory.getbasetemp() / "cache"
    monkeypatch.setenv("SITEMAP_PLUGIN_CACHE_DIR", str(folder))

"""Repositories in temporary folders, apart from the user's configuration."""

import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from git_repositories import Repo


@pytest.fixture(autouse=True, scope="session")
def _isolated(tmp_path_factory: pytest.TempPathFactory) -> Iterable[None]:
    """Keep the user's configuration and hooks out of the tests."""
    home = tmp_path_factory.mktemp("home")
    configuration = home / ".gitconfig"
    configuration.write_text(
        "[init]\ntemplateDir =\n"
        '[protocol "file"]\nallow = always\n[uploadpack]\nallowFilter = true\n'
        "[gc]\nauto = 0\n[maintenance]\nauto = false\n[commit]\ngpgSign = false\n"
    )
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("GIT_")]:
            patch.delenv(name)
        patch.setenv("HOME", str(home))
        patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
        patch.setenv("GIT_CONFIG_GLOBAL", str(configuration))
        yield


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """Return an empty repository."""
    return Repo.make(tmp_path / "repo")

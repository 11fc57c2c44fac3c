"""Repositories in temporary folders, apart from the user's configuration."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from git_repositories import Repo


@pytest.fixture(autouse=True, scope="session")
def _isolated(tmp_path_factory: pytest.TempPathFactory) -> Iterable[None]:
    """Keep the user's configuration and hooks out of the tests."""
    home = tmp_path_factory.mktemp("home")
    configuration = home / ".gitconfig"
    configuration.write_text(
        "[user]\nname = A\nemail = a@example.org\n[init]\ndefaultBranch = main\ntemplateDir =\n"
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
def make_repo(tmp_path: Path) -> Callable[..., Repo]:
    """Return a function that makes a repository of a name, with a script for ``Repo.play``."""

    def make(name: str, script: str = "") -> Repo:
        repo = Repo(tmp_path / name)
        repo.path.mkdir(parents=True)
        repo.git("init", "--quiet")
        if script:
            repo.play(script)
        return repo

    return make


@pytest.fixture
def repo(make_repo: Callable[..., Repo]) -> Repo:
    """Return an empty repository."""
    return make_repo("repo")

"""Where Pelican is, and how it finds the plugin.

Pelican and current MkDocs themes cannot share an environment, so the program is looked up in
``SITEMAP_PLUGIN_PELICAN`` and then in ``.venv-pelican``. The plugin need not be installed there.
"""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pelican_sites import PELICAN, ROOT, Server, Site


@pytest.fixture(scope="session")
def pelican_program() -> Path:
    """The program ``pelican``."""
    if not PELICAN.exists():
        pytest.skip(f"there is no Pelican at {PELICAN}")
    return PELICAN


@pytest.fixture(scope="session")
def pelican_environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Environment variables with which Pelican finds the plugin in its own namespace."""
    namespace = tmp_path_factory.mktemp("namespace")
    package = namespace / "pelican" / "plugins" / "sitemap_plugin"
    package.mkdir(parents=True)
    source = ROOT / "adapters" / "sitemap_plugin_pelican" / "namespace.py"
    shutil.copy(source, package / "__init__.py")
    kept = {k: v for k, v in os.environ.items() if k not in {"TZ", "PYTHONPATH", "LC_ALL"}}
    path = os.pathsep.join(map(str, (namespace, ROOT, ROOT / "adapters")))
    # Wide enough that no message is broken into lines.
    return {**kept, "PYTHONPATH": path, "COLUMNS": "2000", "PYTHONDONTWRITEBYTECODE": "1"}


@pytest.fixture(scope="session")
def pelican_server(
    pelican_program: Path, pelican_environment: dict[str, str]
) -> Iterator[Server | None]:
    """One process that builds the sites of all tests; none where there is no fork."""
    if not hasattr(os, "fork"):
        yield None
        return
    with subprocess.Popen(
        [pelican_program.parent / "python", Path(__file__).parent / "pelican_server.py"],
        env=pelican_environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        yield process
        assert process.stdin
        process.stdin.close()


@pytest.fixture
def site(
    tmp_path: Path,
    pelican_program: Path,
    pelican_environment: dict[str, str],
    pelican_server: Server | None,
) -> Site:
    """An empty site."""
    return Site(tmp_path, pelican_program, pelican_environment, server=pelican_server)


@pytest.fixture
def has_plugin(pelican_program: Path) -> Callable[[str], None]:
    """Skip a test where Pelican's environment lacks a plugin."""

    def check(name: str) -> None:
        folders = pelican_program.parents[1].glob(
            f"lib/python*/site-packages/pelican/plugins/{name}"
        )
        if not any(folders):
            pytest.skip(f"the plugin {name} is not installed beside Pelican")

    return check

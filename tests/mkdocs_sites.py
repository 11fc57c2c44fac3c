"""Build real MkDocs and ProperDocs sites in temporary folders."""

import os
import subprocess
from collections.abc import Callable, Mapping
from contextlib import chdir
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import pytest
from click.testing import CliRunner
from mkdocs.__main__ import cli

from files import BIN
from sitemaps import Url, read_sitemap

COMMANDS = ["mkdocs", pytest.param("properdocs", marks=pytest.mark.slow)]
QUIET = {"NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true"}


class Built(NamedTuple):
    """A finished build: its folders, its log and its exit status."""

    root: Path
    site: Path
    log: str
    status: int

    @property
    def urls(self) -> dict[str, Url]:
        """The sitemap's entries by their path below the base URL."""
        entries = read_sitemap(self.site / "sitemap.xml")
        return {url.loc.removeprefix("https://example.org/"): url for url in entries}

    @property
    def links(self) -> dict[str, dict[str, str]]:
        """The links of each entry of a build that succeeded, code to path, by the entry's path."""
        assert self.status == 0, self.log
        return {
            path: {code: href.removeprefix("https://example.org/") for code, href in url.alternates}
            for path, url in self.urls.items()
        }


Builder = Callable[..., Built]


def run_build(
    root: Path,
    *arguments: str,
    command: str = "mkdocs",
    environment: Mapping[str, str] | None = None,
) -> Built:
    """Build a folder in this process, or in one of its own where that makes a difference."""
    needs_process = any(name.startswith("PYTHON") for name in environment or {})
    if command != "mkdocs" or needs_process:
        return run_command(root, *arguments, command=command, environment=environment)
    variables = {"COLUMNS": "1000", **QUIET, **(environment or {})}
    with chdir(root), mock.patch.dict(os.environ, variables):
        ran = CliRunner().invoke(cli, ["build", *arguments], catch_exceptions=False)
    return Built(root, root / "site", ran.output, ran.exit_code)


def run_command(
    root: Path,
    *arguments: str,
    command: str = "mkdocs",
    environment: Mapping[str, str] | None = None,
) -> Built:
    """Run ``mkdocs build`` or ``properdocs build`` in a folder."""
    env = {"PATH": f"{BIN}:/usr/bin:/bin", "HOME": str(root), "LANG": "C.UTF-8", **QUIET}
    env |= {name: value for name, value in os.environ.items() if name == "PYTHONPATH"}
    env |= {"XDG_CACHE_HOME": str(root / ".cache"), **(environment or {})}
    given: list[str | Path] = [BIN / command, "build", "-f", root / "mkdocs.yml", *arguments]
    result = subprocess.run(given, check=False, capture_output=True, text=True, cwd=root, env=env)
    log = result.stdout + result.stderr
    assert "Traceback" not in log, log
    return Built(root, root / "site", log, result.returncode)

"""Build real MkDocs and ProperDocs sites in temporary folders."""

import io
import logging
import os
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, chdir, contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import click
import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config

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
    with ExitStack() as stack:
        stack.enter_context(chdir(root))
        stack.enter_context(mock.patch.dict(os.environ, {**QUIET, **(environment or {})}))
        log = stack.enter_context(_log_lines())
        status = _build_here(root, log, arguments)
    return Built(root, root / "site", log.getvalue(), status)


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


def _build_here(root: Path, log: io.StringIO, arguments: tuple[str, ...]) -> int:
    """Do what ``mkdocs build`` does; return its exit status."""
    dirty = "--dirty" in arguments
    options: dict[str, Any] = {"strict": True} if "--strict" in arguments else {}
    try:
        config = load_config(str(root / "mkdocs.yml"), **options)
        config.plugins.on_startup(command="build", dirty=dirty)
        try:
            build(config, dirty=dirty)
        finally:
            config.plugins.on_shutdown()
    except click.ClickException as error:
        log.write(f"Error: {error.format_message()}\n")
        return 1
    except SystemExit:
        return 1
    return 0


@contextmanager
def _log_lines() -> Iterator[io.StringIO]:
    """Catch what the command would print."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logging.Formatter("%(levelname)-8s-  %(message)s"))
    logger = logging.getLogger("mkdocs")
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        with redirect_stdout(stream), redirect_stderr(stream):
            yield stream
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)

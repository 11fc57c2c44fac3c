"""What is imported is declared, so that it is there where the package is installed alone."""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
ADAPTERS = {path.name for path in (ROOT / "adapters").iterdir() if path.is_dir()}
EXTRAS = {
    "sitemap_plugin_mkdocs": {"mkdocs", "jinja2"},  # MkDocs depends on Jinja.
    "sitemap_plugin_pelican": {"pelican", "blinker"},  # Pelican depends on blinker.
    "sitemap_plugin_sphinx": {"sphinx", "docutils"},  # Sphinx depends on docutils.
}
"""What a package imports only where an extra, or the host that it serves, is installed."""


MODULES = {"pyyaml": "yaml"}
"""Modules that have another name than their distribution."""


def declared() -> dict[str, str]:
    """Return the names of the dependencies, with those of their modules."""
    names = [text.partition(">")[0] for text in PROJECT["dependencies"]]
    return {name: MODULES.get(name, name) for name in names}


def imported(package: Path) -> Iterator[tuple[str, str]]:
    """Yield the modules that are imported anywhere in a package, and the files that do."""
    for path in sorted(package.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            for name in names:
                yield name.partition(".")[0], path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("package", ["sitemap_plugin", *sorted(ADAPTERS)])
def test_what_is_imported_is_declared(package: str) -> None:
    folder = ROOT / package if package == "sitemap_plugin" else ROOT / "adapters" / package
    known = {*sys.stdlib_module_names, "sitemap_plugin", *ADAPTERS, *declared().values()}
    known |= EXTRAS.get(package, set())

    assert {name: path for name, path in imported(folder) if name not in known} == {}


def test_every_dependency_is_needed_and_has_its_reason() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    folders = (ROOT / "sitemap_plugin", ROOT / "adapters")
    used = {name for folder in folders for name, _ in imported(folder)}

    assert set(declared().values()) <= used
    assert [name for name in declared() if f"\n| {name} | " not in text] == []

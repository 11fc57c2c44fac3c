"""The recipes build what they say, and a check of the built site finds nothing."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from mkdocs.utils.yaml import yaml_load

from files import BIN, run_program, write_files
from markdown_text import ROOT, fences, sections
from mkdocs_sites import Built, run_build

TEXT = (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")
HERE = {"docs/index.md": "# Home\n", "docs/reference/a.md": "# A\n", "src/a.py": "A = 1\n"}


def _build(root: Path, settings: Mapping[str, Any], files: Mapping[str, str]) -> Built:
    write_files(root, {**HERE, **files, "mkdocs.yml": yaml.safe_dump(settings)})
    return run_build(root, "--strict")


def _sites() -> Iterator[Any]:
    """Yield each whole mkdocs.yml with the files of its section."""
    for heading, text in sections(TEXT, 2).items():
        found = fences(text)
        files = {fence.title: fence.text for fence in found if fence.title.startswith("docs/")}
        for fence in found:
            if fence.title == "mkdocs.yml":
                yield pytest.param(yaml_load(fence.text), files, id=heading)


@pytest.mark.slow
@pytest.mark.parametrize(("settings", "files"), list(_sites()))
def test_a_recipe_builds_a_sitemap_that_passes_the_check(
    settings: dict[str, Any], files: dict[str, str], tmp_path: Path
) -> None:
    built = _build(tmp_path, settings, files)
    arguments = ("check", str(built.site), "--fail-on", "warning")

    assert built.status == 0, built.log
    assert built.urls
    assert run_program(BIN / "sitemap-plugin", *arguments, cwd=tmp_path)


COMMANDS = sorted(set(re.findall(r"sitemap-plugin check \w+ [^\n&\"`]+", TEXT)))


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_of_a_recipe_runs(command: str, tmp_path: Path) -> None:
    program, subcommand, folder, *arguments = command.split()
    site = {"site_name": "A", "site_url": "https://example.org/", "plugins": ["search", "sitemap"]}
    _build(tmp_path, site, {})
    (tmp_path / "site").rename(tmp_path / folder)

    assert run_program(BIN / program, subcommand, folder, *arguments, cwd=tmp_path)

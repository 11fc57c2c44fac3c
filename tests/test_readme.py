"""The README says what is true, on one screen, and what it tells to type works."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import fields
from pathlib import Path

import pytest

from markdown_text import ROOT, code, fences, sections, table
from mkdocs_sites import run_build
from sitemap_plugin.config import Config

TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
PARTS = sections(TEXT, 2)
PELICAN = ROOT / ".venv-pelican" / "bin" / "pelican"
needs_pelican = pytest.mark.skipif(not PELICAN.exists(), reason=f"there is no Pelican at {PELICAN}")


def _run_pelican(folder: Path, *arguments: str) -> str:
    result = subprocess.run(
        [PELICAN, *arguments],
        cwd=folder,
        env={"PATH": os.defpath, "HOME": str(folder), "COLUMNS": "500"},
        check=True,
        capture_output=True,
        text=True,
    )
    return result.stdout + result.stderr


def _commands(text: str) -> list[str]:
    lines = [line for fence in fences(text, "console") for line in fence.text.splitlines()]
    return [line.removeprefix("$ ") for line in lines]


def test_the_readme_is_short() -> None:
    assert len(TEXT.splitlines()) < 150


def test_every_option_is_in_the_readme() -> None:
    rows = table(PARTS["Options at a glance"], first="option")
    named = [name for row in rows for name in code(row[0])]

    assert sorted(named) == sorted(field.name for field in fields(Config))


@needs_pelican
def test_the_excerpt_is_what_the_sample_site_gets(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "sample_sites" / "pelican", tmp_path / "site")
    _run_pelican(tmp_path / "site", "content", "-o", "../output")
    (excerpt,) = fences(TEXT, "xml")

    assert excerpt.text in (tmp_path / "output" / "sitemap.xml").read_text(encoding="utf-8")


def test_the_configuration_for_mkdocs_builds_a_sitemap(tmp_path: Path) -> None:
    part = PARTS["MkDocs and ProperDocs"]
    (fence,) = fences(part, "yaml")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# Home")
    (tmp_path / fence.title).write_text(fence.text)
    assert _commands(part) == ['pip install ".[mkdocs]"', "mkdocs build"]
    built = run_build(tmp_path, "--strict")

    assert built.status == 0, built.log
    assert list(built.urls) == ["https://docs.example.org/"]


@needs_pelican
def test_the_configuration_for_pelican_builds_a_sitemap(tmp_path: Path) -> None:
    part = PARTS["Pelican"]
    (fence,) = fences(part, "python")
    (tmp_path / "content").mkdir()
    (tmp_path / "content" / "a.md").write_text("Title: A\nDate: 2025-01-01\n\nText.\n")
    (tmp_path / fence.title).write_text(fence.text)
    *_, build = _commands(part)
    program, *arguments = build.split()
    log = _run_pelican(tmp_path, *arguments)

    assert program == "pelican"
    assert "URLs in output/sitemap.xml" in log
    assert "https://blog.example.org/a.html" in (tmp_path / "output/sitemap.xml").read_text()


def test_the_commands_of_make_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"^(\w+):", makefile, re.MULTILINE)
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    commands = [*_commands(TEXT), *_commands(contributing), *code(TEXT), *code(contributing)]
    wanted = {
        words[1]
        for command in commands
        if (words := command.split())[0:1] == ["make"] and words[1:]
    }

    assert {"demo", "test", "docs"} <= wanted - {"#"} <= set(targets)


def test_what_is_installed_by_the_readme_is_an_extra_of_the_package() -> None:
    pyproject = (ROOT / "pyproject.toml").read_text(encoding="utf-8")

    for extra in re.findall(r'pip install "\.\[(\w+)\]"', TEXT):
        assert re.search(rf"^{extra} = \[", pyproject, re.MULTILINE)

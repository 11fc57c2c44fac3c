"""The README says what is true, on one screen, and what it tells to type works."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from dataclasses import fields
from pathlib import Path

import pytest

from markdown_text import ROOT, code, fences, sections, table
from mkdocs_sites import BIN, run_build
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


def _column(heading: str) -> str:
    """Return what the README says of one generator, in its column of the table."""
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", PARTS["Use it"], re.DOTALL)
    headings, texts = (re.findall(r"<t([hd])>(.*?)</t\1>", row, re.DOTALL) for row in rows)
    columns = {name: text for (_, name), (_, text) in zip(headings, texts, strict=True)}
    return str(columns[heading])


def test_the_configuration_for_mkdocs_builds_a_sitemap(tmp_path: Path) -> None:
    part = _column("MkDocs and ProperDocs")
    (fence,) = fences(part, "yaml")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# Home")
    (tmp_path / fence.title).write_text(fence.text)
    assert _commands(part)[-1] == "mkdocs build"
    built = run_build(tmp_path, "--strict")

    assert built.status == 0, built.log
    assert list(built.urls) == ["https://docs.example.org/"]


@needs_pelican
def test_the_configuration_for_pelican_builds_a_sitemap(tmp_path: Path) -> None:
    part = _column("Pelican")
    (fence,) = fences(part, "python")
    (tmp_path / "content").mkdir()
    (tmp_path / "content" / "a.md").write_text("Title: A\nDate: 2025-01-01\n\nText.\n")
    # A site's own publishconf.py begins with the settings of pelicanconf.py.
    (tmp_path / fence.title).write_text("PLUGINS = []\n" + fence.text)
    program, *arguments = _commands(part)[-1].split()
    log = _run_pelican(tmp_path, *arguments)

    assert program == "pelican"
    assert "URLs in output/sitemap.xml" in log
    assert "https://blog.example.org/a.html" in (tmp_path / "output/sitemap.xml").read_text()


def _run(command: str, *arguments: str, cwd: Path) -> str:
    program, *given = shlex.split(command)
    # What runs the tests may be make itself, and would hand its flags on.
    around = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    result = subprocess.run(
        [program, *given, *arguments],
        cwd=cwd,
        env={**around, "PATH": f"{BIN}:{os.environ['PATH']}"},
        check=False,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout + result.stderr


@pytest.mark.parametrize("extra", ["mkdocs", "pelican"])
def test_pip_installs_the_extra_that_is_named(extra: str) -> None:
    """Run pip without its network: what it would install besides is not looked for."""
    offline = ("--dry-run", "--no-index", "--no-deps", "--no-build-isolation")
    log = _run(f'pip install ".[{extra}]"', *offline, cwd=ROOT)

    assert "Would install sitemap-plugin" in log
    assert "does not provide the extra" not in log


def test_a_folder_of_html_gets_a_sitemap(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("<!doctype html><title>Home</title>")
    (command,) = _commands(PARTS["Any other folder of HTML"])
    log = _run(command, cwd=tmp_path)

    assert "1 URL in site/sitemap.xml" in log


MAKE = ("-o", ".venv/.ready", "-o", ".venv-pelican/.ready")
"""The environments are as they are: the tests run in one of them."""


@needs_pelican
def test_make_demo_shows_the_sitemap_of_each_sample_site() -> None:
    log = _run("make demo", *MAKE, cwd=ROOT)

    for site in (path.name for path in (ROOT / "sample_sites").iterdir() if path.is_dir()):
        assert f"== sample_sites/{site}\n" in log
    assert log.count("URLs in ") == log.count("<urlset") == log.count("== sample_sites/")


@pytest.mark.parametrize(
    ("target", "programs"),
    [("test", ["ruff", "ruff", "mypy", "python"]), ("docs", ["mkdocs", "sitemap-plugin"])],
)
def test_make_would_run_programs_that_are_there(target: str, programs: list[str]) -> None:
    """Ask make what it would run: ``make test`` is what runs this, and the other has its own."""
    lines = _run(f"make {target}", "--dry-run", *MAKE, cwd=ROOT).splitlines()
    run = [Path(line.split()[0]) for line in lines if line.startswith(".venv/bin/")]

    assert [path.name for path in run] == programs
    assert all((ROOT / path).exists() for path in run)


FOLDER = "sitemap-plugin build site --base-url https://example.org/"
TESTED = {
    'pip install ".[mkdocs]"': test_pip_installs_the_extra_that_is_named,
    'pip install ".[pelican]"': test_pip_installs_the_extra_that_is_named,
    "mkdocs build": test_the_configuration_for_mkdocs_builds_a_sitemap,
    "pelican content -s publishconf.py": test_the_configuration_for_pelican_builds_a_sitemap,
    FOLDER: test_a_folder_of_html_gets_a_sitemap,
    "make demo": test_make_demo_shows_the_sitemap_of_each_sample_site,
    "make test": test_make_would_run_programs_that_are_there,
}


def test_each_command_has_a_test() -> None:
    assert sorted(_commands(TEXT)) == sorted(TESTED)


def test_the_picture_is_there_is_small_and_says_what_it_shows() -> None:
    ((alternative, target),) = re.findall(r"!\[(.*?)\]\((.*?)\)", TEXT)
    data = (ROOT / target).read_bytes()

    assert data.startswith(b"\x89PNG\r\n")
    assert len(data) < 60_000
    assert len(alternative.split()) > 5


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

"""The README says what is true, on one screen, and what it tells to type works."""

import os
import re
import shlex
import shutil
from pathlib import Path

import pytest

from files import BIN, run_program
from markdown_text import ROOT, code, fences, sections
from mkdocs_sites import run_build
from pelican_sites import needs_pelican, run_pelican

TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PARTS = sections(TEXT, 2)
MOST_LINES = 90


def _commands(text: str) -> list[str]:
    lines = [line for fence in fences(text, "console") for line in fence.text.splitlines()]
    return [re.sub(r"\s+# .*", "", line.removeprefix("$ ")) for line in lines]


def _column(heading: str) -> str:
    """Return what the README says of one generator, in its column of the table."""
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", PARTS["Use it"], re.DOTALL)
    headings, texts = (re.findall(r"<t([hd])>(.*?)</t\1>", row, re.DOTALL) for row in rows)
    columns = {name: text for (_, name), (_, text) in zip(headings, texts, strict=True)}
    return str(columns[heading])


def test_the_readme_is_short() -> None:
    assert len(TEXT.splitlines()) <= MOST_LINES


@needs_pelican
def test_the_excerpt_is_what_the_sample_site_gets_without_its_hints(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "sample_sites" / "pelican", tmp_path / "site")
    run_pelican(tmp_path / "site", "content", "-o", "../output")
    (excerpt,) = fences(TEXT, "xml")
    written = (tmp_path / "output" / "sitemap.xml").read_text(encoding="utf-8")

    assert excerpt.text in re.sub(r" *<(changefreq|priority)>.*\n", "", written)


def test_the_configuration_for_mkdocs_builds_a_sitemap(tmp_path: Path) -> None:
    part = _column("MkDocs and ProperDocs")
    (fence,) = fences(part, "yaml")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# Home")
    (tmp_path / fence.title).write_text(fence.text)
    built = run_build(tmp_path, "--strict")

    assert built.status == 0, built.log
    assert list(built.urls) == ["https://docs.example.org/"]


@needs_pelican
def test_the_configuration_for_pelican_builds_a_sitemap(tmp_path: Path) -> None:
    part = _column("Pelican")
    (fence,) = fences(part, "python")
    (tmp_path / "content").mkdir()
    (tmp_path / "content" / "a.md").write_text("Title: A\nDate: 2025-01-01\n\nText.\n")
    (tmp_path / fence.title).write_text(f"PLUGINS = []\n{fence.text}")
    program, *arguments = _commands(part)[-1].split()
    log = run_pelican(tmp_path, *arguments)

    assert program == "pelican"
    assert "URLs in output/sitemap.xml" in log
    assert "https://blog.example.org/a.html" in (tmp_path / "output/sitemap.xml").read_text()


def _run(command: str, *arguments: str, cwd: Path) -> str:
    program, *given = shlex.split(command)
    # What runs the tests may be make itself, and would hand its flags on.
    around = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    env = {**around, "PATH": os.pathsep.join([str(BIN), os.environ["PATH"]])}
    return run_program(program, *given, *arguments, cwd=cwd, env=env)


def test_a_folder_of_html_gets_a_sitemap(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("<!doctype html><title>Home</title>")
    (command,) = re.findall(r"`(sitemap-plugin build [^`]+)`", TEXT)
    log = _run(command, cwd=tmp_path)

    assert "1 URL in site/sitemap.xml" in log


MAKE = ("-o", ".venv/.ready", "-o", ".venv-pelican/.ready")
"""The environments are as they are: the tests run in one of them."""


@pytest.mark.slow
@needs_pelican
def test_make_demo_shows_the_sitemap_of_each_sample_site() -> None:
    log = _run("make demo", *MAKE, cwd=ROOT)

    for site in (path.name for path in (ROOT / "sample_sites").iterdir() if path.is_dir()):
        assert f"== sample_sites/{site}\n" in log
    assert log.count("URLs in ") == log.count("<urlset") == log.count("== sample_sites/")


@pytest.mark.parametrize("text", [TEXT, CONTRIBUTING], ids=["README", "CONTRIBUTING"])
def test_each_command_is_one_that_there_is(text: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([\w-]+):", makefile, re.MULTILINE))
    extras = {'".[mkdocs]"', '".[pelican]"'}
    spoken = [name for line in text.splitlines() for name in code(line)]
    for command in [*_commands(text), *(name for name in spoken if name.startswith("make "))]:
        program, *words = command.split()
        assert (
            (program == "make" and set(words) <= targets)
            or (program == "pip" and words[0] == "install" and words[1] in extras)
            or command in {"mkdocs build", "pelican content -s publishconf.py"}
            or Path(program).name == "python"
        ), command

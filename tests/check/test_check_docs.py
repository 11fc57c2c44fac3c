"""The documentation has a section for each code, and its examples run."""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from check.example import BASE, entry, page, urlset, write
from markdown_text import ROOT, code, fences, sections, table
from sitemap_plugin.commands.check.command import add_arguments
from sitemap_plugin.commands.check.formats import FORMATS
from sitemap_plugin.commands.cli import main
from sitemap_plugin.commands.reading.faults import RULES

TEXT = (ROOT / "docs" / "check.md").read_text(encoding="utf-8")
CODES = sections(TEXT, 3)


def test_every_code_has_a_section() -> None:
    assert sorted(CODES) == sorted(RULES)


def test_sections_name_the_severities_of_codes() -> None:
    named = {name: text.strip().partition(".")[0].lower() for name, text in CODES.items()}

    assert named == {name: rule.severity for name, rule in RULES.items()}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return parser


def test_the_options_are_those_of_the_command() -> None:
    documented = [code(row[0])[0].split()[0] for row in table(TEXT, first="option")]
    offered = re.findall(r"^  (--[a-z-]+)", _parser().format_help(), re.MULTILINE)

    assert sorted(documented) == sorted(offered)


def test_the_forms_are_those_of_the_command() -> None:
    [row] = [row for row in table(TEXT, first="option") if "--format" in row[0]]

    assert list(code(row[1])) == list(FORMATS)


def _commands() -> Iterator[list[str]]:
    for fence in fences(TEXT):
        for line in fence.text.splitlines():
            _, found, arguments = line.partition("sitemap-plugin check ")
            if found:
                yield arguments.split()


def test_examples_of_the_command_are_accepted() -> None:
    commands = list(_commands())

    assert len(commands) == 2
    for arguments in commands:
        assert _parser().parse_args(arguments).target == "site"


def test_the_page_is_short_enough_to_be_read() -> None:
    assert len(TEXT.split()) <= 1900


def test_the_workflow_is_yaml() -> None:
    [steps] = (yaml.safe_load(fence.text) for fence in fences(TEXT, "yaml"))

    assert len(steps) == 2


def test_the_example_of_a_finding_is_what_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    [fence] = fences(TEXT, "console")
    pages = [f"{number}.html" for number in range(10)]
    files = {
        "site/sitemap.xml": urlset(*map(entry, ("", *pages[:3], "drafts/", *pages[3:]))),
        "site/robots.txt": f"Sitemap: {BASE}sitemap.xml\n",
        "site/index.html": page(),
        "site/drafts/index.html": page('<meta name="robots" content="noindex">'),
        **{f"site/{name}": page() for name in pages},
    }
    write(tmp_path, files)
    monkeypatch.chdir(tmp_path)

    assert main(["check", "site"]) == 1
    assert capsys.readouterr().out == fence.text.partition("\n")[2]

"""What the documentation says of the commands is what they do, and its examples run."""

import argparse
import json
import re
from pathlib import Path

import pytest
import yaml

from check.example import BASE, entry, link, page, urlset
from files import write_files
from markdown_text import ROOT, code, fences, items, sections, table
from sitemap_plugin.commands import diff, index, indexnow
from sitemap_plugin.commands.check import command as check
from sitemap_plugin.commands.check.formats import FORMATS
from sitemap_plugin.commands.cli import main
from sitemap_plugin.commands.reading.faults import RULES

MODULES = {"check": check, "diff": diff, "several-builds": index, "indexnow": indexnow}
TEXTS = {name: (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8") for name in MODULES}
CODES = sections(TEXTS["check"], 3)
OPTIONS = table(TEXTS["check"], first="option")
KEY = "0123456789abcdef"
Capture = pytest.CaptureFixture[str]


def parser(name: str) -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(add_help=False)
    MODULES[name].add_arguments(made)
    return made


@pytest.mark.parametrize("name", MODULES)
def test_every_flag_is_documented(name: str) -> None:
    flags = re.findall(r"^  (--[a-z-]+)", parser(name).format_help(), re.MULTILINE)
    text = sections(TEXTS[name], 2)["Options"]
    listed = [flag for names, _ in items(text) for flag in names]
    listed += [code(row[0])[0] for row in OPTIONS] if name == "check" else []

    assert sorted(flag.split(" ")[0] for flag in listed) == sorted(flags)


def shown(name: str) -> str:
    """Return what the first console shows after its command."""
    return fences(TEXTS[name], "console")[0].text.partition("\n")[2]


@pytest.fixture
def two_states(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folders ``old`` and ``site`` that the examples compare."""
    same = [entry(f"{number}/") for number in range(24)]
    old = [entry("guide/", "<lastmod>2025-03-01</lastmod>"), entry("old-news/")]
    more = ("<lastmod>2025-06-10</lastmod>", link("de", f"{BASE}de/guide/"))
    new = [entry("guide/", *more), entry("guide/upgrade/")]
    files = {"old/sitemap.xml": urlset(*same, *old), "site/sitemap.xml": urlset(*same, *new)}
    write_files(tmp_path, {**files, f"site/{KEY}.txt": KEY})
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("two_states")
def test_the_difference_that_is_shown_is_what_is_written(capsys: Capture) -> None:
    (example,) = fences(TEXTS["diff"], "json")

    assert main(["diff", "old", "site"]) == 0
    assert capsys.readouterr().out == shown("diff")
    assert main(["diff", "old", "site", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == {**json.loads(example.text), "old": "old"}


@pytest.mark.usefixtures("two_states")
def test_the_dry_run_that_is_shown_is_what_is_written(capsys: Capture) -> None:
    (example,) = fences(TEXTS["indexnow"], "json")

    assert main(["indexnow", "old", "site", "--dry-run"]) == 0
    assert capsys.readouterr().out == shown("indexnow")
    assert main(["indexnow", "old", "site", "--dry-run", "--format", "json"]) == 0
    assert list(json.loads(capsys.readouterr().out)) == list(json.loads(example.text))


def test_the_answers_of_servers_are_those_that_are_known() -> None:
    text = sections(TEXTS["indexnow"], 2)["What the server answers"]
    assert [int(name) for names, _ in items(text) for name in names] == sorted(indexnow.MEANINGS)


def test_every_code_has_a_section_that_names_its_severity() -> None:
    named = {name: text.strip().partition(".")[0].lower() for name, text in CODES.items()}
    assert named == {name: rule.severity for name, rule in RULES.items()}


def test_the_forms_of_findings_and_the_commands_in_examples_are_those_that_there_are() -> None:
    [row] = [row for row in OPTIONS if "--format" in row[0]]
    [steps] = (yaml.safe_load(fence.text) for fence in fences(TEXTS["check"], "yaml"))
    lines = [line for fence in fences(TEXTS["check"]) for line in fence.text.splitlines()]
    commands = [line.partition("sitemap-plugin check ")[2].split() for line in lines]

    assert list(code(row[1])) == list(FORMATS)
    assert len(steps) == len([*filter(None, commands)]) == 2
    for arguments in filter(None, commands):
        assert parser("check").parse_args(arguments).target == "site"


def test_the_example_of_a_finding_is_what_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    pages = [f"{number}.html" for number in range(10)]
    files = {
        "sitemap.xml": urlset(*map(entry, ("", *pages[:3], "drafts/", *pages[3:]))),
        "robots.txt": f"Sitemap: {BASE}sitemap.xml\n",
        "drafts/index.html": page('<meta name="robots" content="noindex">'),
        **dict.fromkeys(("index.html", *pages), page()),
    }
    write_files(tmp_path / "site", files)
    monkeypatch.chdir(tmp_path)

    assert main(["check", "site"]) == 1
    assert capsys.readouterr().out == shown("check")

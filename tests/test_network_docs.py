"""What the documentation says of ``diff``, ``index`` and ``indexnow`` is what they do."""

import argparse
import json
import re
from pathlib import Path

import pytest

from markdown_text import ROOT, code, fences, items, sections
from sitemap_plugin.commands import diff, index, indexnow
from sitemap_plugin.commands.cli import main

PAGES = {"diff": "diff.md", "index": "several-builds.md", "indexnow": "indexnow.md"}
MODULES = {"diff": diff, "index": index, "indexnow": indexnow}
TEXTS = {name: (ROOT / "docs" / page).read_text(encoding="utf-8") for name, page in PAGES.items()}
BASE = "https://example.org/"


@pytest.mark.parametrize("name", PAGES)
def test_every_flag_is_documented(name: str) -> None:
    parser = argparse.ArgumentParser(add_help=False)
    MODULES[name].add_arguments(parser)
    flags = re.findall(r"^  (--[a-z-]+)", parser.format_help(), re.MULTILINE)
    listed = [flag for flags, _ in items(sections(TEXTS[name], 2)["Options"]) for flag in flags]

    assert sorted(flag.split(" ")[0] for flag in listed) == sorted(flags)


def _site(folder: Path, entries: dict[str, str]) -> None:
    urls = "".join(f"<url><loc>{BASE}{path}</loc>{more}</url>" for path, more in entries.items())
    folder.mkdir()
    namespaces = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"'
    (folder / "sitemap.xml").write_text(f"<urlset {namespaces}>{urls}</urlset>", encoding="utf-8")


@pytest.fixture
def two_states(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folders ``old`` and ``site`` that the examples compare."""
    link = f'<xhtml:link rel="alternate" hreflang="de" href="{BASE}de/guide/"/>'
    same = {f"{number}/": "" for number in range(24)}
    old = {"guide/": "<lastmod>2025-03-01</lastmod>", "old-news/": ""}
    new = {"guide/": f"<lastmod>2025-06-10</lastmod>{link}", "guide/upgrade/": ""}
    _site(tmp_path / "old", {**same, **old})
    _site(tmp_path / "site", {**same, **new})
    key = "0123456789abcdef"
    (tmp_path / "site" / f"{key}.txt").write_text(key)
    monkeypatch.chdir(tmp_path)


def _shown(name: str) -> str:
    """Return what a console shows after its command."""
    return fences(TEXTS[name], "console")[0].text.partition("\n")[2]


@pytest.mark.usefixtures("two_states")
def test_the_difference_that_is_shown_is_what_is_written(
    capsys: pytest.CaptureFixture[str],
) -> None:
    (example,) = fences(TEXTS["diff"], "json")

    assert main(["diff", "old", "site"]) == 0
    assert capsys.readouterr().out == _shown("diff")
    assert main(["diff", "old", "site", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == {**json.loads(example.text), "old": "old"}


@pytest.mark.usefixtures("two_states")
def test_the_dry_run_that_is_shown_is_what_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = fences(TEXTS["indexnow"], "json")

    assert main(["indexnow", "old", "site", "--dry-run"]) == 0
    assert capsys.readouterr().out == _shown("indexnow")
    assert main(["indexnow", "old", "site", "--dry-run", "--format", "json"]) == 0
    assert list(json.loads(capsys.readouterr().out)) == list(json.loads(example.text))


def test_the_answers_of_servers_are_those_that_are_known() -> None:
    text = sections(TEXTS["indexnow"], 2)["What the server answers"]
    known = [name for names, _ in items(text) for name in names]

    assert [int(name) for name in known] == sorted(indexnow.MEANINGS)
    assert code(TEXTS["indexnow"]).count(indexnow.ENDPOINT) <= 1

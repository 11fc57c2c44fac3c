"""The examples of the documentation do what they say."""

import ast
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from mkdocs.utils.meta import get_data
from mkdocs.utils.yaml import yaml_load

from markdown_text import ROOT, Fence, code, fences, table
from sitemap_plugin import Page
from sitemap_plugin.config import parse_config
from sitemap_plugin.dates.parse import format_lastmod, parse_date
from sitemap_plugin.languages.codes import normalize
from sitemap_plugin.pages.patterns import Patterns
from sites import BASE, build_pages

PATHS = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
TEXTS = {path.name: path.read_text(encoding="utf-8") for path in PATHS}


def _settings(fence: Fence) -> dict[str, Any] | None:
    """Return the plugin's options in a block of configuration, None where it has none."""
    if fence.language == "yaml":
        content = yaml_load(fence.text)
        plugins = content.get("plugins", ()) if isinstance(content, dict) else ()
        given = [plugin for plugin in plugins if isinstance(plugin, dict) and "sitemap" in plugin]
        return next((dict(plugin["sitemap"]) for plugin in given), None)
    if fence.title == "sitemap.toml":
        return {k: v for k, v in tomllib.loads(fence.text).items() if k != "base_url"}
    for node in ast.parse(fence.text).body if fence.language == "python" else ():
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "SITEMAP":
            return dict(ast.literal_eval(node.value))
    return None


@pytest.mark.parametrize("name", TEXTS)
def test_examples_of_configuration_can_be_read(name: str) -> None:
    for fence in fences(TEXTS[name]):
        if fence.language == "yaml":
            assert isinstance(yaml_load(fence.text), dict | list)
        if fence.language == "toml":
            assert tomllib.loads(fence.text)


CONFIGURATIONS = [
    pytest.param(fence.language, settings, id=f"{name}-{number}")
    for name, text in TEXTS.items()
    for number, fence in enumerate(fences(text))
    if (settings := _settings(fence)) is not None
]


@pytest.mark.parametrize(("language", "settings"), CONFIGURATIONS)
def test_examples_of_options_are_accepted(language: str, settings: dict[str, Any]) -> None:
    generators = {"yaml": "mkdocs", "python": "pelican", "toml": "folder"}
    assert parse_config(settings, generator=generators[language])[1] == []


FRONT_MATTER = [
    pytest.param(fence, id=f"{name}-{fence.title}")
    for name, text in TEXTS.items()
    for fence in fences(text, "markdown")
    if fence.text.startswith("---\n")
]


@pytest.mark.parametrize("fence", FRONT_MATTER)
def test_examples_of_front_matter_are_accepted(fence: Fence, tmp_path: Path) -> None:
    source = fence.title.removeprefix("docs/")
    metadata = get_data(fence.text)[1]
    page = Page(f"{BASE}example/", source_path=source, metadata=metadata, title="Example")
    other = Page(f"{BASE}other/", source_path="de/ueber.md", metadata={"lang": "de"})
    pages = [page] if source == other.source_path else [page, other]
    for name in ("prices.png", "images/brewing.jpg", "videos/brewing.mp4"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    news = {"publication": "The Kettle Times", "language": "en"}
    report = build_pages(tmp_path, pages, {"news": news})

    assert metadata
    assert report.problems == []


@pytest.mark.parametrize("row", table(TEXTS["which-pages.md"], first="pattern"))
def test_examples_of_patterns_match_as_they_say(row: list[str]) -> None:
    pattern, source, url = (code(cell)[0] if cell else "" for cell in row[:3])
    assert bool(Patterns([pattern]).match(source, url)) is (row[3] == "yes")


@pytest.mark.parametrize("row", table(TEXTS["dates.md"], first="written in front matter"))
def test_examples_of_dates_become_what_they_say(row: list[str]) -> None:
    (written,), (expected,) = map(code, row)
    assert format_lastmod(parse_date(written)) == expected
    assert format_lastmod(parse_date(yaml.safe_load(written))) == expected


@pytest.mark.parametrize("row", table(TEXTS["languages.md"], first="name"))
def test_examples_of_language_names_become_what_they_say(row: list[str]) -> None:
    (name,), (expected,) = map(code, row)
    assert normalize(name).code == expected

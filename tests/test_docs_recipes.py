"""The recipes build what they say, and a check of the built site finds nothing."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from mkdocs.utils.yaml import yaml_load

from markdown_text import ROOT, Fence, fences, sections
from mkdocs_sites import BIN, Built, run_build
from sitemaps import read_sitemap

TEXTS = {
    path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "docs/recipes").glob("*.md")
}
PELICAN = ROOT / ".venv-pelican" / "bin" / "pelican"
needs_pelican = pytest.mark.skipif(not PELICAN.exists(), reason=f"there is no Pelican at {PELICAN}")


def _is_whole(fence: Fence) -> bool:
    return fence.title == "mkdocs.yml" and "site_url:" in fence.text


def _sites(name: str) -> Iterator[tuple[str, dict[str, Any], dict[str, str]]]:
    """Yield each mkdocs.yml of a recipe with the files that stand in the same section.

    One that shows only a part is completed by the last whole one before it, and by its files.
    """
    whole: dict[str, Any] = {}
    files: dict[str, str] = {}
    beginning = TEXTS[name].split("\n## ")[0]
    for heading, text in {"": beginning, **sections(TEXTS[name], 2)}.items():
        found = fences(text)
        if any(map(_is_whole, found)):
            files = {f.title: f.text for f in found if f.title.endswith((".md", ".py"))}
        for number, fence in enumerate(f for f in found if f.title == "mkdocs.yml"):
            settings = yaml_load(fence.text)
            whole = settings if _is_whole(fence) else whole
            yield f"{name}: {heading} {number}", {**whole, **settings}, files


SITES = [
    pytest.param(settings, files, id=at) for name in TEXTS for at, settings, files in _sites(name)
]


def _build(root: Path, settings: Mapping[str, Any], files: Mapping[str, str]) -> Built:
    for name, text in {"docs/index.md": "# Home\n", "docs/api/index.html": "", **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (root / "mkdocs.yml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    return run_build(root, "--strict")


def _check(site: Path, *flags: str) -> None:
    command = [str(BIN / "sitemap-plugin"), "check", str(site), "--fail-on", "warning", *flags]
    found = subprocess.run(command, check=False, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.parametrize(("settings", "files"), SITES)
def test_a_recipe_builds_a_sitemap_that_passes_the_check(
    settings: dict[str, Any], files: dict[str, str], tmp_path: Path
) -> None:
    built = _build(tmp_path, settings, files)

    assert built.status == 0, built.log
    assert built.urls
    # The recipe says so: one build of Material says one language on all pages.
    known = "alternate" in settings.get("extra", {})
    _check(built.site, *(["--ignore", "hreflang-language-differs"] if known else []))


def _built(name: str, heading: str, root: Path, number: int = 0) -> Built:
    sites = {at: (settings, files) for at, settings, files in _sites(name)}
    return _build(root, *sites[f"{name}: {heading} {number}"])


def test_pages_of_static_i18n_are_linked_and_the_copy_is_not_listed(tmp_path: Path) -> None:
    built = _built("several-languages", "mkdocs-static-i18n", tmp_path)

    assert sorted(built.urls) == [
        f"https://compass.example/{path}" for path in ("", "maps/", "pt_BR/")
    ]
    assert {code for code, _ in built.urls["https://compass.example/"].alternates} == {
        "en",
        "pt-BR",
        "x-default",
    }


def test_pages_of_the_languages_folders_are_linked(tmp_path: Path) -> None:
    built = _built("several-languages", "Folders, and Material's language switcher", tmp_path)

    assert dict(built.urls["https://compass.example/en/maps/"].alternates) == {
        "en": "https://compass.example/en/maps/",
        "fr": "https://compass.example/fr/maps/",
        "x-default": "https://compass.example/en/maps/",
    }


def test_a_page_names_its_translation_in_another_build(tmp_path: Path) -> None:
    built = _built("several-languages", "One build for each language", tmp_path)

    alternates = dict(built.urls["https://compass.example/en/maps/"].alternates)
    assert alternates["fr"] == "https://compass.example/fr/cartes/"


def test_the_notice_for_a_site_below_a_path_is_the_one_that_is_shown(tmp_path: Path) -> None:
    (at, settings, files), *_ = _sites("github-pages")
    built = _build(tmp_path, settings, files)
    (shown,) = fences(TEXTS["github-pages"], "text")

    assert at == "github-pages:  0"
    assert shown.text in built.log


def test_generated_pages_are_listed_and_remembered(tmp_path: Path) -> None:
    name, heading = "generated-pages", "mkdocs-gen-files and mkdocstrings"
    built = _built(name, heading, tmp_path, 1)
    pages = [f"https://kettle.example/reference/{page}/" for page in ("boil", "pour")]

    assert {*pages, "https://kettle.example/"} == set(built.urls)
    assert {built.urls[page].lastmod for page in pages} == {None}
    assert "reference" in (tmp_path / "sitemap-state.txt").read_text(encoding="utf-8")


def test_posts_of_a_blog_have_the_date_that_readers_see(tmp_path: Path) -> None:
    built = _built("blogs", "Material's blog", tmp_path, 1)

    dates = {
        url.removeprefix("https://teapot.example/"): item.lastmod
        for url, item in built.urls.items()
    }
    assert dates["blog/2025/05/06/first/"] == "2025-05-06"
    assert dates["blog/"] == dates["blog/2025/05/06/first/"]


@needs_pelican
@pytest.mark.parametrize("subsites", [False, True])
def test_texts_of_pelican_are_linked_with_and_without_subsites(
    tmp_path: Path, subsites: bool
) -> None:
    found = [f for f in fences(sections(TEXTS["several-languages"], 2)["Pelican"]) if f.title]
    plain, with_subsites = (f.text for f in found if f.title == "pelicanconf.py")
    files = {f.title: f.text for f in found if f.title.startswith("content/")}
    _run_pelican(tmp_path, {**files, "pelicanconf.py": plain + (with_subsites if subsites else "")})
    urls = {url.loc: dict(url.alternates) for url in read_sitemap(tmp_path / "output/sitemap.xml")}
    german = "de/tide.html" if subsites else "tide-de.html"

    assert urls["https://blog.example.org/tide.html"] == {
        "de": f"https://blog.example.org/{german}",
        "en": "https://blog.example.org/tide.html",
        "x-default": "https://blog.example.org/tide.html",
    }
    _check(tmp_path / "output")


@needs_pelican
@pytest.mark.parametrize(
    ("environment", "base"),
    [
        ({}, "https://ada.github.io/blog/"),
        ({"SITE_URL": "https://staging.example.org"}, "https://staging.example.org/"),
    ],
)
def test_pelican_takes_its_address_from_the_environment(
    tmp_path: Path, environment: dict[str, str], base: str
) -> None:
    (publish,) = (f.text for f in fences(TEXTS["github-pages"], "python"))
    files = {
        "content/a.md": "Title: A\nDate: 2025-01-01\n\nText.\n",
        "pelicanconf.py": "PLUGINS = ['sitemap_plugin']\nTIMEZONE = 'UTC'\n",
        "publishconf.py": publish,
    }
    _run_pelican(tmp_path, files, "-s", "publishconf.py", **environment)

    assert f"{base}a.html" in [url.loc for url in read_sitemap(tmp_path / "output/sitemap.xml")]


def _run_pelican(root: Path, files: Mapping[str, str], *arguments: str, **environment: str) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    given = {"PATH": os.defpath, "HOME": str(root), **environment}
    subprocess.run(
        [PELICAN, "content", *arguments], cwd=root, env=given, check=True, capture_output=True
    )


@pytest.mark.parametrize("value", [None, "https://staging.example.org/"])
def test_mkdocs_takes_its_address_from_the_environment(tmp_path: Path, value: str | None) -> None:
    heading = "An address from the environment"
    text = sections(TEXTS["github-pages"], 2)[heading]
    (fence,) = fences(text, "yaml")
    (command,) = fences(text, "console")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# Home")
    (tmp_path / "mkdocs.yml").write_text(fence.text)
    built = run_build(tmp_path, "--strict", environment={"SITE_URL": value} if value else {})

    assert command.text == "$ SITE_URL=https://staging.example.org/ mkdocs build\n"
    assert list(built.urls) == [value or "https://ada.github.io/kettle/"]


COMMANDS = sorted(
    set(
        re.findall(
            r"sitemap-plugin (?:build|check) [^\n&\"`]+",
            "\n".join(fence.text for text in TEXTS.values() for fence in fences(text)),
        )
    )
)


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_of_a_recipe_runs(command: str, tmp_path: Path) -> None:
    program, subcommand, folder, *arguments = command.split()
    _build(
        tmp_path,
        {"site_name": "A", "site_url": "https://example.org/", "plugins": ["search", "sitemap"]},
        {},
    )
    (tmp_path / "site").rename(tmp_path / folder)
    result = subprocess.run(
        [BIN / program, subcommand, folder, *arguments],
        cwd=tmp_path, check=False, capture_output=True, text=True,
    )  # fmt: skip

    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("name", TEXTS)
def test_what_is_shown_for_build_services_can_be_read(name: str) -> None:
    for fence in fences(TEXTS[name]):
        if fence.language == "yaml":
            assert isinstance(yaml_load(fence.text), dict)
        if fence.language == "toml":
            assert tomllib.loads(fence.text)

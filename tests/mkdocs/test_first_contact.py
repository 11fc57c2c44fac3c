"""What somebody reads who has just added the plugin to mkdocs.yml, rightly or not quite."""

from __future__ import annotations

from pathlib import Path

import pytest

from mkdocs_sites import COMMANDS, Built, run_build

NO_SEARCH = "sitemap: plugins: the list has no 'search'"


def build(root: Path, plugins: str, *arguments: str, command: str = "mkdocs") -> Built:
    (root / "docs").mkdir(exist_ok=True)
    (root / "docs" / "index.md").write_text("# Home")
    settings = f"site_name: Site\nsite_url: https://example.org/\n{plugins}\n"
    (root / "mkdocs.yml").write_text(settings)
    return run_build(root, *arguments, command=command)


@pytest.mark.parametrize("command", COMMANDS)
def test_one_line_writes_a_sitemap_and_says_so_in_one_line(tmp_path: Path, command: str) -> None:
    first = build(tmp_path, "plugins: [search, sitemap]", "--strict", command=command)
    second = run_build(tmp_path, command=command)

    for built in (first, second):
        assert built.status == 0, built.log
        # What to do next is only told on a terminal.
        assert [
            line for line in built.log.splitlines() if "sitemap: " in line or "skipped" in line
        ] == ["INFO    -  sitemap: 1 URL in site/sitemap.xml; robots.txt created"]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("plugins", ["[sitemap]", "{sitemap: {gzip: false}}"])
def test_a_list_that_has_dropped_search_is_noticed(
    tmp_path: Path, plugins: str, command: str
) -> None:
    built = build(tmp_path, f"plugins: {plugins}", "--strict", command=command)

    assert built.status == 0, built.log
    assert f"INFO    -  {NO_SEARCH}" in built.log
    assert "add '- search'" in built.log
    assert not (built.site / "search").exists()


@pytest.mark.parametrize(
    "config",
    [
        "plugins: [search, sitemap]",
        "plugins: [sitemap, literate-nav]",
        "theme: {name: material}\nplugins: [search, sitemap]",
        "theme: {name: null, custom_dir: theme}\nplugins: [sitemap]",
    ],
)
def test_who_has_search_or_does_without_is_not_told_of_it(tmp_path: Path, config: str) -> None:
    (tmp_path / "theme").mkdir()
    (tmp_path / "theme" / "main.html").write_text("{{ page.content }}")

    assert NO_SEARCH not in build(tmp_path, config).log


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("plugins", ["[search, sitemap-plugin]", "{sitemap_plugin: {gzip: true}}"])
def test_the_name_of_the_package_is_answered_with_the_name_of_the_plugin(
    tmp_path: Path, plugins: str, command: str
) -> None:
    built = build(tmp_path, f"plugins: {plugins}", command=command)

    assert built.status == 1
    assert "'plugins': the plugin of sitemap-plugin is called 'sitemap': write" in built.log
    assert not built.site.exists()


def test_a_plugin_that_is_listed_twice_writes_one_sitemap(tmp_path: Path) -> None:
    built = build(tmp_path, "plugins: [search, sitemap, sitemap: {filename: other.xml}]")

    assert built.status == 0
    assert "WARNING -  Config value 'plugins': Plugin 'sitemap' was specified multiple" in built.log
    assert built.log.count("1 URL in") == 1
    assert not (built.site / "other.xml").exists()

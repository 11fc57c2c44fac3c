"""In a project of Zensical or MkDocs, ``sitemap-plugin build`` needs no argument."""

import shutil
from pathlib import Path

import pytest

from files import Files, read_table, write_files
from sitemap_plugin.commands.cli import main
from sitemap_plugin.errors import SitemapError
from sitemap_plugin_folder.project import read_project
from sitemaps import read_sitemap

CASES = read_table(__file__, "projects.yaml")

ZENSICAL = """\
[project]
site_name = "Example"
site_url = "https://example.org/docs/"
[project.plugins.search]
[project.plugins.sitemap]
exclude = ["old.md"]
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(files: Files) -> None:
    write_files(Path(), files)


def test_our_own_file_comes_first(folder: Path) -> None:
    own = {"sitemap.toml": "gzip = false\n", "mkdocs.yml": "site_name: T\n"}
    write({**own, "zensical.toml": ZENSICAL})

    assert read_project(None, folder).settings.options == {"gzip": False}
    assert read_project(Path("zensical.toml"), folder).settings.options == {"exclude": ["old.md"]}


def test_folders_are_as_the_project_names_them(folder: Path) -> None:
    write({"mkdocs.yml": "site_dir: out\ndocs_dir: text\n", "text/a.md": ""})
    project = read_project(None, folder)

    assert project.output == folder / "out"
    assert project.settings.options == {"source": "text"}


@pytest.mark.parametrize(("text", "expected"), CASES["variables of the environment are read"])
def test_variables_of_the_environment_are_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch, text: str, expected: str | None
) -> None:
    monkeypatch.setenv("HERE", "https://here.example/")
    write({"mkdocs.yml": f"site_url: {text}\n"})
    assert read_project(None, folder).site_url == expected


@pytest.mark.parametrize(("name", "text", "message"), CASES["unreadable"])
def test_a_project_that_cannot_be_read_is_a_message(name: str, text: str, message: str) -> None:
    write({name: text})
    with pytest.raises(SitemapError, match=message):
        read_project(None, Path.cwd())


@pytest.mark.parametrize(("name", "text", "folders"), CASES["folders of snippets are known"])
def test_folders_of_snippets_are_known(
    folder: Path, name: str, text: str, folders: list[str]
) -> None:
    write({name: text})
    assert read_project(None, folder).snippets == tuple(folder / each for each in folders)


def test_the_sample_project_is_as_its_sources_say(monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(Path(__file__).parents[2] / "sample_sites/zensical", "sample")
    monkeypatch.chdir("sample")

    assert main(["build"]) == 0
    urls = read_sitemap(Path("site/sitemap.xml"))
    assert [(url.loc, url.lastmod, url.priority) for url in urls] == [
        ("https://clay.example/", "2024-03-01", None),
        ("https://clay.example/guide/glaze/", "2023-09-12", "0.7"),
    ]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("mkdocs.yml", "x: 2024-99-99"),
        ("mkdocs.yml", "x: " + "9" * 5000),
        ("mkdocs.yml", "x: !!int ''"),
        ("mkdocs.yml", "x: !!timestamp abc"),
        ("mkdocs.yml", "x: !!bool abc"),
        ("mkdocs.yml", "x: " + "[" * 20_000),
        ("zensical.toml", "x = " + "9" * 5000),
        ("zensical.toml", "x = " + "[" * 5000),
    ],
    ids=lambda text: text[:20],
)
def test_values_that_cannot_be_read_are_a_message(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text)
    with pytest.raises(SitemapError, match=f"{name}: not (YAML|TOML): "):
        read_project(None, folder)

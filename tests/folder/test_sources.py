"""With ``--source``, pages find the files that they were written in."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from sitemap_plugin.commands.settings_file import GivenOptions
from sitemap_plugin.report import Report
from sitemap_plugin_folder.build_command import build_folder
from sitemap_plugin_folder.project import Project
from sitemaps import Url, read_sitemap

BASE = "https://example.org/"
PAGE = "<!doctype html><html lang=en><head><title>T</title>{}</head><body>Text</body></html>"


def write(folder: Path, *names: str, head: str = "") -> None:
    for name in names:
        path = folder / "site" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(PAGE.format(head), encoding="utf-8")


def source(folder: Path, name: str, text: str = "") -> None:
    path = folder / "docs" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())


def commit(folder: Path, time: str) -> None:
    """Commit the sources of a site in a new repository."""
    who = {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org"}
    who |= {key.replace("AUTHOR", "COMMITTER"): value for key, value in who.items()}
    environment = os.environ | who | {"GIT_COMMITTER_DATE": time}
    for words in ("init -q", "add docs", "commit -qm Text"):
        subprocess.run(["git", *words.split()], cwd=folder, env=environment, check=True)


def build(folder: Path, **options: Any) -> tuple[dict[str, Url], Report]:
    settings = {"source": "docs", **options}
    project = Project(GivenOptions({}, folder))
    report = build_folder(folder / "site", BASE, settings, project)
    urls = read_sitemap(folder / "site/sitemap.xml") if report.files else []
    return {url.loc.removeprefix(BASE): url for url in urls}, report


@pytest.mark.parametrize(
    ("page", "file"),
    [
        ("guide/start/index.html", "guide/start.md"),
        ("guide/start/index.html", "guide/start/index.rst"),
        ("guide/start/index.html", "guide/start/_index.md"),
        ("guide/start/index.html", "guide/start/README.md"),
        ("guide/start.html", "guide/start.markdown"),
        ("guide/start.html", "guide/start/index.mdx"),
        ("guide/start.html", "guide/start/README.adoc"),
        ("guide/README.html", "guide/README.md"),
        ("index.html", "index.md"),
        ("index.html", "README.md"),
        ("index.html", "_index.md"),
        ("v1.2.html", "v1.2.txt"),
        ("notes.html", "notes.ipynb"),
        ("my-page/index.html", "My Page.md"),
        ("de/post/index.html", "post.de.md"),
        ("de/index.html", "index.de.md"),
        ("de/post/index.html", "de/post.md"),
        ("post/index.html", "en/post.md"),
        ("post/index.html", "post.en.md"),
    ],
)
def test_a_source_answers_to_the_path_of_its_page(tmp_path: Path, page: str, file: str) -> None:
    write(tmp_path, page, "index.html", "other/index.html")
    source(tmp_path, file, "---\nsitemap: false\n---\n" if not file.endswith("b") else "")
    source(tmp_path, "unrelated.md")
    _, report = build(tmp_path)

    found = {record["source"] for record in report.to_json()["pages"]}
    assert file in found


@pytest.mark.parametrize(
    "files", [("a.md", "a/index.md"), ("a.md", "a.rst"), ("a/README.md", "a/index.md")]
)
def test_of_two_candidates_none_is_taken_and_a_notice_names_them(
    tmp_path: Path, files: tuple[str, str]
) -> None:
    write(tmp_path, "a/index.html")
    for file in files:
        source(tmp_path, file, "---\nsitemap: false\n---\n")
    urls, report = build(tmp_path)

    assert list(urls) == ["a/"]
    (problem,) = [problem for problem in report.problems if problem.where == "--source"]
    assert problem.severity == "notice"
    first, second = sorted(files, key=lambda name: name.split("/"))
    assert problem.message == (
        f"a/index.html may come from {first} and {second}, so it has no source"
    )


def test_no_source_at_all_is_a_notice(tmp_path: Path) -> None:
    write(tmp_path, "a.html")
    source(tmp_path, ".hidden/a.md")
    source(tmp_path, "node_modules/a.md")

    assert "no page has its source in" in build(tmp_path)[1].problems[0].message


def test_a_readme_with_a_page_of_its_own_is_not_the_folders(tmp_path: Path) -> None:
    write(tmp_path, "index.html", "README.html")
    source(tmp_path, "index.rst", ":sitemap: false\n")
    source(tmp_path, "README.rst")
    urls, _ = build(tmp_path)

    assert list(urls) == ["README.html"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.md", "---\npriority: 0.7\nsitemap: {changefreq: daily}\n---\nText"),
        ("a.md", "\ufeff---\r\npriority: 0.7\r\nsitemap: {changefreq: daily}\r\n---\r\nText"),
        ("a.md", "+++\npriority = 0.7\n[sitemap]\nchangefreq = 'daily'\n+++\nText"),
        ("a.md", "Title: A\nPriority: 0.7\nChangefreq:\n   daily\n\nPriority: 0.1"),
        ("a.rst", ".. Note.\n\n=====\nTitle\n=====\n\n:Priority: 0.7\n:changefreq: daily\n\nText"),
        ("a.rst", ":priority: 0.7\n:changefreq:\n   daily\n\nTitle\n=====\n"),
        ("a.html", "---\npriority: 0.7\nchangefreq: daily\n---\n<p>Text"),
    ],
)
def test_front_matter_is_read_in_each_format(tmp_path: Path, name: str, text: str) -> None:
    write(tmp_path, "a.html")
    source(tmp_path, name, text)
    urls, report = build(tmp_path)

    assert (urls["a.html"].priority, urls["a.html"].changefreq) == ("0.7", "daily")
    assert report.warnings == 0


@pytest.mark.parametrize(
    "text",
    [
        "Text\n\n:priority: 0.7\n",
        "See: https://example.org/\nText without headers\npriority: 0.7",
        "---\n\nA thematic break, no front matter.\n\n---\n",
    ],
)
def test_text_is_no_front_matter(tmp_path: Path, text: str) -> None:
    write(tmp_path, "a.html", "b.html")
    source(tmp_path, "a.rst", text)
    source(tmp_path, "b.md", text)
    urls, report = build(tmp_path)

    assert [url.priority for url in urls.values()] == [None, None]
    assert report.warnings == 0


@pytest.mark.parametrize(
    ("text", "language"), [("---\ntitle: a: b\n---\n", "YAML"), ("+++\na = \n+++\n", "TOML")]
)
def test_front_matter_that_cannot_be_read_is_a_warning_with_the_file(
    tmp_path: Path, text: str, language: str
) -> None:
    write(tmp_path, "a.html")
    source(tmp_path, "a.md", text)
    urls, report = build(tmp_path)

    assert list(urls) == ["a.html"]
    (problem,) = [problem for problem in report.problems if problem.severity == "warning"]
    assert f"not read, since it is not {language}" in problem.message
    assert problem.where == "a.md"


def test_a_source_that_leads_out_of_the_project_is_not_read(tmp_path: Path) -> None:
    project = tmp_path / "project"
    write(project, "a.html")
    source(project, "b.md")
    (tmp_path / "secret.md").write_text("---\nsitemap: false\n---\n")
    (project / "docs/a.md").symlink_to(tmp_path / "secret.md")
    urls, report = build(project)

    assert list(urls) == ["a.html"]
    assert "leads out of the site" in str(report.problems)


def test_drafts_and_dates_are_those_of_the_sources(tmp_path: Path) -> None:
    """A date in the head is the source's, as the generator read it, or the day of the build."""
    head = '<meta property="article:modified_time" content="2026-01-01">'
    names = ("draft", "dated", "committed", "copy", "no-source")
    write(tmp_path, *(f"{name}.html" for name in names), head=head)
    source(tmp_path, "draft.md", "---\ndraft: true\n---\n")
    source(tmp_path, "dated.md", "---\nmodified: 2024-05-06\n---\n")
    source(tmp_path, "committed.md", "Text\n")
    source(tmp_path, "copy.html", PAGE)
    commit(tmp_path, "2023-02-03T04:05:06+00:00")
    urls, report = build(tmp_path)

    assert {path: str(url.lastmod)[:10] for path, url in urls.items()} == {
        "committed.html": "2023-02-03",
        "copy.html": "2026-01-01",
        "dated.html": "2024-05-06",
        "no-source.html": "2026-01-01",
    }
    assert report.reasons() == {"draft": 1}


def test_sources_that_lie_around_the_output_are_found_and_the_output_is_none(
    tmp_path: Path,
) -> None:
    write(tmp_path, "a.html")
    (tmp_path / "a.md").write_text("---\nsitemap: false\n---\n")
    write(tmp_path, "site/b.html")
    urls, _ = build(tmp_path, source=".")

    assert list(urls) == ["site/b.html"]

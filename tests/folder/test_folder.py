"""A folder of HTML: redirects, dates of sources, and files that are not what they seem."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from case_files import BASE, HTML
from files import write_files
from git_repositories import Repo
from sitemap_plugin.errors import SitemapError
from sitemap_plugin.report import Report
from sitemap_plugin_folder.build_command import build_folder
from sitemaps import Url, read_sitemap

REDIRECTED = dict.fromkeys(("index.html", "old/index.html", "old/sub.html", "new.html"), HTML)


def build(folder: Path, files: Mapping[str, str], **options: str) -> Report:
    write_files(folder, files)
    return build_folder(folder, f"{BASE}/", options)


def listed(folder: Path) -> dict[str, Url]:
    return {url.loc.removeprefix(f"{BASE}/"): url for url in read_sitemap(folder / "sitemap.xml")}


@pytest.mark.parametrize(
    ("rule", "left_out"),
    [
        ("/old/ /new/ 301!", {"old/index.html"}),
        ("/old https://other.example/ 302!", {"old/index.html"}),
        ("/old/index.html /new 308!  # moved", {"old/index.html"}),
        ("\ufeff/old/* /new/:splat 301!", {"old/index.html", "old/sub.html"}),
        ("/* https://other.example/:splat 301!", set(REDIRECTED)),
        ("/new https://other.example/new 301!", {"new.html"}),
        ("/new/ /new 301!", set()),
        ("/old/* /index.html 200!", set()),
        ("/old/ /new/ 302! Country=de", set()),
        ("/old/ id=:id /new/ 301!", set()),
        ("# /old/ /new/ 301!", set()),
        ("/old/ /fine/ 200\n/old/ /new/ 301!", {"old/index.html"}),
        ("/old/", set()),
        ("/" + "*l" * 20 + "x /new/ 301!", set()),
    ],
)
def test_a_rule_with_an_exclamation_mark_leaves_its_pages_out(
    tmp_path: Path, rule: str, left_out: set[str]
) -> None:
    report = build(tmp_path, {**REDIRECTED, "_redirects": rule})

    assert {page.source_path for page in report.left_out} == left_out
    assert {reason.split(" (")[0] for reason in report.left_out.values()} <= {"redirect"}
    assert not [problem for problem in report.problems if problem.where == "_redirects"]


def test_a_rule_without_it_is_a_notice(tmp_path: Path) -> None:
    rules = "\n/old/* /new/:splat\n/old/ /new/ 301!\n"
    report = build(tmp_path, {**REDIRECTED, "_redirects": rules})

    assert report.entries == 4
    (problem,) = [problem for problem in report.problems if problem.where == "_redirects"]
    assert problem.severity == "notice"
    assert problem.message.startswith("line 2 redirects old/index.html, where there is a page too")
    assert problem.message.endswith(" (1 more page like it)")


def test_drafts_and_dates_are_those_of_the_sources(tmp_path: Path) -> None:
    """A date in the head is the source's, as the generator read it, or the day of the build."""
    head = HTML.format('<meta property="article:modified_time" content="2026-01-01">')
    pages = dict.fromkeys(("draft", "dated", "committed", "copy", "no-source"), head)
    sources = {
        "draft.md": "---\ndraft: true\n---\n",
        "dated.md": "---\nmodified: 2024-05-06\n---\n",
        "committed.md": "Text\n",
        "copy.html": HTML,
    }
    build(tmp_path / "docs", sources)
    Repo.make(tmp_path).commit(1129, {})
    files = {f"{name}.html": text for name, text in pages.items()}
    report = build(tmp_path / "site", files, source=str(tmp_path / "docs"))

    urls = listed(tmp_path / "site")
    assert {path: str(url.lastmod)[:10] for path, url in urls.items()} == {
        "committed.html": "2023-02-03",
        "copy.html": "2026-01-01",
        "dated.html": "2024-05-06",
        "no-source.html": "2026-01-01",
    }
    assert report.reasons() == {"draft": 1}


def test_a_link_that_leads_out_of_the_folder_is_served_and_followed_once(tmp_path: Path) -> None:
    outside, root = tmp_path / "outside", tmp_path / "site"
    for path in (outside / "b.html", root / "a.html"):
        path.parent.mkdir()
        path.write_text(HTML)
    (root / "more").symlink_to(outside)
    (outside / "again").symlink_to(outside)
    build(root, {})

    assert list(listed(root)) == ["a.html", "more/b.html"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read all")
def test_a_folder_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(0)
    with pytest.raises(SitemapError, match=r"closed: cannot be read \(Permission denied\)"):
        build(tmp_path, {"index.html": HTML})


@pytest.mark.skipif(sys.platform != "linux", reason="needs a file that even root cannot read")
def test_a_page_that_cannot_be_read_is_listed_with_a_warning(tmp_path: Path) -> None:
    (tmp_path / "a.html").symlink_to("/proc/self/mem")
    report = build(tmp_path, {"index.html": HTML})

    assert list(listed(tmp_path)) == ["", "a.html"]
    (problem,) = [problem for problem in report.problems if problem.severity == "warning"]
    assert str(problem).endswith("cannot be read (Input/output error); it is listed unseen")

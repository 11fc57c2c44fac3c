"""A folder of HTML, whatever made it, gets a sitemap."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from sitemap_plugin.commands.settings_file import GivenOptions
from sitemap_plugin.errors import SitemapError
from sitemap_plugin.report import Report
from sitemap_plugin_folder.build_command import build_folder
from sitemap_plugin_folder.project import Project
from sitemaps import Url, read_sitemap

BASE = "https://example.org/"
PAGE = "<!doctype html><html lang=en><head><title>T</title>{}</head><body>Text</body></html>"


def write(folder: Path, files: Mapping[str, str]) -> Path:
    """Write files; a value that begins with ``<`` is a whole file, another a part of the head."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        whole = content.startswith(("<!", "<p"))
        path.write_text(content if whole else PAGE.format(content), encoding="utf-8")
    return folder


def build(
    folder: Path, settings: Mapping[str, Any] | None = None, **more: Any
) -> tuple[dict[str, Url], Report]:
    report = build_folder(folder, BASE, settings or {}, Project(GivenOptions({}, folder)), **more)
    urls = read_sitemap(folder / "sitemap.xml") if report.files else []
    return {url.loc.removeprefix(BASE): url for url in urls}, report


def canonical(url: str) -> str:
    return f'<link rel="canonical" href="{url}">'


def test_an_index_file_is_its_folders_url(tmp_path: Path) -> None:
    names = ["index.html", "a.html", "b/index.html", "b/c.htm", "d/index.htm", "ü & 50%#.html"]
    urls, _ = build(write(tmp_path, dict.fromkeys(names, "")))

    assert list(urls) == ["", "%C3%BC%20%26%2050%25%23.html", "a.html", "b/", "b/c.htm", "d/"]


@pytest.mark.parametrize(
    ("name", "link", "path"),
    [
        ("a/index.html", f"{BASE}a/index.html", "a/index.html"),
        ("a/index.html", f"{BASE}a", "a"),
        ("a/index.html", "./", "a/"),
        ("a.html", f"{BASE}a", "a"),
        ("a.html", f"{BASE}a/", "a/"),
        ("index.html", f"{BASE}index.html", "index.html"),
    ],
)
def test_the_canonical_link_says_which_spelling_of_its_url_a_page_has(
    tmp_path: Path, name: str, link: str, path: str
) -> None:
    urls, _ = build(write(tmp_path, {name: canonical(link)}))

    assert list(urls) == [path]


def test_without_a_canonical_link_the_link_to_itself_says_which_url_a_page_has(
    tmp_path: Path,
) -> None:
    links = "".join(
        f'<link rel="alternate" hreflang="{code}" href="{BASE}{code}/index.html">'
        for code in ("de", "en")
    )
    urls, report = build(write(tmp_path, {"de/index.html": links, "en/index.html": links}))

    assert list(urls) == ["de/index.html", "en/index.html"]
    assert report.problems == []


@pytest.mark.parametrize("spelling", ["b", "b.html", "b/"])
def test_links_lead_to_pages_however_their_urls_are_spelt(tmp_path: Path, spelling: str) -> None:
    def links(a: str, b: str) -> str:
        return (
            f'<link rel="alternate" hreflang="en" href="{a}">'
            f'<link rel="alternate" hreflang="de" href="{b}">'
        )

    files = {
        "a.html": canonical("a.html") + links("a.html", spelling),
        "b.html": canonical("b.html") + links("a", "b.html"),
    }
    urls, report = build(write(tmp_path, files), {"x_default": False})

    expected = [("de", f"{BASE}b.html"), ("en", f"{BASE}a.html")]
    assert list(urls["a.html"].alternates) == expected
    assert urls["b.html"].alternates == urls["a.html"].alternates
    assert report.problems == []


def test_a_menu_of_languages_on_a_page_without_translations_is_no_link(tmp_path: Path) -> None:
    """Material's switcher leads to home pages from pages that are not translated."""
    menu = "".join(
        f'<link rel="alternate" hreflang="{code}" href="{BASE}{path}">'
        for code, path in (("en", ""), ("de", "de/"))
    )
    files = {"index.html": menu, "de/index.html": menu, "only/index.html": menu}
    urls, report = build(write(tmp_path, files))

    assert len(urls[""].alternates) == 3
    assert urls["only/"].alternates == ()
    assert report.problems == []


def test_a_canonical_link_through_another_name_of_a_folder_is_the_pages_url(
    tmp_path: Path,
) -> None:
    """In mike's trees, all versions may name the pages of the alias as the original ones."""
    for version in ("1.0", "1.1"):
        head = canonical(f"{BASE}latest/a/")
        write(tmp_path, {f"{version}/a/index.html": head, f"{version}/b/index.html": ""})
    (tmp_path / "latest").symlink_to("1.1")
    urls, report = build(tmp_path)

    assert list(urls) == ["1.0/b/", "1.1/b/", "latest/a/"]
    assert report.reasons() == {"canonical elsewhere": 1}


def test_a_page_about_errors_is_a_page(tmp_path: Path) -> None:
    urls, _ = build(write(tmp_path, {"status/404.html": "", "1.0/sitemap.xml": "<!"}))

    assert list(urls) == ["status/404.html"]


def test_urls_are_without_extension_when_asked_for(tmp_path: Path) -> None:
    files = dict.fromkeys(["index.html", "a.html", "b/index.html", "b/c.html"], "")
    urls, _ = build(write(tmp_path, files), extensionless=True)

    assert list(urls) == ["", "a", "b/", "b/c"]


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"x.html": '<meta name="robots" content="noindex">'}, "noindex"),
        ({"x.html": canonical(f"{BASE}other.html")}, "canonical elsewhere"),
        ({"x.html": '<meta http-equiv="refresh" content="0; url=a.html">'}, "redirect"),
        ({"404.html": ""}, "error page"),
        ({"404/index.html": ""}, "error page"),
        ({"fr/404.html": ""}, "error page"),
        ({"search.html": ""}, "search page"),
        ({"de/search/index.html": ""}, "search page"),
        ({"1.0/404.html": "", "1.0/sitemap.xml.gz": "<!"}, "error page"),
        ({"a/b/404/index.html": "", "a/b/sitemap.xml": "<!"}, "error page"),
        ({"1.0/search.html": "", "1.0/searchindex.js": "<!"}, "search page"),
        ({"1.0/search/index.html": "", "1.0/objects.inv": "<!"}, "search page"),
        ({"genindex.html": "", "searchindex.js": "<!"}, "generated page"),
        ({"1.0/py-modindex/index.html": "", "1.0/searchindex.js": "<!"}, "generated page"),
        ({"1.0/_modules/a/b.html": "", "1.0/searchindex.js": "<!"}, "generated page"),
        ({"parts/nav.html": "<p>Menu</p>"}, "fragment"),
        ({"_static/webpack-macros.html": "<!-- <html><body> -->{% macro a() %}"}, "fragment"),
        ({"x.html": "<!----><script>document.write('<html><body>')</script>"}, "fragment"),
        ({"google123.html": "<p"}, "fragment"),
        ({"index.html": "<!----><meta http-equiv=refresh content='0; url=a.html'>"}, "redirect"),
    ],
)
def test_what_is_no_page_for_search_engines_is_left_out(
    tmp_path: Path, files: Mapping[str, str], reason: str
) -> None:
    urls, report = build(write(tmp_path, {"a.html": "", **files}))

    assert list(urls) == ["a.html"]
    assert report.reasons() == {reason: 1}


@pytest.mark.parametrize(
    "content",
    [
        "<!doctype html><title>No head</title><p>Text",
        "<p>Text</p><title>Late</title>",
        "<!DOCTYPE html><html><body>No title",
        "<!doctype html><frameset><frame src=a.html></frameset>",
    ],
)
def test_a_page_with_unusual_markup_is_a_page(tmp_path: Path, content: str) -> None:
    write(tmp_path, {"index.html": "", "x.html": content})
    urls, _ = build(tmp_path)

    assert ("x.html" in urls) == ("doctype" in content.lower())


def test_dates_come_from_what_the_page_says(tmp_path: Path) -> None:
    modified = '<meta property="article:modified_time" content="2024-01-31T10:00:00+01:00">'
    published = '<meta property="article:published_time" content="2020-02-02">'
    graph = '{"@graph": [{"dateModified": "2023-03-03", "datePublished": "2019-01-01"}]}'
    files = {
        "a.html": published + modified,
        "b.html": published,
        "c.html": f'<script type="application/ld+json">{graph}</script>',
        "d.html": '<meta property="article:modified_time" content="soon">',
        "e.html": "",
    }
    urls, report = build(write(tmp_path, files))

    assert {path: url.lastmod for path, url in urls.items()} == {
        "a.html": "2024-01-31T10:00:00+01:00",
        "b.html": "2020-02-02",
        "c.html": "2023-03-03",
        "d.html": None,
        "e.html": None,
    }
    (problem,) = [problem for problem in report.problems if problem.severity == "warning"]
    assert str(problem).startswith("d.html: HTML head 'modified': ")


def test_translations_come_from_the_pages_own_links_and_are_completed(tmp_path: Path) -> None:
    def link(code: str, href: str) -> str:
        return f'<link rel="alternate" hreflang="{code}" href="{href}">'

    files = {
        "index.html": link("en-US", BASE) + link("fr", "fr/") + link("x-default", BASE),
        "fr/index.html": "<!doctype html><html lang=fr><title>T</title>",
        "a.html": link("de", "https://de.example/a"),
    }
    urls, report = build(write(tmp_path, files))

    every = (("en-US", BASE), ("fr", f"{BASE}fr/"), ("x-default", BASE))
    assert urls[""].alternates == every
    assert urls["fr/"].alternates == every
    assert dict(urls["a.html"].alternates)["de"] == "https://de.example/a"
    assert report.warnings == 0


def test_a_link_inside_the_folder_is_another_name_and_passed_over(tmp_path: Path) -> None:
    root = write(tmp_path / "site", {"1.0/index.html": "", "1.0/a.html": ""})
    (root / "latest").symlink_to("1.0")
    (root / "copy.html").symlink_to("1.0/a.html")
    (root / "loop").symlink_to(".")
    (root / "1.0" / "up").symlink_to("../..")
    (root / "nowhere").symlink_to("gone")
    urls, _ = build(root)

    assert list(urls) == ["1.0/", "1.0/a.html"]


def test_a_link_that_leads_out_of_the_folder_is_served_and_followed_once(tmp_path: Path) -> None:
    outside = write(tmp_path / "outside", {"b.html": ""})
    root = write(tmp_path / "site", {"a.html": ""})
    (root / "more").symlink_to(outside)
    (outside / "again").symlink_to(outside)
    urls, _ = build(root)

    assert list(urls) == ["a.html", "more/b.html"]


def test_hidden_folders_and_other_files_are_no_pages(tmp_path: Path) -> None:
    files = dict.fromkeys([".git/x.html", "a.html", "style.css", "data.xml", "a.html.bak"], "")
    urls, _ = build(write(tmp_path, files))

    assert list(urls) == ["a.html"]


def test_a_hand_written_sitemap_in_the_folder_is_kept_beside(tmp_path: Path) -> None:
    write(tmp_path, {"a.html": ""})
    (tmp_path / "sitemap.xml").write_text("by hand")
    _, report = build(tmp_path)

    assert [path.read_text() for path in tmp_path.glob("sitemap.xml.bak*")] == ["by hand"]
    assert any("sitemap.xml" in str(problem) for problem in report.problems)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read all")
def test_a_folder_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    write(tmp_path, {"index.html": "", "closed/a.html": ""})
    (tmp_path / "closed").chmod(0)

    with pytest.raises(SitemapError, match=r"closed: cannot be read \(Permission denied\)"):
        build(tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="needs a file that even root cannot read")
def test_a_page_that_cannot_be_read_is_listed_with_a_warning(tmp_path: Path) -> None:
    write(tmp_path, {"index.html": ""})
    (tmp_path / "a.html").symlink_to("/proc/self/mem")
    urls, report = build(tmp_path)

    assert list(urls) == ["", "a.html"]
    (problem,) = report.problems
    assert problem.severity == "warning"
    assert str(problem).endswith("cannot be read (Input/output error); it is listed unseen")

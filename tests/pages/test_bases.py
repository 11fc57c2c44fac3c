"""A language with a base URL of its own has its own sitemap, and links go across."""

from pathlib import Path
from typing import Any

import pytest

from sitemap_plugin.models import Page
from sitemap_plugin.report import Report
from sitemaps import Url, read_sitemap
from sites import BASE, build_pages, page, version

FRENCH = "https://fr.example.org/fr/"


def french(path: str, **fields: Any) -> Page:
    return version(path, "fr", **fields)._replace(url=FRENCH + path)


def build(folder: Path, *pages: Page, options: dict[str, Any] | None = None) -> Report:
    (folder / "fr").mkdir(exist_ok=True)
    bases = {FRENCH: folder / "fr", f"{BASE}de/": folder / "de"}
    return build_pages(folder, pages, options, language="en", other_bases=bases)


def urls(folder: Path) -> dict[str, Url]:
    return {url.loc: url for url in read_sitemap(folder / "sitemap.xml")}


def test_each_base_has_a_sitemap_and_the_links_go_across(tmp_path: Path) -> None:
    pages = [
        version("a/", "en"),
        french("a/"),
        version("de/a/", "de"),
        page("b/"),
        french("c/", key="c"),
    ]
    report = build(tmp_path, *pages)

    every = (
        ("de", f"{BASE}de/a/"), ("en", f"{BASE}a/"), ("fr", f"{FRENCH}a/"),
        ("x-default", f"{BASE}a/"),
    )  # fmt: skip
    main, other = urls(tmp_path), urls(tmp_path / "fr")
    assert {loc.removeprefix(BASE): url.alternates for loc, url in main.items()} == {
        "a/": every, "b/": (), "de/a/": every,
    }  # fmt: skip
    assert {loc.removeprefix(FRENCH): url.alternates for loc, url in other.items()} == {
        "a/": every, "c/": (),
    }  # fmt: skip
    assert report.entries == 5
    assert report.left_out == {}
    assert not (tmp_path / "de").exists()


def test_each_folder_has_its_files_and_the_summary_names_each_sitemap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pages = [version("a/", "en"), version("b/", "en"), french("a/")]
    report = build(tmp_path, *pages, options={"max_urls": 1, "text": True})

    start = "3 URLs in sitemap.xml and 2 parts, fr/sitemap.xml; robots.txt"
    assert report.summary().startswith(start)
    assert (tmp_path / "sitemap.txt").read_text() == f"{BASE}a/\n{BASE}b/\n"
    assert (tmp_path / "fr" / "sitemap.txt").read_text() == f"{FRENCH}a/\n"


def test_a_version_that_is_not_listed_there_is_not_linked_here(tmp_path: Path) -> None:
    pages = [version("a/", "en"), french("a/", metadata={"noindex": True}), version("de/a/", "de")]
    build(tmp_path, *pages)

    assert [code for code, _ in urls(tmp_path)[f"{BASE}a/"].alternates] == ["de", "en", "x-default"]
    assert not (tmp_path / "fr" / "sitemap.xml").exists()


def test_robots_txt_of_each_host_names_its_own_sitemap(tmp_path: Path) -> None:
    report = build(tmp_path, version("a/", "en"), french("a/"))

    assert (tmp_path / "robots.txt").read_text() == f"Sitemap: {BASE}sitemap.xml\n"
    assert report.robots == "created"
    notices = [str(item) for item in report.problems if item.severity == "notice"]
    assert len(notices) == 1
    assert "https://fr.example.org/robots.txt" in notices[0]
    assert f"Sitemap: {FRENCH}sitemap.xml" in notices[0]


def test_a_declared_page_of_another_base_is_found_there(tmp_path: Path) -> None:
    declaring = page("a/", {"translations": {"fr": f"{FRENCH}x/", "it": f"{FRENCH}gone/"}})
    report = build(tmp_path, declaring, french("x/", key=None))

    assert urls(tmp_path)[f"{BASE}a/"].alternates == urls(tmp_path / "fr")[f"{FRENCH}x/"].alternates
    warnings = [str(item) for item in report.problems if item.severity == "warning"]
    assert len(warnings) == 1
    assert "this build has no such page" in warnings[0]


def test_a_page_below_no_base_is_left_out(tmp_path: Path) -> None:
    stray = version("a/", "it")._replace(url="https://it.example.org/a/")
    report = build(tmp_path, version("a/", "en"), french("a/"), stray)

    assert list(report.left_out.values()) == ["not below the base URL"]

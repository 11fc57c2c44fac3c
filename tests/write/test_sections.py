"""Large sites: one plain file while that is allowed, then an index; sections when asked for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from sitemap_plugin.build import build
from sitemap_plugin.config import parse_config
from sitemap_plugin.models import Site
from sitemaps import read_locs
from sites import BASE, Pages, build_pages, page

NAMESPACE = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}
SECTIONS = {"blog": "blog/**", "api": ["api/", "reference.md"]}


def children(index: Path) -> list[str]:
    """Return the file names that an index lists, each checked to exist."""
    locs = etree.parse(index).findall(".//s:sitemap/s:loc", NAMESPACE)
    names = [str(loc.text).removeprefix(BASE) for loc in locs]
    assert all((index.parent / name).is_file() for name in names)
    return names


def read(folder: Path, names: Sequence[str]) -> dict[str, list[str]]:
    return {name: [loc.removeprefix(BASE) for loc in read_locs(folder / name)] for name in names}


def test_up_to_the_limit_there_is_one_plain_file(tmp_path: Path) -> None:
    report = build_pages(tmp_path, [page(f"{n}/") for n in range(5)], {"max_urls": 5})

    assert [path.name for path in report.files] == ["sitemap.xml"]
    assert len(read_locs(tmp_path / "sitemap.xml")) == 5


def test_beyond_the_limit_there_is_an_index_with_parts(tmp_path: Path) -> None:
    pages = [page(f"{n}/", {"date": f"2020-01-0{n + 1}"}) for n in range(5)]
    report = build_pages(tmp_path, pages, {"max_urls": 2})

    names = ["sitemap-1.xml", "sitemap-2.xml", "sitemap-3.xml"]
    assert [path.name for path in report.files] == ["sitemap.xml", *names]
    assert children(tmp_path / "sitemap.xml") == names
    assert read(tmp_path, names) == {
        "sitemap-1.xml": ["0/", "1/"],
        "sitemap-2.xml": ["2/", "3/"],
        "sitemap-3.xml": ["4/"],
    }
    newest = etree.parse(tmp_path / "sitemap.xml").findall(".//s:lastmod", NAMESPACE)
    assert [date.text for date in newest] == ["2020-01-02", "2020-01-04", "2020-01-05"]
    assert report.entries == 5
    assert "5 URLs in " in report.summary()
    assert " and 3 parts" in report.summary()


def test_sections_have_files_of_their_own_under_an_index(tmp_path: Path) -> None:
    paths = ["", "a/", "blog/", "blog/x/", "blog/y/", "api/", "api/z/", "reference/"]
    options = {"sections": SECTIONS, "max_urls": 3}
    report = build_pages(tmp_path, [page(path) for path in paths], options)

    names = children(tmp_path / "sitemap.xml")
    assert read(tmp_path, names) == {
        "sitemap-blog.xml": ["blog/", "blog/x/", "blog/y/"],
        "sitemap-api.xml": ["api/", "api/z/", "reference/"],
        "sitemap-pages.xml": ["", "a/"],
    }
    assert report.warnings == 0


def test_a_section_is_split_when_needed(tmp_path: Path) -> None:
    paths = ["blog/1/", "blog/2/", "blog/3/", "a/"]
    build_pages(
        tmp_path, [page(path) for path in paths], {"sections": {"blog": "blog/"}, "max_urls": 2}
    )

    assert read(tmp_path, children(tmp_path / "sitemap.xml")) == {
        "sitemap-blog-1.xml": ["blog/1/", "blog/2/"],
        "sitemap-blog-2.xml": ["blog/3/"],
        "sitemap-pages.xml": ["a/"],
    }


def test_the_first_section_that_matches_has_the_page(tmp_path: Path) -> None:
    sections = {"special": "blog/1/", "blog": "blog/"}
    build_pages(tmp_path, [page("blog/1/"), page("blog/2/")], {"sections": sections})

    assert read(tmp_path, children(tmp_path / "sitemap.xml")) == {
        "sitemap-special.xml": ["blog/1/"],
        "sitemap-blog.xml": ["blog/2/"],
    }


def test_with_sections_there_is_always_an_index(tmp_path: Path) -> None:
    report = build_pages(tmp_path, [page("a/")], {"sections": {"blog": "blog/"}})

    assert read(tmp_path, children(tmp_path / "sitemap.xml")) == {"sitemap-pages.xml": ["a/"]}
    assert [str(problem) for problem in report.problems if problem.severity == "warning"] == [
        "sections.blog[0]: 'blog/' matches no page, by its source or its URL below the base"
    ]


def test_stale_parts_go_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "sitemap-news.xml").write_text("by hand")
    pages = [page(f"{n}/") for n in range(5)]
    build_pages(tmp_path, pages, {"max_urls": 1})
    assert (tmp_path / "sitemap-5.xml.gz").exists()

    build_pages(tmp_path, pages, {"max_urls": 3})
    assert children(tmp_path / "sitemap.xml") == ["sitemap-1.xml", "sitemap-2.xml"]
    build_pages(tmp_path, pages)

    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "robots.txt", "sitemap-news.xml", "sitemap.css", "sitemap.xml", "sitemap.xml.gz",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("own", "options"),
    [
        ("sitemap.xml", {}),
        ("sitemap.xml.gz", {}),
        ("sitemap-2.xml", {"max_urls": 1}),
        ("sitemap-1.xml.gz", {"max_urls": 1}),
        ("sitemap-pages.xml", {"sections": {"blog": "blog/"}}),
    ],
)
def test_a_file_that_the_sites_sources_put_there_is_kept_and_no_sitemap_written(
    tmp_path: Path, own: str, options: dict[str, Any]
) -> None:
    (tmp_path / own).write_text("by hand")
    pages = [page("1/"), page("2/"), page("blog/")]
    config, _ = parse_config(options, generator="folder")
    report = build(
        Site(BASE, tmp_path, config=config), [Pages(pages)], protected={own, "other.png"}
    )

    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {own: "by hand"}
    assert report.files == []
    assert [problem.where for problem in report.problems] == [own]
    assert report.warnings == 1


def test_a_site_with_nothing_left_to_list_loses_its_old_sitemap(tmp_path: Path) -> None:
    build_pages(tmp_path, [page("1/"), page("2/")], {"max_urls": 1})
    build_pages(tmp_path, [page("1/", {"draft": True})])

    assert [path.name for path in tmp_path.iterdir()] == ["robots.txt"]

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


def test_the_first_section_that_matches_has_the_page(tmp_path: Path) -> None:
    sections = {"special": "blog/1/", "blog": "blog/"}
    build_pages(tmp_path, [page("blog/1/"), page("blog/2/")], {"sections": sections})

    assert read(tmp_path, children(tmp_path / "sitemap.xml")) == {
        "sitemap-special.xml": ["blog/1/"],
        "sitemap-blog.xml": ["blog/2/"],
    }


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

"""The sitemap's stylesheet lies beside it, and never takes the place of a user's own file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sitemap_plugin.build import build
from sitemap_plugin.common.files import MARKER, is_ours
from sitemap_plugin.config import parse_config
from sitemap_plugin.hookspecs import TransformFunction, hookimpl
from sitemap_plugin.models import Site
from sitemap_plugin.report import Report
from sites import BASE, Pages, build_pages, page

LINK = '<?xml-stylesheet type="text/css" href="{}"?>'


def linked(sitemap: Path) -> str | None:
    lines = sitemap.read_text(encoding="utf-8").splitlines()
    return lines[2].split('"')[3] if lines[2].startswith("<?xml-stylesheet ") else None


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {"robots.txt"}


def test_a_sitemap_links_the_stylesheet_beside_it(tmp_path: Path) -> None:
    build_pages(tmp_path, [page("a/")], {"gzip": False})

    assert names(tmp_path) == {"sitemap.xml", "sitemap.css"}
    assert LINK.format("sitemap.css") in (tmp_path / "sitemap.xml").read_text()
    assert is_ours(tmp_path / "sitemap.css")


def test_the_stylesheet_is_named_after_the_sitemap(tmp_path: Path) -> None:
    build_pages(tmp_path, [page("a/")], {"gzip": False})
    build_pages(tmp_path, [page("a/")], {"gzip": False, "filename": "pages.v2.xml"})

    assert names(tmp_path) == {"sitemap.xml", "sitemap.css", "pages.v2.xml", "pages.v2.css"}
    assert linked(tmp_path / "pages.v2.xml") == "pages.v2.css"


def test_stylesheet_false_writes_none_and_takes_the_old_one_away(tmp_path: Path) -> None:
    build_pages(tmp_path, [page("a/")], {"gzip": False})
    report = build_pages(tmp_path, [page("a/")], {"gzip": False, "stylesheet": False})

    assert names(tmp_path) == {"sitemap.xml"}
    assert linked(tmp_path / "sitemap.xml") is None
    assert report.problems == []


def test_the_stylesheet_goes_with_the_sitemap(tmp_path: Path) -> None:
    build_pages(tmp_path, [page("a/")])
    build_pages(tmp_path, [page("a/", {"draft": True})])

    assert names(tmp_path) == set()


def test_a_stylesheet_of_an_older_version_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "sitemap.css").write_text(f"/* {MARKER.decode()} */ old {{}}")
    build_pages(tmp_path, [page("a/")])

    assert "old {}" not in (tmp_path / "sitemap.css").read_text()


def build_protected(folder: Path, **options: Any) -> Report:
    config, _ = parse_config(options, generator="folder")
    site = Site(BASE, folder, config=config)
    return build(site, [Pages([page("a/")])], protected={"sitemap.css"})


@pytest.mark.parametrize("text", ["mine {}", "", f"/* {MARKER.decode()} */ mine {{}}"])
def test_a_static_file_of_that_name_is_kept_with_a_notice(tmp_path: Path, text: str) -> None:
    (tmp_path / "sitemap.css").write_text(text)
    report = build_protected(tmp_path)

    assert (tmp_path / "sitemap.css").read_text() == text
    assert linked(tmp_path / "sitemap.xml") is None
    assert [(problem.severity, problem.where) for problem in report.problems] == [
        ("notice", "sitemap.css")
    ]
    assert build_protected(tmp_path, stylesheet=False).problems == []
    assert (tmp_path / "sitemap.css").read_text() == text


def test_any_other_file_of_that_name_is_kept_with_a_notice(tmp_path: Path) -> None:
    (tmp_path / "sitemap.css").write_text("mine {}")
    report = build_pages(tmp_path, [page("a/")])

    assert (tmp_path / "sitemap.css").read_text() == "mine {}"
    assert linked(tmp_path / "sitemap.xml") is None
    (notice,) = report.problems
    assert notice.severity == "notice"
    assert "set the option 'stylesheet' to false" in notice.message
    for options in ({"stylesheet": False}, {"exclude": ["a/"]}):
        build_pages(tmp_path, [page("a/")], options)
        assert (tmp_path / "sitemap.css").read_text() == "mine {}"


class Foreign:
    """A plugin whose entries cannot be in this sitemap."""

    @hookimpl
    def sitemap_transform(self, site: Site) -> TransformFunction:  # noqa: ARG002 - the hook's argument
        """Put every entry on another host."""
        return lambda _, entry: entry.replace(loc="https://other.example/")


def test_where_no_entry_is_valid_no_stylesheet_is_written(tmp_path: Path) -> None:
    build_pages(tmp_path, [page("a/")], plugins=[Foreign()])

    assert names(tmp_path) == set()

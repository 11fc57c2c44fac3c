"""What is said, how loudly, and what ends a build."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pelican_sites import Site


def test_one_line_sums_the_build_up(site: Site) -> None:
    site.article("hello.md")
    site.article("later.md", "Status: draft")
    lines = site.build().text.splitlines()

    assert len(lines) == 2
    assert lines[0].startswith("Sitemap: ")
    assert all(word in lines[0] for word in ("8 URLs", "sitemap.xml", "1 draft", "robots.txt"))
    assert lines[1].startswith("Done: ")


@pytest.mark.parametrize(
    ("settings", "said", "is_written"),
    [
        ({"SITEURL": ""}, ["SITEURL", "https://"], False),
        ({"SITEURL": "www.example.org"}, ["SITEURL", "'https://www.example.org/'"], False),
        ({"SITEURL": "//www.example.org"}, ["SITEURL", "'https://www.example.org/'"], False),
        ({"SITEURL": "ftp://www.example.org"}, ["SITEURL", "'https://www.example.org/'"], False),
        ({"SITEURL": "/blog"}, ["SITEURL", "/blog", "https://"], False),
        ({"SITEURL": "http://localhost:8000"}, ["SITEURL", "localhost"], True),
        ({"SITEMAP": {"exclude": ["*"]}, "DIRECT_TEMPLATES": []}, ["sitemap"], False),
    ],
)
def test_one_warning_says_why_there_is_no_useful_sitemap(
    site: Site, settings: dict[str, Any], said: list[str], is_written: bool
) -> None:
    site.settings |= settings
    site.article("hello.md")
    site.configure()
    build = site.run()

    assert build.status == 0
    assert build.text.count("WARNING") == 1
    assert build.said("WARNING", *said)
    assert build.sitemap.exists() == (build.output / "robots.txt").exists() == is_written
    assert "None" not in build.text


def test_the_option_base_url_stands_in_for_a_siteurl_that_stays_empty(site: Site) -> None:
    site.settings |= {"SITEURL": "", "SITEMAP": {"base_url": "https://example.org"}}
    site.article("hello.md", "Status: draft")
    site.article("hi.md")
    build = site.build()

    assert "WARNING" not in build.text
    assert {"hi.html", "category/misc.html"} <= set(build.paths)
    assert "hello.html" not in build.paths


@pytest.mark.parametrize(
    ("strict", "arguments", "status"),
    [(False, (), 0), (True, (), 1), (False, ("--fatal", "warnings"), 1)],
)
def test_warnings_fail_a_strict_build(
    site: Site, strict: bool, arguments: tuple[str, ...], status: int
) -> None:
    site.settings["SITEMAP"] = {"strict": strict}
    site.article("hello.md", "Priority: 10000")
    site.configure()
    build = site.run(*arguments)

    assert build.status == status
    assert build.said("WARNING", "hello.md", "priority")
    if not arguments:
        assert "Traceback" not in build.text


def test_a_notice_never_fails_a_build_and_a_line_to_be_copied_is_not_broken(site: Site) -> None:
    url = "https://example.org/" + "long-path/" * 9
    site.settings.update(SITEURL=f"{url}[b]x[/b]", SITEMAP={"strict": True})
    site.article("hello.md")
    site.configure()
    build = site.run("--fatal", "warnings", COLUMNS="60")

    assert build.status == 0
    assert build.said(f"Sitemap: {url}%5Bb%5Dx%5B/b%5D/sitemap.xml")


def test_a_sitemap_that_cannot_be_written_fails_the_build_and_says_why(site: Site) -> None:
    (site.folder / "output" / "sitemap.xml").mkdir(parents=True)
    site.article("hello.md")
    site.configure()
    build = site.run()

    assert build.status == 1
    assert build.said("CRITICAL", "sitemap.xml")
    assert "Traceback" not in build.text
    assert not (build.output / "robots.txt").exists()


def test_pelican_sitemap_beside_us_is_a_warning_also_where_plugins_is_not_set(
    site: Site, has_plugin: Callable[[str], None]
) -> None:
    has_plugin("sitemap")
    site.article("a.md")
    site.settings["PLUGINS"] = None
    build = site.build()

    assert build.said("WARNING", "pelican-sitemap is active too", "uninstall pelican-sitemap")
    assert "Written by sitemap-plugin" in build.sitemap.read_text()

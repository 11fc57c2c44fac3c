"""What is said, how loudly, and what ends a build."""

from __future__ import annotations

from collections.abc import Callable

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


def test_without_siteurl_there_is_one_warning_and_no_file(site: Site) -> None:
    site.settings["SITEURL"] = ""
    site.article("hello.md")
    build = site.build()

    assert build.text.count("WARNING") == 1
    assert build.said("WARNING", "SITEURL", "https://")
    assert not [path for path in build.output.iterdir() if "sitemap" in path.name]
    assert not (build.output / "robots.txt").exists()
    assert "None" not in build.text


@pytest.mark.parametrize(
    ("siteurl", "cure"),
    [
        ("www.example.org", "'https://www.example.org/'"),
        ("//www.example.org", "'https://www.example.org/'"),
        ("ftp://www.example.org", "'https://www.example.org/'"),
        ("/blog", "https://"),
    ],
)
def test_a_siteurl_that_is_none_is_a_warning_that_shows_the_right_form(
    site: Site, siteurl: str, cure: str
) -> None:
    site.settings["SITEURL"] = siteurl
    site.article("hello.md")
    build = site.build()

    assert build.said("WARNING", "SITEURL", siteurl, cure)
    assert build.text.count("WARNING") == 1
    assert not build.sitemap.exists()


def test_the_option_base_url_stands_in_for_a_siteurl_that_stays_empty(site: Site) -> None:
    site.settings |= {"SITEURL": "", "SITEMAP": {"base_url": "https://example.org"}}
    site.article("hello.md", "Status: draft")
    site.article("hi.md")
    build = site.build()

    assert "WARNING" not in build.text
    assert {"hi.html", "category/misc.html"} <= set(build.paths)
    assert "hello.html" not in build.paths


def test_a_local_siteurl_is_a_warning(site: Site) -> None:
    site.settings["SITEURL"] = "http://localhost:8000"
    site.article("hello.md")
    site.configure()
    build = site.run()

    assert build.status == 0
    assert build.said("WARNING", "SITEURL", "localhost")


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


def test_notices_never_fail_a_build(site: Site) -> None:
    site.settings.update(SITEURL="https://example.org/docs", SITEMAP={"strict": True})
    site.article("hello.md")
    site.configure()
    build = site.run("--fatal", "warnings")

    assert build.status == 0
    assert build.said("Sitemap: https://example.org/docs/sitemap.xml")


def test_a_line_to_be_copied_is_not_broken(site: Site) -> None:
    site.settings["SITEURL"] = "https://example.org/" + "long-path/" * 9 + "[b]x[/b]"
    site.article("hello.md")
    site.configure()
    build = site.run(COLUMNS="60")

    assert build.said(
        f"Sitemap: https://example.org/{'long-path/' * 9}%5Bb%5Dx%5B/b%5D/sitemap.xml"
    )


def test_a_sitemap_that_cannot_be_written_fails_the_build_and_says_why(site: Site) -> None:
    (site.folder / "output" / "sitemap.xml").mkdir(parents=True)
    site.article("hello.md")
    site.configure()
    build = site.run()

    assert build.status == 1
    assert build.said("CRITICAL", "sitemap.xml")
    assert "Traceback" not in build.text
    assert not (build.output / "robots.txt").exists()


def test_a_site_with_nothing_to_list_has_no_sitemap_and_one_warning(site: Site) -> None:
    site.settings.update(DIRECT_TEMPLATES=[])
    build = site.build()

    assert not build.sitemap.exists()
    assert build.text.count("WARNING") == 1


def test_the_name_of_the_package_is_not_that_of_the_plugin(site: Site) -> None:
    site.article("a.md")
    site.settings["PLUGINS"] = ["sitemap-plugin"]
    build = site.build()

    assert build.said("ERROR", "Cannot load plugin `sitemap-plugin`")
    assert not build.sitemap.exists()


def test_pelican_sitemap_beside_us_is_a_warning_also_where_plugins_is_not_set(
    site: Site, has_plugin: Callable[[str], None]
) -> None:
    has_plugin("sitemap")
    site.article("a.md")
    site.settings["PLUGINS"] = None
    build = site.build()

    assert build.said("WARNING", "pelican-sitemap is active too", "uninstall pelican-sitemap")
    assert "Written by sitemap-plugin" in build.sitemap.read_text()

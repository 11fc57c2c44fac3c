"""What somebody reads who has just installed the plugin beside Pelican, rightly or not quite."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pelican_sites import Site


def test_without_siteurl_there_is_a_warning_that_says_what_to_set(site: Site) -> None:
    site.article("a.md")
    site.settings["SITEURL"] = ""
    build = site.build()

    assert build.said("WARNING", "SITEURL: not set", "set it to the address")


def test_the_name_of_the_package_is_not_that_of_the_plugin(site: Site) -> None:
    site.article("a.md")
    site.settings["PLUGINS"] = ["sitemap-plugin"]
    build = site.build()

    assert build.said("ERROR", "Cannot load plugin `sitemap-plugin`")
    assert not build.sitemap.exists()


@pytest.mark.parametrize(
    "name", ["sitemap_plugin", "pelican.plugins.sitemap_plugin", "sitemap_plugin_pelican"]
)
def test_each_name_under_which_it_can_be_imported_is_right(site: Site, name: str) -> None:
    site.article("a.md")
    site.settings["PLUGINS"] = [name]

    assert "a.html" in site.build().paths


def test_pelican_sitemap_beside_us_is_a_warning_also_where_plugins_is_not_set(
    site: Site, has_plugin: Callable[[str], None]
) -> None:
    has_plugin("sitemap")
    site.article("a.md")
    site.settings["PLUGINS"] = None
    build = site.build()

    assert build.said("WARNING", "pelican-sitemap is active too", "uninstall pelican-sitemap")
    assert "Written by sitemap-plugin" in build.sitemap.read_text()


@pytest.mark.parametrize("plugins", [["sitemap", "sitemap_plugin"], ["sitemap_plugin", "sitemap"]])
def test_what_pelican_sitemap_writes_in_each_build_is_not_kept(
    site: Site, has_plugin: Callable[[str], None], plugins: list[str]
) -> None:
    has_plugin("sitemap")
    site.article("a.md")
    site.settings["PLUGINS"] = plugins
    site.build()
    build = site.build()

    assert "Written by sitemap-plugin" in build.sitemap.read_text()
    assert not list(build.output.glob("*.bak*"))

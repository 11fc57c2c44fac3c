"""Pelican's translations become sets of links that point both ways."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pelican_sites import Build, Site
from sitemaps import read_sitemap

BASE = "https://example.org/"


def links(build: Build, path: str) -> dict[str, str]:
    alternates = build.entries[path].alternates
    return {code: url.removeprefix(BASE) for code, url in alternates}


def test_translations_name_each_other_with_their_real_urls(site: Site) -> None:
    site.settings.update(
        ARTICLE_LANG_URL="{lang}/{slug}",
        ARTICLE_LANG_SAVE_AS="{lang}/{slug}.html",
        PAGE_LANG_SAVE_AS="{lang}/{slug}/index.html",
    )
    site.article("hello.md")
    site.article("hello-de.md", "Lang: de\nSlug: hello")
    site.article("hello-fr.md", "Lang: fr\nSlug: hello\nurl: bonjour/\nsave_as: bonjour/index.html")
    site.page("about.md")
    site.page("about-de.md", "Lang: de\nSlug: about")
    site.article("alone.md")
    build = site.build()

    three = {"en": "hello.html", "de": "de/hello", "fr": "bonjour/", "x-default": "hello.html"}
    assert [links(build, three[code]) for code in ("en", "de", "fr")] == [three] * 3
    two = {"en": "pages/about.html", "de": "de/about/", "x-default": "pages/about.html"}
    assert links(build, "pages/about.html") == links(build, "de/about/") == two
    assert links(build, "alone.html") == links(build, "") == {}


@pytest.mark.parametrize("header", ["Status: draft", "Sitemap: false"])
def test_a_translation_that_is_not_listed_is_not_linked(site: Site, header: str) -> None:
    site.article("hello.md")
    site.article("hello-de.md", f"Lang: de\nSlug: hello\n{header}")
    build = site.build()

    assert "hello-de.html" not in build.paths
    assert links(build, "hello.html") == {}


@pytest.mark.parametrize(
    ("identity", "expected"),
    [("number", True), (["number", "slug"], False)],
)
def test_translations_are_found_by_what_the_settings_say(
    site: Site, identity: Any, expected: bool
) -> None:
    site.settings["ARTICLE_TRANSLATION_ID"] = identity
    site.article("hello.md", "Number: 7")
    site.article("hallo.md", "Number: 7\nLang: de")
    build = site.build()

    assert bool(links(build, "hello.html")) == expected
    assert links(build, "hello.html") == links(build, "hallo-de.html")


def test_a_slug_alone_makes_no_translations(site: Site) -> None:
    site.article("about.md")
    site.page("about-de.md", "Lang: de\nSlug: about")
    site.page("a.md", "Slug: a\nsave_as: a.html")
    site.page("b.md", "Slug: a\nsave_as: b.html")
    build = site.build()

    for path in ("about.html", "pages/about-de.html", "a.html", "b.html"):
        assert links(build, path) == {}
    assert not build.said("Sitemap:", "translations")


def test_subsites_are_listed_in_one_sitemap_under_their_own_urls(
    site: Site, has_plugin: Callable[[str], None]
) -> None:
    has_plugin("i18n_subsites")
    site.settings.update(
        PLUGINS=["i18n_subsites", "sitemap_plugin"],
        I18N_SUBSITES={"de": {"SITENAME": "Probe"}, "fr": {"PAGE_SAVE_AS": "{slug}/index.html"}},
        I18N_UNTRANSLATED_ARTICLES="keep",
        RELATIVE_URLS=True,
        CATEGORY_SAVE_AS="",
        AUTHOR_SAVE_AS="",
        DIRECT_TEMPLATES=["index"],
    )
    site.article("hello.md", "Lang: en")
    site.article("hello-de.md", "Lang: de\nSlug: hello")
    site.article("hallo.md", "Lang: de")
    site.page("about.md", "Lang: en")
    site.page("about-fr.md", "Lang: fr\nSlug: about")
    site.page("licence.md")
    build = site.build()

    pages = {"hello.html", "pages/about.html", "pages/licence.html",
             "de/hello.html", "de/hallo.html", "fr/about/"}  # fmt: skip
    assert set(build.paths) == {*pages, "", "de/", "fr/"}
    assert not list(build.output.glob("*/sitemap.xml*"))
    assert not list(build.output.glob("*/robots.txt"))
    assert build.said("untranslated copy")


@pytest.mark.parametrize("base", [{}, {"base_url": "https://example.org"}])
def test_the_same_listing_of_each_subsite_is_a_translation(
    site: Site, has_plugin: Callable[[str], None], base: dict[str, str]
) -> None:
    has_plugin("i18n_subsites")
    site.settings.update(
        PLUGINS=["sitemap_plugin", "i18n_subsites"],
        SITEURL="https://preview.example" if base else "https://example.org",
        SITEMAP=base,
        I18N_SUBSITES={"de": {"ARCHIVES_SAVE_AS": "archiv.html", "ARCHIVES_URL": "archiv.html"}},
        YEAR_ARCHIVE_SAVE_AS="{date:%Y}/index.html",
        TEMPLATE_PAGES={"src/home.html": "home/index.html"},
        READERS={"html": None},
        AUTHOR_SAVE_AS="",
    )
    site.write("content/src/home.html", "<!doctype html><title>H</title>")
    site.article("hello.md", "Lang: en\nTags: gift", date="2024-05-06")
    site.article("old.md", "Lang: en", date="2023-05-06")
    site.article("hello-de.md", "Lang: de\nSlug: hello\nTags: gift", date="2024-05-06")
    build = site.build()

    for path in ("", "home/", "2024/", "categories.html", "hello.html"):
        there = {"en": path, "de": f"de/{path}", "x-default": path}
        assert links(build, path) == links(build, f"de/{path}") == there
    for path in ("archives.html", "de/archiv.html", "2023/", "tag/gift.html", "de/tag/gift.html"):
        assert links(build, path) == {}
    assert not build.said("WARNING")


def test_a_subsite_on_a_host_of_its_own_has_a_sitemap_of_its_own_and_links_go_across(
    site: Site, has_plugin: Callable[[str], None]
) -> None:
    has_plugin("i18n_subsites")
    site.settings.update(
        PLUGINS=["sitemap_plugin", "i18n_subsites"],
        I18N_SUBSITES={"de": {"SITEURL": "https://beispiel.example"}},
    )
    site.article("hello.md", "Lang: en")
    site.article("hello-de.md", "Lang: de\nSlug: hello")
    build = site.build()

    assert "hello.html" in build.paths
    assert not any("beispiel" in path or path.startswith("de/") for path in build.paths)
    there = {url.loc: dict(url.alternates) for url in read_sitemap(build.output / "de/sitemap.xml")}
    versions = there["https://beispiel.example/hello.html"]
    assert versions["en"] == "https://example.org/hello.html"
    assert versions["de"] == "https://beispiel.example/hello.html"

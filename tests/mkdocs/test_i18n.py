"""mkdocs-static-i18n: one sitemap for all languages, with links between true translations only."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

import pytest

from mkdocs_sites import Builder, run_build
from sitemaps import read_sitemap

BASE = "https://example.org/"
ENGLISH = {"locale": "en", "name": "English", "default": True, "build": True}
FRENCH = {"locale": "fr", "name": "Français", "build": True}
GERMAN = {"locale": "de", "name": "Deutsch", "build": True}
SWITCHER_ONLY = {"locale": "null", "name": "Help", "build": False, "fixed_link": "/help/"}


def i18n(*languages: Mapping[str, Any], layout: str = "suffix", **options: Any) -> dict[str, Any]:
    """Return the plugin's configuration."""
    return {"i18n": {"docs_structure": layout, "languages": list(languages), **options}}


def translated(pages: Mapping[str, Mapping[str, str]], layout: str) -> dict[str, str]:
    """Return the source files of pages that are given by path and language."""
    files = {}
    for path, texts in pages.items():
        for language, text in texts.items():
            name = PurePosixPath(path)
            if layout == "folder":
                files[f"{language}/{path}"] = text
            elif language == "en":
                files[path] = text
            else:
                files[str(name.with_suffix(f".{language}{name.suffix}"))] = text
    return files


def pages_of(*sets: dict[str, str]) -> dict[str, dict[str, str]]:
    """Return the pages of the sets, each with the links of its set."""
    return {path: hrefs for hrefs in sets for path in hrefs.values()}


PAGES = {
    "index.md": {"en": "# Home", "fr": "# Accueil", "de": "# Start"},
    "guide/index.md": {"en": "# Guide", "fr": "# Le guide", "de": "# Anleitung"},
    "english.md": {"en": "# Only in English"},
    "french.md": {"fr": "# Seulement en français"},
    "draft.md": {"en": "# A", "fr": "---\nrobots: noindex\n---\n# B", "de": "# C"},
    "about.md": {"en": "---\ntranslation_key: about\n---\n# About", "fr": "# À propos"},
    "über.md": {"de": "---\ntranslation_key: about\n---\n# Über uns"},
    "404.md": {"en": "# Gone", "fr": "# Perdu", "de": "# Weg"},
}


@pytest.mark.parametrize("layout", ["suffix", "folder"])
def test_pages_are_linked_with_their_translations_in_both_layouts(
    build_site: Builder, layout: str
) -> None:
    plugins = [i18n(ENGLISH, FRENCH, GERMAN, layout=layout)]
    built = build_site(translated(PAGES, layout), None, "--strict", plugins=plugins)

    home = {"en": "", "fr": "fr/", "de": "de/", "x-default": ""}
    guide = {"en": "guide/", "fr": "fr/guide/", "de": "de/guide/", "x-default": "guide/"}
    draft = {"en": "draft/", "de": "de/draft/", "x-default": "draft/"}
    about = {"en": "about/", "fr": "fr/about/", "de": "de/%C3%BCber/", "x-default": "about/"}
    assert built.links == {
        **pages_of(home, guide, draft, about),
        "english/": {},
        "fr/french/": {},
    }
    assert "3 error page, 3 untranslated copy, 1 noindex" in built.log


@pytest.mark.parametrize("layout", ["suffix", "folder"])
def test_copies_are_listed_on_request_and_claimed_by_nobody(
    build_site: Builder, layout: str
) -> None:
    plugins = [i18n(ENGLISH, FRENCH, GERMAN, layout=layout)]
    pages = {
        "index.md": PAGES["index.md"],
        "about.md": PAGES["about.md"],
        "über.md": PAGES["über.md"],
    }
    built = build_site(translated(pages, layout), {"fallback_pages": True}, plugins=plugins)

    found = built.links
    assert found["de/about/"] == {}
    assert found["about/"] == {
        "en": "about/", "fr": "fr/about/", "de": "de/%C3%BCber/", "x-default": "about/",
    }  # fmt: skip
    assert found.keys() == {"", "about/", "de/", "de/about/", "de/%C3%BCber/", "fr/", "fr/about/"}
    assert "WARNING" not in built.log


@pytest.mark.parametrize(
    ("directory_urls", "theme", "reconfigure"),
    [(True, "mkdocs", True), (False, "mkdocs", True), (True, "material", False)],
)
def test_links_are_the_pages_canonical_links(
    build_site: Builder, directory_urls: bool, theme: str, reconfigure: bool
) -> None:
    plugins = [i18n(ENGLISH, FRENCH, SWITCHER_ONLY, reconfigure_material=reconfigure)]
    files = translated(
        {"index.md": PAGES["index.md"], "a/b.md": {"en": "# B", "fr": "# Bé"}}, "suffix"
    )
    config = {"theme": {"name": theme}, "use_directory_urls": directory_urls}
    built = build_site(files, plugins=plugins, **config)

    found = built.links
    home = {"en": "", "fr": "fr/", "x-default": ""}
    if not directory_urls:
        home = {"en": "index.html", "fr": "fr/index.html", "x-default": "index.html"}
    assert found[home["en"]] == found[home["fr"]] == home
    assert len(found) == 4
    for path in found:
        file = built.site / (path if path.endswith(".html") else f"{path}index.html")
        assert f'<link rel="canonical" href="{BASE}{path}"' in file.read_text()


def test_locales_become_hreflang_codes(build_site: Builder) -> None:
    languages = [
        {"locale": "en_US", "name": "American", "default": True, "build": True},
        {"locale": "pt_BR", "name": "Português", "build": True},
        {"locale": "zh", "name": "中文", "build": True},
        {"locale": "xx", "name": "Unknown", "build": True},
        {"locale": "it", "name": "Italiano", "build": False},
        SWITCHER_ONLY,
    ]
    files = {f"index.{item['locale']}.md": f"# {item['name']}" for item in languages}
    files["index.md"] = files.pop("index.en_US.md")
    options = {"languages": {"zh": "zh-Hans"}}
    plugins = [i18n(*languages, reconfigure_material=False)]
    built = build_site(files, options, plugins=plugins, theme={"name": "material"})

    every = {"en-US": "", "pt-BR": "pt_BR/", "zh-Hans": "zh/", "x-default": ""}
    assert built.links == {"": every, "pt_BR/": every, "zh/": every, "xx/": {}}
    warnings = [line for line in built.problems if "WARNING" in line]
    assert len(warnings) == 1
    assert "'xx'" in warnings[0]


def test_a_readme_is_the_translation_of_an_index(build_site: Builder) -> None:
    files = {"index.md": "# Home", "README.fr.md": "# Accueil", "a/README.md": "# A"}
    files |= {"a/index.de.md": "# A auf Deutsch"}
    built = build_site(files, plugins=[i18n(ENGLISH, FRENCH, GERMAN)])

    home = {"en": "", "fr": "fr/", "x-default": ""}
    page = {"en": "a/", "de": "de/a/", "x-default": "a/"}
    assert built.links == pages_of(home, page)


@pytest.mark.parametrize("layout", ["suffix", "folder"])
def test_a_translation_that_only_repeats_the_original_is_listed_and_not_claimed(
    build_site: Builder, layout: str
) -> None:
    pages = {
        "index.md": {
            "en": "---\ntemplate: home.html\n---\n# Title",
            "fr": "---\ntemplate: home.fr.html\n---\n# Title",
        },
        "empty.md": {"en": "", "fr": "---\ntitle: Vide\n---\n"},
        "a.md": {"en": "# A", "fr": "---\ntitle: Un\n---\n\n# A\n", "de": "# Ein A"},
        "b.md": {"en": "# B, changed", "fr": "# B", "de": "# B"},
        "same.md": dict.fromkeys(("en", "fr"), "---\ntemplate: home.html\n---\n# Same"),
        "c.md": {"en": "---\ntranslation_key: c\n---\n# C"},
        "d.md": {"fr": "---\ntranslation_key: c\n---\n# C"},
    }
    templates = dict.fromkeys(("../theme/home.html", "../theme/home.fr.html"), "<html></html>")
    built = build_site(
        {**translated(pages, layout), **templates},
        plugins=[i18n(ENGLISH, FRENCH, GERMAN, layout=layout)],
        theme={"name": "mkdocs", "custom_dir": "theme"},
    )

    found = built.links
    home = {"en": "", "fr": "fr/", "x-default": ""}
    page = {"en": "a/", "de": "de/a/", "x-default": "a/"}
    keyed = {"en": "c/", "fr": "fr/d/", "x-default": "c/"}
    empty = {"en": "empty/", "fr": "fr/empty/", "x-default": "empty/"}
    assert {path: hrefs for path, hrefs in found.items() if hrefs} == pages_of(
        home, page, keyed, empty
    )
    assert found.keys() >= {"fr/a/", "b/", "fr/b/", "de/b/"}


def test_a_languages_own_site_url_below_the_base_gives_its_urls(build_site: Builder) -> None:
    french = {**FRENCH, "site_url": f"{BASE}site/"}
    built = build_site(translated(PAGES, "suffix"), plugins=[i18n(ENGLISH, french, GERMAN)])

    home = {"en": "", "fr": "site/fr/", "de": "de/", "x-default": ""}
    assert built.links[""] == built.links["site/fr/"] == built.links["de/"] == home


def test_a_language_on_a_host_of_its_own_has_its_own_sitemap(build_site: Builder) -> None:
    french = {**FRENCH, "site_url": "https://fr.example.org"}
    files = {**translated(PAGES, "suffix"), "only.de.md": "# Nur hier"}
    built = build_site(files, None, "--strict", plugins=[i18n(ENGLISH, french, GERMAN)])

    found = built.links
    home = {"en": "", "fr": "https://fr.example.org/fr/", "de": "de/", "x-default": ""}
    assert found[""] == found["de/"] == home
    assert not any(path.startswith("fr/") for path in found)
    other = {url.loc: dict(url.alternates) for url in read_sitemap(built.site / "fr/sitemap.xml")}
    assert other.keys() == {
        f"https://fr.example.org/fr/{path}" for path in ("", "guide/", "about/", "french/")
    }
    assert other["https://fr.example.org/fr/"] == dict(built.urls[""].alternates)
    assert "Sitemap: https://fr.example.org/fr/sitemap.xml" in built.log
    assert f"{len(found) + 4} URLs in site/sitemap.xml, site/fr/sitemap.xml;" in built.log


def test_the_default_languages_own_site_url_is_the_base(build_site: Builder) -> None:
    english = {**ENGLISH, "site_url": "https://en.example.org/"}
    built = build_site(translated(PAGES, "suffix"), plugins=[i18n(FRENCH, english)])

    english_home = read_sitemap(built.site / "sitemap.xml")[0]
    french = {url.loc: url for url in read_sitemap(built.site / "fr/sitemap.xml")}
    assert english_home.loc == "https://en.example.org/"
    assert dict(english_home.alternates) == {
        "en": "https://en.example.org/",
        "fr": f"{BASE}fr/",
        "x-default": "https://en.example.org/",
    }
    assert french[f"{BASE}fr/"].alternates == english_home.alternates


def test_a_languages_site_url_that_is_no_url_fails_with_the_corrected_form(
    build_site: Builder,
) -> None:
    french = {**FRENCH, "site_url": "fr.example.org"}
    built = build_site(translated(PAGES, "suffix"), plugins=[i18n(ENGLISH, french)])

    assert built.status == 1
    assert "i18n: languages: fr: site_url: 'fr.example.org'" in built.log
    assert "write 'https://fr.example.org/'" in built.log


HOOK = """
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File

@event_priority(-500)
def on_files(files, config):
    language = config.plugins["i18n"].current_language
    folder = "" if language == "en" else language + "/"
    for name in ("archive/2024", "tags"):
        files.append(File.generated(config, f"{folder}{name}.md", content=f"# {language}"))
"""


def test_pages_that_other_plugins_make_are_listed_without_links(build_site: Builder) -> None:
    files = {**translated(PAGES, "suffix"), "../hook.py": HOOK}
    built = build_site(files, plugins=[i18n(ENGLISH, FRENCH)], hooks=["hook.py"])

    found = built.links
    made = {f"{folder}{name}/" for folder in ("", "fr/") for name in ("archive/2024", "tags")}
    assert made <= found.keys()
    assert {path: found[path] for path in made} == {path: {} for path in made}
    assert found[""] == {"en": "", "fr": "fr/", "x-default": ""}


@pytest.mark.parametrize("order", [["blog", "i18n"], ["i18n", "blog"]])
def test_a_blog_beside_the_plugin_breaks_nothing_and_its_views_are_not_linked(
    build_site: Builder, order: list[str]
) -> None:
    pages = {
        "index.md": PAGES["index.md"],
        "blog/index.md": {"en": "# Blog", "fr": "# Le blog"},
        "blog/posts/a.md": {
            code: f"---\ndate: 2024-01-02\ncategories: [Tea]\n---\n# {code}"
            for code in ("en", "fr")
        },
    }
    plugins = {"blog": {"blog": {}}, "i18n": i18n(ENGLISH, FRENCH)}
    built = build_site(
        translated(pages, "suffix"),
        plugins=[plugins[name] for name in order],
        theme={"name": "material"},
    )

    found = built.links
    assert found["blog/"] == {"en": "blog/", "fr": "fr/blog/", "x-default": "blog/"}
    assert not any(
        hrefs for path, hrefs in found.items() if "archive" in path or "category" in path
    )


def test_a_theme_override_of_the_sitemap_is_reported_once_for_all_languages(
    build_site: Builder,
) -> None:
    theme = {"name": "mkdocs", "custom_dir": "theme"}
    files = {**translated(PAGES, "suffix"), "../theme/sitemap.xml": "<urlset></urlset>"}
    built = build_site(files, plugins=[i18n(ENGLISH, FRENCH, GERMAN)], theme=theme)

    assert built.links["fr/"] != {}
    assert built.log.count("this plugin writes the sitemap") == 1


def test_rebuilds_neither_grow_nor_remember(build_site: Builder) -> None:
    """MkDocs keeps the plugin's object for all builds of a process, as in ``mkdocs serve``."""
    plugins = [i18n(ENGLISH, FRENCH)]
    first = build_site(translated(PAGES, "suffix"), plugins=plugins)
    before = first.links
    more = build_site({"new.md": "# New", "new.fr.md": "# Nouveau"}, plugins=plugins).links
    for name in ("new.md", "index.fr.md"):
        (first.root / "docs" / name).unlink()
    last = run_build(first.root).links

    assert more.keys() == before.keys() | {"new/", "fr/new/"}
    assert last.keys() == (before.keys() | {"fr/new/"}) - {"fr/"}
    assert len(before[""]) == 3
    assert last[""] == {}

"""Sites that hold a folder for each language in one build, with Material's language switcher."""

from __future__ import annotations

from typing import Any

import pytest

from mkdocs_sites import Builder

BASE = "https://example.org/"
MATERIAL = {"name": "material", "font": False}


def switcher(**links: str) -> dict[str, Any]:
    """Return the part of mkdocs.yml that gives each language its link."""
    items = [{"name": code, "link": link, "lang": code} for code, link in links.items()]
    return {"theme": MATERIAL, "extra": {"alternate": items}}


PAGES = {
    "index.md": "# Choose",
    "en/index.md": "# Home",
    "fr/index.md": "# Accueil",
    "de/index.md": "# Start",
    "en/a/b.md": "# English",
    "fr/a/b.md": "# Français",
    "de/a/b.md": "---\nrobots: noindex\n---\n# Deutsch",
    "en/only.md": "# Only here",
    "fr/seul.md": "# Seulement ici",
}


def test_the_same_path_in_each_languages_folder_is_a_set(build_site: Builder) -> None:
    built = build_site(PAGES, **switcher(en="/en/", fr="/fr/", de="/de/"))

    home = {"en": "en/", "fr": "fr/", "de": "de/", "x-default": "en/"}
    page = {"en": "en/a/b/", "fr": "fr/a/b/", "x-default": "en/a/b/"}
    assert built.links == {
        "": {}, "en/": home, "fr/": home, "de/": home, "en/a/b/": page, "fr/a/b/": page,
        "en/only/": {}, "fr/seul/": {},
    }  # fmt: skip
    assert "WARNING" not in built.log


def test_one_language_may_be_at_the_root(build_site: Builder) -> None:
    pages = {path.removeprefix("en/"): text for path, text in PAGES.items() if path != "index.md"}
    built = build_site(pages, **switcher(en="/", fr="/fr/", de="https://de.example/"))

    home = {"en": "", "fr": "fr/", "x-default": ""}
    page = {"en": "a/b/", "fr": "fr/a/b/", "x-default": "a/b/"}
    assert built.links == {
        "": home, "fr/": home, "a/b/": page, "fr/a/b/": page, "only/": {}, "fr/seul/": {},
        "de/": {},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("english", "french"),
    [
        ("/docs/en/", "/docs/fr/"),
        ("./en/", "fr"),
        (f"{BASE}docs/en/", f"{BASE}docs/fr"),
        ("/docs/en/index.html", "fr/index.html"),
    ],
)
def test_links_are_read_as_the_theme_reads_them(
    build_site: Builder, english: str, french: str
) -> None:
    pages = {path: text for path, text in PAGES.items() if not path.startswith("de/")}
    config = switcher(en=english, fr=french)
    built = build_site(
        pages, site_url=f"{BASE}docs/", use_directory_urls="html" not in english, **config
    )

    sets = {frozenset(found.items()) for found in built.links.values()} - {frozenset()}
    assert len(sets) == 2


@pytest.mark.parametrize(
    "config",
    [
        switcher(en="/", fr="/fr/"),
        switcher(en="/docs/", fr="https://fr.example.org/docs/fr/"),
        switcher(en="/docs/en/", fr="/docs/en/"),
        {"extra": {"alternate": [{"link": 7, "lang": "en"}, "en", {"link": "/docs/en/"}]}},
        {"extra": {"alternate": [{"link": "http://[broken/", "lang": "en"}]}},
        {"extra": {"alternate": {"en": "/docs/en/"}}},
    ],
)
def test_a_switcher_that_leads_to_other_builds_links_nothing(
    build_site: Builder, config: dict[str, Any]
) -> None:
    built = build_site(PAGES, site_url=f"{BASE}docs/", **config)

    assert not any(built.links.values())


def test_untranslated_copies_are_listed_and_not_claimed(build_site: Builder) -> None:
    files = {
        "en/index.md": "# Home",
        "fr/index.md": "---\ntitle: Accueil\n---\n\n# Home\n",
        "de/index.md": "# Start",
        "en/api.md": "# API",
        "fr/api.md": "# API",
        "de/api.md": "# API",
        "en/new.md": "# News of today",
        "fr/new.md": "# News",
        "de/new.md": "# News",
        "en/search.md": "---\ntemplate: 404.html\n---\n",
        "fr/search.md": "---\ntemplate: 404.html\n---\n",
    }
    built = build_site(files, **switcher(en="/en/", fr="/fr/", de="/de/"))

    home = {"en": "en/", "de": "de/", "x-default": "en/"}
    search = {"en": "en/search/", "fr": "fr/search/", "x-default": "en/search/"}
    found = built.links
    assert {path: hrefs for path, hrefs in found.items() if hrefs} == {
        "en/": home, "de/": home, "en/search/": search, "fr/search/": search,
    }  # fmt: skip
    assert len(found) == len(files)


def test_a_pages_own_word_on_its_language_and_its_translations_holds(build_site: Builder) -> None:
    files = {
        "en/a.md": "---\ntranslation_key: a\n---\n# A",
        "fr/b.md": "---\ntranslation_key: a\n---\n# B",
        "en/c.md": "# C",
        "fr/c.md": "---\nlang: fr-CA\n---\n# C in Canada",
    }
    built = build_site(files, **switcher(en="/en/", fr="/fr/"))

    assert built.links["en/a/"] == {"en": "en/a/", "fr": "fr/b/", "x-default": "en/a/"}
    assert built.links["en/c/"] == {"en": "en/c/", "fr-CA": "fr/c/", "x-default": "en/c/"}


def test_views_that_a_blog_makes_in_each_folder_are_not_linked(build_site: Builder) -> None:
    files = {f"{code}/index.md": f"# Home {code}" for code in ("en", "fr")}
    for code in ("en", "fr"):
        files[f"{code}/blog/index.md"] = f"# Blog {code}"
        files[f"{code}/blog/posts/a.md"] = f"---\ndate: 2024-01-02\nslug: a\n---\n# Post {code}"
    blogs = [{"blog": {"blog_dir": f"{code}/blog"}} for code in ("en", "fr")]
    built = build_site(files, plugins=blogs, **switcher(en="/en/", fr="/fr/"))

    found = built.links
    post = "blog/2024/01/02/a/"
    assert found[f"en/{post}"] == {
        "en": f"en/{post}", "fr": f"fr/{post}", "x-default": f"en/{post}",
    }  # fmt: skip
    assert found["en/blog/"] == {"en": "en/blog/", "fr": "fr/blog/", "x-default": "en/blog/"}
    assert found["en/blog/archive/2024/"] == found["fr/blog/archive/2024/"] == {}

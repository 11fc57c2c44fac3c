"""Pages belong together where their generator or their authors say so, and nowhere else."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from linked import links, version
from sitemap_plugin.models import Page
from sites import BASE, page

GONE = "but this build has no such page; give its URL or its source path"
IT = {"translations": {"it": "https://one.example/"}}
ABOUT = {"translation_key": "about"}
CHOOSE = {"translations": {"x-default": "choose.md"}}


class Case(NamedTuple):
    """Pages, their links where they have some, and the warnings."""

    pages: list[Page]
    found: dict[str, dict[str, str]]
    problems: Sequence[str] = ()


def every(**paths: str) -> dict[str, dict[str, str]]:
    """Return what the pages of this site find that all have the same links."""
    links = {
        "x-default" if code == "default" else code.replace("_", "-"): path
        for code, path in paths.items()
    }
    return {path: links for path in paths.values() if ":" not in path}


CASES = {
    "each version carries the full set, itself included": Case(
        [version("a/", "en"), version("fr/a/", "fr"), version("de/ä/", "de"), page("b/")],
        every(en="a/", fr="fr/a/", de="de/%C3%A4/", default="a/"),
    ),
    "a page in one language only": Case([version("a/", "en"), version("b/", "en", "other")], {}),
    "two pages of one language, of which the first by URL stays": Case(
        [version("b/", "en"), version("a/", "en"), version("fr/a/", "fr")],
        every(en="a/", fr="fr/a/", default="a/"),
        [f"b.md: two en pages in one set of translations; {BASE}a/ stays in the set, this page "
         "is listed without links"],
    ),
    "a code that the option declares needs no correction": Case(
        [version("b/", "en-EU"), version("a/", "ie"), version("c/", "it")],
        every(en="a/", it="c/", default="a/"),
        ["b.md: language code 'en-EU' is written as 'en': search engines ignore the region 'EU'",
         f"b.md: two en pages in one set of translations; {BASE}a/ stays in the set, this page "
         "is listed without links"],
    ),
    "x-default needs a page in the default language": Case(
        [version("fr/a/", "fr"), version("de/a/", "de")], every(fr="fr/a/", de="de/a/")
    ),
    "a page names its own x-default": Case(
        [version("a/", "en", metadata=CHOOSE), version("fr/a/", "fr"), page("choose/")],
        every(en="a/", fr="fr/a/", default="choose/"),
    ),
    "a page that is the x-default of two sets": Case(
        [*(version(f"{key}/", "en", key, metadata=CHOOSE) for key in "ab"),
         *(version(f"fr/{key}/", "fr", key) for key in "ab"), page("choose/")],
        {**every(en="a/", fr="fr/a/"), **every(en="b/", fr="fr/b/")},
        ["choose.md: is the x-default of more than one set of translations, and can link back to "
         "one only; these sets are written without x-default"],
    ),
    "a page whose own language is x-default": Case(
        [version("a/", "en"), version("fr/a/", "fr"), version("choose/", "x-default")],
        every(en="a/", fr="fr/a/", default="choose/"),
    ),
    "and is no version by itself": Case([version("a/", "en"), version("b/", "x-default")], {}),
    "a page that left its set puts nothing into it": Case(
        [page("a/", {"translations": {"fr": "fr.md"}}), page("fr/"),
         page("z/", {"translations": {"fr": "fr.md", "es": "https://es.example/z"}})],
        every(en="a/", fr="fr/", default="a/"),
        [f"z.md: two en pages in one set of translations; {BASE}a/ stays in the set, this page "
         "is listed without links"],
    ),
    "front matter joins pages by a key": Case(
        [page("a/", {"lang": "en", **ABOUT}), page("b/", {"lang": "pt_br", **ABOUT}),
         page("c/", {"lang": "fr", "translation_key": 7}),
         page("d/", {"lang": "de", "translation_key": 7}),
         page("e/", {"lang": "de", "translation_key": ""})],
        {**every(en="a/", pt_BR="b/", default="a/"), **every(fr="c/", de="d/")},
    ),
    "declarations are followed from page to page": Case(
        [page("a/", {"translations": {"fr": "b.md"}}),
         page("b/", {"translations": {"de": "c.md"}}), page("c/")],
        every(en="a/", fr="b/", de="c/", default="a/"),
    ),
    "a source path from the folder of the page": Case(
        [page("en/guide/a/", {"translations": {"fr": "../../fr/guide/a.md"}}),
         page("fr/guide/a/", {"lang": "fr"})],
        every(en="en/guide/a/", fr="fr/guide/a/", default="en/guide/a/"),
    ),
    "a version on another host is linked as given and no entry": Case(
        [page("a/", {"sitemap": {"alternates": {"fr": "https://example.fr/à?x=1&y=2"}}})],
        every(en="a/", fr="https://example.fr/%C3%A0?x=1&y=2", default="a/"),
    ),
    "a declared page that is left out": Case(
        [page("a/", {"translations": {"fr": "fr/a.md", "de": "de/a.md"}}),
         page("fr/a/", {"noindex": True}), page("de/a/")],
        every(en="a/", de="de/a/", default="a/"),
    ),
    "a declared page that does not exist": Case(
        [page("a/", {"translations": {"fr": "fr/gone.md"}})], {},
        [f"a.md: names 'fr/gone.md' as its fr version, {GONE}"],
    ),
    "contradictory declarations": Case(
        [page("a/", {"translations": {"fr": "b.md"}}), page("b/", {"lang": "de"})],
        every(en="a/", de="b/", default="a/"),
        ["a.md: names b.md as its fr version, but b.md says that it is de; de is used"],
    ),
    "two URLs for one language on other hosts": Case(
        [version("a/", "en", metadata=IT),
         version("de/a/", "de", metadata={"translations": {"it": "https://two.example/"}})],
        every(en="a/", de="de/a/", it="https://one.example/", default="a/"),
        ["de/a.md: names https://two.example/ as its it version, but "
         "https://one.example/ is that version already; the latter is used"],
    ),
    "members that declare the same version elsewhere": Case(
        [version("a/", "en", metadata=IT), version("de/a/", "de", metadata=IT)],
        every(en="a/", de="de/a/", it="https://one.example/", default="a/"),
    ),
    "a listed version stands against one that is declared elsewhere": Case(
        [version("a/", "en", metadata={"translations": {"de": "https://other.example/a/"}}),
         version("de/a/", "de")],
        every(en="a/", de="de/a/", default="a/"),
        [f"a.md: names https://other.example/a/ as its de version, but {BASE}de/a/ is "
         "that version already; the latter is used"],
    ),
    "a generator's key and one of the front matter are different names": Case(
        [page("a/", language="en", translation_key="about"), page("fr/a/", ABOUT, language="fr")],
        {},
    ),
    "front matter adds to what the generator knows": Case(
        [version("a/", "en", metadata=ABOUT), version("fr/a/", "fr"),
         page("de/über/", ABOUT, language="de")],
        every(en="a/", fr="fr/a/", de="de/%C3%BCber/", default="a/"),
    ),
    "the order of declarations does not decide which page stays": Case(
        [page("a/", {"translations": {"en": "c.md"}}, language="fr"),
         page("b/", {"translations": {"fr": "a.md"}}, language="en"), page("c/", language="en")],
        every(en="b/", fr="a/", default="b/"),
        [f"c.md: two en pages in one set of translations; {BASE}b/ stays in the set, this page is "
         "listed without links"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_sets_have_the_links_that_pages_and_generators_say(tmp_path: Path, case: str) -> None:
    pages, expected, problems = CASES[case]
    found, said = links(tmp_path, *pages, options={"languages": {"ie": "en"}})

    assert {path: alternates for path, alternates in found.items() if alternates} == expected
    assert said == list(problems)


@pytest.mark.parametrize(
    "target", ["fr/über/", "fr/über.md", "/fr/über/", f"{BASE}fr/%C3%BCber/", "../fr/über/"]
)
def test_a_one_sided_declaration_is_completed(tmp_path: Path, target: str) -> None:
    declaring = page("a/", {"translations": {"fr": target}})
    found, problems = links(tmp_path, declaring, page("fr/über/", source_path="fr/über.md"))

    every = {"en": "a/", "fr": "fr/%C3%BCber/", "x-default": "a/"}
    assert found == {"a/": every, "fr/%C3%BCber/": every}
    assert problems == []


@pytest.mark.parametrize(
    "declared",
    [
        {"translation_key": "about"},
        {"translations": {"fr": "fr/a.md"}},
        {"sitemap": {"alternates": {"fr": f"{BASE}fr/a/"}}},
        {"lang": "en", "translation_key": "about"},
    ],
)
def test_a_listed_copy_is_in_no_set_though_it_has_its_originals_front_matter(
    tmp_path: Path, declared: dict[str, Any]
) -> None:
    copy = page("de/a/", declared, source_path="a.md", fallback=True, language="en")
    original = page("a/", declared, source_path="a.md", language="en")
    french = page("fr/a/", {"translation_key": "about"}, language="fr")
    found, problems = links(tmp_path, copy, original, french, options={"fallback_pages": True})

    every = {"en": "a/", "fr": "fr/a/", "x-default": "a/"}
    assert found == {"a/": every, "de/a/": {}, "fr/a/": every}
    assert problems == []


@pytest.mark.parametrize("target", ["a.md", "a/", "/a/"])
def test_a_source_that_also_has_copies_names_the_original(tmp_path: Path, target: str) -> None:
    pages = [
        page("Z/a/", source_path="a.md", fallback=True, language="en"),
        page("a/", source_path="a.md", language="en"),
        page("z/a/", source_path="a.md", fallback=True, language="en"),
        page("fr/b/", {"translations": {"en": target}}, language="fr", source_path="b.fr.md"),
    ]
    found, problems = links(tmp_path, *pages, options={"fallback_pages": True})

    every = {"en": "a/", "fr": "fr/b/", "x-default": "a/"}
    assert found == {"Z/a/": {}, "a/": every, "fr/b/": every, "z/a/": {}}
    assert problems == []


@pytest.mark.parametrize("listed", [True, False])
def test_a_copy_is_never_the_version_that_a_page_declares(tmp_path: Path, listed: bool) -> None:
    pages = [
        page("a/", {"translations": {"fr": "/fr/a/"}}, language="en"),
        page("fr/a/", source_path="a.md", fallback=True, language="en"),
    ]
    found, problems = links(tmp_path, *pages, options={"fallback_pages": listed})

    assert found["a/"] == {}
    assert problems == []


@pytest.mark.parametrize("language", [False, ["en"], 7, "xx", "xx_YY"])
def test_a_language_that_cannot_be_read_is_not_replaced_by_a_guess(
    tmp_path: Path, language: Any
) -> None:
    pages = [version("a/", "en"), version("b/", "fr", metadata={"lang": language})]
    found, problems = links(tmp_path, *pages)

    assert found == {"a/": {}, "b/": {}}
    assert len(problems) == 1
    assert problems[0].startswith("b.md: front matter 'lang': ")
    assert repr(language) in problems[0]


@pytest.mark.parametrize(
    ("written", "address"),
    [
        (
            "guide/index.html",
            ["guide/", "guide/index.html", "guide", "Guide/../guide/", "guide/#x"],
        ),
        ("guide.html", ["guide.html", "guide", "guide/", "%67uide.html"]),
    ],
)
def test_a_page_is_found_by_each_address_that_leads_to_its_file(
    tmp_path: Path, written: str, address: list[str]
) -> None:
    output = tmp_path / written
    output.parent.mkdir(exist_ok=True)
    output.write_text("<!doctype html><title>T</title>")
    path = written.removesuffix("index.html")
    for target in [*address, *(f"HTTPS://Example.org:443/{each}" for each in address)]:
        pages = [
            page("a/", {"translations": {"fr": f"/{target}" if ":" not in target else target}}),
            page(path, language="fr", output=output, source_path="x.md"),
        ]
        found, problems = links(tmp_path, *pages)

        assert found["a/"] == found[path] == {"en": "a/", "fr": path, "x-default": "a/"}
        assert problems == []


def test_an_address_that_leads_to_a_page_that_is_left_out_is_not_worth_a_warning(
    tmp_path: Path,
) -> None:
    for name in ("b.html", "b/index.html"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("<!doctype html><title>T</title>")
    pages = [
        page("a/", {"translations": {"fr": "/b.html", "de": "/b"}}),
        page("b.html", {"noindex": True}, output=tmp_path / "b.html", source_path="x.md"),
        page("b/", output=tmp_path / "b/index.html", source_path="y.md"),
    ]
    found, problems = links(tmp_path, *pages)

    assert found == {"a/": {}, "b/": {}}
    assert problems == []


def test_a_site_with_bases_of_its_own_for_languages_links_across(tmp_path: Path) -> None:
    other = {"https://example.fr/": tmp_path / "fr"}
    pages = [
        version("a/", "en"),
        page("", language="fr", translation_key="k")._replace(url="https://example.fr/a/"),
        page("b/", {"translations": {"fr": "https://example.fr/b/"}}),
        page("c/", {"translations": {"fr": "https://example.de/c/"}}),
    ]
    found, problems = links(tmp_path, *pages, other_bases=other)

    assert found["a/"] == {"en": "a/", "fr": "https://example.fr/a/", "x-default": "a/"}
    assert found["b/"] == {}
    assert found["c/"] == {"en": "c/", "fr": "https://example.de/c/", "x-default": "c/"}
    assert problems == [
        "b.md: names 'https://example.fr/b/' as its fr version, but this build has no such page; "
        "give its URL or its source path"
    ]

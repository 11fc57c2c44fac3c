"""Pages belong together where their generator or their authors say so, and nowhere else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from linked import links, version
from sites import BASE, page


def test_front_matter_joins_pages_by_a_key(tmp_path: Path) -> None:
    found, problems = links(
        tmp_path,
        page("a/", {"lang": "en", "translation_key": "about"}),
        page("b/", {"lang": "pt_br", "translation_key": "about"}),
        page("c/", {"lang": "fr", "translation_key": 7}),
        page("d/", {"lang": "de", "translation_key": 7}),
        page("e/", {"lang": "de", "translation_key": ""}),
    )

    assert found["a/"] == {"en": "a/", "pt-BR": "b/", "x-default": "a/"}
    assert found["a/"] == found["b/"]
    assert found["c/"] == found["d/"] == {"fr": "c/", "de": "d/"}
    assert found["e/"] == {}
    assert problems == []


@pytest.mark.parametrize(
    "target", ["fr/über/", "fr/über.md", "/fr/über/", f"{BASE}fr/%C3%BCber/", "../fr/über/"]
)
def test_a_one_sided_declaration_is_completed(tmp_path: Path, target: str) -> None:
    declaring = page("a/", {"translations": {"fr": target}})
    found, problems = links(tmp_path, declaring, page("fr/über/", source_path="fr/über.md"))

    every = {"en": "a/", "fr": "fr/%C3%BCber/", "x-default": "a/"}
    assert found == {"a/": every, "fr/%C3%BCber/": every}
    assert problems == []


def test_a_source_path_is_also_read_from_the_folder_of_the_declaring_page(tmp_path: Path) -> None:
    declaring = page("en/guide/a/", {"translations": {"fr": "../../fr/guide/a.md"}})
    found, problems = links(tmp_path, declaring, page("fr/guide/a/", {"lang": "fr"}))

    assert found["fr/guide/a/"]["fr"] == "fr/guide/a/"
    assert problems == []


def test_declarations_are_followed_from_page_to_page(tmp_path: Path) -> None:
    found, _ = links(
        tmp_path,
        page("a/", {"translations": {"fr": "b.md"}}),
        page("b/", {"translations": {"de": "c.md"}}),
        page("c/"),
    )

    every = {"en": "a/", "fr": "b/", "de": "c/", "x-default": "a/"}
    assert found == {"a/": every, "b/": every, "c/": every}


def test_a_version_on_another_host_is_linked_as_given_and_not_an_entry(tmp_path: Path) -> None:
    other = "https://example.fr/à?x=1&y=2"
    found, _ = links(tmp_path, page("a/", {"sitemap": {"alternates": {"fr": other}}}))

    assert found == {
        "a/": {"en": "a/", "fr": "https://example.fr/%C3%A0?x=1&y=2", "x-default": "a/"}
    }


def test_a_declared_page_that_is_left_out_is_not_linked_and_not_worth_a_warning(
    tmp_path: Path,
) -> None:
    declaring = page("a/", {"translations": {"fr": "fr/a.md", "de": "de/a.md"}})
    others = [page("fr/a/", {"noindex": True}), page("de/a/")]
    found, problems = links(tmp_path, declaring, *others)

    assert found["a/"] == {"en": "a/", "de": "de/a/", "x-default": "a/"}
    assert problems == []


def test_a_declared_page_that_does_not_exist_is_a_warning(tmp_path: Path) -> None:
    found, problems = links(tmp_path, page("a/", {"translations": {"fr": "fr/gone.md"}}))

    assert found == {"a/": {}}
    assert problems == [
        "a.md: names 'fr/gone.md' as its fr version, but this build has no such "
        "page; give its URL or its source path"
    ]


def test_contradictory_declarations_are_a_warning(tmp_path: Path) -> None:
    found, problems = links(
        tmp_path, page("a/", {"translations": {"fr": "b.md"}}), page("b/", {"lang": "de"})
    )

    assert found["a/"] == {"en": "a/", "de": "b/", "x-default": "a/"}
    assert problems == [
        "a.md: names b.md as its fr version, but b.md says that it is de; de is used"
    ]


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


def test_two_urls_for_one_language_on_other_hosts_are_a_warning(tmp_path: Path) -> None:
    found, problems = links(
        tmp_path,
        version("a/", "en", metadata={"translations": {"it": "https://one.example/"}}),
        version("de/a/", "de", metadata={"translations": {"it": "https://two.example/"}}),
    )

    assert found["a/"]["it"] == "https://one.example/"
    assert problems == [
        "de/a.md: names https://two.example/ as its it version, but "
        "https://one.example/ is that version already; the latter is used"
    ]


def test_a_listed_version_stands_against_one_that_is_declared_elsewhere(tmp_path: Path) -> None:
    found, problems = links(
        tmp_path,
        version("a/", "en", metadata={"translations": {"de": "https://other.example/a/"}}),
        version("de/a/", "de"),
    )

    assert found["a/"] == {"en": "a/", "de": "de/a/", "x-default": "a/"}
    assert problems == [
        f"a.md: names https://other.example/a/ as its de version, but {BASE}de/a/ is "
        "that version already; the latter is used"
    ]


def test_members_may_declare_the_same_version_elsewhere(tmp_path: Path) -> None:
    italian = {"translations": {"it": "https://one.example/"}}
    pages = [version("a/", "en", metadata=italian), version("de/a/", "de", metadata=italian)]
    found, problems = links(tmp_path, *pages)

    assert found["a/"] == found["de/a/"]
    assert found["a/"]["it"] == "https://one.example/"
    assert problems == []


def test_a_generators_key_and_one_of_the_front_matter_are_different_names(tmp_path: Path) -> None:
    found, _ = links(
        tmp_path,
        page("a/", language="en", translation_key="about"),
        page("fr/a/", {"translation_key": "about"}, language="fr"),
    )

    assert found == {"a/": {}, "fr/a/": {}}


def test_front_matter_adds_to_what_the_generator_knows(tmp_path: Path) -> None:
    found, problems = links(
        tmp_path,
        version("a/", "en", metadata={"translation_key": "about"}),
        version("fr/a/", "fr"),
        page("de/über/", {"translation_key": "about"}, language="de"),
    )

    every = {"en": "a/", "fr": "fr/a/", "de": "de/%C3%BCber/", "x-default": "a/"}
    assert found == {"a/": every, "fr/a/": every, "de/%C3%BCber/": every}
    assert problems == []


@pytest.mark.parametrize("language", [False, ["en"], 7, "xx"])
def test_a_language_that_cannot_be_read_is_not_replaced_by_a_guess(
    tmp_path: Path, language: Any
) -> None:
    pages = [version("a/", "en"), version("b/", "fr", metadata={"lang": language})]
    found, problems = links(tmp_path, *pages)

    assert found == {"a/": {}, "b/": {}}
    assert len(problems) == 1
    assert repr(language) in problems[0]


@pytest.mark.parametrize("value", [["de"], 5, "xx_YY"])
def test_a_language_that_is_none_is_told_with_the_key_that_gives_it(
    tmp_path: Path, value: object
) -> None:
    other = version("b/", "en")
    _, problems = links(tmp_path, page("a/", {"lang": value, "translation_key": "k"}), other)

    (problem,) = problems
    assert str(problem).startswith("a.md: front matter 'lang': ")
    assert repr(value) in str(problem)


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


def test_the_order_of_declarations_does_not_decide_which_page_stays(tmp_path: Path) -> None:
    pages = [
        page("a/", {"translations": {"en": "c.md"}}, language="fr"),
        page("b/", {"translations": {"fr": "a.md"}}, language="en"),
        page("c/", language="en"),
    ]
    found, problems = links(tmp_path, *pages)

    every = {"en": "b/", "fr": "a/", "x-default": "b/"}
    assert found == {"a/": every, "b/": every, "c/": {}}
    assert problems == [
        f"c.md: two en pages in one set of translations; {BASE}b/ stays in the set, this page is "
        "listed without links"
    ]

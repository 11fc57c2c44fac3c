"""Every hreflang link is true and works both ways."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugin.models import Page
from sitemaps import Url, read_sitemap
from sites import BASE, build_pages, page


def links(
    folder: Path, *pages: Page, options: dict[str, Any] | None = None, **site: Any
) -> tuple[dict[str, dict[str, str]], list[str]]:
    """Return each entry's links, code to path, and the warnings."""
    report = build_pages(folder, pages, options, **{"language": "en", **site})
    urls = read_sitemap(folder / "sitemap.xml")
    for url in urls:
        assert list(url.alternates) == sorted(url.alternates)
    found = {
        url.loc.removeprefix(BASE): {code: href.removeprefix(BASE) for code, href in url.alternates}
        for url in urls
    }
    return found, [str(item) for item in report.problems if item.severity == "warning"]


def version(path: str, language: str | None, key: str | None = "k", **fields: Any) -> Page:
    return page(
        path, fields.pop("metadata", None), language=language, translation_key=key, **fields
    )


def test_each_version_carries_the_identical_full_set_itself_included(tmp_path: Path) -> None:
    found, problems = links(
        tmp_path, version("a/", "en"), version("fr/a/", "fr"), version("de/ä/", "de"), page("b/")
    )

    every = {"en": "a/", "fr": "fr/a/", "de": "de/%C3%A4/", "x-default": "a/"}
    assert found == {"a/": every, "fr/a/": every, "de/%C3%A4/": every, "b/": {}}
    assert problems == []


def test_a_page_in_one_language_only_has_no_links(tmp_path: Path) -> None:
    found, _ = links(tmp_path, version("a/", "en"), version("b/", "en", "other"))

    assert found == {"a/": {}, "b/": {}}


@pytest.mark.parametrize(
    "fields",
    [
        {"metadata": {"noindex": True}},
        {"metadata": {"sitemap": False}},
        {"metadata": {"draft": True}},
        {"status": "hidden"},
        {"fallback": True},
    ],
)
def test_a_version_that_is_not_listed_leaves_the_set(
    tmp_path: Path, fields: dict[str, Any]
) -> None:
    found, problems = links(
        tmp_path, version("a/", "en"), version("fr/a/", "fr", **fields), version("de/a/", "de")
    )

    every = {"en": "a/", "de": "de/a/", "x-default": "a/"}
    assert found == {"a/": every, "de/a/": every}
    assert problems == []


@pytest.mark.parametrize(
    ("wish", "target"),
    [("auto", "a/"), ("fr", "fr/a/"), ("FR", "fr/a/"), ("it", None), (False, None)],
)
def test_x_default_is_the_page_that_the_option_names(
    tmp_path: Path, wish: Any, target: str | None
) -> None:
    pages = [version("a/", "en"), version("fr/a/", "fr")]
    found, _ = links(tmp_path, *pages, options={"x_default": wish})

    assert found["a/"].get("x-default") == target
    assert found["a/"] == found["fr/a/"]


def test_x_default_auto_needs_a_page_in_the_default_language(tmp_path: Path) -> None:
    found, _ = links(tmp_path, version("fr/a/", "fr"), version("de/a/", "de"))

    assert found["fr/a/"] == {"fr": "fr/a/", "de": "de/a/"}


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
        "a.md: front matter names 'fr/gone.md' as its fr version, but this build has no such "
        "page; give its URL or its source path"
    ]


def test_contradictory_declarations_are_a_warning(tmp_path: Path) -> None:
    found, problems = links(
        tmp_path, page("a/", {"translations": {"fr": "b.md"}}), page("b/", {"lang": "de"})
    )

    assert found["a/"] == {"en": "a/", "de": "b/", "x-default": "a/"}
    assert problems == [
        "a.md: front matter names b.md as its fr version, but b.md says that it is de; de is used"
    ]


def test_two_pages_of_one_language_are_a_warning_and_the_first_by_url_stays(
    tmp_path: Path,
) -> None:
    found, problems = links(
        tmp_path, version("b/", "en"), version("a/", "en"), version("fr/a/", "fr")
    )

    every = {"en": "a/", "fr": "fr/a/", "x-default": "a/"}
    assert found == {"a/": every, "b/": {}, "fr/a/": every}
    assert problems == [
        f"b.md: two en pages in one set of translations; {BASE}a/ stays in the set, this page is "
        "listed without links"
    ]


@pytest.mark.parametrize(
    ("spelling", "code"),
    [
        ("za", "en-ZA"), ("co", "es-CO"), ("zh", "zh-Hans"), ("de_CH.UTF-8", "de-CH"),
        ("zh_CN", "zh-CN"), ("pt_br", "pt-BR"), ("en-uk", "en-GB"), ("es-419", "es-419"),
    ],
)  # fmt: skip
def test_codes_are_normalised_and_folder_names_mapped(
    tmp_path: Path, spelling: str, code: str
) -> None:
    languages = {"za": "en-ZA", "co": "es-CO", "zh": "zh-Hans"}
    pages = [version("a/", "fr"), version("b/", spelling)]
    found, _ = links(tmp_path, *pages, options={"languages": languages})

    assert found["a/"] == {"fr": "a/", code: "b/"}


@pytest.mark.parametrize("spelling", ["xx", "klingon", "us", "12"])
def test_a_page_in_an_unknown_language_is_listed_without_links_and_told(
    tmp_path: Path, spelling: str
) -> None:
    pages = [version("a/", "en"), version("b/", spelling), version("c/", "fr")]
    found, problems = links(tmp_path, *pages)

    assert found["a/"] == {"en": "a/", "fr": "c/", "x-default": "a/"}
    assert found["b/"] == {}
    assert len(problems) == 1
    assert spelling in problems[0]


def test_a_page_can_name_its_own_x_default(tmp_path: Path) -> None:
    pages = [
        version("a/", "en", metadata={"translations": {"x-default": "choose.md"}}),
        version("fr/a/", "fr"),
        page("choose/"),
    ]
    found, problems = links(tmp_path, *pages)

    every = {"en": "a/", "fr": "fr/a/", "x-default": "choose/"}
    assert found == {"a/": every, "fr/a/": every, "choose/": every}
    assert problems == []


def test_a_page_cannot_be_the_x_default_of_two_sets(tmp_path: Path) -> None:
    choose = {"metadata": {"translations": {"x-default": "choose.md"}}}
    pages = [
        *(version(f"{key}/", "en", key, **choose) for key in "ab"),
        *(version(f"fr/{key}/", "fr", key) for key in "ab"),
        page("choose/"),
    ]
    found, problems = links(tmp_path, *pages)

    assert found["a/"] == {"en": "a/", "fr": "fr/a/"}
    assert found["choose/"] == {}
    assert len(problems) == 1


def test_no_links_are_written_when_the_option_says_so(tmp_path: Path) -> None:
    pages = [version("a/", "en"), page("fr/a/", {"translations": {"en": "a.md"}}, language="fr")]
    found, _ = links(tmp_path, *pages, options={"alternates": False})

    assert found == {"a/": {}, "fr/a/": {}}
    assert b"xhtml" not in (tmp_path / "sitemap.xml").read_bytes()


LANGUAGES = ["en", "fr", "de", "pt_BR", "zh-hans", None, "xx"]
PAGES = st.lists(
    st.tuples(
        st.sampled_from(LANGUAGES),
        st.sampled_from([None, "k1", "k2", "k3"]),
        st.dictionaries(
            st.sampled_from(["en", "fr", "de", "it", "x-default"]),
            st.sampled_from(
                ["p0.md", "p1.md", "p2/", f"{BASE}p3/", "gone.md", "https://other.example/x"]
            ),
            max_size=2,
        ),
        st.booleans(),
    ),
    min_size=1,
    max_size=8,
)


@given(PAGES, st.sampled_from(["auto", "fr", False]))
def test_every_set_of_any_site_is_reciprocal_complete_and_listed(
    drawn: list[tuple[str | None, str | None, dict[str, str], bool]], x_default: Any
) -> None:
    pages = [
        page(
            f"p{number}/",
            {**({"translations": declared} if declared else {}), "noindex": noindex},
            language=language,
            translation_key=key,
        )
        for number, (language, key, declared, noindex) in enumerate(drawn)
    ]
    with tempfile.TemporaryDirectory() as folder:
        report = build_pages(Path(folder), pages, {"x_default": x_default}, language="en")
        urls = read_sitemap(Path(folder) / "sitemap.xml") if report.files else []

    _check_sets(urls)


def _check_sets(urls: list[Url]) -> None:
    by_loc = {url.loc: url for url in urls}
    for url in urls:
        if not url.alternates:
            continue
        codes = [code for code, _ in url.alternates]
        assert len(codes) == len(set(codes))
        versions = [href for code, href in url.alternates if code != "x-default"]
        assert len(versions) > 1
        own = [href for href in versions if href.startswith(BASE)]
        assert len(own) == len(set(own))
        hrefs = [href for _, href in url.alternates if href.startswith(BASE)]
        assert url.loc in hrefs
        for href in hrefs:
            assert by_loc[href].alternates == url.alternates

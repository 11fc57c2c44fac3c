"""Every hreflang link is true and works both ways."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linked import links, version
from sitemaps import Url, read_sitemap
from sites import BASE, build_pages, page


@pytest.mark.parametrize(
    "fields",
    [
        {"metadata": {"noindex": True}}, {"metadata": {"sitemap": False}},
        {"metadata": {"draft": True}}, {"status": "hidden"}, {"fallback": True},
    ],
)  # fmt: skip
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


@pytest.mark.parametrize(
    ("clean", "corrected"),
    [("en", "en-EU"), ("en-GB", "en-UK"), ("he", "iw"), ("de", "deu"), ("fr", "fr-x-priv")],
)
@pytest.mark.parametrize("first", [True, False])
def test_of_two_pages_of_one_language_the_one_whose_code_needs_no_correction_stays(
    tmp_path: Path, clean: str, corrected: str, first: bool
) -> None:
    paths = ("a/", "b/") if first else ("b/", "a/")
    pages = [version(paths[0], clean), version(paths[1], corrected), version("c/", "it")]
    found, problems = links(tmp_path, *pages)

    assert found["c/"][clean] == paths[0]
    assert found[paths[1]] == {}
    assert len(problems) == 2
    assert repr(corrected) in problems[0]
    assert problems[1].startswith(f"{paths[1].strip('/')}.md: two {clean} pages in one set")


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
        st.booleans(),
    ),
    min_size=1,
    max_size=8,
)


@settings(deadline=None)
@given(PAGES, st.sampled_from(["auto", "fr", False]))
def test_every_set_of_any_site_is_reciprocal_complete_and_listed(
    drawn: list[tuple[str | None, str | None, dict[str, str], bool, bool]], x_default: Any
) -> None:
    pages = [
        page(
            f"p{number}/",
            {**({"translations": declared} if declared else {}), "noindex": noindex},
            language=language,
            translation_key=key,
            fallback=fallback,
        )
        for number, (language, key, declared, noindex, fallback) in enumerate(drawn)
    ]
    options = {"x_default": x_default, "fallback_pages": True}
    with tempfile.TemporaryDirectory() as folder:
        report = build_pages(Path(folder), pages, options, language="en")
        urls = read_sitemap(Path(folder) / "sitemap.xml") if report.files else []

    _check_sets(urls)
    copies = {page.url for page in pages if page.fallback}
    assert not copies.intersection(href for url in urls for _, href in url.alternates)


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


@pytest.mark.parametrize(
    "target",
    ["#", "#top", "https://", "https://fr.example:port/", "http://[fr", "mailto:a@example.org",
     "ftp://fr.example/", "tel:123"],
)  # fmt: skip
@pytest.mark.parametrize("code", ["fr", "x-default"])
def test_what_is_no_address_of_a_page_is_a_warning_and_claims_nothing(
    tmp_path: Path, target: str, code: str
) -> None:
    declaring = page("a/", {"translations": {code: target, "de": "b.md"}})
    found, problems = links(tmp_path, declaring, page("b/"))

    every = {"en": "a/", "de": "b/", "x-default": "a/"}
    assert found == {"a/": every, "b/": every}
    assert len(problems) == 1
    assert f"a.md: names {target!r} as its {code} version" in problems[0]


def test_a_version_that_cannot_be_written_leaves_the_set(tmp_path: Path) -> None:
    long = "fr/" + "x" * 2100 + "/"
    found, problems = links(
        tmp_path, version("a/", "en"), version(long, "fr"), version("de/a/", "de")
    )

    every = {"en": "a/", "de": "de/a/", "x-default": "a/"}
    assert found == {"a/": every, "de/a/": every}
    assert len(problems) == 1


def test_x_default_false_means_never(tmp_path: Path) -> None:
    named = {"translations": {"x-default": "fr/a.md"}}
    pages = [version("a/", "en", metadata=named), version("b/", "x-default")]
    found, _ = links(tmp_path, *pages, version("fr/a/", "fr"), options={"x_default": False})

    every = {"en": "a/", "fr": "fr/a/"}
    assert found == {"a/": every, "fr/a/": every, "b/": {}}


@pytest.mark.parametrize(
    ("target", "other", "linked"),
    [
        ("e.md", {}, "f/e/"),
        ("/e.md", {}, "e/"),
        ("../e.md", {}, "e/"),
        ("e.md", {"noindex": True}, None),
    ],
)
def test_a_path_is_read_from_the_pages_own_folder_first(
    tmp_path: Path, target: str, other: dict[str, Any], linked: str | None
) -> None:
    pages = [page("f/g/", {"translations": {"fr": target}}), page("f/e/", other), page("e/")]
    found, problems = links(tmp_path, *pages)

    assert found["f/g/"].get("fr") == linked
    assert [path for path, alternates in found.items() if alternates] == (
        sorted(["f/g/", linked]) if linked else []
    )
    assert problems == []


def test_a_page_without_a_language_is_told_to_say_it(tmp_path: Path) -> None:
    named = {"fr": "https://other.example/", "de": "https://other.example/de"}
    extra = [{"loc": "x.pdf", "alternates": named}]
    pages = [version("a/", None), version("fr/a/", "fr"), version("de/a/", "de")]
    found, problems = links(tmp_path, *pages, options={"extra_urls": extra}, language=None)

    every = {"fr": "fr/a/", "de": "de/a/"}
    assert found == {"a/": {}, "fr/a/": every, "de/a/": every, "x.pdf": {}}
    assert problems == [
        "a.md: has translations, but no language; set 'lang' in its front matter",
        "extra_urls[0]: has translations, but no language; name it among its 'alternates' too",
    ]

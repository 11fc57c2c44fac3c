"""Pages belong together where their generator or their authors say so, and nowhere else.

Every link is true and works both ways.
"""

import tempfile
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap_plugin.models import Page
from sitemaps import read_sitemap
from sites import BASE, build_pages, links, page, version

CASES = yaml.safe_load(Path(__file__).with_name("sets.yaml").read_text(encoding="utf-8"))


def described(path: str, said: dict[str, Any]) -> Page:
    metadata = dict(said)
    language, key = metadata.pop("L", None), metadata.pop("K", None)
    return page(path, metadata, language=language, translation_key=key)


@pytest.mark.parametrize("name", CASES)
def test_sets_have_the_links_that_pages_and_generators_say(tmp_path: Path, name: str) -> None:
    case = CASES[name]
    pages = [described(path, said) for path, said in case["pages"].items()]
    language = case.get("language", "en")
    found, said = links(tmp_path, *pages, options=case.get("options"), language=language)

    expected = {path: every for every in case.get("links", ()) for path in every.values()}
    assert {path: every for path, every in found.items() if every} == {
        path: every for path, every in expected.items() if ":" not in path
    }
    assert said == case.get("problems", [])


@pytest.mark.parametrize(
    "fields",
    [
        {"metadata": {"sitemap": False}}, {"metadata": {"draft": True}}, {"status": "hidden"},
        {"fallback": True}, {"path": "fr/" + "x" * 2100 + "/"},
    ],
)  # fmt: skip
def test_a_version_that_is_not_listed_leaves_the_set(
    tmp_path: Path, fields: dict[str, Any]
) -> None:
    other = version(fields.pop("path", "fr/a/"), "fr", **fields)
    found, problems = links(tmp_path, version("a/", "en"), other, version("de/a/", "de"))

    every = {"en": "a/", "de": "de/a/", "x-default": "a/"}
    assert found == {"a/": every, "de/a/": every}
    assert len(problems) == (len(other.url) > 2048)


@pytest.mark.parametrize(
    "target",
    ["fr/über/", "fr/über.md", "/fr/über/", f"{BASE}fr/%C3%BCber/", "../fr/über/",
     "fr/a/../über/#x", "HTTPS://Example.org:443/fr/über", "/fr/über/index.html", "/fr/über",
     "%66r/über/"],
)  # fmt: skip
@pytest.mark.parametrize("written", ["fr/über/index.html", "fr/über.html"])
def test_a_page_is_found_by_each_address_that_leads_to_its_file(
    tmp_path: Path, target: str, written: str
) -> None:
    if written.endswith("r.html") and target.endswith("index.html"):
        target = "/fr/über.html"
    output = tmp_path / written
    output.parent.mkdir(parents=True)
    output.write_text("<!doctype html><title>T</title>")
    path = written.removesuffix("index.html")
    other = page(path, language="fr", output=output, source_path="fr/über.md")
    found, problems = links(tmp_path, page("a/", {"translations": {"fr": target}}), other)

    path = path.replace("ü", "%C3%BC")
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

    assert links(tmp_path, *pages) == ({"a/": {}, "b/": {}}, [])


@pytest.mark.parametrize(
    "target",
    ["#", "#top", "https://", "https://fr.example:port/", "http://[fr", "mailto:a@example.org",
     "ftp://fr.example/"],
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


@pytest.mark.parametrize("target", ["a.md", "a/", "/a/"])
@pytest.mark.parametrize("copies", [("Z/a/", "z/a/"), ("de/a/",), ()])
def test_copies_are_in_no_set_though_they_have_the_source_of_their_original(
    tmp_path: Path, target: str, copies: tuple[str, ...]
) -> None:
    declared = {"translation_key": "about", "translations": {"de": "https://example.de/a"}}
    fields: dict[str, Any] = {"source_path": "a.md", "language": "en"}
    pages = [
        *(page(path, declared, fallback=True, **fields) for path in copies),
        page("a/", declared, **fields),
        page("fr/b/", {"translations": {"en": target}}, language="fr", source_path="b.fr.md"),
    ]
    found, problems = links(tmp_path, *pages, options={"fallback_pages": True})

    every = {"en": "a/", "fr": "fr/b/", "de": "https://example.de/a", "x-default": "a/"}
    assert found == {"a/": every, "fr/b/": every, **{path: {} for path in copies}}
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
    assert len(problems) == 1
    assert problems[0].startswith("b.md: names 'https://example.fr/b/' as its fr version, but this")


TARGETS = ["p0.md", "p1.md", "p2/", f"{BASE}p3/", "gone.md", "https://other.example/x"]
LANGUAGES = st.sampled_from(["en", "fr", "de", "pt_BR", "zh-hans", None, "xx"])
KEYS = st.sampled_from([None, "k1", "k2", "k3"])
CODES = st.sampled_from(["en", "fr", "de", "it", "x-default"])
DECLARED = st.dictionaries(CODES, st.sampled_from(TARGETS), max_size=2)
PAGE = st.tuples(LANGUAGES, KEYS, DECLARED, st.booleans(), st.booleans())


@settings(max_examples=30)
@given(st.lists(PAGE, min_size=1, max_size=8), st.sampled_from(["auto", "fr", False]))
def test_every_set_of_any_site_is_reciprocal_complete_and_listed(
    drawn: list[tuple[str | None, str | None, dict[str, str], bool, bool]], x_default: Any
) -> None:
    pages = [
        page(f"p{number}/", {"translations": declared or None, "noindex": noindex}, language=code,
             translation_key=key, fallback=fallback)
        for number, (code, key, declared, noindex, fallback) in enumerate(drawn)
    ]  # fmt: skip
    options = {"x_default": x_default, "fallback_pages": True}
    with tempfile.TemporaryDirectory() as folder:
        report = build_pages(Path(folder), pages, options, language="en")
        urls = read_sitemap(Path(folder) / "sitemap.xml") if report.files else []

    by_loc = {url.loc: url for url in urls}
    copies = {page.url for page in pages if page.fallback}
    for url in filter(lambda url: url.alternates, urls):
        links = dict(url.alternates)
        assert len(links) == len(url.alternates)
        versions = [href for code, href in links.items() if code != "x-default"]
        assert len(versions) > 1
        own = {href for href in links.values() if href.startswith(BASE)}
        assert len(own.intersection(versions)) == sum(href.startswith(BASE) for href in versions)
        assert url.loc in own - copies
        assert all(by_loc[href].alternates == url.alternates for href in own)

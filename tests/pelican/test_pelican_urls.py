"""A file is listed under the most explicit URL that anybody gave it."""

import re
import shutil
import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from pelican_sites import Site

CASES = tomllib.loads((Path(__file__).parent / "golden" / "addresses.toml").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES["article"], ids=str)
def test_an_article_is_listed_under_its_most_explicit_url(site: Site, case: dict[str, Any]) -> None:
    site.settings |= case["settings"]
    site.article("hello.md", case["header"])
    paths = site.build().paths

    assert case["path"] in paths
    assert not any(path.startswith(("hello", "file")) for path in paths if path != case["path"])


def test_the_headers_url_and_save_as_say_where_a_page_is(site: Site) -> None:
    for number, case in enumerate(CASES["headers"]):
        site.article(f"{number}.md", case["header"])
    found = [path for path in site.build().paths if re.match(r"a\d", path)]

    assert sorted(found) == sorted(case["path"] for case in CASES["headers"])


@pytest.mark.parametrize("case", CASES["page"], ids=str)
def test_a_page_is_listed_under_its_most_explicit_url(site: Site, case: dict[str, Any]) -> None:
    site.settings |= {**case["settings"], "DIRECT_TEMPLATES": []}
    site.page("about.md", case["header"])
    assert [p for p in site.build().paths if not p.startswith("category/")] == [case["path"]]


@pytest.mark.parametrize("kind", ["tags", "periods"])
def test_listings_are_listed_once_under_their_url(site: Site, kind: str) -> None:
    start = {"tags": "t", "periods": "20"}[kind]
    site.article("hello.md", "Tags: a")
    for case in CASES[kind]:
        shutil.rmtree(site.folder / "output", ignore_errors=True)
        site.settings = dict(case["settings"])
        found = [path for path in site.build().paths if path.startswith(start)]

        assert sorted(found) == sorted(case["paths"]), case


NAMES = ["a&b", "C#", "50%", "50%20", "what?", "it's", 'say "x"', "two words", "grün", "日本",
         "🎉", "שלום", "a+b", "a;b", "v1.0", "caf%C3%A9", "<b>"]  # fmt: skip


def test_any_character_of_a_file_name_is_encoded(site: Site) -> None:
    site.settings.update(PAGE_URL="p/{slug}/", PAGE_SAVE_AS="p/{slug}/index.html")
    for number, name in enumerate(NAMES):
        site.article(f"a{number}.md", f"Slug: {name}")
        site.page(f"p{number}.md", f"Slug: {name}")
    paths = site.build().paths

    assert {unquote(path) for path in paths} >= {f"{name}.html" for name in NAMES}
    assert {unquote(path) for path in paths} >= {f"p/{name}/" for name in NAMES}
    assert all(path.isascii() and " " not in path and "#" not in path for path in paths)

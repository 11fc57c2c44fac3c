"""What is written for a folder is what the check expects of it."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugin.commands.check.folder import check
from sitemap_plugin_folder.build_command import build_folder

BASE = "https://example.org/docs/"
NAMES = (
    "index.html", "a.html", "b/index.html", "b/c.html", "404.html", "search.html", "de/index.html",
    "de/a.html", "1.0/index.html", "1.0/404.html", "1.0/a.html", "ü & x.html",
)  # fmt: skip
TARGETS = (
    *("", "a.html", "a", "a/", "b/", "b", "b/index.html", "b/c", "de/", "de/a.html", "1.0/"),
    *("1.0/a.html", "latest/a.html", "latest/", "%C3%BC%20%26%20x.html", "nowhere/", "../", "#f"),
    "https://other.example/",
)
CODES = ("en", "de", "fr", "x-default", "xx", "en_UK")
HREFS = st.sampled_from([to if "://" in to else BASE + to for to in TARGETS])
PIECES = st.one_of(
    HREFS.map('<link rel="canonical" href="{}">'.format),
    HREFS.map('<meta http-equiv="refresh" content="0; url={}">'.format),
    st.builds(
        '<link rel="alternate" hreflang="{}" href="{}">'.format, st.sampled_from(CODES), HREFS
    ),
    st.just('<meta name="robots" content="noindex">'),
    st.just('<meta property="article:modified_time" content="2024-05-01T10:00:00+02:00">'),
)
PAGES = st.lists(PIECES, max_size=3).map(
    lambda pieces: f"<!doctype html><html lang=en><head><title>T</title>{''.join(pieces)}</head>"
)


@pytest.mark.slow
@given(
    files=st.dictionaries(st.sampled_from(NAMES), PAGES, min_size=1, max_size=8),
    marked=st.booleans(),
    alias=st.booleans(),
)
def test_the_check_finds_nothing_in_a_folder_that_was_built(
    files: dict[str, str], marked: bool, alias: bool
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path in ("1.0", "b", "de"):
            (folder / path).mkdir()
        if marked:
            (folder / "1.0" / "objects.inv").touch()
        for path, text in files.items():
            (folder / path).write_text(text, encoding="utf-8")
        if alias:
            (folder / "latest").symlink_to("1.0")
        report = build_folder(folder, BASE, {})
        found = check(folder, base_url=BASE).findings.sorted() if report.files else []

    # What pages say themselves may be worth a word: that their canonical link leads to no page,
    # that they are served without the final slash, that another page is in their own language.
    of_pages = {"page-slash", "page-hreflang-differs", "page-target-missing"}
    assert [item for item in found if item.code not in of_pages] == []

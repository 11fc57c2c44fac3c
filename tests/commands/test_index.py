"""What ``sitemap-plugin index`` lists, under which name and where, in trees written by hand."""

import gzip
import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.written import (
    BASE,
    build,
    children,
    entry,
    index,
    index_of,
    joined,
    listed,
    page,
    snapshot,
    urlset,
    write,
)
from sitemap_plugin.commands.check.folder import check

OWN = ["blog/sitemap.xml", "docs/sitemap.xml"]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder for the tree of a test."""
    (tmp_path / "site").mkdir()
    return tmp_path / "site"


@pytest.fixture
def two(site: Path) -> Path:
    """A tree of two sections that are deployed apart."""
    build(site, "docs/", ["a/ 2024-05-01", " 2024-04-30T00:00:00Z"])
    build(site, "blog/", ["", "b/"])
    return site


def test_sections_are_joined_and_a_second_run_changes_nothing(two: Path, tmp_path: Path) -> None:
    before, ran, first = snapshot(two), index(two), snapshot(two)

    assert (ran.status, ran.err) == (0, "")
    assert ran.out == "index: 2 sitemaps with 4 URLs in site/sitemap.xml; robots.txt created\n"
    assert children(two / "sitemap.xml") == {
        f"{BASE}blog/sitemap.xml": None,
        f"{BASE}docs/sitemap.xml": "2024-05-01",
    }
    assert gzip.decompress(first["sitemap.xml.gz"]) == first["sitemap.xml"]
    assert before.items() <= first.items()
    assert not check(two, base_url=BASE).findings.counts
    again = index(two)
    other = Path(shutil.copytree(two, tmp_path / "other" / "site"))
    for name in ("sitemap.xml", "sitemap.xml.gz", "sitemap.css", "robots.txt"):
        (other / name).unlink()
    index(other)
    assert again.out.endswith("robots.txt names it already\n")
    assert snapshot(two) == first == snapshot(other)


def test_options_are_those_of_the_configuration(two: Path) -> None:
    text = 'gzip = false\nfilename = "map.xml"\nexclude = ["x"]\n'
    write(two.parent, {"sitemap.toml": text})
    ran = index(two, "--robots=false", "--stylesheet=false")

    assert ran.status == 0, ran.err
    assert sorted(path.name for path in two.iterdir()) == ["blog", "docs", "map.xml"]
    assert listed(two, "map.xml") == OWN


def test_sitemaps_can_be_left_out_and_added(two: Path) -> None:
    write(two, {"wiki/map.xml": urlset(entry("wiki/")), "wiki/index.html": page()})
    ran = index(two, "--skip=blog/", "--also=wiki/map.xml", f"--also={BASE}shop/sitemap.xml")

    assert (ran.status, ran.err) == (0, "")
    assert listed(two) == ["docs/sitemap.xml", "shop/sitemap.xml", "wiki/map.xml"]
    assert "1 left out (1 skipped)" in ran.out


@pytest.mark.parametrize(
    ("files", "arguments", "message"),
    [
        ({}, ["--also=gone/sitemap.xml"], "--also: there is no file gone/sitemap.xml in site"),
        ({}, ["--also=../outside.xml"], "--also: there is no file ../outside.xml in site"),
        ({}, ["--also=https://example.com/s.xml"], "is not below https://example.org/"),
        ({}, ["--skip="], "--skip[0]: expected a pattern"),
        ({}, ["--skip=!"], "--skip[0]: not a gitignore pattern: '!'"),
        ({}, ["--versions", "1.0"], "has no versions.json of mike"),
        ({}, ["--base-url=example.org"], "--base-url: 'example.org' is not an absolute URL"),
        ({}, ["--config=gone.toml"], "gone.toml: cannot be read"),
        ({}, ["--robots=maybe"], "--robots: expected"),
        ({}, ["--skip=*/"], "docs/sitemap.xml: skipped"),
        ({"../sitemap.toml": "foo = 1"}, [], "error: sitemap.toml: foo: unknown option"),
        ({"sitemap.xml": urlset(entry())}, ["--filename=sitemap.xml"], "would displace"),
        ({"de/sitemap.xml": urlset(entry(base="https://example.de/de/")), "de/index.html": ""}, [],
         "do not agree on where they are published: https://example.org/ by blog/sitemap.xml; "
         "https://example.de/"),
    ],
)  # fmt: skip
def test_a_wrong_call_is_a_message_and_changes_nothing(
    two: Path, files: Mapping[str, str], arguments: list[str], message: str
) -> None:
    write(two, {"../outside.xml": urlset(entry()), **files})
    before = snapshot(two)
    ran = index(two, *arguments)

    assert ran.status == 2
    assert message in ran.err
    assert snapshot(two) == before


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "there is no sitemap below it that can be listed"),
        ({"sitemap.xml": urlset(entry()), "index.html": ""}, "there is no sitemap below it"),
        ({"a/sitemap.xml": urlset(entry("b/")), "c/sitemap.xml": ""}, "do not tell where"),
        ({"a/sitemap.xml": urlset(), "../sitemap.toml": f"base_url = '{BASE}'"}, "site_url in Mk"),
    ],
)
def test_a_folder_in_which_nothing_can_be_listed_is_a_message(
    site: Path, files: Mapping[str, str], message: str
) -> None:
    ran = index(write(site, files))

    assert ran.status == 2
    assert message in ran.err
    assert not (site / "robots.txt").exists()
    assert "there is no such folder" in index(site / "gone").err


def test_where_the_root_has_a_build_the_index_has_a_name_beside_it(two: Path) -> None:
    own = build(two, "", ["", "a/", "b/"], max_urls=2).read_bytes()
    first, before = index(two), snapshot(two)
    again = index(two)

    assert (first.status, first.err, again.status) == (0, "", 0)
    assert snapshot(two) == before
    assert before["sitemap.xml"] == own
    assert listed(two, "sitemap-index.xml") == [*OWN, "sitemap-1.xml", "sitemap-2.xml"]
    assert (two / "robots.txt").read_text() == f"Sitemap: {BASE}sitemap-index.xml\n"
    assert not check(two, base_url=BASE).findings.counts


def test_an_index_lists_the_parts_of_a_build_and_never_its_index(two: Path) -> None:
    paths = [f"{number}/ 2024-01-0{number}" for number in range(1, 6)]
    build(two, "big/", paths, sections={"news": ["4/", "5/"]}, max_urls=2)
    ran = index(two)

    assert (ran.status, ran.err) == (0, "")
    assert children(two / "sitemap.xml") == {
        f"{BASE}big/sitemap-news.xml": "2024-01-05",
        f"{BASE}big/sitemap-pages-1.xml": "2024-01-02",
        f"{BASE}big/sitemap-pages-2.xml": "2024-01-03",
        f"{BASE}blog/sitemap.xml": None,
        f"{BASE}docs/sitemap.xml": "2024-05-01",
    }
    assert not check(two, base_url=BASE).findings.counts


def test_a_foreign_index_at_the_root_is_kept_as_a_copy(two: Path) -> None:
    foreign = index_of(f"{BASE}docs/sitemap.xml", f"{BASE}shop/sitemap.xml")
    write(two, {"sitemap.xml": foreign, "robots.txt": f"Sitemap: {BASE}sitemap.xml\n"})
    ran = index(two)

    assert ran.status == 0
    assert (two / "sitemap.xml.bak").read_text() == foreign
    assert listed(two) == OWN
    assert "it is kept as sitemap.xml.bak" in ran.err


LINK = f'<link rel="canonical" href="{BASE}{{}}">'
TO_DOCS, TO_OLD = page(LINK.format("docs/")), page(LINK.format("old/"))
BROKEN = "2 sitemaps with 4 URLs in site/sitemap.xml; 1 left out (1 broken)"
DATED = (entry(f"old/{number}/", "2024-01-01") for number in range(9))


@pytest.mark.parametrize(
    ("content", "html", "statuses", "told", "out"),
    [
        (page(), "", (1, 1), "error: old/sitemap.xml: ... The file is an HTML page", BROKEN),
        ("", "", (1, 1), "error: old/sitemap.xml: ... The file is empty", BROKEN),
        (urlset(), "", (1, 1), "error: old/sitemap.xml: lists nothing; tell the gen", BROKEN),
        (urlset(entry("old/"))[:-20], "", (1, 1), "error: old/sitemap.xml: cannot be", BROKEN),
        (b"\0\1\2\3", "", (1, 1), "error: old/sitemap.xml: ... binary data", BROKEN),
        (None, "", (1, 1), "error: old/sitemap.xml: cannot be read: No such file", BROKEN),
        (index_of(f"{BASE}old/x.xml"), "", (1, 1), "... old/x.xml, which is not there", "2 sit"),
        (index_of(f"{BASE}old/sitemap.xml"), "", (1, 1), "... is an index itself", "2 sit"),
        (urlset(entry("old/", "tomorrow")), "", (1, 1), "site/old/sitemap.xml:3: error: ", "3 sit"),
        (urlset(*DATED), "", (0, 1), "... warning: ", "3 sitemaps with 13 URLs"),
        (urlset(entry("old/")), TO_DOCS, (0, 0), "notice: old/sitemap.xml: is taken for "
         "an old version, with copies of pages such as", "1 left out (1 with copies of pages)"),
        (urlset(entry("docs/")), TO_OLD, (0, 0), "notice: old/sitemap.xml: with "
         f"addresses outside its folder, as {BASE}docs/", "(1 with addresses outside its folder)"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_sitemap_is_told_and_the_others_are_listed(
    two: Path, content: Any, html: str, statuses: tuple[int, int], *, told: str, out: str
) -> None:
    write(two, {"old/sitemap.xml": content or "", "old/index.html": html})
    if content is None:
        (two / "old/sitemap.xml").unlink()
        (two / "old/sitemap.xml").symlink_to(two / "gone.xml")
    ran, strict = index(two, f"--base-url={BASE}"), index(two, "--strict", f"--base-url={BASE}")

    assert (ran.status, strict.status) == statuses
    start, _, message = told.rpartition("... ")
    assert ran.err.startswith(start)
    assert message in ran.err
    assert out in ran.out
    assert listed(two) == (OWN if out[0] != "3" else [*OWN, "old/sitemap.xml"])


def test_links_in_circles_and_out_of_the_folder_are_no_builds(two: Path, tmp_path: Path) -> None:
    build(tmp_path / "outside", "", [""])
    (two / "docs/again").symlink_to(two, target_is_directory=True)
    (two / "self").symlink_to("self")
    (two / "latest").symlink_to("docs", target_is_directory=True)
    (two / "out").symlink_to(tmp_path / "outside", target_is_directory=True)

    assert joined(two) == OWN


@pytest.mark.parametrize(
    "base", [BASE, f"{BASE}a%20b/", "https://xn--strae-oqa.de/", "http://h:81/"]
)
def test_the_base_url_is_found_out(site: Path, base: str) -> None:
    for below in ("docs/", "de/docs/"):
        build(site, below, ["", "a/"], base_url=base)
    assert index(site).status == 0
    assert listed(site, base=base) == ["de/docs/sitemap.xml", "docs/sitemap.xml"]


def test_a_text_and_a_packed_sitemap_are_listed_where_there_is_no_other(two: Path) -> None:
    files = {"text/sitemap.txt": f"{BASE}text/\n", "text/index.html": page(),
             "docs/sitemap.txt": f"{BASE}docs/\n", "packed/index.html": page(),
             "packed/sitemap.xml.gz": urlset(entry("packed/"))}  # fmt: skip

    assert joined(write(two, files)) == [*OWN, "packed/sitemap.xml.gz", "text/sitemap.txt"]


def test_a_folder_in_the_way_of_the_index_is_a_message(two: Path) -> None:
    (two / "sitemap.xml").mkdir()
    ran = index(two)

    assert ran.status == 2
    assert "sitemap.xml: cannot be written: it is not a regular file" in ran.err


SOUND = urlset(entry("de/"))
PIECES = (
    *re.findall(r"<[^>]+>|https?://[^<]+", f"{SOUND}{index_of(f'{BASE}de/')}"), "<lastmod>",
    "</lastmod>", f"{BASE}de/a/", "http://[", "&", "\0", "<!DOCTYPE a>", "é", "]]>", "9999-99",
    '<xhtml:link rel="alternate" hreflang="fr" href="/"/>',
)  # fmt: skip
PLACES = st.sampled_from(("de/", "de/sitemap.xml", "fr/sitemap.xml", "sitemap.xml", "["))
CONTENTS = st.one_of(
    st.binary(max_size=60),
    st.lists(st.sampled_from(PIECES), max_size=12).map(lambda parts: "".join(parts).encode()),
    st.integers(0, len(SOUND)).map(lambda end: SOUND[:end].encode()),
    st.lists(PLACES.map(BASE.__add__), max_size=4).map(lambda locs: index_of(*locs).encode()),
)
NAMES = ("sitemap.xml", "sitemap-index.xml", "de/sitemap.xml", "de/sitemap.xml.gz", "robots.txt",
         "de/sitemap-1.xml", "it/sitemap.txt", "versions.json", "index.html")  # fmt: skip


@settings(deadline=None, max_examples=30)
@given(st.dictionaries(st.sampled_from(NAMES), CONTENTS, max_size=5))
def test_no_file_breaks_the_command_or_gets_lost(files: dict[str, bytes]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build(folder, "fr/", ["", "a/"])
        before = snapshot(write(folder, files))
        ran = index(folder, "--base-url", BASE)
        if ran.status == 2:
            assert snapshot(folder) == before
            return

        (named,) = re.findall(r"URLs? in \S*/(sitemap(?:-index)?\.xml)", ran.out)
        assert "fr/sitemap.xml" in listed(folder, named)
        after = snapshot(folder)
        for path, data in before.items():
            is_kept = data in after.values()
            assert is_kept or (path == "robots.txt" and after[path].startswith(data))

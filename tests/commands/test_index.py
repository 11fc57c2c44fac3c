"""What ``sitemap-plugin index`` lists, under which name and where, in trees written by hand."""

from __future__ import annotations

import datetime as dt
import gzip
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.trees import BASE, build, children, copy, index, page, snapshot, write, write_parts
from sitemap_plugin.commands.check.run import check
from sitemap_plugin.models import Entry

NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
OWN = ["blog/sitemap.xml", "docs/sitemap.xml"]


def urlset(*locs: str, more: str = "") -> str:
    urls = "".join(f"<url><loc>{loc}</loc>{more}</url>" for loc in locs)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {NAMESPACE}>{urls}</urlset>\n'


def index_of(*locs: str) -> str:
    sitemaps = "".join(f"<sitemap><loc>{loc}</loc></sitemap>" for loc in locs)
    return f'<?xml version="1.0"?>\n<sitemapindex {NAMESPACE}>{sitemaps}</sitemapindex>\n'


def listed(path: Path, base: str = BASE) -> list[str]:
    """Return the sitemaps in an index, as paths below the base URL."""
    return [loc.removeprefix(base) for loc in children(path)]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder for the tree of a test."""
    (tmp_path / "site").mkdir()
    return tmp_path / "site"


@pytest.fixture
def two(site: Path) -> Path:
    """A tree of two sections that are deployed apart."""
    old = Entry(f"{BASE}docs/a/", dt.date(2024, 5, 1))
    build(site, "docs/", [old, Entry(f"{BASE}docs/", dt.datetime(2024, 4, 30, tzinfo=dt.UTC))])
    build(site, "blog/", ["", "b/"])
    return site


def test_sections_are_joined_and_a_second_run_changes_nothing(two: Path, tmp_path: Path) -> None:
    before = snapshot(two)
    ran = index(two)
    first = snapshot(two)

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
    other = copy(two, tmp_path / "other" / "site")
    for name in ("sitemap.xml", "sitemap.xml.gz", "sitemap.css", "robots.txt"):
        (other / name).unlink()
    index(other)
    assert again.out.endswith("robots.txt names it already\n")
    assert snapshot(two) == first == snapshot(other)


def test_options_are_those_of_the_configuration(two: Path) -> None:
    (two.parent / "sitemap.toml").write_text(
        'gzip = false\nfilename = "map.xml"\nexclude = ["x"]\n'
    )
    ran = index(two, "--robots=false", "--stylesheet=false")

    assert ran.status == 0, ran.err
    assert sorted(path.name for path in two.iterdir()) == ["blog", "docs", "map.xml"]
    assert listed(two / "map.xml") == OWN


def test_sitemaps_can_be_left_out_and_added(two: Path) -> None:
    build(two, "wiki/", [""]).rename(two / "wiki/map.xml")
    (two / "wiki/sitemap.xml.gz").unlink()
    ran = index(two, "--skip=blog/", "--also=wiki/map.xml", f"--also={BASE}shop/sitemap.xml")

    assert (ran.status, ran.err) == (0, "")
    assert listed(two / "sitemap.xml") == ["docs/sitemap.xml", "shop/sitemap.xml", "wiki/map.xml"]
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
        ({"sitemap.xml": urlset(BASE)}, ["--filename=sitemap.xml"], "would displace"),
        ({"de/sitemap.xml": urlset("https://example.de/de/"), "de/index.html": ""}, [],
         "do not agree on where they are published: https://example.org/ by blog/sitemap.xml; "
         "https://example.de/"),
    ],
)  # fmt: skip
def test_a_wrong_call_is_a_message_and_changes_nothing(
    two: Path, files: Mapping[str, str], arguments: list[str], message: str
) -> None:
    write(two, {"../outside.xml": urlset(BASE), **files})
    before = snapshot(two)
    ran = index(two, *arguments)

    assert ran.status == 2
    assert message in ran.err
    assert snapshot(two) == before


@pytest.mark.parametrize(
    ("files", "arguments", "message"),
    [
        ({}, [], "there is no sitemap below it that can be listed"),
        ({"sitemap.xml": urlset(BASE), "index.html": page()}, [], "there is no sitemap below it"),
        ({"a/sitemap.xml": urlset(f"{BASE}b/"), "c/sitemap.xml": ""}, [], "do not tell where"),
        ({"a/sitemap.xml": urlset()}, [f"--base-url={BASE}"], "site_url in MkDocs"),
    ],
)
def test_a_folder_in_which_nothing_can_be_listed_is_a_message(
    site: Path, files: Mapping[str, str], arguments: list[str], message: str
) -> None:
    ran = index(write(site, files), *arguments)

    assert ran.status == 2
    assert message in ran.err
    assert not (site / "robots.txt").exists()
    assert "there is no such folder" in index(site / "gone").err


def test_where_the_root_has_a_build_the_index_has_a_name_beside_it(two: Path) -> None:
    entries = [Entry(BASE + name) for name in ("", "a/", "b/")]
    write(two, {f"{name}index.html": page() for name in ("", "a/", "b/")})
    write_parts(two, BASE, {None: entries}, max_urls=2)
    own = (two / "sitemap.xml").read_bytes()
    first, before = index(two), snapshot(two)
    again = index(two)

    assert (first.status, first.err, again.status) == (0, "", 0)
    assert snapshot(two) == before
    assert before["sitemap.xml"] == own
    parts = ["sitemap-1.xml", "sitemap-2.xml"]
    assert listed(two / "sitemap-index.xml") == [*OWN, *parts]
    assert (two / "robots.txt").read_text() == f"Sitemap: {BASE}sitemap-index.xml\n"
    assert not check(two, base_url=BASE).findings.counts


def test_an_index_lists_the_parts_of_a_build_and_never_its_index(two: Path) -> None:
    days = [dt.date(2024, 1, 1 + number) for number in range(5)]
    entries = [Entry(f"{BASE}big/{day.day}/", day) for day in days]
    write(two, {f"big/{day.day}/index.html": page() for day in days})
    sections = {None: entries[:3], "news": entries[3:]}
    write_parts(two / "big", f"{BASE}big/", sections, max_urls=2)
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
    assert listed(two / "sitemap.xml") == OWN
    assert "it is kept as sitemap.xml.bak" in ran.err


BROKEN: Mapping[str, tuple[str | bytes, str]] = {
    "an error page": (page(), "The file is an HTML page"),
    "nothing": ("", "The file is empty"),
    "no entry": (urlset(), "lists nothing; tell the generator where the site is"),
    "cut": (urlset(f"{BASE}bad/")[:-20], "cannot be listed"),
    "binary": (b"\0\1\2\3", "The file is binary data"),
    "index of nothing there": (
        index_of(f"{BASE}bad/gone.xml"),
        f"it lists {BASE}bad/gone.xml, which is not there",
    ),
    "index of itself": (
        index_of(f"{BASE}bad/sitemap.xml"),
        "which is an index itself; list its sitemaps instead",
    ),
}


@pytest.mark.parametrize(("content", "message"), BROKEN.values(), ids=BROKEN)
def test_a_broken_sitemap_is_told_and_the_others_are_listed(
    two: Path, content: str | bytes, message: str
) -> None:
    write(two, {"bad/sitemap.xml": content})
    ran = index(two, f"--base-url={BASE}")

    assert ran.status == 1
    assert ran.err.startswith("error: bad/sitemap.xml: ")
    assert message in ran.err
    assert listed(two / "sitemap.xml") == OWN


def test_a_sitemap_that_cannot_be_read_is_told(two: Path) -> None:
    (two / "bad").mkdir()
    (two / "bad/sitemap.xml").symlink_to(two / "gone.xml")
    ran = index(two)

    assert ran.status == 1
    assert "error: bad/sitemap.xml: cannot be read: No such file" in ran.err


@pytest.mark.parametrize(
    ("more", "count", "told", "statuses"),
    [
        ("<lastmod>yesterday</lastmod>", 1, "site/old/sitemap.xml:2: error: ", (1, 1)),
        ("<lastmod>2024-01-01</lastmod>", 9, "warning: ", (0, 1)),
    ],
)
def test_what_is_wrong_within_a_sitemap_is_told_by_the_check(
    two: Path, more: str, count: int, told: str, statuses: tuple[int, int]
) -> None:
    locs = [f"{BASE}old/{number}/" for number in range(count)]
    write(two, {"old/sitemap.xml": urlset(*locs, more=more)})
    lax, strict = index(two), index(two, "--strict")

    assert told in lax.err
    assert (lax.status, strict.status) == statuses
    assert listed(two / "sitemap.xml") == [*OWN, "old/sitemap.xml"]


@pytest.mark.parametrize(
    ("canonical", "loc", "told", "summary"),
    [
        ("docs/", "old/", "is taken for an old version, with copies of pages such as",
         "1 with copies of pages"),
        ("old/", "docs/", "with addresses outside its folder, as https://example.org/docs/",
         "1 with addresses outside its folder"),
    ],
)  # fmt: skip
def test_a_sitemap_of_copies_or_of_other_folders_is_not_listed(
    two: Path, canonical: str, loc: str, told: str, summary: str
) -> None:
    link = f'<link rel="canonical" href="{BASE}{canonical}">'
    write(two, {"old/index.html": page(link), "old/sitemap.xml": urlset(BASE + loc)})
    ran = index(two)

    assert ran.status == 0
    assert ran.err.startswith("notice: old/sitemap.xml: ")
    assert told in ran.err
    assert f"1 left out ({summary})" in ran.out
    assert listed(two / "sitemap.xml") == OWN


def test_links_in_circles_and_out_of_the_folder_are_no_builds(two: Path, tmp_path: Path) -> None:
    build(tmp_path / "outside", "", [""])
    (two / "docs/again").symlink_to(two, target_is_directory=True)
    (two / "self").symlink_to("self")
    (two / "latest").symlink_to("docs", target_is_directory=True)
    (two / "out").symlink_to(tmp_path / "outside", target_is_directory=True)
    ran = index(two)

    assert ran.status == 0, ran.err
    assert listed(two / "sitemap.xml") == OWN


@pytest.mark.parametrize(
    "base", [BASE, f"{BASE}a%20b/", "https://xn--strae-oqa.de/", "http://h:81/"]
)
def test_the_base_url_is_found_out(site: Path, base: str) -> None:
    build(site, "docs/", ["", "a/"], base_url=base)
    build(site, "de/docs/", ["", "a/"], base_url=base)
    ran = index(site)

    assert ran.status == 0, ran.err
    assert listed(site / "sitemap.xml", base) == ["de/docs/sitemap.xml", "docs/sitemap.xml"]


def test_a_text_and_a_packed_sitemap_are_listed_where_there_is_no_other(two: Path) -> None:
    packed = gzip.compress(urlset(f"{BASE}packed/").encode(), mtime=0)
    files: dict[str, str | bytes] = {
             "text/sitemap.txt": f"{BASE}text/\n", "text/index.html": page(),
             "docs/sitemap.txt": f"{BASE}docs/\n", "packed/sitemap.xml.gz": packed,
             "packed/index.html": page()}  # fmt: skip
    ran = index(write(two, files))

    assert (ran.status, ran.err) == (0, "")
    assert listed(two / "sitemap.xml") == [*OWN, "packed/sitemap.xml.gz", "text/sitemap.txt"]


def test_a_folder_in_the_way_of_the_index_is_a_message(two: Path) -> None:
    (two / "sitemap.xml").mkdir()
    ran = index(two)

    assert ran.status == 2
    assert "sitemap.xml: cannot be written: it is not a regular file" in ran.err


PIECES = (
    '<?xml version="1.0"?>', f"<urlset {NAMESPACE}>", "</urlset>", f"<sitemapindex {NAMESPACE}>",
    "</sitemapindex>", "<url>", "</url>", "<sitemap>", "</sitemap>", "<loc>", "</loc>",
    "<lastmod>2024-01-01</lastmod>", "<lastmod>", "</lastmod>", f"{BASE}de/", f"{BASE}de/a/",
    f"{BASE}de/sitemap.xml", f"{BASE}fr/sitemap.xml", f"{BASE}sitemap.xml", "http://[", "&", "\0",
    '<xhtml:link rel="alternate" hreflang="fr" href="/"/>', "<!DOCTYPE a>", "é", "]]>", "9999-99",
)  # fmt: skip
SOUND = urlset(f"{BASE}de/")
CONTENTS = st.one_of(
    st.binary(max_size=60),
    st.lists(st.sampled_from(PIECES), max_size=12).map(lambda parts: "".join(parts).encode()),
    st.integers(0, len(SOUND)).map(lambda end: SOUND[:end].encode()),
    st.just(gzip.compress(SOUND.encode(), mtime=0)),
    st.lists(st.sampled_from(PIECES[14:20]), max_size=4).map(lambda locs: index_of(*locs).encode()),
)
NAMES = st.sampled_from(
    [
        "sitemap.xml", "sitemap-index.xml", "de/sitemap.xml", "de/sitemap.xml.gz",
        "de/sitemap-1.xml", "it/sitemap.txt", "versions.json", "robots.txt", "index.html",
    ]
)  # fmt: skip


@settings(deadline=None, max_examples=30)
@given(st.dictionaries(NAMES, CONTENTS, max_size=5))
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
        assert "fr/sitemap.xml" in listed(folder / named)
        after = snapshot(folder)
        kept = set(after.values())
        for path, data in files.items():
            assert data in kept or (path == "robots.txt" and after[path].startswith(data))

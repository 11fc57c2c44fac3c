"""What is listed, under which name and where, in trees written by hand."""

from __future__ import annotations

import datetime as dt
import gzip
from collections.abc import Mapping
from pathlib import Path

import pytest

from commands.trees import (
    BASE,
    build,
    children,
    copy,
    index,
    page,
    snapshot,
    write,
    write_parts,
)
from sitemap_plugin.commands.check.run import check
from sitemap_plugin.models import Entry

PLAIN = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{}</urlset>\n'
)
INDEX = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{}</sitemapindex>\n'
)


def urlset(*locs: str) -> str:
    return PLAIN.format("".join(f"<url><loc>{loc}</loc></url>" for loc in locs))


def index_of(*locs: str) -> str:
    return INDEX.format("".join(f"<sitemap><loc>{loc}</loc></sitemap>" for loc in locs))


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


def test_sections_are_joined_and_their_files_stay_as_they_are(two: Path) -> None:
    before = snapshot(two)
    ran = index(two)

    assert (ran.status, ran.err) == (0, "")
    assert ran.out == "index: 2 sitemaps with 4 URLs in site/sitemap.xml; robots.txt created\n"
    assert children(two / "sitemap.xml") == {
        f"{BASE}blog/sitemap.xml": None,
        f"{BASE}docs/sitemap.xml": "2024-05-01",
    }
    assert (
        gzip.decompress((two / "sitemap.xml.gz").read_bytes()) == (two / "sitemap.xml").read_bytes()
    )
    assert before.items() <= snapshot(two).items()
    assert not check(two, base_url=BASE).findings.counts


def test_a_second_run_changes_nothing(two: Path, tmp_path: Path) -> None:
    index(two)
    first = snapshot(two)
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
    assert list(children(two / "map.xml")) == [f"{BASE}blog/sitemap.xml", f"{BASE}docs/sitemap.xml"]


def test_sitemaps_can_be_left_out_and_added(two: Path) -> None:
    build(two, "wiki/", [""]).rename(two / "wiki/map.xml")
    (two / "wiki/sitemap.xml.gz").unlink()
    elsewhere = f"{BASE}shop/sitemap.xml"
    ran = index(two, "--skip=blog/", "--also=wiki/map.xml", f"--also={elsewhere}")

    assert (ran.status, ran.err) == (0, "")
    assert list(children(two / "sitemap.xml")) == [
        f"{BASE}docs/sitemap.xml",
        elsewhere,
        f"{BASE}wiki/map.xml",
    ]
    assert "1 left out (1 skipped)" in ran.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--also=gone/sitemap.xml"], "--also: there is no file gone/sitemap.xml in site"),
        (["--also=../outside.xml"], "--also: there is no file ../outside.xml in site"),
        (["--also=https://example.com/sitemap.xml"], "is not below https://example.org/"),
        (["--skip="], "--skip[0]: expected a pattern"),
        (["--versions", "1.0"], "has no versions.json of mike"),
        (["--base-url=example.org"], "write 'https://example.org/'"),
        (["--config=gone.toml"], "gone.toml: cannot be read"),
        (["--robots=maybe"], "robots: expected"),
        (["--skip=*/"], "no sitemap in it can be listed"),
    ],
)
def test_a_wrong_call_is_a_message_and_changes_nothing(
    two: Path, arguments: list[str], message: str
) -> None:
    (two.parent / "outside.xml").write_text(urlset(BASE))
    before = snapshot(two)
    ran = index(two, *arguments)

    assert ran.status == 2
    assert message in ran.err
    assert snapshot(two) == before


def test_a_folder_without_a_sitemap_is_a_message(site: Path) -> None:
    gone = index(site / "gone")
    empty = index(site)

    assert "there is no such folder" in gone.err
    assert (empty.status, "there is no sitemap in it or below" in empty.err) == (2, True)


def test_one_build_at_the_root_needs_no_index(site: Path) -> None:
    build(site, "", ["", "a/"])
    before = snapshot(site)
    ran = index(site)

    assert ran.status == 2
    assert "it has one sitemap, at its root, which needs no index" in ran.err
    assert snapshot(site) == before


def test_where_the_root_has_a_build_the_index_has_a_name_beside_it(two: Path) -> None:
    own = build(two, "", ["", "about/"])
    before = own.read_bytes()
    first, again = index(two), index(two)

    assert (first.status, first.err, again.status) == (0, "", 0)
    assert own.read_bytes() == before
    assert list(children(two / "sitemap-index.xml")) == [
        f"{BASE}blog/sitemap.xml",
        f"{BASE}docs/sitemap.xml",
        f"{BASE}sitemap.xml",
    ]
    assert (two / "robots.txt").read_text() == f"Sitemap: {BASE}sitemap-index.xml\n"
    assert not check(two, base_url=BASE).findings.counts


@pytest.mark.parametrize("name", ["sitemap.xml", "sitemap-2.xml"])
def test_a_name_that_would_displace_the_root_builds_sitemap_is_refused(
    two: Path, name: str
) -> None:
    build(two, "", ["", "about/"]).rename(two / name)
    before = snapshot(two)
    ran = index(two, "--filename=sitemap.xml", f"--also={name}")

    assert ran.status == 2
    assert f"{name} is the sitemap of the build at the root" in ran.err
    assert snapshot(two) == before


def test_an_index_lists_the_parts_of_a_build_and_never_its_index(two: Path) -> None:
    entries = [
        Entry(f"{BASE}big/{number:03}/", dt.date(2024, 1, 1 + number)) for number in range(5)
    ]
    for entry in entries:
        write(two, {f"{entry.loc.removeprefix(BASE)}index.html": page()})
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


def test_parts_of_the_root_build_survive_every_run(two: Path) -> None:
    entries = [Entry(BASE + name) for name in ("", "a/", "b/")]
    for entry in entries:
        write(two, {f"{entry.loc.removeprefix(BASE)}index.html": page()})
    write_parts(two, BASE, {None: entries}, max_urls=2)
    index(two)
    before = snapshot(two)
    ran = index(two)

    assert ran.status == 0
    assert snapshot(two) == before
    assert f"{BASE}sitemap-2.xml" in children(two / "sitemap-index.xml")


def test_a_foreign_index_at_the_root_is_kept_and_what_it_lists_elsewhere_is_told(
    two: Path,
) -> None:
    foreign = index_of(f"{BASE}docs/sitemap.xml", f"{BASE}shop/sitemap.xml")
    write(two, {"sitemap.xml": foreign, "robots.txt": f"Sitemap: {BASE}sitemap.xml\n"})
    ran = index(two)

    assert ran.status == 0
    assert (two / "sitemap.xml.bak").read_text() == foreign
    assert f"{BASE}blog/sitemap.xml" in children(two / "sitemap.xml")
    assert f"--also {BASE}shop/sitemap.xml keeps it" in ran.err
    assert "it is kept as sitemap.xml.bak" in ran.err


def test_an_index_of_ours_under_an_earlier_name_is_removed(two: Path) -> None:
    index(two, "--filename=sitemap_index.xml")
    ran = index(two)

    assert ran.status == 0
    assert not list(two.glob("sitemap_index*"))
    assert f"robots.txt: still names {BASE}sitemap_index.xml; remove that line" in ran.err


def test_a_foreign_index_under_another_name_stays(two: Path) -> None:
    foreign = index_of(f"{BASE}docs/sitemap.xml")
    write(two, {"sitemap_index.xml": foreign})
    ran = index(two)

    assert (two / "sitemap_index.xml").read_text() == foreign
    assert "sitemap_index.xml: is an index too, and is left as it is" in ran.err
    assert len(children(two / "sitemap.xml")) == 2


BROKEN: Mapping[str, tuple[str | bytes, str]] = {
    "an error page": (page(), "The file is an HTML page"),
    "nothing": ("", "The file is empty"),
    "no entry": (urlset(), "lists nothing; build that part of the site again"),
    "cut": (urlset(f"{BASE}bad/")[:-20], "cannot be listed"),
    "binary": (b"\0\1\2\3", "The file is binary data"),
    "bomb": (
        '<!DOCTYPE a [<!ENTITY b "' + "c" * 99 + '">]>' + urlset(f"{BASE}bad/&b;"),
        "cannot be listed",
    ),
    "index of nothing there": (
        index_of(f"{BASE}bad/gone.xml"),
        f"it lists {BASE}bad/gone.xml, which is not there",
    ),
    "index of itself": (
        index_of(f"{BASE}bad/sitemap.xml"),
        "which is an index itself; list its sitemaps instead",
    ),
}


@pytest.mark.parametrize(("content", "message"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_sitemap_is_told_and_the_others_are_listed(
    two: Path, content: str | bytes, message: str
) -> None:
    write(two, {"bad/sitemap.xml": content})
    ran = index(two, f"--base-url={BASE}")

    assert ran.status == 1
    assert ran.err.startswith("error: bad/sitemap.xml: ")
    assert message in ran.err
    assert len(children(two / "sitemap.xml")) == 2
    assert (two / "bad/sitemap.xml").is_file()


def test_a_sitemap_that_cannot_be_read_is_told(two: Path) -> None:
    (two / "bad").mkdir()
    (two / "bad/sitemap.xml").symlink_to(two / "gone.xml")
    ran = index(two)

    assert ran.status == 1
    assert "error: bad/sitemap.xml: cannot be read: No such file" in ran.err


def test_what_is_wrong_within_a_sitemap_is_told_by_the_check(two: Path) -> None:
    text = urlset(f"{BASE}bad/").replace("</loc>", "</loc><lastmod>yesterday</lastmod>")
    write(two, {"bad/sitemap.xml": text, "bad/index.html": page()})
    ran = index(two)

    assert ran.status == 1
    assert "error: site/bad/sitemap.xml:2: " in ran.err
    assert "'yesterday'" in ran.err
    assert len(children(two / "sitemap.xml")) == 3


def test_copies_whose_originals_are_elsewhere_are_not_listed(two: Path) -> None:
    link = f'<link rel="canonical" href="{BASE}docs/">'
    write(two, {"old/index.html": page(link), "old/sitemap.xml": urlset(f"{BASE}old/")})
    ran = index(two)

    assert ran.status == 0
    assert "1 left out (1 with copies of other pages)" in ran.out
    assert len(children(two / "sitemap.xml")) == 2


def test_links_in_circles_and_out_of_the_folder_are_no_builds(two: Path, tmp_path: Path) -> None:
    build(tmp_path / "outside", "", [""])
    (two / "docs/again").symlink_to(two, target_is_directory=True)
    (two / "self").symlink_to("self")
    (two / "latest").symlink_to("docs", target_is_directory=True)
    (two / "out").symlink_to(tmp_path / "outside", target_is_directory=True)
    ran = index(two)

    assert ran.status == 0, ran.err
    assert list(children(two / "sitemap.xml")) == [
        f"{BASE}blog/sitemap.xml",
        f"{BASE}docs/sitemap.xml",
    ]


@pytest.mark.parametrize(
    "base", [BASE, f"{BASE}a%20b/", "https://xn--strae-oqa.de/", "http://h:81/"]
)
def test_the_base_url_is_found_out(site: Path, base: str) -> None:
    build(site, "docs/", ["", "a/"], base_url=base)
    build(site, "de/docs/", ["", "a/"], base_url=base)
    ran = index(site)

    assert ran.status == 0, ran.err
    assert list(children(site / "sitemap.xml")) == [
        f"{base}de/docs/sitemap.xml",
        f"{base}docs/sitemap.xml",
    ]


def test_sitemaps_alone_tell_the_base_url_by_their_folders(site: Path) -> None:
    write(
        site,
        {
            "a b/sitemap.xml": urlset(f"{BASE}p/a%20b/x/", f"{BASE}p/a%20b/y/"),
            "docs/sitemap.xml": urlset(f"{BASE}p/docs/z/"),
        },
    )
    ran = index(site)

    assert ran.status == 0, ran.err
    assert list(children(site / "sitemap.xml")) == [
        f"{BASE}p/a%20b/sitemap.xml",
        f"{BASE}p/docs/sitemap.xml",
    ]


def test_sitemaps_that_disagree_are_a_question_to_the_user(two: Path) -> None:
    build(two, "de/", ["", "a/"], base_url="https://example.de/")
    asked = index(two)
    told = index(two, f"--base-url={BASE}")

    assert asked.status == 2
    assert "do not agree on where they are published" in asked.err
    assert "at https://example.org/ by blog/sitemap.xml and 1 more" in asked.err
    assert told.status == 0
    assert "1 with addresses outside its folder" in told.out
    assert len(children(two / "sitemap.xml")) == 2


def test_sitemaps_that_say_nothing_are_a_question_too(site: Path) -> None:
    write(site, {"a/sitemap.xml": urlset("https://example.org/b/"), "c/sitemap.xml": ""})
    ran = index(site)

    assert ran.status == 2
    assert "do not tell where the folder is published; give --base-url" in ran.err


def test_sitemaps_that_are_all_empty_are_told_with_the_usual_cause(site: Path) -> None:
    write(site, {"a/sitemap.xml": urlset(), "b/sitemap.xml": urlset()})
    ran = index(site)

    assert ran.status == 2
    assert "there is no address in a/sitemap.xml and 1 more" in ran.err
    assert "site_url in MkDocs" in ran.err


def test_a_text_and_a_packed_sitemap_are_listed_where_there_is_no_other(two: Path) -> None:
    packed = gzip.compress(urlset(f"{BASE}packed/").encode(), mtime=0)
    write(
        two,
        {
            "text/sitemap.txt": f"{BASE}text/\n",
            "text/index.html": page(),
            "docs/sitemap.txt": f"{BASE}docs/\n",
            "packed/sitemap.xml.gz": packed,
            "packed/index.html": page(),
        },
    )
    ran = index(two)

    assert (ran.status, ran.err) == (0, "")
    assert list(children(two / "sitemap.xml")) == [
        f"{BASE}blog/sitemap.xml",
        f"{BASE}docs/sitemap.xml",
        f"{BASE}packed/sitemap.xml.gz",
        f"{BASE}text/sitemap.txt",
    ]


def test_a_folder_in_the_way_of_the_index_is_a_message(two: Path) -> None:
    (two / "sitemap.xml").mkdir()
    before = snapshot(two)
    ran = index(two)

    assert ran.status == 2
    assert "sitemap.xml: cannot be written: it is not a regular file" in ran.err
    assert snapshot(two) == before


def test_strict_fails_on_a_warning(two: Path) -> None:
    lines = "".join(
        f"<url><loc>{BASE}old/{n}/</loc><lastmod>2024-01-01</lastmod></url>" for n in range(9)
    )
    write(two, {"old/sitemap.xml": PLAIN.format(lines)})
    lax, strict = index(two), index(two, "--strict=true")

    assert "warning: " in lax.err
    assert (lax.status, strict.status) == (0, 1)


def test_a_wrong_option_is_told_with_the_file_or_the_flag_that_sets_it(
    two: Path,
) -> None:
    (two.parent / "sitemap.toml").write_text("base_url = 'example.org'\nmax_urls = 0\nfoo = 1\n")
    options = index(two, "--gzip=7").err
    (two.parent / "sitemap.toml").write_text("base_url = 'example.org'\n")
    texts = [options, index(two).err, index(two, f"--base-url={BASE}", "--skip=!").err]

    assert [line.split(";")[0] for text in texts for line in text.splitlines()] == [
        "error: sitemap.toml: foo: unknown option",
        "error: sitemap.toml: max_urls: expected a whole number from 1 to 50000, got 0",
        "error: --gzip: expected true or false, got 7",
        "error: sitemap.toml: base_url: 'example.org' is not an absolute URL",
        "error: --skip[0]: not a gitignore pattern: '!'",
    ]

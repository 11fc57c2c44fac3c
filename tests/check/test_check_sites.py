"""A site is understood as it is published: its address, its parts, links within it."""

from __future__ import annotations

from pathlib import Path

import pytest

from check.example import BASE, Files, codes, entry, index, link, page, urlset, write
from sitemap_plugin.commands.check.findings import CheckOutcome
from sitemap_plugin.commands.check.formats import FORMATS
from sitemap_plugin.commands.check.published_folder import derive_base
from sitemap_plugin.commands.check.run import check
from sitemap_plugin.common.files import MARKER

DOCS = f"{BASE}docs/"
SWITCHER = (("en", ""), ("de", "de/"))


def checked(
    folder: Path, files: Files, target: str = "", base_url: str | None = None
) -> CheckOutcome:
    """Write files and check them."""
    write(folder, files)
    return check(folder / target, base_url=base_url)


def below(base: str, *paths: str) -> str:
    """Return a sitemap of addresses below a base URL."""
    return urlset(*(f"<loc>{base}{path}</loc>" for path in paths))


@pytest.mark.parametrize("base", [BASE, DOCS, "https://xn--strae-oqa.de/a%20b/"])
def test_the_base_url_is_the_one_where_the_pages_are(base: str, tmp_path: Path) -> None:
    files = {
        "sitemap.xml": below(base, "", "a/", "docs/", "missing/"),
        **dict.fromkeys(("index.html", "a/index.html", "docs/index.html"), page()),
    }
    outcome = checked(tmp_path, files)

    assert outcome.base_url == base
    assert outcome.findings.counts["page-missing"] == 1
    assert "page-not-listed" not in codes(outcome)


def test_an_empty_folder_in_addresses_does_not_hide_the_base_url(tmp_path: Path) -> None:
    """Documenter.jl wrote such addresses for years."""
    files = {
        "1.0/sitemap.xml": below(f"{DOCS}/", "", "a/"),
        "2.0/sitemap.xml": below(f"{DOCS}/", "", "a/"),
        **dict.fromkeys(("index.html", "1.0/index.html", "1.0/a/index.html"), page()),
    }
    outcome = checked(tmp_path, files)

    assert outcome.base_url == DOCS
    assert {"page-missing", "page-not-listed"} <= codes(outcome)


def test_a_page_that_says_it_is_served_with_a_slash_is_believed(tmp_path: Path) -> None:
    named = page(f'<link rel="canonical" href="{BASE}a/">')
    files = {"index.html": page(), "a.html": named, "b.html": page()}
    outcome = checked(tmp_path, {"sitemap.xml": below(BASE, "", "a/", "b/"), **files})
    missing = [item.url for item in outcome.findings.sorted() if item.code == "page-missing"]

    assert missing == [f"{BASE}b/"]
    outcome = checked(tmp_path, {"sitemap.xml": below(BASE, "", "b"), **files})
    unlisted = [item.url for item in outcome.findings.sorted() if item.code == "page-not-listed"]
    assert unlisted == [f"{BASE}a/"]


LOCAL = "http://127.0.0.1:8000/"
HOME: Files = {"sitemap.xml": below(BASE, ""), "index.html": page()}
NAMED: Files = {
    "maps/sitemap.xml": below(BASE, "", "a"),
    "index.html": page(),
    "a.html": page(),
}
BOTH = link("en", f"{BASE}en") + link("de", f"{BASE}de")
BROKEN = urlset(entry("en", BOTH), entry("de", BOTH)).replace("de</loc>", "&</loc>")
ROBOTS = f"Sitemap: {BASE}sitemap.xml"

WITH: dict[str, tuple[Files, str | None, set[str]]] = {
    "a sitemap above whose folder are pages": (
        NAMED, BASE, {"loc-outside-folder", "robots-no-sitemap"}
    ),
    "one that robots.txt names": (
        {**NAMED, "robots.txt": f"Sitemap: {BASE}maps/sitemap.xml"}, BASE, set()
    ),
    "a sitemap of another name": (
        {"pages.xml": below(BASE, "", "x"), "robots.txt": f"Sitemap: {BASE}pages.xml",
         "index.html": page()}, BASE, {"page-missing"},
    ),
    "a robots.txt below a path": (
        {"sitemap.xml": below(DOCS, ""), "robots.txt": "User-agent: *\nDisallow: /",
         "index.html": page()}, None, set(),
    ),
    "a page that robots.txt forbids": (
        {**HOME, "robots.txt": f"User-agent: *\nDisallow: /drafts/\n{ROBOTS}",
         "drafts/a.html": page()}, None, set(),
    ),
    "a broken sitemap": (
        {"sitemap.xml": BROKEN, "en.html": page(), "de.html": page(), "robots.txt": ROBOTS},
        BASE, {"xml-broken"},
    ),
    "steps up within an address": (
        {**HOME, "sitemap.xml": below(BASE, "", "x/../a/%2e/"), "a/index.html": page(),
         "robots.txt": ROBOTS}, BASE, set(),
    ),
    "a wrong base URL": (
        {**HOME, "robots.txt": ROBOTS}, "https://www.example.org/",
        {"loc-other-site", "robots-sitemap-elsewhere", "page-not-listed"},
    ),
    "a local site": (
        {**HOME, "sitemap.xml": below(LOCAL, ""), "robots.txt": f"Sitemap: {LOCAL}sitemap.xml"},
        LOCAL, set(),
    ),
    "a local address": ({**HOME, "sitemap.xml": below(LOCAL, "")}, None,
                        {"loc-local", "robots-no-sitemap"}),
}  # fmt: skip


@pytest.mark.parametrize("case", WITH)
def test_a_site_is_judged_as_a_whole(case: str, tmp_path: Path) -> None:
    files, base_url, expected = WITH[case]
    outcome = checked(tmp_path, files, base_url=base_url)

    assert codes(outcome) == expected
    assert outcome.guessed == (base_url is None)


@pytest.mark.parametrize(
    ("files", "base"),
    [
        ({"sitemap.xml": below(DOCS, ""), "index.html": page()}, DOCS),
        ({"sitemap.xml": index(f"{DOCS}m/1.xml"), "m/1.xml": below(DOCS, "m/x")}, DOCS),
        ({"sitemap.xml": below(DOCS, "x/", "y/")}, BASE),
    ],
)
def test_the_base_url_of_a_folder_is_found_out(files: Files, base: str, tmp_path: Path) -> None:
    assert checked(tmp_path, files).base_url == base


def test_a_few_like_named_files_do_not_tell_the_base_url_of_a_lone_sitemap(tmp_path: Path) -> None:
    files = {"sitemap.xml": below(BASE, "blog/a", "shop/b", "c", "d"), "a": "", "b": ""}
    outcome = checked(tmp_path, files, "sitemap.xml")

    assert outcome.base_url is None
    assert codes(outcome) == set()


@pytest.mark.parametrize("mark", ["sitemap.xml", "sitemap.xml.gz"])
def test_a_site_within_the_folder_has_an_error_page_of_its_own(mark: str, tmp_path: Path) -> None:
    files = {
        "sitemap.xml": below(BASE, "", "1.0/", "1.0/404.html"),
        **dict.fromkeys(("index.html", "1.0/index.html", "1.0/404.html"), page()),
    }

    assert "page-error" not in codes(checked(tmp_path, files))
    outcome = checked(tmp_path, {f"1.0/{mark}": below(f"{BASE}1.0/", "")})
    assert outcome.findings.counts["page-error"] == 1


def test_the_sitemaps_of_languages_in_folders_are_taken_together(tmp_path: Path) -> None:
    links = link("en", BASE) + link("de", f"{BASE}de/")
    files = {
        "sitemap.xml": urlset(entry("", links)),
        "de/sitemap.xml": urlset(entry("de/", links)),
        "robots.txt": f"Sitemap: {BASE}sitemap.xml",
        "index.html": page(),
        "de/index.html": page(),
        "de/404.html": page(),
    }
    outcome = checked(tmp_path, files)

    assert outcome.files == 2
    assert codes(outcome) == set()


def test_a_switcher_that_leads_to_home_pages_names_no_other_translations(tmp_path: Path) -> None:
    """Check pages as Material makes them: their heads name the home page of each language."""
    both = link("de", f"{BASE}de/a/") + link("en", f"{BASE}a/")
    switcher = page(*(f'<link rel="alternate" hreflang="{c}" href="/{f}">' for c, f in SWITCHER))
    files = {
        "sitemap.xml": urlset(*(f"<loc>{BASE}{path}</loc>{both}" for path in ("a/", "de/a/"))),
        "a/index.html": switcher,
        "de/a/index.html": switcher,
    }

    assert codes(checked(tmp_path, files)) == {"robots-no-sitemap"}


def _versions(tmp_path: Path, newest: str) -> CheckOutcome:
    """Check a tree as mike makes it, the newest version's addresses below a folder."""
    versions = {"1.0": "1.0", "2.0": newest}
    files: dict[str, str] = {
        "index.html": page('<meta http-equiv="refresh" content="0; url=1.0/">')
    }
    for folder, named in versions.items():
        files[f"{folder}/sitemap.xml"] = below(DOCS, f"{named}/", f"{named}/a/")
        for name in ("index", "a/index", "404"):
            files[f"{folder}/{name}.html"] = page()
    write(tmp_path, files)
    (tmp_path / "latest").symlink_to("2.0")
    return check(tmp_path)


@pytest.mark.parametrize("newest", ["2.0", "latest"])
def test_a_tree_of_versions_has_no_finding(newest: str, tmp_path: Path) -> None:
    outcome = _versions(tmp_path, newest)

    assert outcome.base_url == DOCS
    assert (outcome.files, outcome.urls) == (2, 4)
    assert codes(outcome) == set()


def test_a_version_whose_addresses_are_another_ones_is_found(tmp_path: Path) -> None:
    assert "loc-outside-folder" in codes(_versions(tmp_path, "1.0"))


def test_an_unlisted_page_behind_a_link_is_not_missed(tmp_path: Path) -> None:
    files = {
        "sitemap.xml": below(BASE, ""),
        "index.html": page(),
        "a.html": page("<title>A</title>"),
    }
    write(tmp_path, files)
    (tmp_path / "b.html").symlink_to("a.html")
    found = check(tmp_path, base_url=BASE).findings.sorted()

    assert [item.url for item in found if item.code == "page-not-listed"] == [f"{BASE}a.html"]


@pytest.mark.parametrize(
    ("addresses", "files", "base"),
    [
        ([f"{BASE}a/b/"], {"a/b/": True}, BASE),
        ([f"{BASE}a/b/", f"{BASE}a/c/"], {"b/": True}, f"{BASE}a/"),
        ([f"{BASE}a/b/", f"{BASE}a/c/"], {"": True}, None),
        (["nothing", "https://[", ""], {"": True}, None),
        ([], {"": True}, None),
    ],
)
def test_a_base_url_is_derived_from_what_exists(
    addresses: list[str], files: dict[str, bool], base: str | None
) -> None:
    assert derive_base(addresses, lambda path: path in files) == base


def test_an_alias_that_was_not_deployed_is_named(tmp_path: Path) -> None:
    """Check a tree of mike's in which ``site_url`` names an alias that has no folder."""
    files = {
        "2.0/sitemap.xml": below(DOCS, "latest/", "latest/a/"),
        "2.0/index.html": page(),
        "versions.json": '[{"version": "2.0", "title": "2.0", "aliases": ["latest"]}]',
    }
    found = checked(tmp_path, files, base_url=DOCS).findings.sorted()
    [first, _] = [item for item in found if item.code == "page-missing"]

    assert "'latest' is an alias of '2.0'" in first.message
    assert "--update-aliases" in first.cure


def test_the_links_of_llms_txt_are_checked_like_a_sitemaps(tmp_path: Path) -> None:
    files = {
        "sitemap.xml": below(BASE, ""),
        "index.html": page(),
        "a.html": page('<meta name="robots" content="noindex">'),
        "a.md": "# A",
        "llms.txt": f"# S\n- [A]({BASE}a.html#x), [source](/a.md)\n- [B](<b.html>)\n- [C](//c.org)",
    }
    found = checked(tmp_path, files, base_url=BASE).findings.sorted()

    assert [
        (item.code, item.line, item.url) for item in found if item.path.endswith("llms.txt")
    ] == [
        ("page-noindex", 2, f"{BASE}a.html"),
        ("page-missing", 3, f"{BASE}b.html"),
    ]


@pytest.mark.parametrize("names", [("a-index.xml", "b.xml"), ("b.xml", "a-index.xml")])
def test_indexes_that_list_each_other_are_found_in_any_order(
    names: tuple[str, str], tmp_path: Path
) -> None:
    files = {
        "robots.txt": "".join(f"Sitemap: {BASE}{name}\n" for name in names),
        "a-index.xml": index(f"{BASE}b.xml"),
        "b.xml": index(f"{BASE}a-index.xml", f"{BASE}s.xml", lastmod="2024-01-01"),
        "s.xml": urlset(entry("", "<lastmod>2024-02-01</lastmod>")),
        "index.html": page(),
    }
    found = checked(tmp_path, files, base_url=BASE).findings.counts

    assert found == {"index-nested": 2, "index-lastmod-old": 1}


def test_many_equal_notices_are_one_line(tmp_path: Path) -> None:
    files = {
        "sitemap.xml": f"{MARKER.decode()}\n{below(BASE, '').partition(chr(10))[2]}",
        "index.html": page(),
        **{f"copy/{number}.html": page() for number in range(257)},
    }
    outcome = checked(tmp_path, files, base_url=BASE)
    lines = FORMATS["text"](outcome).splitlines()

    assert len(outcome.findings.sorted()) == 258
    assert [line for line in lines if "page-left-out" in line] == [
        f"{outcome.findings.sorted()[0].path}: notice: The page can be indexed; the build has left "
        "it out. [page-left-out] (257 times)"
    ]


def test_static_html_that_is_not_listed_is_told_with_the_option(tmp_path: Path) -> None:
    files = {
        "sitemap.xml": f"{MARKER.decode()}\n{below(BASE, '').partition(chr(10))[2]}",
        "index.html": page(),
        "raw.html": page(),
        "part.html": "<p>A part</p>",
    }
    [found, _] = checked(tmp_path, files, base_url=BASE).findings.sorted()

    assert (found.code, found.url) == ("page-left-out", f"{BASE}raw.html")
    assert "option static_html" in found.cure


def test_an_index_that_lists_itself_is_told_so(tmp_path: Path) -> None:
    files = {"sitemap.xml": index(f"{BASE}1.xml", f"{BASE}sitemap.xml"), "1.xml": below(BASE, "a")}
    [found] = checked(tmp_path, files, "sitemap.xml", BASE).findings.sorted()

    assert (found.code, found.line) == ("index-nested", 4)
    assert (found.message, found.cure) == ("The index lists itself.", "Remove the entry.")

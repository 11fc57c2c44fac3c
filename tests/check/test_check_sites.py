"""A site is understood as it is published: its address, its parts, links within it."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from check.example import BASE, codes, page, read_files, urlset, write
from sitemap_plugin.commands.check.findings import CheckOutcome
from sitemap_plugin.commands.check.folder import check
from sitemap_plugin.commands.check.formats import FORMATS
from sitemap_plugin.commands.check.published_folder import PublishedFolder
from sitemap_plugin.common.files import MARKER

DOCS = f"{BASE}docs/"
SITES = tomllib.loads(Path(__file__).with_name("sites.toml").read_text(encoding="utf-8"))["site"]


def below(base: str, *paths: str) -> str:
    """Return a sitemap of addresses below a base URL."""
    return urlset(*(f"<loc>{base}{path}</loc>" for path in paths))


@pytest.mark.parametrize("site", SITES, ids=lambda site: site["name"])
def test_a_site_is_judged_as_a_whole(site: dict[str, Any], tmp_path: Path) -> None:
    given, target = site.get("given"), site.get("target", "")
    write(tmp_path, read_files(site["content"], target))
    outcome = check(tmp_path / target, base_url=given)
    found, counts = outcome.findings.sorted(), outcome.findings.counts

    assert codes(outcome) == set(site.get("codes", counts))
    assert (outcome.base_url or "") == site.get("base_url", outcome.base_url or "")
    assert outcome.guessed == (given is None and outcome.base_url is not None)
    assert {code: counts[code] for code in site.get("counts", ())} == site.get("counts", {})
    assert outcome.files == site.get("sitemaps", outcome.files)
    named = [[item.code, item.url] for item in found]
    assert [item for item in site.get("found", ()) if item not in named] == []
    codes_of_found = {code for code, _ in site.get("found", ())}
    assert len(site.get("found", ())) == sum(counts[code] for code in codes_of_found)
    assert site.get("said", "") in "\n".join(f"{item.message} {item.cure}" for item in found)


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
    write(tmp_path, {"sitemap.xml": below(BASE, ""), "index.html": page(), "a.html": page()})
    (tmp_path / "b.html").symlink_to("a.html")
    found = check(tmp_path, base_url=BASE).findings.sorted()

    assert [item.url for item in found if item.code == "page-not-listed"] == [f"{BASE}a.html"]


@pytest.mark.parametrize(
    ("addresses", "folder", "base"),
    [
        ([f"{BASE}a/b/"], "a/b/", BASE),
        ([f"{BASE}a/b/", f"{BASE}a/c/"], "b/", f"{BASE}a/"),
        ([f"{BASE}a/b/", f"{BASE}a/c/"], "", None),
        (["nothing", "https://[", ""], "", None),
        ([], "", None),
    ],
)
def test_a_base_url_is_derived_from_what_exists(
    addresses: list[str], folder: str, base: str | None, tmp_path: Path
) -> None:
    write(tmp_path, {f"{folder}index.html": page()})

    assert PublishedFolder(tmp_path).derive_base(addresses) == base


def test_many_equal_notices_are_one_line(tmp_path: Path) -> None:
    files = {
        "sitemap.xml": f"{MARKER.decode()}\n{below(BASE, '').partition(chr(10))[2]}",
        "index.html": page(),
        **{f"copy/{number}.html": page() for number in range(257)},
    }
    write(tmp_path, files)
    outcome = check(tmp_path, base_url=BASE)
    lines = FORMATS["text"](outcome).splitlines()

    assert len(outcome.findings.sorted()) == 258
    assert [line for line in lines if "page-left-out" in line] == [
        f"{outcome.findings.sorted()[0].path}: notice: The page can be indexed; the build has left "
        "it out. [page-left-out] (257 times)"
    ]

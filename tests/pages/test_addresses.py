"""A page's address is what its own canonical link says, if that leads to the page's own file."""

from pathlib import Path
from typing import Any

import pytest

from sitemap_plugin.errors import Problem
from sitemap_plugin.models import Page
from sitemap_plugin.pages.addresses import GIVEN_BY, ServedFiles, served_paths
from sitemaps import read_locs
from sites import BASE, build_pages
from tables import read_table

TABLE = read_table(__file__, "addresses.yaml")
HTML = "<!doctype html><html><head>{}</head><body>x</body></html>"


def written(
    folder: Path, path: str, file: str, canonical: str | None = None, **fields: Any
) -> Page:
    """Return a page that was written to a file, with a canonical link."""
    output = folder / file
    output.parent.mkdir(parents=True, exist_ok=True)
    link = "" if canonical is None else f'<link rel="canonical" href="{canonical}">'
    output.write_text(HTML.format(link))
    return Page(BASE + path, source_path=f"{file}.md", output=output, **fields)


def build_site(
    folder: Path, pages: list[Page], options: dict[str, Any] | None = None, **site: Any
) -> tuple[list[str], dict[str, str], list[Problem]]:
    """Return the listed addresses below the base, the reasons by source, and the warnings."""
    report = build_pages(folder, pages, {"robots": False, **(options or {})}, **site)
    locs = read_locs(folder / "sitemap.xml") if report.files else []
    left = {page.source_path or page.url: reason for page, reason in report.left_out.items()}
    warnings = [problem for problem in report.problems if problem.severity == "warning"]
    return [loc.removeprefix(BASE) for loc in locs], left, warnings


@pytest.mark.parametrize(("path", "file", "canonical", "loc"), TABLE["own"])
def test_a_canonical_link_to_the_pages_own_file_is_its_address(
    tmp_path: Path, path: str, file: str, canonical: str | None, loc: str
) -> None:
    locs, left, warnings = build_site(tmp_path, [written(tmp_path, path, file, canonical)])

    assert (locs, left, warnings) == ([loc], {}, [])


@pytest.mark.parametrize(("canonical", "is_missing"), TABLE["elsewhere"])
def test_a_canonical_link_elsewhere_leaves_the_page_out(
    tmp_path: Path, canonical: str, is_missing: bool
) -> None:
    (tmp_path / "paper.pdf").write_text("x")
    pages = [
        written(tmp_path, "guide/", "guide/index.html", canonical),
        written(tmp_path, "other/", "other/index.html"),
    ]
    locs, left, warnings = build_site(tmp_path, pages)

    assert locs == ["other/"]
    assert left == {"guide/index.html.md": f"canonical elsewhere ({canonical})"}
    assert [problem.where for problem in warnings] == ["guide/index.html.md"] * is_missing
    assert all(canonical in problem.message for problem in warnings)


def test_of_two_files_the_exact_one_has_the_address(tmp_path: Path) -> None:
    pages = [
        written(tmp_path, "guide.html", "guide.html", f"{BASE}guide"),
        written(tmp_path, "guide/", "guide/index.html", f"{BASE}guide"),
        written(tmp_path, "a.html", "a.html", f"{BASE}a/"),
        written(tmp_path, "a/", "a/index.html", f"{BASE}a/"),
    ]
    locs, left, warnings = build_site(tmp_path, pages)

    assert locs == ["a/", "guide"]
    assert left == {
        "guide/index.html.md": f"canonical elsewhere ({BASE}guide)",
        "a.html.md": f"canonical elsewhere ({BASE}a/)",
    }
    assert warnings == []


@pytest.mark.parametrize(("target", "is_redirect"), [("./", False), ("../b", True), ("/c", True)])
def test_a_redirect_to_another_address_of_the_file_is_one(
    tmp_path: Path, target: str, is_redirect: bool
) -> None:
    page = written(tmp_path, "b/", "b/index.html")
    refresh = f'<meta http-equiv="refresh" content="0; url={target}">'
    (tmp_path / "b/index.html").write_text(HTML.format(refresh))

    assert build_site(tmp_path, [page])[0] == ([] if is_redirect else ["b/"])


def test_patterns_members_and_the_report_use_the_address(tmp_path: Path) -> None:
    pages = [
        written(tmp_path, "a.html", "a.html", f"{BASE}a", metadata={"modified": "2024-05-01"}),
        written(tmp_path, "b.html", "b.html", f"{BASE}b"),
        written(tmp_path, "tags.html", "tags.html", members=(f"{BASE}a.html", f"{BASE}x")),
    ]
    options = {"rules": [{"match": "re:^a$", "priority": 0.9}], "exclude": ["re:^b$"]}
    report = build_pages(tmp_path, pages, options)

    found = {entry.loc: (entry.priority, str(entry.lastmod)) for _, entry, _ in report.listed}
    assert found == {f"{BASE}a": (0.9, "2024-05-01"), f"{BASE}tags.html": (None, "2024-05-01")}
    assert [page.url for page in report.left_out] == [f"{BASE}b"]
    assert [record["url"] for record in report.to_json()["pages"]] == [
        f"{BASE}a", f"{BASE}b", f"{BASE}tags.html",
    ]  # fmt: skip


def test_links_of_front_matter_or_below_the_hosts_own_setting_are_read(tmp_path: Path) -> None:
    host = "https://host.example/docs/"
    page = written(tmp_path, "x", "guide/index.html", f"{host}guide")._replace(url=f"{host}guide/")
    other = written(tmp_path, "a.html", "a.html", metadata={"canonical": f"{BASE}a"})

    assert build_site(tmp_path, [page, other], host_url=host)[0] == ["a", "guide"]


def test_a_languages_own_base_is_served_from_its_own_folder(tmp_path: Path) -> None:
    bases = {f"{BASE}site/fr/": tmp_path / "fr", "https://de.example/": tmp_path / "de"}
    pages = [
        written(tmp_path, "site/fr/", "fr/index.html", f"{BASE}site/fr/index.html"),
        written(tmp_path, "site/fr/a.html", "fr/a.html", f"{BASE}site/fr/a"),
        written(tmp_path, "x", "de/index.html", "/")._replace(url="https://de.example/"),
        written(tmp_path, "y", "de/b.html", "/b")._replace(url="https://de.example/b.html"),
    ]
    locs, left, warnings = build_site(tmp_path, pages, other_bases=bases)

    assert (locs, left, warnings) == (["site/fr/a", "site/fr/index.html"], {}, [])
    assert read_locs(tmp_path / "de/sitemap.xml") == ["https://de.example/", "https://de.example/b"]


def test_one_url_of_several_files_is_a_warning_and_the_files_addresses_are_listed(
    tmp_path: Path,
) -> None:
    pages = [
        written(tmp_path, "2024/05/", "2024/05/a.html").replace(
            metadata={GIVEN_BY: "ARTICLE_URL and ARTICLE_SAVE_AS"}
        ),
        written(tmp_path, "2024/05/", "2024/05/b/index.html"),
        written(tmp_path, "2024/06/", "2024/06/index.html"),
        written(tmp_path, "2024/06/", "2024/06/c.html"),
    ]
    locs, left, warnings = build_site(tmp_path, pages, generator="pelican")

    assert locs == ["2024/05/a.html", "2024/05/b/", "2024/06/", "2024/06/c.html"]
    assert left == {}
    first, second = [problem.message for problem in warnings]
    assert f"{BASE}2024/05/ is the URL of 2 files, " in first
    assert "a.html" in first
    assert first.endswith("let ARTICLE_URL and ARTICLE_SAVE_AS agree")
    assert second.endswith("let the settings for URL and file agree")
    assert f"{BASE}2024/06/ is the URL of 2 files, " in second


@pytest.mark.parametrize(("path", "file", "loc", "is_told"), TABLE["in_place"])
def test_a_url_behind_which_no_file_lies_gives_way_to_the_files_own(
    tmp_path: Path, path: str, file: str, loc: str, is_told: bool
) -> None:
    locs, _, warnings = build_site(tmp_path, [written(tmp_path, path, file)])

    assert locs == [loc]
    assert len(warnings) == is_told
    assert all(f"no file is served at {BASE}{path};" in problem.message for problem in warnings)


def test_a_url_of_the_settings_that_hosts_redirect_is_a_notice(tmp_path: Path) -> None:
    pages = [
        written(tmp_path, "tags/x", "tags/x/index.html", metadata={GIVEN_BY: "TAG_URL"}),
        written(tmp_path, "tags/y", "tags/y/index.html"),
    ]
    (notice,) = build_pages(tmp_path, pages, {"robots": False}).problems

    assert (notice.severity, notice.where) == ("notice", "tags/x/index.html.md")
    assert notice.message.startswith(f"{BASE}tags/x lies in ")
    assert notice.message.endswith("with a slash at its end; let TAG_URL agree")


def test_two_claims_to_one_file_are_listed_once(tmp_path: Path) -> None:
    first = written(tmp_path, "a/", "a/index.html")
    locs, left, warnings = build_site(tmp_path, [first, first._replace(source_path="b.md")])

    assert (locs, warnings) == (["a/"], [])
    assert left == {"b.md": "same URL as another page (a/index.html.md)"}


@pytest.mark.parametrize(("file", "paths"), TABLE["served"])
def test_a_file_is_served_at_its_paths(file: str, paths: list[str]) -> None:
    assert list(served_paths(file)) == paths
    files = ServedFiles(f"{BASE}docs/", [file])
    assert {files.file_of(f"{BASE}docs/{path}") for path in paths} == {file}


@pytest.mark.parametrize(("url", "file"), TABLE["found"])
def test_the_file_behind_an_address_is_found(url: str, file: str | None) -> None:
    files = ServedFiles(f"{BASE}docs/", ["index.html", "a.html", "a/index.html"])

    assert files.file_of(url) == file

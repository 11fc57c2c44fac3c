"""A page's address is what its own canonical link says, if that leads to the page's own file."""

from pathlib import Path

import pytest

from files import read_table
from sitemap_plugin.pages.addresses import ServedFiles, served_paths
from sites import BASE, check_site

TABLE = read_table(__file__, "addresses.yaml")


@pytest.mark.parametrize(("path", "file", "canonical", "loc"), TABLE["own"])
def test_a_canonical_link_to_the_pages_own_file_is_its_address(
    tmp_path: Path, path: str, file: str, canonical: str | None, loc: str
) -> None:
    pages = [{"url": path, "file": file, "canonical": canonical}]

    check_site(tmp_path, {"pages": pages, "listed": [loc or "/"]})


@pytest.mark.parametrize(("canonical", "is_missing"), TABLE["elsewhere"])
def test_a_canonical_link_elsewhere_leaves_the_page_out(
    tmp_path: Path, canonical: str, is_missing: bool
) -> None:
    told = (
        f"warning guide/index.html.md: is left out, because its canonical link leads to "
        f"{canonical}, and this site has no such file; let the link name the page itself"
    )
    pages = [
        {"url": "guide/", "file": "guide/index.html", "canonical": canonical},
        {"url": "other/", "file": "other/index.html"},
    ]
    left = {"guide/": f"canonical elsewhere ({canonical})"}
    case = {"pages": pages, "files": {"paper.pdf": "x"}, "listed": ["other/"], "left": left}

    check_site(tmp_path, {**case, "said": [told] * is_missing})


@pytest.mark.parametrize(("file", "paths"), TABLE["served"])
def test_a_file_is_served_at_its_paths(file: str, paths: list[str]) -> None:
    assert list(served_paths(file)) == paths
    files = ServedFiles(f"{BASE}docs/", [file])
    assert {files.file_of(f"{BASE}docs/{path}") for path in paths} == {file}


@pytest.mark.parametrize(("url", "file"), TABLE["found"])
def test_the_file_behind_an_address_is_found(url: str, file: str | None) -> None:
    files = ServedFiles(f"{BASE}docs/", ["index.html", "a.html", "a/index.html"])

    assert files.file_of(url) == file

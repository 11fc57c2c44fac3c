"""What lies beside a sitemap: its sections, stylesheet, text form and key; what to do next."""

from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from sitemap_plugin.build import build
from sitemap_plugin.common.files import MARKER, is_ours
from sitemap_plugin.config import parse_config
from sitemap_plugin.models import Entry, Site
from sitemap_plugin.report import Report
from sitemaps import read_locs
from sites import BASE, build_pages, giving, page
from write.folders import Editor, published

KEY = "0123456789abcdef"
KEY_FILE = f"{KEY}.txt"
LOCAL, DOCS = "http://localhost:8000/", f"{BASE}docs/"
SUBMIT = "next: publish, then submit {}sitemap.xml in the search consoles"


def build_protected(folder: Path, *own: str, **options: Any) -> Report:
    """Build a site whose sources put these files there."""
    config, _ = parse_config(options, generator="folder")
    pages = giving([page("1/"), page("2/"), page("blog/")])
    return build(Site(BASE, folder, config=config), [pages], protected={*own, "b.png"})


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {"robots.txt"}


def linked(sitemap: Path) -> str | None:
    line = sitemap.read_text(encoding="utf-8").splitlines()[2]
    start = '<?xml-stylesheet type="text/css" href="'
    return line.removeprefix(start).removesuffix('"?>') if line.startswith(start) else None


def problems(report: Report) -> list[tuple[str, str | None]]:
    return [(problem.severity, problem.where) for problem in report.problems]


def test_the_first_section_that_matches_has_the_page(tmp_path: Path) -> None:
    sections = {"special": "blog/1/", "blog": "blog/", "api": ["api/", "reference.md"]}
    paths = ["blog/1/", "blog/2/", "api/x/", "reference/"]
    build_pages(tmp_path, map(page, paths), {"sections": sections})

    assert {part: read_locs(tmp_path / part) for part in published(tmp_path, base=BASE).parts} == {
        "sitemap-special.xml": [f"{BASE}blog/1/"],
        "sitemap-blog.xml": [f"{BASE}blog/2/"],
        "sitemap-api.xml": [f"{BASE}api/x/", f"{BASE}reference/"],
    }


@pytest.mark.parametrize(
    ("own", "options"),
    [
        ("sitemap.xml", {"max_urls": 1}), ("sitemap.xml.gz", {}),
        ("sitemap-2.xml", {"max_urls": 1}), ("sitemap-1.xml.gz", {"max_urls": 1}),
        ("sitemap-pages.xml", {"sections": {"b": "blog/"}}),
    ],
)  # fmt: skip
def test_a_file_that_the_sites_sources_put_there_is_kept_and_no_sitemap_written(
    tmp_path: Path, own: str, options: dict[str, Any]
) -> None:
    (tmp_path / own).write_text("by hand")
    report = build_protected(tmp_path, own, **options)

    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {own: "by hand"}
    assert (report.files, problems(report)) == ([], [("warning", own)])
    assert f"the site has a {own} of its own" in report.problems[0].message


def test_a_site_with_nothing_left_to_list_loses_its_old_sitemap(tmp_path: Path) -> None:
    build_pages(tmp_path, [page("1/"), page("2/")], {"max_urls": 1})
    build_pages(tmp_path, [page("1/", {"draft": True})])
    assert names(tmp_path) == set()
    build_pages(tmp_path, [page("a/")], plugins=[Editor([Entry("https://other.example/")])])
    assert names(tmp_path) == set()


def test_the_stylesheet_is_named_after_the_sitemap_and_goes_with_it(tmp_path: Path) -> None:
    (tmp_path / "sitemap.css").write_text(f"/* {MARKER.decode()} */ of an older version {{}}")
    build_pages(tmp_path, [page("a/")], {"gzip": False})
    build_pages(tmp_path, [page("a/")], {"gzip": False, "filename": "pages.v2.xml"})

    assert names(tmp_path) == {"sitemap.xml", "sitemap.css", "pages.v2.xml", "pages.v2.css"}
    assert linked(tmp_path / "sitemap.xml") == "sitemap.css"
    assert linked(tmp_path / "pages.v2.xml") == "pages.v2.css"
    assert is_ours(tmp_path / "sitemap.css")
    assert "older" not in (tmp_path / "sitemap.css").read_text()
    report = build_pages(tmp_path, [page("a/")], {"gzip": False, "stylesheet": False})
    assert names(tmp_path) == {"sitemap.xml", "pages.v2.xml", "pages.v2.css"}
    assert linked(tmp_path / "sitemap.xml") is None
    assert report.problems == []


@pytest.mark.parametrize("text", ["mine {}", "", f"/* {MARKER.decode()} */ mine {{}}"])
@pytest.mark.parametrize("own", [["sitemap.css"], []])
def test_a_users_own_stylesheet_is_kept_with_a_notice(
    tmp_path: Path, own: list[str], text: str
) -> None:
    text = text if own else "mine {}"
    (tmp_path / "sitemap.css").write_text(text)
    report = build_protected(tmp_path, *own)

    assert (tmp_path / "sitemap.css").read_text() == text
    assert linked(tmp_path / "sitemap.xml") is None
    assert problems(report) == [("notice", "sitemap.css")]
    assert "set the option 'stylesheet' to false" in report.problems[0].message
    assert build_protected(tmp_path, *own, stylesheet=False).problems == []
    assert (tmp_path / "sitemap.css").read_text() == text


def test_the_text_sitemap_has_a_url_a_line_and_nothing_else(tmp_path: Path) -> None:
    pages = [page("b&c/"), page("ü/"), page("a/")]
    report = build_pages(tmp_path, pages, {"text": True, "max_urls": 2})
    text = f"{BASE}%C3%BC/\n{BASE}a/\n{BASE}b&c/\n".encode()

    assert (tmp_path / "sitemap.txt").read_bytes() == text
    assert tmp_path / "sitemap.txt" in report.files
    report = build_pages(tmp_path, [page("a/")])
    assert (tmp_path / "sitemap.txt").read_bytes() == text
    assert tmp_path / "sitemap.txt" not in report.files
    report = build_pages(tmp_path, [page("a/")], {"text": True})
    assert (tmp_path / "sitemap.txt").read_text() == f"{BASE}a/\n"
    assert not list(tmp_path.glob("*.bak*"))
    assert not report.problems
    assert problems(build_protected(tmp_path, "sitemap.txt", text=True)) == [("warning", "text")]


@pytest.mark.parametrize(
    "content",
    ["my own notes", "{0}a/\n{0}only-here/\n\n# mine\n", "{0}b/\n{0}a/\n", "{0}a/\n{0}a/\n",
     "{0}a/\n\n{0}b/\n", "{0}a/\r\n{0}\r\n", "{0}a/\n{0}b/"],
)  # fmt: skip
def test_a_text_of_the_users_is_kept(tmp_path: Path, content: str) -> None:
    content = content.format(BASE)
    (tmp_path / "sitemap.txt").write_bytes(content.encode())
    report = build_pages(tmp_path, [page("a/")], {"text": True})

    assert (tmp_path / "sitemap.txt.bak").read_bytes() == content.encode()
    assert problems(report) == [("notice", "sitemap.txt")]


@pytest.mark.parametrize("content", [None, "", f"{KEY}\n"])
@pytest.mark.parametrize("own", [[], [KEY_FILE]])
def test_the_key_file_holds_the_key(tmp_path: Path, content: str | None, own: list[str]) -> None:
    if content is not None:
        (tmp_path / KEY_FILE).write_text(content)
    report = build_protected(tmp_path, *(own if content else ()), indexnow_key=KEY)

    assert (tmp_path / KEY_FILE).read_text().strip() == KEY
    assert not report.problems


@pytest.mark.parametrize("content", [b"my notes", f"{KEY} and more".encode(), b"\xef\xbb\xbf"])
@pytest.mark.parametrize("own", [[], [KEY_FILE]])
def test_another_file_with_the_name_of_the_keys_is_kept(
    tmp_path: Path, content: bytes, own: list[str]
) -> None:
    (tmp_path / KEY_FILE).write_bytes(content)
    [problem] = build_protected(tmp_path, *own, indexnow_key=KEY).problems

    assert (tmp_path / KEY_FILE).read_bytes() == content
    message = f"indexnow_key: {KEY_FILE} is there already and holds something else, so it is kept; "
    assert str(problem) == f"{message}choose another key, or remove that file"


def test_a_preview_announces_no_key_and_asks_for_no_line(tmp_path: Path) -> None:
    for preview, told in ((True, []), (False, [("notice", "robots.txt")])):
        folder, options = tmp_path / str(preview), {"indexnow_key": KEY}
        pages = [page("docs/a/")]
        report = build_pages(folder, pages, options, base_url=DOCS, preview=preview)

        assert problems(report) == told
        assert (folder / f"{KEY}.txt").exists() is not preview


@pytest.mark.parametrize(
    ("base_url", "preview", "robots", "told"),
    [
        (BASE, False, "", f"robots.txt created; {SUBMIT.format(BASE)}"),
        (BASE, True, "", "robots.txt created"), (LOCAL, False, "", "robots.txt created"),
        (BASE, False, f"Sitemap: {BASE}sitemap.xml\n", "robots.txt names it already"),
        (DOCS, False, "", f"{SUBMIT.format(DOCS)} or add its line to {BASE}robots.txt"),
    ],
)  # fmt: skip
def test_the_summary_of_a_first_build_says_what_is_left_to_do_by_hand(
    tmp_path: Path, base_url: str, preview: bool, robots: str, told: str
) -> None:
    if robots:
        (tmp_path / "robots.txt").write_text(robots)
    site = Site(base_url, tmp_path, preview=preview)
    pages = giving([page("").replace(url=f"{base_url}a")])
    with mock.patch("sys.stderr.isatty", return_value=True):
        first, second = (build(site, [pages]).summary() for _ in range(2))

    assert first.endswith(told)
    assert "next:" not in second


@pytest.mark.slow
def test_a_text_sitemap_of_long_urls_is_split_before_it_is_too_large(tmp_path: Path) -> None:
    pages = [page(f"{number:05}/{'x' * 2000}/") for number in range(25_001)]
    build_pages(tmp_path, pages, {"text": True, "gzip": False})
    files = sorted(tmp_path.glob("sitemap*.txt"))

    assert len(files) == 2
    assert max(file.stat().st_size for file in files) <= 52_428_800
    assert sum(file.read_bytes().count(b"\n") for file in files) == len(pages)

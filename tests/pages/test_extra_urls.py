"""The option ``extra_urls``: URLs to add, each of which knows its place in the options."""

from pathlib import Path
from typing import Any

import pytest

from sitemap_plugin import Page
from sitemap_plugin.models import STATIC_HTML
from sitemaps import read_locs
from sites import BASE, build_pages, page


def build_extra(folder: Path, *urls: Any, **options: Any) -> tuple[list[str], list[str]]:
    """Return the listed addresses below the base, and what was said."""
    options = {"robots": False, "extra_urls": list(urls), **options}
    report = build_pages(folder, [page("home/", in_nav=True)], options, config_dir=folder)
    locs = [loc.removeprefix(BASE) for loc in read_locs(folder / "sitemap.xml")]
    return sorted(set(locs) - {"home/"}), [f"{p.severity} {p}" for p in report.problems]


@pytest.mark.parametrize(
    ("url", "loc"),
    [
        ("app/", "app/"), ("/app/", "app/"), (f"{BASE}app/", "app/"),
        ("HTTPS://example.org:443/app/", "app/"), ("v1.2/x", "v1.2/x"), ("paper.pdf", "paper.pdf"),
        ("./h.example/a", "h.example/a"), ("a b", "a%20b"), ("a\\b", "a/b"),
    ],
)  # fmt: skip
def test_a_url_is_added(tmp_path: Path, url: str, loc: str) -> None:
    assert build_extra(tmp_path, url, nav_only=True) == ([loc], [])


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("h.example/a", "'h.example/a' has no protocol; write 'https://h.example/a'"),
        ("www.h.example/", "'www.h.example/' has no protocol; write 'https://www.h.example/'"),
        ("https://h.example/a", "https://h.example/a is not below https://example.org/"),
        ("https://u:secret@example.org/a", "the URL has a user name or a password"),
        ("http://[x", "'http://[x' is not a URL"),
    ],
)
def test_a_url_that_cannot_be_listed_is_a_warning(tmp_path: Path, url: str, message: str) -> None:
    locs, problems = build_extra(tmp_path, "ok", url)

    assert locs == ["ok"]
    assert [problem.partition(message)[0] for problem in problems] == ["warning extra_urls[1]: "]
    assert "secret" not in "".join(problems)


def test_the_lines_of_a_file_are_urls(tmp_path: Path) -> None:
    text = "\ufeffa\n\n# a comment\n  b/ \r\nh.example/x\n"
    (tmp_path / "urls.txt").write_text(text, encoding="utf-8")
    locs, problems = build_extra(tmp_path, {"file": "urls.txt"}, {"file": "missing.txt"})

    assert locs == ["a", "b/"]
    first, second = problems
    assert first.startswith("warning extra_urls[0], urls.txt:5: 'h.example/x' has no protocol")
    assert first.isprintable()
    assert second.startswith("warning extra_urls[1]: ")
    assert "missing.txt cannot be read" in second


def test_settings_rules_and_patterns_apply(tmp_path: Path) -> None:
    urls = [
        {"loc": "a", "lastmod": "2024-05-01", "priority": "1e-1", "changefreq": "daily"},
        {"loc": "b"},
        "c",
    ]
    rules = [{"match": ["a", "b"], "priority": 0.9}]
    options = {"extra_urls": urls, "rules": rules, "exclude": "c"}
    report = build_pages(tmp_path, [], options)

    found = {
        entry.loc: (entry.priority, entry.changefreq, date and date.origin)
        for _, entry, date in report.listed
    }
    assert found == {
        f"{BASE}a": (0.1, "daily", "extra_urls[0].lastmod"),
        f"{BASE}b": (0.9, None, None),
    }
    assert report.reasons() == {"excluded by pattern": 1}


def static(path: str) -> Page:
    """HTML that the generator copies as it is."""
    return page(path, {STATIC_HTML: True}, source_path=f"{path}.static")


A, STATIC_A, STATIC_B = page("a.html"), static("a.html"), static("b.html")
NOINDEX = '<!doctype html><meta name="robots" content="noindex"><title>B</title>'


@pytest.mark.parametrize("given", [[A, STATIC_A], [STATIC_A, A]])
def test_a_page_that_is_named_twice_is_listed_once(tmp_path: Path, given: list[Page]) -> None:
    options = {"extra_urls": ["b.html", {"loc": "c/", "priority": 1}]}
    report = build_pages(tmp_path, [*given, STATIC_B, page("c/")], options)

    assert [(entry.loc, entry.priority) for _, entry, _ in report.listed] == [
        (f"{BASE}a.html", None), (f"{BASE}b.html", None), (f"{BASE}c/", None),
    ]  # fmt: skip
    assert list(report.left_out.values()) == ["same URL as another page (c.md)"]


def test_static_html_that_is_named_and_says_noindex_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "b.html").write_text(NOINDEX)
    pages = [STATIC_B._replace(output=tmp_path / "b.html")]
    report = build_pages(tmp_path, pages, {"extra_urls": ["b.html"]})

    assert list(report.left_out.values()) == ["noindex"]

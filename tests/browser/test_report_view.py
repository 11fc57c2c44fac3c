"""The report as a page is searched, sorted and narrowed in a browser, from a disk and offline."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from chromium import contrast, overflow
from sitemap_plugin.write.view import read_data, render_report
from sites import BASE, build_pages, page

NewPage = Callable[..., Page]
OPTIONS = {"report": "report.html", "exclude": ["internal/"]}
SITE = [
    page("", {"modified": "2024-03-02"}, title="Home", language="en", translation_key="home"),
    page("de/", {"date": "2024-01-31"}, title="Start", language="de", translation_key="home"),
    page("guide/", title="Zebra & Co."),
    page("guide/setup/", {"modified": "2023-11-30"}, title="Set up"),
    page("internal/a/"),
    page("internal/b/"),
    page("draft/", {"draft": True}),
    page("bad/", {"priority": 7}),
]


@pytest.fixture
def report(tmp_path: Path) -> Path:
    build_pages(tmp_path / "out", SITE, OPTIONS, config_dir=tmp_path)
    return tmp_path / "report.html"


def record(number: int) -> dict[str, Any]:
    """Return a record of a listed page, as a report has it."""
    url = f"{BASE}page-{number:05}/"
    return {
        "url": url, "source": f"page-{number}.md", "title": f"Page {number}", "kind": "page",
        "loc": url, "listed": True, "reason": None, "decided_by": None, "file": "sitemap.xml",
        "lastmod": str(dt.date(2015, 1, 1) + dt.timedelta(number)), "lastmod_source": "git 1a2b3c4",
        "changefreq": None, "priority": None, "alternates": {},
    }  # fmt: skip


def left_out(**changes: Any) -> dict[str, Any]:
    base = {"url": f"{BASE}x/", "source": "x.md", "title": None, "kind": "page", "listed": False,
            "reason": "draft", "decided_by": "options"}  # fmt: skip
    return {**base, **changes}


def write_report(path: Path, pages: list[dict[str, Any]], **changes: Any) -> Path:
    data = {"version": 1, "entries": len(pages), "files": ["sitemap.xml"], "left_out": {},
            "robots": "added", "problems": [], "pages": pages, **changes}  # fmt: skip
    path.write_bytes(render_report(data, "example.org").encode("utf-8", "backslashreplace"))
    return path


def shown(window: Page) -> list[str]:
    """Return the paths of the pages in the table."""
    urls = window.locator("tbody th").evaluate_all(
        "cells => cells.map(c => c.firstChild.textContent)"
    )
    return [url.removeprefix(BASE) for url in urls]


def test_the_page_holds_the_data_of_the_json_form(report: Path, tmp_path: Path) -> None:
    options = {**OPTIONS, "report": "report.json"}
    (tmp_path / "out" / "robots.txt").unlink()
    build_pages(tmp_path / "out", SITE, options, config_dir=tmp_path)

    assert read_data(report.read_text(encoding="utf-8")) == json.loads(
        (tmp_path / "report.json").read_text(encoding="utf-8")
    )


def test_the_totals_are_at_the_top(report: Path, new_page: NewPage) -> None:
    window = new_page()
    window.goto(report.as_uri())

    totals = window.locator("dl.totals > div").all_inner_texts()
    assert [text.split("\n") for text in totals] == [
        ["in the sitemap", "5"], ["left out", "3"], ["file", "1"], ["warning", "1"],
        ["robots.txt", "created"],
    ]  # fmt: skip
    notes = window.locator(".notes li").all_inner_texts()
    assert len(notes) == 1
    assert notes[0].startswith("warning bad.md front matter 'priority' is 7")
    assert shown(window) == sorted(shown(window))
    assert len(shown(window)) == len(SITE)


def test_the_table_is_searched_in_all_that_it_shows(report: Path, new_page: NewPage) -> None:
    window = new_page()
    window.goto(report.as_uri())
    search = window.get_by_role("searchbox", name="Search")
    status = window.get_by_role("status")

    for words, paths in {
        "zebra": ["guide/"],
        "ZEBRA co.": ["guide/"],
        "guide": ["guide/", "guide/setup/"],
        "2023-11": ["guide/setup/"],
        "excluded internal/b": ["internal/b/"],
        "left out": ["draft/", "internal/a/", "internal/b/"],
        "de https://example.org/de/": ["", "de/"],
        "nothing like this": [],
        "": sorted(item.url.removeprefix(BASE) for item in SITE),
    }.items():
        search.fill(words)
        assert shown(window) == paths, words
    expect(status).to_have_text("8 pages")
    search.fill("guide")
    expect(status).to_have_text("2 of 8 pages")
    window.get_by_role("button", name="Show all").click()
    expect(search).to_have_value("")
    expect(search).to_be_focused()
    expect(status).to_have_text("8 pages")


def test_a_click_on_a_title_sorts_and_another_turns_the_order(
    report: Path, new_page: NewPage
) -> None:
    window = new_page()
    window.goto(report.as_uri())
    title = window.get_by_role("columnheader", name="Changed")

    title.get_by_role("button").click()
    expect(title).to_have_attribute("aria-sort", "ascending")
    dated = ["guide/setup/", "de/", ""]
    assert shown(window)[:3] == dated
    title.get_by_role("button").click()
    expect(title).to_have_attribute("aria-sort", "descending")
    assert shown(window)[:3] == dated[::-1]
    other = window.get_by_role("columnheader", name="Sitemap")
    other.get_by_role("button").click()
    expect(title).not_to_have_attribute("aria-sort", "descending")
    assert shown(window)[-3:] == ["draft/", "internal/a/", "internal/b/"]


def test_a_click_on_a_bar_shows_what_it_counts(report: Path, new_page: NewPage) -> None:
    window = new_page()
    window.goto(report.as_uri())
    reasons = window.locator(".chart", has=window.get_by_role("heading", name="Why pages are left"))
    bars = reasons.get_by_role("button").all_inner_texts()
    assert [bar.split() for bar in bars] == [["excluded", "by", "pattern", "2"], ["draft", "1"]]
    widths = reasons.locator("rect").evaluate_all("bars => bars.map(b => b.getBBox().width)")
    assert widths[0] == pytest.approx(2 * widths[1], rel=0.01)

    draft = reasons.get_by_role("button", name="draft 1")
    draft.click()
    expect(draft).to_have_attribute("aria-pressed", "true")
    expect(window.get_by_text("Only: draft")).to_be_visible()
    assert shown(window) == ["draft/"]
    reasons.get_by_role("button", name="excluded by pattern 2").click()
    assert shown(window) == ["internal/a/", "internal/b/"]
    window.get_by_role("searchbox").fill("b")
    assert shown(window) == ["internal/a/", "internal/b/"]
    window.get_by_role("searchbox").fill("internal/b")
    assert shown(window) == ["internal/b/"]
    window.get_by_role("button", name="Show all").click()
    expect(window.locator('[aria-pressed="true"]')).to_have_count(0)
    assert len(shown(window)) == len(SITE)


def test_all_is_reached_with_the_keyboard(report: Path, new_page: NewPage) -> None:
    window = new_page()
    window.goto(report.as_uri())

    window.get_by_role("searchbox").focus()
    window.keyboard.type("guide")
    assert shown(window) == ["guide/", "guide/setup/"]
    window.keyboard.press("Tab")
    expect(window.get_by_role("button", name="Show all")).to_be_focused()
    window.keyboard.press("Tab")
    window.keyboard.press("Tab")
    expect(window.get_by_role("button", name="Page", exact=True)).to_be_focused()
    window.keyboard.press("Enter")
    window.keyboard.press("Space")
    assert shown(window) == ["guide/setup/", "guide/"]


def test_of_many_pages_a_hundred_are_shown_at_a_time(tmp_path: Path, new_page: NewPage) -> None:
    path = write_report(tmp_path / "r.html", [record(number) for number in range(10_000)])
    window = new_page()
    window.goto(path.as_uri())
    following = window.get_by_role("button", name="Next")
    previous = window.get_by_role("button", name="Previous")

    assert len(shown(window)) == 100
    expect(previous).to_be_disabled()
    following.click()
    assert shown(window)[0] == "page-00100/"
    expect(window.get_by_text("101 to 200 of 10,000")).to_be_visible()
    window.get_by_role("columnheader", name="Changed").get_by_role("button").dblclick()
    assert shown(window)[0] == "page-09999/"
    window.get_by_role("searchbox").fill("page 99")
    expect(window.get_by_role("status")).to_have_text("280 of 10,000 pages")
    following.click()
    following.click()
    expect(following).to_be_disabled()
    assert len(shown(window)) == 80
    window.get_by_role("searchbox").fill("page-09876")
    assert shown(window) == ["page-09876/"]
    expect(previous).to_be_hidden()


HOSTILE = [
    "<script>document.title = 'broken'</script>",
    "</script><script>document.title = 'broken'</script>",
    "<!--<script>",
    "<img src=x onerror=\"document.title = 'broken'\">",
    "'\"><svg onload=\"document.title='broken'\">",
    "{{data}} {{script}}",
    "&lt;b&gt; &amp;",
    "\u2028\u2029\x00\x1b\ud800",
    "__proto__",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_in_the_data_becomes_markup(tmp_path: Path, new_page: NewPage, text: str) -> None:
    everywhere = {"url": text, "source": text, "title": text, "reason": text, "decided_by": text}
    pages = [
        left_out(**everywhere),
        {**record(0), "title": text, "lastmod_source": text, "alternates": {text: text}},
    ]
    problems = [{"severity": "warning", "where": text, "message": text}]
    window = new_page()
    requests: list[str] = []
    window.on("request", lambda request: requests.append(request.url))
    path = write_report(tmp_path / "r.html", pages, problems=problems)
    window.goto(path.as_uri())

    title = window.locator("tbody th small").first.evaluate("node => node.textContent")
    assert title == text
    assert window.locator("tbody img, tbody svg, tbody script, .notes img").count() == 0
    assert window.locator("script").count() == 3
    assert window.title() == "Sitemap report: example.org"
    assert requests == [path.as_uri()]


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        " javascript:alert(1)",
        "JAVASCRIPT:alert(1)",
        "data:text/html,x",
        "//other.example/",
        "file:///etc/passwd",
    ],
)
def test_only_web_addresses_become_links(tmp_path: Path, new_page: NewPage, url: str) -> None:
    pages = [left_out(url=url), {**record(0), "url": url, "alternates": {"de": url}}]
    window = new_page()
    window.goto(write_report(tmp_path / "r.html", pages).as_uri())

    assert len(shown(window)) == 2
    assert window.get_by_role("link").count() == 0


def test_the_policy_forbids_what_is_not_the_pages_own(report: Path, browser: Browser) -> None:
    foreign = """<main><script>document.title = "broken"</script>
        <img src="x" onerror="document.title = 'broken'">"""
    text = report.read_text(encoding="utf-8").replace("<main>", foreign)
    report.write_text(text, encoding="utf-8")
    window = browser.new_page()
    refused: list[str] = []
    window.on("console", lambda message: refused.append(message.text))
    window.goto(report.as_uri())

    assert window.title() == "Sitemap report: example.org"
    assert refused
    assert all("Content Security Policy" in message for message in refused)
    assert len(shown(window)) == len(SITE)
    window.close()


def test_without_scripts_the_totals_and_reasons_can_be_read(
    report: Path, new_page: NewPage
) -> None:
    window = new_page(java_script_enabled=False)
    window.goto(report.as_uri())

    expect(window.get_by_text("in the sitemap", exact=True)).to_be_visible()
    expect(window.get_by_text("excluded by pattern")).to_be_visible()
    expect(window.get_by_text("The table needs JavaScript")).to_be_visible()
    expect(window.get_by_role("searchbox")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_in_light_and_dark(report: Path, new_page: NewPage, scheme: str) -> None:
    window = new_page(color_scheme=scheme)
    window.goto(report.as_uri())

    for selector in ("h1", "header p", "h2", ".totals dt", ".totals dd", ".totals .good dd",
                     ".totals .bad dd", ".notes b", ".bars .label", "#status",
                     "tbody th a", "tbody small", "tbody td", "thead button"):  # fmt: skip
        assert contrast(window, selector) >= 4.5, selector


@pytest.mark.parametrize("width", [320, 700, 1400])
def test_nothing_is_wider_than_the_window(report: Path, new_page: NewPage, width: int) -> None:
    window = new_page(viewport={"width": width, "height": 800})
    window.goto(report.as_uri())

    assert overflow(window) == 0

"""Reports and findings as pages are searched, sorted and narrowed in a browser, from a disk."""

import datetime as dt
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from check import example
from chromium import contrast, overflow
from sitemap_plugin.commands.check.findings import CheckOutcome, Findings
from sitemap_plugin.commands.check.folder import check
from sitemap_plugin.commands.check.formats import FORMATS
from sitemap_plugin.commands.cli import main
from sitemap_plugin.commands.reading.faults import RULES, Fault
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
PATHS = sorted(item.url.removeprefix(BASE) for item in SITE)
entry = example.entry
CHECKED = {
    "site/sitemap.xml": example.urlset(
        entry(), entry("b/#part"), entry("draft/"), entry("10/"), entry("9/"), "<loc>/a</loc>"
    ),
    "site/robots.txt": f"Sitemap: {example.BASE}sitemap.xml\n",
    "site/index.html": example.page(),
    "site/b/index.html": example.page(),
    "site/draft/index.html": example.page('<meta name="robots" content="noindex">'),
    "site/new/index.html": example.page(),
}


@pytest.fixture
def report(tmp_path: Path) -> Path:
    build_pages(tmp_path / "out", SITE, OPTIONS, config_dir=tmp_path)
    return tmp_path / "report.html"


@pytest.fixture
def window(report: Path, new_page: NewPage) -> Page:
    return new_page(report.as_uri())


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    example.write(tmp_path, CHECKED)
    monkeypatch.chdir(tmp_path)
    options = ["--base-url", example.BASE, "--format", "html", "--output", "r.html"]
    assert main(["check", "site", *options]) == 1
    return tmp_path / "r.html"


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


def write_outcome(path: Path, outcome: CheckOutcome) -> Path:
    path.write_text(FORMATS["html"](outcome), encoding="utf-8")
    return path


def shown(window: Page) -> list[str]:
    """Return the paths of the pages in the table."""
    code = "cells => cells.map(cell => cell.firstChild.textContent)"
    urls = window.locator("tbody th").evaluate_all(code)
    return [url.removeprefix(BASE) for url in urls]


def cells(window: Page, number: int) -> list[str]:
    return window.locator(f"tbody tr :nth-child({number}):is(td, th)").all_inner_texts()


def totals(window: Page) -> dict[str, str]:
    texts = window.locator("dl.totals > div").all_inner_texts()
    return dict(text.split("\n") for text in texts)


def requests_of(window: Page) -> list[str]:
    """Return the addresses that a window asks for; they are added as it does so."""
    found: list[str] = []
    window.on("request", lambda request: found.append(request.url))
    return found


def test_the_pages_hold_the_json_form(report: Path, found: Path, tmp_path: Path) -> None:
    (tmp_path / "out" / "robots.txt").unlink()
    options = {**OPTIONS, "report": "report.json"}
    build_pages(tmp_path / "out", SITE, options, config_dir=tmp_path)
    outcome = check(Path("site"), base_url=example.BASE)

    text = (tmp_path / "report.json").read_text(encoding="utf-8")
    assert read_data(report.read_text(encoding="utf-8")) == json.loads(text)
    assert read_data(found.read_text(encoding="utf-8")) == json.loads(FORMATS["json"](outcome))


def test_totals_charts_and_rows_say_what_a_report_has(window: Page) -> None:
    told = {"in the sitemap": "5", "left out": "3", "file": "1", "warning": "1"}
    assert totals(window) == {**told, "robots.txt": "created"}
    [note] = window.locator(".notes li").all_inner_texts()
    assert note.startswith("warning bad.md front matter 'priority' is 7")
    assert shown(window) == PATHS


def test_totals_charts_and_rows_say_what_was_found(found: Path, new_page: NewPage) -> None:
    window = new_page(found.as_uri())

    severities = {"errors": "4", "warnings": "2", "notices": "0"}
    assert totals(window) == {**severities, "addresses": "6", "sitemap": "1", "pages": "4"}
    chart = window.locator(".chart", has=window.get_by_role("heading", name="What is wrong"))
    bars = [bar.split() for bar in chart.get_by_role("button").all_inner_texts()]
    once = ["loc-fragment", "loc-not-absolute", "page-noindex", "page-not-listed"]
    assert bars == [["page-missing", "2"], *([code, "1"] for code in once)]
    expect(window.get_by_role("status")).to_have_text("6 findings")
    row = window.get_by_role("row", name="page-noindex")
    message = "The page asks search engines not to index it."
    cure = "Remove the entry, or the page's noindex."
    assert row.get_by_role("rowheader").inner_text() == f"{message}\n{cure}"
    address = f"{example.BASE}draft/"
    assert row.get_by_role("cell").all_inner_texts() == [
        "page-noindex", "error", "site/sitemap.xml", "5", address,
    ]  # fmt: skip
    links = [link.get_attribute("href") for link in row.get_by_role("link").all()]
    assert links == ["https://sitemap-plugin.example/check/#page-noindex", address]


def test_one_file_has_no_column_and_a_phone_shows_titles_with_values(
    tmp_path: Path, new_page: NewPage
) -> None:
    example.write(tmp_path, {"sitemap.xml": example.urlset(entry("#a"), entry("b c"))})
    outcome = check(tmp_path / "sitemap.xml", base_url=example.BASE)
    path = write_outcome(tmp_path / "r.html", outcome)
    window = new_page(path.as_uri(), viewport={"width": 390, "height": 800})

    titles = window.locator("thead th").all_inner_texts()
    assert titles == ["What is wrong", "Code", "Severity", "Line", "Address"]
    label = "cell => getComputedStyle(cell, '::before').content"
    labels = [cell.evaluate(label) for cell in window.locator("tbody tr").first.locator("td").all()]
    assert labels == ['"Code"', '"Severity"', '"Line"', '"Address"']
    assert overflow(window) == 0


def test_the_table_is_searched_in_all_that_it_shows(window: Page) -> None:
    search = window.get_by_role("searchbox", name="Search")
    status = window.get_by_role("status")

    for words, paths in {
        "zebra": ["guide/"], "ZEBRA co.": ["guide/"], "guide": ["guide/", "guide/setup/"],
        "2023-11": ["guide/setup/"], "excluded internal/b": ["internal/b/"],
        "left out": ["draft/", "internal/a/", "internal/b/"], "": PATHS, "nothing like this": [],
        "de https://example.org/de/": ["", "de/"],
    }.items():  # fmt: skip
        search.fill(words)
        assert shown(window) == paths, words
    search.fill("")
    expect(status).to_have_text("8 pages")
    search.fill("guide")
    expect(status).to_have_text("2 of 8 pages")
    window.get_by_role("button", name="Show all").click()
    expect(search).to_have_value("")
    expect(search).to_be_focused()
    expect(status).to_have_text("8 pages")


def test_a_click_on_a_title_sorts_and_another_turns_the_order(window: Page) -> None:
    title = window.get_by_role("columnheader", name="Changed")

    dated = ["guide/setup/", "de/", ""]
    for order, first in (("ascending", dated), ("descending", dated[::-1])):
        title.get_by_role("button").click()
        expect(title).to_have_attribute("aria-sort", order)
        assert shown(window)[:3] == first
    window.get_by_role("columnheader", name="Sitemap").get_by_role("button").click()
    expect(title).not_to_have_attribute("aria-sort", "descending")
    assert shown(window)[-3:] == ["draft/", "internal/a/", "internal/b/"]


def test_a_click_on_a_bar_shows_what_it_counts(window: Page) -> None:
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
    for words, paths in (("b", ["internal/a/", "internal/b/"]), ("internal/b", ["internal/b/"])):
        window.get_by_role("searchbox").fill(words)
        assert shown(window) == paths
    window.get_by_role("button", name="Show all").click()
    expect(window.locator('[aria-pressed="true"]')).to_have_count(0)
    assert shown(window) == PATHS


def test_all_is_reached_with_the_keyboard(window: Page) -> None:
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
    window = new_page(path.as_uri())
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


def test_of_very_many_findings_a_thousand_of_each_code_are_held(
    tmp_path: Path, new_page: NewPage
) -> None:
    many = ["loc-fragment", "loc-duplicate", *list(RULES)[:3]]
    findings = Findings()
    for code in many:
        for number in range(1500):
            fault = Fault(code, f"Fault {number}.", "Mend it.")
            findings.add(fault, f"sitemap-{number % 7}.xml", number + 1, f"{BASE}{number}")
    outcome = CheckOutcome("site", BASE, 7, 20_000, 0, findings)
    window = new_page(write_outcome(tmp_path / "r.html", outcome).as_uri())

    status = window.get_by_role("status")
    expect(status).to_have_text("5,000 findings")
    assert len(shown(window)) == 100
    window.get_by_role("button", name="loc-fragment 1,500").click()
    expect(status).to_have_text("1,000 of 5,000 findings")
    assert set(cells(window, 2)) == {"loc-fragment"}
    notes = window.locator(".notes li").all_inner_texts()
    assert len(notes) == len(many)
    note = "warning loc-fragment An address has a fragment: 500 more findings, not shown here"
    assert note in notes
    window.get_by_role("searchbox").fill("Fault 999.")
    assert cells(window, 5) == ["1000"]


@pytest.mark.parametrize(
    "text",
    [
        "</script><script>document.title = 'broken'</script>", "<!--<script>",
        "<img src=x onerror=\"document.title = 'broken'\">", "{{data}} {{script}}",
        "'\"><svg onload=\"document.title='broken'\">", "&lt;b&gt; &amp;",
        "\u2028\u2029\x00\x1b\ud800", "__proto__",
    ],
)  # fmt: skip
def test_nothing_in_the_data_becomes_markup(tmp_path: Path, new_page: NewPage, text: str) -> None:
    everywhere = {"url": text, "source": text, "title": text, "reason": text, "decided_by": text}
    listed = {**record(0), "title": text, "lastmod_source": text, "alternates": {text: text}}
    problems = [{"severity": "warning", "where": text, "message": text}]
    pages = [left_out(**everywhere), listed]
    paths = [write_report(tmp_path / "a.html", pages, problems=problems)]
    if text.isprintable():
        findings = Findings()
        findings.add(Fault("empty", text, text), text, 1, text)
        outcome = CheckOutcome(text, text, 1, 1, 1, findings)
        paths.append(write_outcome(tmp_path / "b.html", outcome))
    for path, name in zip(paths, ("report: example.org", "check: "), strict=False):
        window = new_page()
        requests = requests_of(window)
        window.goto(path.as_uri())

        assert window.locator("tbody th small").first.evaluate("node => node.textContent") == text
        assert window.locator("tbody :is(img, svg, script), .notes img").count() == 0
        assert window.locator("script").count() == 3
        assert window.title().startswith(f"Sitemap {name}")
        assert requests == [path.as_uri()]


@pytest.mark.parametrize(
    "url",
    [" javascript:alert(1)", "JAVASCRIPT:alert(1)", "data:text/html,x", "//other.example/",
     "file:///etc/passwd"],
)  # fmt: skip
def test_only_web_addresses_become_links(tmp_path: Path, new_page: NewPage, url: str) -> None:
    pages = [left_out(url=url), {**record(0), "url": url, "alternates": {"de": url}}]
    window = new_page(write_report(tmp_path / "r.html", pages).as_uri())

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
    assert shown(window) == PATHS
    window.close()


def test_without_scripts_totals_and_reasons_can_be_read(report: Path, new_page: NewPage) -> None:
    window = new_page(report.as_uri(), java_script_enabled=False)

    for text in ("in the sitemap", "excluded by pattern", "The table needs JavaScript"):
        expect(window.get_by_text(text).first).to_be_visible()
    expect(window.get_by_role("searchbox")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_in_light_and_dark_at_any_width(
    report: Path, found: Path, new_page: NewPage, scheme: str
) -> None:
    both = ("header p", ".totals dd", ".totals .bad dd", ".bars .label", "tbody th", "tbody small",
            "tbody td", "thead button", "#status")  # fmt: skip
    for path, more in ((report, ("h2", ".notes b", ".totals .good dd")), (found, ("tbody td a",))):
        window = new_page(path.as_uri(), color_scheme=scheme)

        for selector in (*both, *more):
            assert contrast(window, selector) >= 4.5, selector
        for width in (320, 700, 1400):
            window.set_viewport_size({"width": width, "height": 800})
            assert overflow(window) == 0

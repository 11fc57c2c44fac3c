"""Findings as a page are searched, sorted and narrowed in a browser, from a disk and offline."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from check.example import BASE, entry, page, urlset, write
from chromium import contrast, overflow
from sitemap_plugin.commands.check.findings import CheckOutcome, Findings
from sitemap_plugin.commands.check.formats import FORMATS
from sitemap_plugin.commands.check.run import check
from sitemap_plugin.commands.cli import main
from sitemap_plugin.commands.reading.faults import RULES, Fault
from sitemap_plugin.write.view import read_data

NewPage = Callable[..., Page]
SITE = {
    "site/sitemap.xml": urlset(
        entry(), entry("b/#part"), entry("draft/"), entry("10/"), entry("9/"), "<loc>/a</loc>"
    ),
    "site/robots.txt": f"Sitemap: {BASE}sitemap.xml\n",
    "site/index.html": page(),
    "site/b/index.html": page(),
    "site/draft/index.html": page('<meta name="robots" content="noindex">'),
    "site/new/index.html": page(),
}


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write(tmp_path, SITE)
    monkeypatch.chdir(tmp_path)
    assert (
        main(["check", "site", "--base-url", BASE, "--format", "html", "--output", "r.html"]) == 1
    )
    return tmp_path / "r.html"


def outcome(counts: dict[str, int]) -> CheckOutcome:
    """Return so many findings of each code."""
    findings = Findings()
    for code, count in counts.items():
        for number in range(count):
            fault = Fault(code, f"Fault {number}.", "Mend it.")
            findings.add(fault, f"sitemap-{number % 7}.xml", number + 1, f"{BASE}{number}")
    return CheckOutcome("site", BASE, 7, 20_000, 0, findings)


def save(path: Path, result: CheckOutcome) -> str:
    path.write_text(FORMATS["html"](result), encoding="utf-8")
    return path.as_uri()


def codes(window: Page) -> list[str]:
    """Return the codes of the findings in the table."""
    return window.locator("tbody tr td:nth-child(2)").all_inner_texts()


def cells(window: Page, number: int) -> list[str]:
    return window.locator(f"tbody tr :nth-child({number}):is(td, th)").all_inner_texts()


def test_the_page_holds_the_json_form(tmp_path: Path) -> None:
    write(tmp_path, SITE)
    result = check(tmp_path / "site", base_url=BASE)

    assert read_data(FORMATS["html"](result)) == json.loads(FORMATS["json"](result))


def test_totals_and_the_chart_of_codes_count_what_was_found(found: Path, new_page: NewPage) -> None:
    window = new_page()
    window.goto(found.as_uri())

    totals = dict(text.split("\n") for text in window.locator("dl.totals > div").all_inner_texts())
    assert totals == {
        "errors": "4", "warnings": "2", "notices": "0", "addresses": "6", "sitemap": "1",
        "pages": "4",
    }  # fmt: skip
    chart = window.locator(".chart", has=window.get_by_role("heading", name="What is wrong"))
    bars = [bar.split() for bar in chart.get_by_role("button").all_inner_texts()]
    assert bars == [
        ["page-missing", "2"], ["loc-fragment", "1"], ["loc-not-absolute", "1"],
        ["page-noindex", "1"], ["page-not-listed", "1"],
    ]  # fmt: skip
    expect(window.get_by_role("status")).to_have_text("6 findings")


def test_each_row_has_the_message_the_cure_and_the_place(found: Path, new_page: NewPage) -> None:
    window = new_page()
    window.goto(found.as_uri())
    row = window.get_by_role("row", name="page-noindex")

    assert row.get_by_role("rowheader").inner_text().split("\n") == [
        "The page asks search engines not to index it.",
        "Remove the entry, or the page's noindex.",
    ]
    assert row.get_by_role("cell").all_inner_texts() == [
        "page-noindex", "error", "site/sitemap.xml", "5", f"{BASE}draft/",
    ]  # fmt: skip
    links = [link.get_attribute("href") for link in row.get_by_role("link").all()]
    assert links == ["https://sitemap-plugin.example/check/#page-noindex", f"{BASE}draft/"]


def test_one_file_has_no_column_and_a_phone_shows_titles_with_values(
    tmp_path: Path, new_page: NewPage
) -> None:
    write(tmp_path, {"sitemap.xml": urlset(entry("#a"), entry("b c"))})
    window = new_page(viewport={"width": 390, "height": 800})
    window.goto(save(tmp_path / "r.html", check(tmp_path / "sitemap.xml", base_url=BASE)))

    titles = window.locator("thead th").all_inner_texts()
    assert titles == ["What is wrong", "Code", "Severity", "Line", "Address"]
    label = "cell => getComputedStyle(cell, '::before').content"
    labels = [cell.evaluate(label) for cell in window.locator("tbody tr").first.locator("td").all()]
    assert labels == ['"Code"', '"Severity"', '"Line"', '"Address"']
    assert overflow(window) == 0


def test_a_click_on_a_bar_narrows_the_table(found: Path, new_page: NewPage) -> None:
    window = new_page()
    window.goto(found.as_uri())

    window.get_by_role("button", name="page-missing 2").click()
    assert codes(window) == ["page-missing"] * 2
    expect(window.get_by_role("status")).to_have_text("2 of 6 findings")
    window.get_by_role("searchbox").fill("/9/")
    assert cells(window, 6) == [f"{BASE}9/"]
    window.get_by_role("button", name="Show all").click()
    window.get_by_role("button", name="warning 2").click()
    assert set(codes(window)) == {"loc-fragment", "page-not-listed"}


def test_of_very_many_findings_a_thousand_of_each_code_are_held(
    tmp_path: Path, new_page: NewPage
) -> None:
    many = ["loc-fragment", "loc-duplicate", *list(RULES)[:10]]
    window = new_page()
    window.goto(save(tmp_path / "r.html", outcome(dict.fromkeys(many, 1_500))))

    expect(window.get_by_role("status")).to_have_text("12,000 findings")
    assert len(codes(window)) == 100
    bar = window.get_by_role("button", name="loc-fragment 1,500")
    bar.click()
    expect(window.get_by_role("status")).to_have_text("1,000 of 12,000 findings")
    notes = window.locator(".notes li").all_inner_texts()
    assert len(notes) == len(many)
    assert (
        "warning loc-fragment An address has a fragment: 500 more findings, not shown here" in notes
    )
    window.get_by_role("searchbox").fill("Fault 999.")
    assert cells(window, 5) == ["1000"]


@pytest.mark.parametrize(
    "text", ["<script>document.title = 'x'</script>", "</script><img src=x>", "{{data}}", "\u2028"]
)
def test_nothing_in_a_finding_becomes_markup(tmp_path: Path, new_page: NewPage, text: str) -> None:
    findings = Findings()
    findings.add(Fault("empty", text, text), text, 1, text)
    window = new_page()
    requests: list[str] = []
    window.on("request", lambda request: requests.append(request.url))
    url = save(tmp_path / "r.html", CheckOutcome(text, text, 1, 1, 1, findings))
    window.goto(url)

    assert window.locator("tbody th").evaluate("cell => cell.firstChild.textContent") == text
    assert window.locator("tbody img, tbody script").count() == 0
    assert window.locator("script").count() == 3
    assert window.title().startswith("Sitemap check: ")
    assert requests == [url]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_in_light_and_dark(found: Path, new_page: NewPage, scheme: str) -> None:
    window = new_page(color_scheme=scheme)
    window.goto(found.as_uri())

    for selector in ("header p", ".totals .bad dd", ".bars .label", "tbody th", "tbody small",
                     "tbody td", "tbody td a"):  # fmt: skip
        assert contrast(window, selector) >= 4.5, selector


@pytest.mark.parametrize("width", [320, 700, 1400])
def test_nothing_is_wider_than_the_window(found: Path, new_page: NewPage, width: int) -> None:
    window = new_page(viewport={"width": width, "height": 800})
    window.goto(found.as_uri())

    assert overflow(window) == 0

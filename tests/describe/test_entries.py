"""What is written about each page: dates, changefreq, priority, rules, extra URLs."""

import datetime as dt
import os
from pathlib import Path
from typing import Any

import pytest

from files import read_table
from sitemap_plugin.models import Page
from sitemap_plugin.report import Report
from sitemaps import Url, read_sitemap
from sites import BASE, build_pages, check_site, page

TABLE, CASES = read_table(__file__, "entries.yaml"), read_table(__file__, "sites.yaml")


def entries(
    folder: Path, *pages: Page, options: dict[str, Any] | None = None, **site: Any
) -> tuple[dict[str, Url], list[str]]:
    report = build_pages(folder, pages, options, **site)
    urls = {url.loc.removeprefix(BASE): url for url in read_sitemap(folder / "sitemap.xml")}
    return urls, told(report)


def told(report: Report) -> list[str]:
    return [f"{item.severity} {item}" for item in report.problems if item.where != "robots.txt"]


@pytest.mark.parametrize("name", CASES)
def test_entries_say_what_pages_rules_and_options_say(tmp_path: Path, name: str) -> None:
    check_site(tmp_path, CASES[name])


@pytest.mark.parametrize(("metadata", "lastmod"), TABLE["dates"])
def test_the_first_source_that_knows_dates_the_page(
    tmp_path: Path, metadata: dict[str, Any], lastmod: str | None
) -> None:
    urls, problems = entries(tmp_path, page("a/", metadata))

    assert urls["a/"].lastmod == lastmod
    assert problems == []


@pytest.mark.parametrize(
    "value",
    [
        "2014-1-31T14:18", "01.05.2024", "May 5 2024", "yesterday", "", 2024, "2024", "2024-05",
        20240131, True, [1], {"a": 1}, "1969-12-31", "2999-01-01", dt.date(1969, 12, 31),
        "2024-02-30",
    ],
)  # fmt: skip
def test_an_unusable_date_is_a_warning_and_the_next_source_is_asked(
    tmp_path: Path, value: object
) -> None:
    urls, problems = entries(tmp_path, page("a/", {"modified": value, "date": "2020-01-01"}))

    assert urls["a/"].lastmod == "2020-01-01"
    (problem,) = problems
    assert problem.startswith("warning a.md: front matter 'modified': ")


def test_a_date_less_than_a_day_ahead_comes_from_another_time_zone(tmp_path: Path) -> None:
    today = dt.datetime.now(dt.UTC)
    soon = (today + dt.timedelta(hours=20)).isoformat(timespec="seconds")
    urls, problems = entries(tmp_path, page("a/", {"modified": soon}))

    assert urls["a/"].lastmod == soon
    assert problems == []


def test_a_naive_datetime_is_in_the_sites_time_zone(tmp_path: Path) -> None:
    tokyo = dt.timezone(9 * dt.timedelta(hours=1))
    metadata = {"a": "2024-01-31 14:18", "b": dt.date(2024, 1, 31)}
    pages = [page(f"{name}/", {"modified": value}) for name, value in metadata.items()]
    urls, _ = entries(tmp_path, *pages, timezone=tokyo)

    assert urls["a/"].lastmod == "2024-01-31T14:18:00+09:00"
    assert urls["b/"].lastmod == "2024-01-31"


def test_mtime_is_there_for_those_who_ask(tmp_path: Path) -> None:
    source = tmp_path / "a.md"
    source.write_text("# A")
    os.utime(source, (0, 86400 * 365))
    pages = [page("a/", source=source), page("b/", source=tmp_path / "gone.md"), page("c/")]
    urls, _ = entries(tmp_path / "out", *pages, options={"lastmod": ["mtime"]})

    assert [url.lastmod for url in urls.values()] == ["1971-01-01T00:00:00+00:00", None, None]


@pytest.mark.parametrize(("metadata", "problem"), TABLE["faults"])
def test_a_bad_value_is_a_warning_and_the_element_is_left_out(
    tmp_path: Path, metadata: dict[str, Any], problem: str
) -> None:
    urls, problems = entries(tmp_path, page("a/", metadata))

    assert urls["a/"] == Url(BASE + "a/")
    assert len(problems) == 1
    assert problems[0].startswith(f"warning a.md: {problem}")

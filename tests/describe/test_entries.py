"""What is written about each page: dates, changefreq, priority, rules, extra URLs."""

import datetime as dt
import os
from pathlib import Path
from typing import Any

import pytest

from sitemap_plugin.models import Page
from sitemap_plugin.report import Report
from sitemaps import Url, read_sitemap
from sites import BASE, build_pages, page
from tables import read_table

TABLE = read_table(__file__, "entries.yaml")


def entries(
    folder: Path, *pages: Page, options: dict[str, Any] | None = None, **site: Any
) -> tuple[dict[str, Url], list[str]]:
    report = build_pages(folder, pages, options, **site)
    urls = {url.loc.removeprefix(BASE): url for url in read_sitemap(folder / "sitemap.xml")}
    return urls, told(report)


def told(report: Report) -> list[str]:
    return [f"{item.severity} {item}" for item in report.problems if item.where != "robots.txt"]


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


@pytest.mark.parametrize(
    ("sources", "lastmod"),
    [(["date", "modified"], "2020-01-01"), (["date"], "2020-01-01"), (False, None), ([], None)],
)
def test_the_option_lastmod_chooses_and_orders_the_sources(
    tmp_path: Path, sources: Any, lastmod: str | None
) -> None:
    metadata = {"modified": "2024-01-31", "date": "2020-01-01"}
    urls, _ = entries(tmp_path, page("a/", metadata), options={"lastmod": sources})

    assert urls["a/"].lastmod == lastmod


def test_mtime_is_there_for_those_who_ask(tmp_path: Path) -> None:
    source = tmp_path / "a.md"
    source.write_text("# A")
    os.utime(source, (0, 86400 * 365))
    pages = [page("a/", source=source), page("b/", source=tmp_path / "gone.md"), page("c/")]
    urls, _ = entries(tmp_path / "out", *pages, options={"lastmod": ["mtime"]})

    assert [url.lastmod for url in urls.values()] == ["1971-01-01T00:00:00+00:00", None, None]


def test_a_listing_has_the_date_of_its_newest_listed_member(tmp_path: Path) -> None:
    dates = {"a/": "2020-01-01", "b/": "2023-06-07", "c/": None, "d/": "2024-01-01"}
    posts = [page(path, {"date": day} if day else {}) for path, day in dates.items()]
    posts[3] = page("d/", {"date": "2024-01-01", "sitemap": False})
    every = tuple(BASE + path for path in dates)
    listings = [
        page("all/", kind="listing", members=every),
        page("old/", kind="listing", members=(BASE + "a/", BASE + "c/")),
        page("undated/", kind="listing", members=(BASE + "c/",), metadata={"date": "2010-01-01"}),
        page("left-out/", kind="listing", members=(BASE + "d/",)),
        page("fixed/", {"sitemap": {"lastmod": "2011-01-01"}}, kind="listing", members=every),
        page("none/", {"sitemap": {"lastmod": False}}, kind="listing", members=every),
        page("ruled/", kind="listing", members=every),
        page("touched/", {"modified": "2024-05-05"}, kind="listing", members=every),
        page("", members=every),
        page("overview/", kind="listing", members=(BASE + "all/", BASE + "old/")),
    ]
    rules = {"rules": [{"match": "ruled.md", "lastmod": False}]}
    urls, _ = entries(tmp_path, *posts, *listings, options=rules)

    assert urls["all/"].lastmod == "2023-06-07"
    assert urls["old/"].lastmod == "2020-01-01"
    assert urls["undated/"].lastmod is None
    assert urls["left-out/"].lastmod is None
    assert urls["fixed/"].lastmod == "2011-01-01"
    assert urls["none/"].lastmod is None
    assert urls["ruled/"].lastmod is None
    assert urls["touched/"].lastmod == "2024-05-05"
    assert urls[""].lastmod == "2023-06-07"
    assert urls["overview/"].lastmod == "2023-06-07"


def test_changefreq_and_priority_are_written_only_when_asked_for(tmp_path: Path) -> None:
    urls, _ = entries(tmp_path, page("a/"))

    assert urls["a/"] == Url(BASE + "a/")


def test_front_matter_wins_over_rules_and_rules_over_the_options(tmp_path: Path) -> None:
    rules = [
        {"match": "a*", "changefreq": "daily", "priority": 0.3},
        {"match": "ab.md", "priority": 0.0},
    ]
    pages = [
        page("x/"),
        page("a/"),
        page("ab/"),
        page("ac/", {"priority": 0.9, "changefreq": "Weekly"}),
        page("ad/", {"priority": "1e0", "sitemap": {"priority": 0, "changefreq": "never"}}),
    ]
    options = {"changefreq": "monthly", "priority": 0.5, "rules": rules}
    urls, problems = entries(tmp_path, *pages, options=options)

    assert {path: (url.changefreq, url.priority) for path, url in urls.items()} == {
        "x/": ("monthly", "0.5"),
        "a/": ("daily", "0.3"),
        "ab/": ("daily", "0.0"),
        "ac/": ("weekly", "0.9"),
        "ad/": ("never", "0.0"),
    }
    assert problems == []


def test_a_rule_chooses_the_sources_of_dates(tmp_path: Path) -> None:
    metadata = {"modified": "2024-01-31", "date": "2020-01-01"}
    rules = [
        {"match": "a.md", "lastmod": "date"},
        {"match": "b.md", "lastmod": False},
        {"match": "c.md", "lastmod": ["mtime", "modified"]},
    ]
    pages = [page(f"{name}/", metadata) for name in "abcd"]
    urls, _ = entries(tmp_path, *pages, options={"rules": rules})

    assert [url.lastmod for url in urls.values()] == [
        "2020-01-01", None, "2024-01-31", "2024-01-31",
    ]  # fmt: skip


@pytest.mark.parametrize(("metadata", "problem"), TABLE["faults"])
def test_a_bad_value_is_a_warning_and_the_element_is_left_out(
    tmp_path: Path, metadata: dict[str, Any], problem: str
) -> None:
    urls, problems = entries(tmp_path, page("a/", metadata))

    assert urls["a/"] == Url(BASE + "a/")
    assert len(problems) == 1
    assert problems[0].startswith(f"warning a.md: {problem}")


def test_what_is_wrong_with_an_extra_url_is_told_with_its_place(tmp_path: Path) -> None:
    links = {"de": "https://example.de/app/"}
    extra = ["feed.xml", {"loc": "app/", "alternates": links}]

    _, problems = entries(tmp_path, page("a/"), options={"extra_urls": extra})
    assert problems == [
        "warning extra_urls[1]: has translations, but no language; set 'lang' in its front matter, "
        "or name it among its own 'alternates'"
    ]

    extra[1] = {"loc": "app/", "alternates": {**links, "en": f"{BASE}app/"}}
    _, problems = entries(tmp_path, page("a/"), options={"extra_urls": extra})
    assert problems == []


def test_entries_are_sorted_by_code_point_whatever_the_order_of_the_pages(tmp_path: Path) -> None:
    paths = ["b/", "a/", "Z/", "a-b/", "a/b/", "é/", "~/", ""]
    urls, _ = entries(tmp_path, *(page(path) for path in paths))

    assert [url.loc for url in urls.values()] == sorted(url.loc for url in urls.values())
    assert len(urls) == len(paths)

"""What front matter may say, in which spellings, and what is said of bad values."""

from pathlib import Path
from typing import Any

import pytest

from files import read_table
from sites import BASE, build_pages, page

TABLE = read_table(__file__, "front_matter.yaml")
MODIFIED = (
    "lastmod", "last modified", "last modified at", "modified", "modified date", "date modified",
    "updated", "updated at", "update", "update date", "date updated", "last update",
    "last updated", "revision date",
)  # fmt: skip


def build_one(
    folder: Path, metadata: dict[str, Any], **fields: Any
) -> tuple[dict[str, Any], list[str]]:
    """Return the record of the report on one page, and what was said."""
    report = build_pages(folder, [page("a/", metadata, **fields)], {"robots": False})
    (record,) = report.to_json()["pages"]
    return record, [f"{problem.severity} {problem}" for problem in report.problems]


def test_every_spelling_of_a_key_for_the_last_change_is_read(tmp_path: Path) -> None:
    keys = [spelling for words in MODIFIED for spelling in (
        words.replace(" ", "_"), words.replace(" ", "-"), words.replace(" ", ""),
        words[0] + words.title().replace(" ", "")[1:], words.upper(),
    )]  # fmt: skip
    pages = [
        page(f"{number}/", {key: "2024-05-01", "date": "2020-01-01"})
        for number, key in enumerate(keys)
    ]
    report = build_pages(tmp_path, pages, {"robots": False})

    records = report.to_json()["pages"]
    found = {one["source"]: (one["lastmod"], one["lastmod_source"]) for one in records}
    assert found == {
        f"{number}.md": ("2024-05-01", f'front matter "{key}"') for number, key in enumerate(keys)
    }
    assert report.problems == []


@pytest.mark.parametrize(("metadata", "lastmod"), TABLE["dates"])
def test_keys_inside_keys_and_their_order(
    tmp_path: Path, metadata: dict[str, Any], lastmod: str | None
) -> None:
    record, problems = build_one(tmp_path, metadata)

    assert (record["lastmod"], problems) == (lastmod, [])


@pytest.mark.parametrize("value", ["1e0", "1E0", 1, 1.0, "1.0"])
def test_a_priority_may_have_an_exponent(tmp_path: Path, value: Any) -> None:
    record, problems = build_one(tmp_path, {"priority": value})

    assert (record["priority"], problems) == (1.0, [])


@pytest.mark.parametrize(("metadata", "message"), TABLE["faults"])
def test_a_bad_value_is_a_warning_with_file_key_and_value(
    tmp_path: Path, metadata: dict[str, Any], message: str
) -> None:
    record, problems = build_one(tmp_path, metadata)

    assert record["listed"]
    (problem,) = problems
    assert problem.startswith(f"warning a.md: front matter {message}")
    assert problem.isprintable()


@pytest.mark.parametrize("wish", [True, "yes", {"exclude": False}])
def test_a_private_page_that_asks_for_it_is_listed(tmp_path: Path, wish: Any) -> None:
    assert build_one(tmp_path, {"private": True, "sitemap": wish})[0]["listed"]
    assert not build_one(tmp_path, {"private": True})[0]["listed"]


def test_a_page_is_told_of_once(tmp_path: Path) -> None:
    pages = [page("a/", {"priority": 7, "draft": "?", "translations": {"fr": f"{BASE}b/"}})]
    report = build_pages(
        tmp_path, [*pages, page("b/", {"lang": "fr"})], {"robots": False}, language="en"
    )

    assert len(report.problems) == 2

"""What front matter may say, in which spellings, and what is said of bad values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sites import BASE, build_pages, page

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


@pytest.mark.parametrize("words", MODIFIED)
@pytest.mark.parametrize(
    "spell",
    [
        lambda words: words.replace(" ", "_"), lambda words: words.replace(" ", "-"),
        lambda words: words.replace(" ", ""),
        lambda words: words[0] + words.title().replace(" ", "")[1:], lambda words: words.upper(),
    ], ids=["snake", "kebab", "joined", "camel", "upper"],
)  # fmt: skip
def test_every_spelling_of_a_key_for_the_last_change_is_read(
    tmp_path: Path, words: str, spell: Any
) -> None:
    key = spell(words)
    record, problems = build_one(tmp_path, {key: "2024-05-01", "date": "2020-01-01"})

    assert (record["lastmod"], problems) == ("2024-05-01", [])
    assert record["lastmod_source"] == f'front matter "{key}"'


@pytest.mark.parametrize(
    ("metadata", "lastmod"),
    [
        ({"date": {"created": "2020-01-01", "updated": "2024-05-01"}}, "2024-05-01"),
        ({"date": {"created": "2020-01-01"}}, "2020-01-01"),
        ({"created": "2020-01-01"}, "2020-01-01"),
        ({"Published": "2020-01-01"}, "2020-01-01"),
        ({"last_update": {"date": "2024-05-01", "author": "x"}}, "2024-05-01"),
        ({"last_modified": "2024-05-02", "last_modified_at": "2024-05-01"}, "2024-05-01"),
        ({"lastmodify": "2024-05-01"}, None),
    ],
)
def test_keys_inside_keys_and_their_order(
    tmp_path: Path, metadata: dict[str, Any], lastmod: str | None
) -> None:
    record, problems = build_one(tmp_path, metadata)

    assert (record["lastmod"], problems) == (lastmod, [])


@pytest.mark.parametrize("value", ["1e0", "1E0", 1, 1.0, "1.0"])
def test_a_priority_may_have_an_exponent(tmp_path: Path, value: Any) -> None:
    record, problems = build_one(tmp_path, {"priority": value})

    assert (record["priority"], problems) == (1.0, [])


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ({"priority": 7}, "'priority' is 7: write a number from 0.0 to 1.0"),
        ({"changefreq": "fortnightly"}, "'changefreq' is 'fortnightly': write one of always, "),
        ({"robots": 7}, "'robots' is 7: write rules such as noindex"),
        ({"draft": "maybe"}, "'draft' is 'maybe': write true or false"),
        ({"sitemap": "perhaps"}, "'sitemap' is 'perhaps': write true, false or a mapping"),
        ({"sitemap": {"prio": 1}}, "'sitemap' has an unknown key 'prio'; did you mean 'priority'?"),
        (
            {"sitemap": {"dependencies": 7}},
            "'sitemap.dependencies' is 7: write a path or a ",
        ),
        ({"sitemap": {"images": 7}}, "'sitemap.images' is 7: write a list of URLs"),
        ({"sitemap": {"images": [7]}}, "'sitemap.images' is 7: write a list of URLs"),
        ({"sitemap": {"alternates": {"fr": 7}}}, "'sitemap.alternates.fr' is 7: write a language"),
        (
            {"translations": ["fr/a.md"]},
            "'translations' is ['fr/a.md']: write a mapping of ",
        ),
        ({"canonical": 7}, "'canonical' is 7: write a URL"),
        (
            {"alternates": {"fr": "/fr/"}},
            "'alternates' is {'fr': '/fr/'}: this key is not read; write 'translations' (code to "
            "URL or source path), or 'sitemap.alternates'",
        ),
        ({"priority": "\x1b[31m\n::error::"}, "'priority' is '\\x1b[31m\\n::error::': write a "),
    ],
)
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

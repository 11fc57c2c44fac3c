"""Publication dates, dependencies and front matter keys, through the whole build."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from git_repositories import Repo
from sitemap_plugin.report import Report
from sitemaps import read_sitemap
from sites import BASE, build_pages, page


def build(
    repo: Repo, metadata: dict[str, Any], options: dict[str, Any] | None = None, **fields: Any
) -> tuple[str | None, Report]:
    """Return the date of a page whose source is ``a.md``, and the report."""
    output = repo.path.parent / "site"
    fields.setdefault("source", repo.path / "a.md")
    report = build_pages(output, [page("a/", metadata, **fields)], options, config_dir=repo.path)
    (url,) = read_sitemap(output / "sitemap.xml")
    return url.lastmod, report


FIRST, SECOND = "2020-01-02T00:00:00+00:00", "2020-01-03T00:00:00+00:00"


@pytest.mark.parametrize(
    ("edited", "date", "expected"),
    [
        (False, None, FIRST),
        (False, "2012-05-10", "2012-05-10"),
        (False, "2020-05-10", "2020-05-10"),
        (False, "2999-05-10", FIRST),
        (True, None, SECOND),
        (True, "2012-05-10", SECOND),
        (True, "2020-01-03", SECOND),
        (True, "2020-05-10", "2020-05-10"),
    ],
)
@pytest.mark.parametrize("sources", [["git"], ["modified", "git", "date"]])
def test_nothing_is_older_than_its_publication_and_an_import_is_no_change(
    repo: Repo, edited: bool, date: str | None, expected: str, sources: list[str]
) -> None:
    repo.commit(1, {"a.md": "a"})
    repo.commit(2, {"a.md": "a2" if edited else "*a*"})

    assert build(repo, {"date": date} if date else {}, {"lastmod": sources})[0] == expected


def test_a_moved_article_is_not_new(repo: Repo) -> None:
    text = "word\n" * 30
    repo.commit(1, {"old.md": text})
    repo.commit(2, {"old.md": None, "a.md": text + "more\n"})

    assert build(repo, {"date": "2012-05-10"})[0] == SECOND


def test_the_report_tells_why_the_day_of_publication_counts(repo: Repo) -> None:
    commit = repo.commit(1, {"a.md": "a"})
    _, report = build(repo, {"date": "2012-05-10"})

    assert report.to_json()["pages"][0]["lastmod_source"] == (
        f'front matter "date"; git {commit[:7]} (the commit that added the file is no change)'
    )


@pytest.mark.parametrize("way", ["page", "front matter", "rules", "below the source"])
@pytest.mark.parametrize(("text", "expected"), [("new", SECOND), ("*part*", FIRST)])
def test_a_page_is_as_new_as_the_files_it_is_made_of(
    repo: Repo, way: str, text: str, expected: str
) -> None:
    repo.commit(1, {"a.md": "a", "parts/b.md": "part"})
    repo.commit(2, {"parts/b.md": text})
    metadata: dict[str, Any] = {}
    options: dict[str, Any] = {}
    fields: dict[str, Any] = {}
    if way == "page":
        fields["dependencies"] = (repo.path / "parts/b.md",)
    elif way == "rules":
        options["rules"] = [{"match": "a.md", "dependencies": "parts/*.md"}]
    else:
        name = "parts/*" if way == "front matter" else "./parts/b.md"
        metadata["sitemap"] = {"dependencies": [name]}

    lastmod, report = build(repo, metadata, options, **fields)

    assert lastmod == expected
    assert [problem for problem in report.problems if problem.severity != "notice"] == []


def test_a_dependency_that_matches_nothing_is_a_warning(repo: Repo) -> None:
    repo.commit(1, {"a.md": "a"})

    lastmod, report = build(repo, {"sitemap": {"dependencies": "nowhere/*.md"}})

    assert lastmod == FIRST
    assert [(problem.severity, problem.where) for problem in report.problems] == [
        ("warning", "a.md")
    ]


def test_a_dependency_with_uncommitted_changes_leaves_no_git_date(repo: Repo) -> None:
    repo.commit(1, {"a.md": "a", "b.md": "b"})
    repo.write({"b.md": "changed"})

    assert build(repo, {}, dependencies=(repo.path / "b.md",))[0] is None


def test_a_date_to_come_is_a_notice_where_git_gives_it_and_else_a_warning(repo: Repo) -> None:
    repo.commit(20000, {"a.md": "a"})
    os.utime(repo.path / "a.md", (4e9, 4e9))

    lastmod, report = build(repo, {}, {"lastmod": ["git", "mtime"]})

    assert lastmod is None
    assert [
        (problem.severity, problem.message.split(" (")[0])
        for problem in report.problems
        if problem.where == "a.md"
    ] == [("notice", "date source 'git'"), ("warning", "date source 'mtime'")]


@pytest.mark.parametrize(
    ("kind", "date", "expected", "origin"),
    [
        ("page", "2024-05-05", "2024-05-05", 'front matter "date"'),
        ("page", "2023-05-05", "2024-01-01", "newest of 1 page"),
        ("listing", "2024-05-05", "2024-01-01", "newest of 1 page"),
    ],
)
def test_only_a_listing_is_dated_by_its_other_members_alone(
    tmp_path: Path, kind: str, date: str, expected: str, origin: str
) -> None:
    members = (f"{BASE}a/", f"{BASE}b/", f"{BASE}none/")
    pages = [
        page("a/", {"date": date}, kind=kind, members=members),
        page("b/", {"date": "2024-01-01"}),
    ]
    first = build_pages(tmp_path, pages).to_json()["pages"][0]

    assert (first["lastmod"], first["lastmod_source"]) == (expected, origin)


def test_minor_changes_count_where_they_are_asked_for(repo: Repo) -> None:
    repo.commit(1, {"a.md": "a"})
    repo.commit(2, {"a.md": "*a*"})

    assert build(repo, {})[0] == FIRST
    assert build(repo, {}, {"minor_changes": True})[0] == SECOND


@pytest.mark.parametrize(
    "key",
    ["lastmod", "lastMod", "last_modified", "last-modified", "Last Modified At", "modified",
     "modifiedDate", "date_modified", "updated", "updated_at", "update", "updatedate",
     "date-updated", "last_update", "lastUpdated", "revision_date"],
)  # fmt: skip
def test_every_spelling_of_a_change_is_read(tmp_path: Path, key: str) -> None:
    repo = Repo(tmp_path / "none")

    assert build(repo, {key.lower(): "2024-05-06"}, source=None)[0] == "2024-05-06"


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ({"date": {"created": "2024-01-01", "updated": "2024-02-02"}}, "2024-02-02"),
        ({"date": {"created": "2024-01-01"}}, "2024-01-01"),
        ({"last_update": {"date": "2024-03-03"}}, "2024-03-03"),
        ({"created": "2024-01-01", "published": "2023-01-01"}, "2024-01-01"),
        ({"update_date_by_host": "2024-04-04"}, "2024-04-04"),
        ({"update_date_by_host": "2999-04-04"}, None),
        ({"update_date_by_host": "2024-04-04", "date": "2024-01-01"}, "2024-01-01"),
        ({"last": "2024-01-01", "dated": "2024-01-01"}, None),
    ],
)
def test_other_keys_are_read(
    tmp_path: Path, metadata: dict[str, Any], expected: str | None
) -> None:
    assert build(Repo(tmp_path / "none"), metadata, source=None)[0] == expected


def test_a_listing_of_listings_is_as_new_as_the_newest_page_below(tmp_path: Path) -> None:
    pages = [
        page("a/", kind="listing", members=(f"{BASE}b/",)),
        page("b/", kind="listing", members=(f"{BASE}c/",)),
        page("c/", {"date": "2024-01-01"}),
    ]
    build_pages(tmp_path, pages)

    assert [url.lastmod for url in read_sitemap(tmp_path / "sitemap.xml")] == ["2024-01-01"] * 3

"""Publication dates, dependencies and front matter keys, through the whole build."""

import os
from pathlib import Path
from typing import Any

import pytest

from files import read_table
from git_repositories import Repo
from sitemap_plugin.report import Report
from sitemaps import read_sitemap
from sites import BASE, build_pages, page

CASES = read_table(__file__, "publication.yaml")


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


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """Return a repository that is only to be read: a.md edited, b.md not, c.md moved with an edit.

    d.md has parts that were changed by a word and without.
    """
    repo = Repo.make(
        tmp_path_factory.mktemp("repo") / "site",
        "1 a.md=a b.md=b old.md=30 d.md=d parts/new.md=part parts/same.md=part e.md=e; "
        "2 a.md=a2 b.md=*b* old.md= c.md=30more parts/new.md=new parts/same.md=*part*",
    )
    repo.write({"e.md": "changed"})
    return repo


@pytest.mark.parametrize(
    ("name", "date", "expected"),
    [
        ("b.md", None, FIRST),
        ("b.md", "2012-05-10", "2012-05-10"),
        ("b.md", "2020-05-10", "2020-05-10"),
        ("b.md", "2999-05-10", FIRST),
        ("a.md", None, SECOND),
        ("a.md", "2012-05-10", SECOND),
        ("a.md", "2020-01-03", SECOND),
        ("a.md", "2020-05-10", "2020-05-10"),
        ("c.md", "2012-05-10", SECOND),
    ],
)
@pytest.mark.parametrize("sources", [["git"], ["modified", "git", "date"]])
def test_nothing_is_older_than_its_publication_and_an_import_is_no_change(
    repo: Repo, name: str, date: str | None, expected: str, sources: list[str]
) -> None:
    metadata = {"date": date} if date else {}
    assert build(repo, metadata, {"lastmod": sources}, source=repo.path / name)[0] == expected


def test_a_day_of_publication_that_would_count_and_cannot_be_read_is_a_warning(repo: Repo) -> None:
    for name, date, count in (
        ("b.md", "2012/5/10", 1), ("a.md", "2012/5/10", 0), ("b.md", "2999-05-10", 0),
    ):  # fmt: skip
        _, report = build(repo, {"date": date}, {"lastmod": ["git"]}, source=repo.path / name)
        warnings = [each.message for each in report.problems if each.severity == "warning"]
        assert len(warnings) == count
        assert all(
            "'2012/5/10' is not a date in a known form; write 2012-05-10" in each
            for each in warnings
        )


def test_the_report_tells_why_the_day_of_publication_counts(repo: Repo) -> None:
    commit = repo.git("rev-parse", "HEAD~")[:7]
    for date, origin in (
        ("2012-05-10", f'front matter "date"; git {commit} only added the page'),
        ("2024-05-10", 'front matter "date", which is later than mtime'),
    ):
        sources = ["git"] if date < "2020" else ["mtime"]
        os.utime(repo.path / "d.md", (1.6e9, 1.6e9))
        _, report = build(repo, {"date": date}, {"lastmod": sources}, source=repo.path / "d.md")

        assert report.to_json()["pages"][0]["lastmod_source"] == origin


@pytest.mark.parametrize("way", ["page", "front matter", "rules", "below the source"])
@pytest.mark.parametrize(("part", "expected"), [("new", SECOND), ("same", FIRST)])
@pytest.mark.parametrize("generated", [False, True])
def test_a_page_is_as_new_as_the_files_it_is_made_of(
    repo: Repo, way: str, part: str, expected: str, *, generated: bool
) -> None:
    metadata: dict[str, Any] = {}
    options: dict[str, Any] = {}
    source = None if generated else repo.path / "d.md"
    fields: dict[str, Any] = {"source": source, "source_path": "d.md"}
    if way == "page":
        fields["dependencies"] = (repo.path / f"parts/{part}.md",)
    elif way == "rules":
        options["rules"] = [{"match": "d.md", "dependencies": f"parts/{part[:2]}*.md"}]
    else:
        name = f"parts/{part}*" if way == "front matter" else f"./parts/{part}.md"
        metadata["sitemap"] = {"dependencies": [name]}

    lastmod, report = build(repo, metadata, options, **fields)

    assert lastmod == expected
    assert [problem for problem in report.problems if problem.severity != "notice"] == []


def test_a_generated_page_is_as_new_as_the_newest_file_it_is_made_of(repo: Repo) -> None:
    parts = [repo.path / f"parts/{name}.md" for name in ("new", "same")]
    fields: dict[str, Any] = {"source": None, "dependencies": tuple(parts)}
    for path, seconds in zip(parts, (1.6e9, 1.5e9), strict=True):
        os.utime(path, (seconds, seconds))

    assert build(repo, {}, **fields)[0] == SECOND
    assert build(repo, {}, {"lastmod": ["mtime"]}, **fields)[0] == "2020-09-13T12:26:40+00:00"


def test_a_dependency_that_matches_nothing_is_a_warning(repo: Repo) -> None:
    lastmod, report = build(repo, {"sitemap": {"dependencies": "nowhere/*.md"}})

    assert lastmod == SECOND
    assert [(problem.severity, problem.where) for problem in report.problems] == [
        ("warning", "a.md")
    ]


def test_a_dependency_with_uncommitted_changes_leaves_no_git_date(repo: Repo) -> None:
    assert build(repo, {}, dependencies=(repo.path / "e.md",))[0] is None


def test_minor_changes_count_where_they_are_asked_for(repo: Repo) -> None:
    source = repo.path / "b.md"
    assert build(repo, {}, {"minor_changes": True}, source=source)[0] == SECOND


def test_a_date_to_come_is_a_notice_where_git_gives_it_and_else_a_warning(tmp_path: Path) -> None:
    repo = Repo.make(tmp_path / "site", "20000 a.md=a")
    os.utime(repo.path / "a.md", (4e9, 4e9))

    lastmod, report = build(repo, {}, {"lastmod": ["git", "mtime"]})

    assert lastmod is None
    assert [
        (problem.severity, problem.message.split(" (")[0])
        for problem in report.problems
        if problem.where == "a.md"
    ] == [("notice", "date source 'git'"), ("warning", "date source 'mtime'")]


@pytest.mark.parametrize(("kind", "date", "expected", "origin"), CASES["kinds"])
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


def test_every_spelling_of_a_change_is_read(tmp_path: Path) -> None:
    keys = ["lastmod", "lastMod", "last_modified", "last-modified", "Last Modified At", "modified",
        "modifiedDate", "date_modified", "updated", "updated_at", "update", "updatedate",
        "date-updated", "last_update", "lastUpdated", "revision_date"]  # fmt: skip
    pages = [page(f"{key}/", {key.lower(): "2024-05-06"}) for key in map(str.lower, keys)]
    pages = [one.replace(url=f"{BASE}{number}/") for number, one in enumerate(pages)]
    build_pages(tmp_path, pages)

    assert {url.lastmod for url in read_sitemap(tmp_path / "sitemap.xml")} == {"2024-05-06"}


@pytest.mark.parametrize(("metadata", "expected"), CASES["other keys are read"])
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

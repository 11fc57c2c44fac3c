"""The report tells of each page whether it is listed, why not, and where its date came from."""

import json
from pathlib import Path
from typing import Any

import pytest

from sitemap_plugin import Page, Site
from sitemap_plugin.build import build
from sitemap_plugin.config import parse_config
from sitemap_plugin.errors import WriteError
from sites import BASE, build_pages, giving, page, transforming


def records(folder: Path, *pages: Any, **options: Any) -> dict[str, dict[str, Any]]:
    build_pages(folder, pages, {"report": "report.json", **options}, config_dir=folder)
    data = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    assert data["version"] == 1
    return {record["url"].removeprefix(BASE): record for record in data["pages"]}


def test_each_page_is_in_or_out_with_the_reason_and_who_decided(tmp_path: Path) -> None:
    pages = page("a&b/", {"modified": "2024-01-31"}, title="A"), page("draft/", status="draft")
    found = records(tmp_path, *pages, page("x/"), exclude=["x/"])

    assert found["a&b/"] == {
        "url": f"{BASE}a&b/", "loc": f"{BASE}a&b/",
        "source": "a&b.md", "title": "A", "kind": "page",
        "listed": True, "reason": None, "decided_by": None, "file": "sitemap.xml",
        "lastmod": "2024-01-31", "lastmod_source": 'front matter "modified"',
        "changefreq": None, "priority": None, "alternates": {}, "translation_key": None,
        "news": None, "videos": 0,
    }  # fmt: skip
    out = {path: (found[path]["reason"], found[path]["decided_by"]) for path in ("draft/", "x/")}
    assert out == {
        "draft/": ("draft", "front matter"), "x/": ("excluded by pattern (x/)", "options"),
    }  # fmt: skip


def test_dates_files_and_translations_are_named(tmp_path: Path) -> None:
    posts = [page(f"{n}/", {"date": f"2020-01-0{n}"}) for n in (1, 2)]
    found = records(
        tmp_path,
        *posts,
        page("tag/", kind="listing", members=tuple(post.url for post in posts)),
        page("fixed/", {"sitemap": {"lastmod": "2021-01-01"}}),
        page("own/", {"translation_key": 7}, translation_key="theirs"),
        page("en/", language="en", translation_key="k"),
        page("fr/", language="fr", translation_key="k"),
        extra_urls=["a.pdf", {"loc": "b.pdf", "lastmod": "2021-01-01"}],
        max_urls=5,
    )

    assert {path: record["lastmod_source"] for path, record in found.items()} == {
        "1/": 'front matter "date"', "2/": 'front matter "date"', "tag/": "newest of 2 pages",
        "fixed/": 'front matter "sitemap.lastmod"', "own/": None, "en/": None, "fr/": None,
        "a.pdf": None, "b.pdf": "extra_urls[1].lastmod",
    }  # fmt: skip
    files = [record["file"] for record in found.values()]
    assert files == ["sitemap-1.xml"] * 5 + ["sitemap-2.xml"] * 4
    assert found["en/"]["alternates"] == {"en": f"{BASE}en/", "fr": f"{BASE}fr/"}
    assert (found["own/"]["translation_key"], found["en/"]["translation_key"]) == ("7", "k")


@pytest.mark.parametrize("name", ["report.json", "report.html"])
def test_a_report_replaces_a_report_and_nothing_else(tmp_path: Path, name: str) -> None:
    options = {"report": name}
    for pages in ([page("a/")], [page("a/", {"draft": True})]):
        build_pages(tmp_path / "out", pages, options, config_dir=tmp_path)
    assert "draft" in (tmp_path / name).read_text(encoding="utf-8")
    (tmp_path / name).write_text("site_name: mine")

    with pytest.raises(WriteError, match="not overwritten, since it is no report"):
        build_pages(tmp_path / "out", [page("a/")], options, config_dir=tmp_path)
    assert (tmp_path / name).read_text() == "site_name: mine"


@pytest.mark.parametrize("kind", ["folder", "text"])
def test_a_report_that_is_refused_leaves_the_build_before_in_place(
    tmp_path: Path, kind: str
) -> None:
    build_pages(tmp_path / "out", [page("a/")], config_dir=tmp_path)
    before = (tmp_path / "out" / "sitemap.xml").read_bytes()
    place = tmp_path / "mine.json"
    place.mkdir() if kind == "folder" else place.write_text("mine")

    with pytest.raises(WriteError, match=r"mine\.json: "):
        build_pages(tmp_path / "out", [page("b/")], {"report": "mine.json"}, config_dir=tmp_path)
    assert (tmp_path / "out" / "sitemap.xml").read_bytes() == before
    assert place.is_dir() or place.read_text() == "mine"


MOVES = transforming(lambda _, entry: entry.replace(loc=f"{BASE}same/"))


@pytest.mark.parametrize(
    ("options", "plugins", "protected", "listed"),
    [
        ({"max_bytes": 330}, [], (), ["a/"]),
        ({}, [MOVES], (), ["a/"]),
        ({}, [], {"sitemap.xml"}, []),
    ],
    ids=["too large", "one address", "a sitemap of the site's own"],
)
def test_what_the_writer_refuses_is_left_out_in_every_count(
    tmp_path: Path, options: Any, plugins: list[Any], protected: set[str], listed: list[str]
) -> None:
    config, _ = parse_config({"report": "report.json", **options}, generator="folder")
    site = Site(base_url=BASE, output_dir=tmp_path, config=config, config_dir=tmp_path)
    pages = [page("a/"), page("draft/", {"draft": True}), page(f"{'x' * 300}/")]
    report = build(site, [*plugins, giving(pages)], protected=protected)
    data = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))

    found = {record["url"].removeprefix(BASE): record for record in data["pages"]}
    assert [path for path, record in found.items() if record["listed"]] == listed
    refused = len(pages) - 1 - len(listed)
    assert data["left_out"] == {"draft": 1, "refused": refused}
    assert f"{refused + 1} left out (" in report.summary()
    assert f"{refused} refused" in report.summary()
    assert [p.severity for p in report.problems] == ["warning"]


def test_no_password_is_stored(tmp_path: Path) -> None:
    secret = "https://u:secret@example.org/"
    keys: list[dict[str, Any]] = [{"translation_key": secret}, {"translations": {"de": secret}}]
    keys += [{"canonical": secret}, {"sitemap": {"alternates": {"de": secret, "en": f"{BASE}a/"}}}]
    pages = [page(f"{number}/", {"lang": "en", **own}) for number, own in enumerate(keys)]
    pages.append(Page(secret, title=secret))
    report = build_pages(tmp_path, pages, {"report": "report.json"}, config_dir=tmp_path)
    text = (tmp_path / "report.json").read_text()

    assert "secret" not in text + report.summary() + "".join(map(str, report.problems))
    assert "***@example.org" in text

"""The value of mkdocs-git-revision-date-localized is used where it is a date, and never its now."""

from __future__ import annotations

import datetime as dt
import subprocess
from pathlib import Path

import pytest

from sitemaps import read_sitemap
from sites import build_pages, page

KEY = "git_revision_date_localized_raw_iso_datetime"
NOW = dt.datetime.now(dt.UTC)


def lastmod(folder: Path, value: object, source: Path | None) -> str | None:
    pages = [page("a/", {KEY: value}, source=source)]
    build_pages(folder / "out", pages, {"lastmod": ["git"]})
    (url,) = read_sitemap(folder / "out" / "sitemap.xml")
    return url.lastmod


@pytest.mark.parametrize(
    ("value", "date"),
    [
        ("2024-01-31 14:18:00", "2024-01-31"),
        (NOW.strftime("%Y-%m-%d %H:%M:%S"), None),
        ((NOW - dt.timedelta(hours=20)).strftime("%Y-%m-%d %H:%M:%S"), None),
        ("soon", None),
        (None, None),
    ],
)
def test_a_page_without_a_repository_is_dated_by_it_unless_it_is_the_present(
    tmp_path: Path, value: object, date: str | None
) -> None:
    outside = tmp_path / "a.md"
    outside.write_text("# A")

    assert lastmod(tmp_path, value, None) == date
    assert lastmod(tmp_path, value, outside) == date


def test_a_page_that_git_knows_nothing_of_has_no_date_in_a_repository(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    untracked = tmp_path / "a.md"
    untracked.write_text("# A")

    assert lastmod(tmp_path, "2024-01-31 14:18:00", untracked) is None

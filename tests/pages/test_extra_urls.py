"""The option ``extra_urls``: URLs to add, each of which knows its place in the options."""

from pathlib import Path

import pytest

from files import read_table
from sites import build_pages, check_site

TABLE = read_table(__file__, "extra_urls.yaml")


@pytest.mark.parametrize(("url", "loc"), TABLE["added"])
def test_a_url_is_added(tmp_path: Path, url: str, loc: str) -> None:
    options = {"extra_urls": [url], "nav_only": True}

    check_site(tmp_path, {"pages": [], "options": options, "listed": [loc]})


@pytest.mark.parametrize(("url", "message"), TABLE["refused"])
def test_a_url_that_cannot_be_listed_is_a_warning(tmp_path: Path, url: str, message: str) -> None:
    report = build_pages(tmp_path, [], {"robots": False, "extra_urls": ["ok", url]})
    (problem,) = report.problems

    assert report.entries == 1
    assert str(problem).startswith(f"extra_urls[1]: {message}")
    assert problem.severity == "warning"
    assert "secret" not in problem.message

"""What is an error, a warning or a notice, and when the build has to fail."""

from pathlib import Path
from typing import Any

import pytest

from files import read_table
from sitemap_plugin.build import build_nothing
from sitemap_plugin.config import Config, find_base_url, parse_config
from sitemap_plugin.errors import ConfigError, Problem
from sites import BASE, build_pages, page

CASES = read_table(__file__, "severities.yaml")


def test_strict_fails_the_build_when_there_are_warnings(tmp_path: Path) -> None:
    pages = [page("a/", {"priority": 7}), page("b/", {"draft": "?"})]
    lenient = build_pages(tmp_path, pages)
    strict = build_pages(tmp_path, pages, {"strict": True})

    assert lenient.failure is None
    assert strict.failure == "2 warnings, and the option 'strict' is set"
    assert build_pages(tmp_path, [page("a/")], {"strict": True}).failure is None


def test_the_adapters_own_warnings_count_too() -> None:
    problems = [Problem("warning", "a"), Problem("warning", "a"), Problem("notice", "b")]
    report = build_nothing(Config(strict=True), problems)

    assert report.problems == [problems[0], problems[2]]
    assert report.failure == "1 warning, and the option 'strict' is set"
    assert report.summary() == "no sitemap written"


@pytest.mark.parametrize(("reasons", "severity"), CASES["previews"])
def test_a_preview_that_says_noindex_everywhere_has_no_sitemap_on_purpose(
    tmp_path: Path, reasons: list[dict[str, Any]], severity: str
) -> None:
    pages = [page(f"{number}/", metadata) for number, metadata in enumerate(reasons)]
    report = build_pages(tmp_path, pages)

    assert [problem.severity for problem in report.problems] == [severity]
    assert report.files == []


@pytest.mark.parametrize(("generator", "value", "severity", "part"), CASES["base URLs"])
def test_without_a_base_url_there_is_no_sitemap(
    generator: str, value: str | None, severity: str, part: str
) -> None:
    found = find_base_url(Config(), value, setting="SETTING", generator=generator)

    assert found.url is None
    assert [(p.severity, p.where) for p in found.problems] == [(severity, "SETTING")]
    assert part in found.problems[0].message


def test_a_faulty_base_url_is_an_error_elsewhere() -> None:
    for value in ("pot.example", "ftp://pot.example/", "https://pot.example/?a"):
        with pytest.raises(ConfigError, match=r"--base-url: .*write 'https://pot.example/'"):
            find_base_url(Config(), value, setting="--base-url", generator="folder")
        with pytest.raises(ConfigError, match=r"base_url: .*write 'https://pot.example/'"):
            parse_config({"base_url": value}, generator="pelican")


@pytest.mark.parametrize(
    ("value", "host_url"),
    [("", None), ("/blog", None), (None, None), ("https://host.example/", "https://host.example/")],
)
def test_the_option_wins_over_the_hosts_setting(value: str | None, host_url: str | None) -> None:
    config, _ = parse_config({"base_url": "https://example.org"}, generator="pelican")
    found = find_base_url(config, value, setting="SITEURL", generator="pelican")
    assert found == (BASE, host_url, [])

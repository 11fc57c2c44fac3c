"""Every option is checked, all problems are told at once, each with its severity."""

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from files import read_table
from sitemap_plugin.build import build_nothing
from sitemap_plugin.config import Config, find_base_url, parse_config
from sitemap_plugin.errors import ConfigError, Problem
from sitemap_plugin.pages.patterns import Patterns
from sites import BASE, build_pages, page

CASES = read_table(__file__, "options.yaml")
NAMES = [item.name for item in fields(Config)]


def errors(settings: dict[str, Any]) -> tuple[str, ...]:
    with pytest.raises(ConfigError) as caught:
        parse_config(settings, generator="mkdocs")
    return caught.value.problems


def test_no_setting_is_needed_and_none_without_a_value_counts() -> None:
    for settings in ({}, dict.fromkeys(NAMES)):
        assert parse_config(settings, generator="mkdocs") == (Config(), [])


@pytest.mark.parametrize("name", NAMES)
def test_every_option_refuses_a_value_of_the_wrong_type(name: str) -> None:
    (problem,) = errors({name: 3.5j})
    assert problem.startswith(f"{name}: expected ")
    assert problem.endswith("got 3.5j")


@pytest.mark.parametrize(("settings", "problem"), CASES["faults"])
def test_a_problem_is_told_with_place_value_and_cure(
    settings: dict[str, Any], problem: str
) -> None:
    assert errors(settings) == (problem,)


def test_all_problems_are_told_at_once() -> None:
    bad_date = {"loc": "b", "lastmod": "01.05.2024"}
    settings = {"exlude": [], "priority": 7, "rules": [{"match": 1}], "extra_urls": [bad_date]}
    problems = errors({**settings, "lastmod": ["x"]})

    assert [problem.partition(":")[0] for problem in problems] == [
        "exlude", "priority", "rules[0].match", "extra_urls[0].lastmod", "lastmod",
    ]  # fmt: skip
    assert "01.05.2024" in problems[3]


def test_a_single_value_stands_for_a_list_of_one_and_false_for_no_sources() -> None:
    for settings, expected in (
        ({"exclude": "a/", "lastmod": "git"}, Config(exclude=Patterns(["a/"]), lastmod=("git",))),
        ({"lastmod": False}, Config(lastmod=())),
        ({"lastmod": []}, Config(lastmod=())),
    ):
        assert parse_config(settings, generator="mkdocs")[0] == expected


@pytest.mark.parametrize(("settings", "generator", "said"), CASES["notes"])
def test_what_may_be_a_mistake_is_told(
    settings: dict[str, Any], generator: str, said: list[str]
) -> None:
    notes = parse_config(settings, generator=generator)[1]
    assert [f"{note.severity} {note}" for note in notes] == said


@pytest.mark.parametrize("key", ["max_urls", "news", "state_file", "lastmod", "priority"])
@pytest.mark.parametrize(
    "value",
    [16**5000, [16**5000], {"x": 16**5000}, {16**5000: "x"}],
    ids=["itself", "in a list", "in a mapping", "as a key"],
)
def test_a_number_too_long_to_be_shown_is_an_error_like_others(key: str, value: Any) -> None:
    assert any(problem.startswith(key) for problem in errors({key: value}))


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


@pytest.mark.parametrize(("value", "host_url"), CASES["host URLs"])
def test_the_option_wins_over_the_hosts_setting(value: str | None, host_url: str | None) -> None:
    config, _ = parse_config({"base_url": "https://example.org"}, generator="pelican")
    found = find_base_url(config, value, setting="SITEURL", generator="pelican")
    assert found == (BASE, host_url, [])

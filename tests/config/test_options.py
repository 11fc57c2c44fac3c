"""Every option is known and checked, and all problems are told at once."""

from dataclasses import fields
from typing import Any

import pytest

from files import read_table
from sitemap_plugin.config import Config, parse_config
from sitemap_plugin.errors import ConfigError
from sitemap_plugin.pages.patterns import Patterns

FAULTS = read_table(__file__, "faults.yaml")["faults"]
NAMES = [item.name for item in fields(Config)]


def errors(settings: dict[str, Any]) -> tuple[str, ...]:
    with pytest.raises(ConfigError) as caught:
        parse_config(settings, generator="mkdocs")
    return caught.value.problems


def notes(settings: dict[str, Any], generator: str = "mkdocs") -> list[str]:
    return [f"{note.severity} {note}" for note in parse_config(settings, generator=generator)[1]]


def test_no_setting_is_needed_and_none_without_a_value_counts() -> None:
    for settings in ({}, dict.fromkeys(NAMES)):
        assert parse_config(settings, generator="mkdocs") == (Config(), [])


@pytest.mark.parametrize("name", NAMES)
def test_every_option_refuses_a_value_of_the_wrong_type(name: str) -> None:
    (problem,) = errors({name: 3.5j})
    assert problem.startswith(f"{name}: expected ")
    assert problem.endswith("got 3.5j")


@pytest.mark.parametrize(("settings", "problem"), FAULTS)
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
    config, _ = parse_config({"exclude": "a/", "lastmod": "git"}, generator="mkdocs")

    assert (config.exclude, config.lastmod) == (Patterns(["a/"]), ("git",))
    assert parse_config({"lastmod": False}, generator="mkdocs")[0].lastmod == ()
    assert parse_config({"lastmod": []}, generator="mkdocs")[0].lastmod == ()


def test_an_option_of_another_generator_is_accepted_with_a_notice() -> None:
    assert notes({"nav_only": True}, "pelican") == [
        "notice nav_only: only MkDocs has a use for this"
    ]
    assert notes({"hidden": True}) == ["notice hidden: only Pelican has a use for this"]
    assert notes({"hidden": False}) == []


@pytest.mark.parametrize(
    "pattern", ["^drafts/", r"\.html$", "tag/.*", "(a|b)/", r"\d+", "a.+b", ".*"]
)
def test_a_regular_expression_without_its_prefix_gets_the_right_spelling(pattern: str) -> None:
    (note,) = notes({"exclude": [pattern]})
    assert f"write 're:{pattern}' if it is one" in note
    assert note.startswith("warning exclude[0]: ")


def test_a_gitignore_pattern_is_not_mistaken_for_a_regular_expression() -> None:
    patterns = ["drafts/", "*.md", "a.*", "blog/**", "!keep.md", ".git", "a$b"]
    assert notes({"exclude": patterns}) == []


@pytest.mark.parametrize("key", ["max_urls", "news", "state_file", "lastmod", "priority"])
@pytest.mark.parametrize(
    "value",
    [16**5000, [16**5000], {"x": 16**5000}, {16**5000: "x"}],
    ids=["itself", "in a list", "in a mapping", "as a key"],
)
def test_a_number_too_long_to_be_shown_is_an_error_like_others(key: str, value: Any) -> None:
    assert any(problem.startswith(key) for problem in errors({key: value}))

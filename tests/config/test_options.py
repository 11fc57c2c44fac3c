"""Every option is known and checked, and all problems are told at once."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from sitemap_plugin.config import Config, parse_config
from sitemap_plugin.errors import ConfigError
from sitemap_plugin.pages.patterns import Patterns


def errors(settings: dict[str, Any]) -> tuple[str, ...]:
    with pytest.raises(ConfigError) as caught:
        parse_config(settings, generator="mkdocs")
    return caught.value.problems


def notes(settings: dict[str, Any], generator: str = "mkdocs") -> list[str]:
    return [f"{note.severity} {note}" for note in parse_config(settings, generator=generator)[1]]


def test_no_setting_is_needed() -> None:
    config, problems = parse_config({}, generator="mkdocs")

    assert config == Config()
    assert problems == []


@pytest.mark.parametrize("name", [item.name for item in fields(Config)])
def test_an_option_without_a_value_keeps_its_default(name: str) -> None:
    config, problems = parse_config({name: None}, generator="mkdocs")

    assert config == Config()
    assert problems == []


@pytest.mark.parametrize("name", [item.name for item in fields(Config)])
def test_every_option_refuses_a_value_of_the_wrong_type(name: str) -> None:
    (problem,) = errors({name: 3.5j})

    assert problem.startswith(f"{name}: expected ")
    assert problem.endswith("got 3.5j")


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"exlude": []}, "exlude: unknown option; did you mean 'exclude'?"),
        ({"xyz": 1}, "xyz: unknown option"),
        ({"exclude": ["a", 7]}, "exclude[1]: expected a pattern, got 7"),
        ({"exclude": ["re:("]}, ("exclude[0]: not a regular expression: missing ), "
         "unterminated subpattern at position 0: 're:('")),
        ({"exclude": ["a["]}, "exclude[0]: not a gitignore pattern; it would never match: 'a['"),
        ({"priority": 7}, "priority: expected a number from 0.0 to 1.0, got 7"),
        ({"priority": float("nan")}, "priority: expected a number from 0.0 to 1.0, got nan"),
        ({"priority": True}, "priority: expected a number from 0.0 to 1.0, got True"),
        ({"changefreq": "weekli"}, ("changefreq: expected 'always', 'hourly', 'daily', 'weekly', "
         "'monthly', 'yearly' or 'never', got 'weekli'; did you mean 'weekly'?")),
        ({"gzip": "yes"}, "gzip: expected true or false, got 'yes'"),
        ({"gzip": 1}, "gzip: expected true or false, got 1"),
        ({"robots": 1}, "robots: expected 'auto', true or false, got 1"),
        ({"max_urls": 50_001}, "max_urls: expected a whole number from 1 to 50000, got 50001"),
        ({"max_urls": True}, "max_urls: expected a whole number from 1 to 50000, got True"),
        ({"max_bytes": 0}, "max_bytes: expected a whole number from 1 to 52428800, got 0"),
        ({"filename": "a/b.xml"},
         "filename: expected a file name of letters, digits and '._~-' that ends in '.xml', got "
         "'a/b.xml'"),
        ({"lastmod": ["modifed"]}, ("lastmod: unknown date source 'modifed'; there are modified, "
         "git, date, state, mtime; did you mean 'modified'?")),
        ({"lastmod": True}, "lastmod: expected a list of date sources, or false, got True"),
        ({"rules": {"match": "a"}}, "rules: expected a list of rules, got {'match': 'a'}"),
        ({"rules": ["a"]}, "rules[0]: expected a mapping, got 'a'"),
        ({"rules": [{"priority": 0.5}]},
         "rules[0]: a rule needs 'match': a pattern or a list of patterns"),
        ({"rules": [{"match": "a", "priorty": 1}]},
         "rules[0].priorty: unknown key; did you mean 'priority'?"),
        ({"rules": [{"match": "a", "lastmod": ["gti"]}]}, ("rules[0].lastmod: unknown date source "
         "'gti'; there are modified, git, date, state, mtime; did you mean 'git'?")),
        ({"extra_urls": [{"lastmod": "2024-01-01"}]}, "extra_urls[0]: a URL to add needs 'loc'"),
        ({"extra_urls": [3]}, "extra_urls[0]: expected a URL or a mapping with 'loc', got 3"),
        ({"languages": {False: "nb"}},
         "languages: expected a text as key, got False; put it in quotes ('no')"),
        ({"sections": {"pages": "a"}}, ("sections.pages: a section's name consists of letters, "
         "digits, '_' and '-', is not a number (parts are numbered), and is not 'pages' (all other "
         "pages go there)")),
        ({"sections": {"blog": "a", "blog-1": "b"}}, "sections.blog-1: parts of 'blog' may be "
         "called so when it is split; choose another name"),
        ({"sections": {"pages-2": "a"}}, "sections.pages-2: parts of 'pages' may be called so when "
         "it is split; choose another name"),
        ({"report": "a.json", "state_file": "a.json"},
         "report: is the state_file too; choose another name for one of them"),
        ({"indexnow_key": "short"},
         "indexnow_key: expected 8 to 128 letters, digits or hyphens, got 'short'"),
        ({"indexnow_key": 12345678},
         "indexnow_key: expected 8 to 128 letters, digits or hyphens, got 12345678; put it in "
         "quotes"),
        ({"news": {"publication": 1984}},
         "news.publication: expected a text, got 1984; put it in quotes"),
        ({"state_file": True}, "state_file: expected a text, got True; put it in quotes"),
        ({"state_file": ["a"]}, "state_file: expected a text, got ['a']"),
        ({"text": True, "filename": "robots.xml"},
         "filename: the text sitemap would be robots.txt; use another name"),
    ],
)  # fmt: skip
def test_a_problem_is_told_with_place_value_and_cure(
    settings: dict[str, Any], problem: str
) -> None:
    assert errors(settings) == (problem,)


def test_a_bad_date_of_an_extra_url_names_its_place() -> None:
    (problem,) = errors({"extra_urls": ["a", {"loc": "b", "lastmod": "01.05.2024"}]})

    assert problem.startswith("extra_urls[1].lastmod: ")
    assert "01.05.2024" in problem


def test_all_problems_are_told_at_once() -> None:
    problems = errors({"exlude": [], "priority": 7, "lastmod": ["x"], "rules": [{"match": 1}]})

    assert [problem.partition(":")[0] for problem in problems] == [
        "exlude", "priority", "rules[0].match", "lastmod",
    ]  # fmt: skip


def test_a_single_value_stands_for_a_list_of_one() -> None:
    config, _ = parse_config({"exclude": "a/", "lastmod": "git"}, generator="mkdocs")

    assert config.exclude == Patterns(["a/"])
    assert config.lastmod == ("git",)


@pytest.mark.parametrize("nothing", [False, []])
def test_no_date_sources_can_be_asked_for(nothing: object) -> None:
    assert parse_config({"lastmod": nothing}, generator="mkdocs")[0].lastmod == ()


@pytest.mark.parametrize(
    ("option", "generator", "name"),
    [
        ("nav_only", "pelican", "MkDocs"),
        ("hidden", "mkdocs", "Pelican"),
    ],
)
def test_an_option_of_another_generator_is_accepted_with_a_notice(
    option: str, generator: str, name: str
) -> None:
    assert notes({option: True}, generator) == [f"notice {option}: only {name} has a use for this"]


@pytest.mark.parametrize(
    "pattern", ["^drafts/", r"\.html$", "tag/.*", "(a|b)/", r"\d+", "a.+b", ".*"]
)
def test_a_regular_expression_without_its_prefix_gets_the_right_spelling(pattern: str) -> None:
    (note,) = notes({"exclude": [pattern]})

    assert f"write 're:{pattern}' if it is one" in note
    assert note.startswith("warning exclude[0]: ")


@pytest.mark.parametrize(
    "pattern", ["drafts/", "*.md", "a.*", "blog/**", "!keep.md", ".git", "a$b"]
)
def test_a_gitignore_pattern_is_not_mistaken_for_a_regular_expression(pattern: str) -> None:
    assert notes({"exclude": [pattern]}) == []


@pytest.mark.parametrize(
    "key",
    ["max_urls", "news", "state_file", "robots", "lastmod", "x_default", "priority", "filename"],
)
@pytest.mark.parametrize(
    "value",
    [16**5000, [16**5000], {"x": 16**5000}, {16**5000: "x"}],
    ids=["itself", "in a list", "in a mapping", "as a key"],
)
def test_a_number_too_long_to_be_shown_is_an_error_like_others(key: str, value: Any) -> None:
    with pytest.raises(ConfigError) as raised:
        parse_config({"text": True, "indexnow_key": value, key: value}, generator="folder")

    assert any(problem.startswith(key) for problem in raised.value.problems)

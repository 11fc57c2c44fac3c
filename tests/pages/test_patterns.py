"""Patterns read as gitignore reads them, tried on source path and URL path."""

import pytest

from files import read_table
from sitemap_plugin.pages.patterns import Patterns

CASES = read_table(__file__, "patterns.yaml")


@pytest.mark.parametrize(("patterns", "source", "url", "matched"), CASES["patterns"])
def test_the_last_pattern_that_matches_decides(
    patterns: list[str], source: str | None, url: str, matched: str | None
) -> None:
    assert Patterns(patterns).match(source, url) == matched


def test_patterns_know_which_of_them_matched_nothing() -> None:
    patterns = Patterns(["a/", "b/", "!c/"])
    patterns.match("a/x.md", "a/x/")

    assert list(patterns.unused()) == [(1, "b/"), (2, "!c/")]


@pytest.mark.parametrize(
    "text",
    ["!", "a[", "# comment", "/", "re:(", "!re:[", "[z-a]", "re:a{99999999999999999999}",
     pytest.param("re:" + "(" * 3000, id="deep")],
)  # fmt: skip
def test_a_pattern_that_cannot_match_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a "):
        Patterns([text])

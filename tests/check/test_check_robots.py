"""What robots.txt forbids is what Google's own parser says it forbids."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from check.example import BASE
from files import read_table
from sitemap_plugin.common.robots import GOOGLE_LIMIT, Declaration, Robots

# Google's own parser has wheels for some systems and Pythons only.
googlebot = pytest.importorskip("jwm.robotstxt.googlebot")

PIECES = read_table(__file__, "check_robots.yaml")
GROUPS = (PIECES["agents"], [": ", " ", ":"], PIECES["crawlers"])
RULES = (PIECES["fields"], [": ", ":", " : ", " ", "\t"], PIECES["paths"])
LINES = st.one_of(
    [st.tuples(*map(st.sampled_from, parts)).map("".join) for parts in (GROUPS, RULES, [[""]])]
)


@example(["User-agent: *", "Crawl-delay: 1", "User-agent: bingbot", "Disallow: /"], "\n", "")
@given(
    lines=st.lists(LINES, max_size=8),
    newline=st.sampled_from(["\n", "\r\n", "\r"]),
    mark=st.sampled_from(["", "\ufeff"]),
)
def test_addresses_are_forbidden_as_googles_own_parser_says(
    lines: list[str], newline: str, mark: str
) -> None:
    text = mark + newline.join(lines)
    robots = Robots(text.encode())

    for url in PIECES["urls"]:
        for agent in ("Googlebot", "bingbot"):
            matcher = googlebot.RobotsMatcher()
            expected = matcher.OneAgentAllowedByRobots(text, agent, BASE + url)
            assert robots.allows(BASE + url, agent) == expected, (url, agent)


@pytest.mark.parametrize(
    ("rule", "path", "is_allowed"),
    [("/ab*bc$", "/abc", True), ("/ab*bc$", "/abbc", False), ("*.xml$", "/a.xml", False),
     ("*.xml$", "/a.xml?q", True), ("*$", "/", False), ("/a*b*b$", "/ab", True)],
)  # fmt: skip
def test_parts_of_a_pattern_match_one_after_the_other(
    rule: str, path: str, is_allowed: bool
) -> None:
    robots = Robots(f"User-agent: *\nDisallow: {rule}".encode())

    assert robots.allows(BASE[:-1] + path, "Googlebot") is is_allowed


def test_sitemap_lines_are_read_with_their_numbers() -> None:
    text = (
        b"# Sitemap: /no\r\nsite-map : /a # b\rUser-agent: *\nSITEMAP:\nSitemap /c\nx: Sitemap: d"
    )

    assert Robots(text).sitemaps == [Declaration("/a", 2), Declaration("/c", 5)]
    assert Robots(b"#" * GOOGLE_LIMIT + b"\nSitemap: /a").sitemaps == []


def test_crawlers_with_a_group_of_their_own_are_known() -> None:
    text = b"User-agent: *\nUser-agent: Googlebot/2.1\nDisallow: /\nUser-agent: bing bot\nAllow: /"

    assert Robots(text).agents == {"googlebot", "bing"}

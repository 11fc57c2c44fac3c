"""What robots.txt forbids is what Google's own parser says it forbids."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st
from jwm.robotstxt import googlebot  # type: ignore[import-untyped]

from check.example import BASE
from sitemap_plugin.commands.check.crawling import read_robots
from sitemap_plugin.commands.check.findings import Findings

CRAWLERS = ("*", "Googlebot", "googlebot", "bingbot", "Googlebot/2.1", "GoogleBot/*  # note")
PATHS = (
    *("", "/", "/a", "/a/", "/a/b.html", "/b", "/*.html$", "/*.xml$", "/a*", "*", "/%C3%BC", "/ü"),
    *("/a%2Fb", "/?q=", "/*?", "/$", "/a$", "/b/*/c", "/A"),
)
FIELDS = (
    *("Disallow", "Allow", "disallow", "Dissallow", "Sitemap", "Noindex", "Host"),
    *("Crawl-delay", "crawl delay", "Request-rate", "Visit-time"),
)
URLS = (
    *("", "a", "a/", "a/b.html", "b", "sitemap.xml", "%C3%BC", "a%2Fb", "?q=1", "b/x/c", "A"),
    *("a/?x", "x.html"),
)
LINES = st.one_of(
    st.builds(
        "{}: {}".format,
        st.sampled_from(["User-agent", "user-agent", "User Agent"]),
        st.sampled_from(CRAWLERS),
    ),
    st.builds(
        "{}{}{}".format,
        st.sampled_from(FIELDS),
        st.sampled_from([": ", ":", " : ", " "]),
        st.sampled_from(PATHS),
    ),
    st.just(""),
)


@example(
    lines=["User-agent: *", "Crawl-delay: 1", "User-agent: bingbot", "Disallow: /"], newline="\n"
)
@given(lines=st.lists(LINES, max_size=8), newline=st.sampled_from(["\n", "\r\n", "\r"]))
def test_addresses_are_forbidden_as_googles_own_parser_says(lines: list[str], newline: str) -> None:
    text = newline.join(lines)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "robots.txt"
        path.write_bytes(text.encode())
        robots = read_robots(path, f"{BASE}robots.txt", Findings().for_file(path))

    for url in URLS:
        matcher = googlebot.RobotsMatcher()
        expected = matcher.OneAgentAllowedByRobots(text, "Googlebot", BASE + url)
        assert robots.allows(BASE + url) == expected, url

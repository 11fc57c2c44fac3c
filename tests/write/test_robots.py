"""The line in robots.txt: one line more, whatever the file is, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protego import Protego

from sitemap_plugin.errors import WriteError
from sitemap_plugin.write.robots_line import (
    RobotsResult,
    add_sitemap_line,
    has_sitemap_line,
    update_robots,
)

# Google's own parser has wheels for some systems and Pythons only.
googlebot = pytest.importorskip("jwm.robotstxt.googlebot")

BASE = "https://example.org/"
URL = f"{BASE}sitemap.xml"
LINE = f"Sitemap: {URL}"
AGENTS = ("googlebot", "bingbot", "a", "other")
PATHS = ("/", "/a", "/a/b.html", "/private/", "/sitemap.xml", "/x?q=1")


def add(data: bytes) -> bytes:
    """Return what is appended to ``data``."""
    new = add_sitemap_line(data, URL)
    assert new.startswith(data)
    return new[len(data) :]


class TestDeclarations:
    @pytest.mark.parametrize(
        "line",
        [
            b"Sitemap: https://example.org/sitemap.xml",
            b"sitemap:https://example.org/sitemap.xml",
            b"SITEMAP: https://example.org/sitemap.xml",
            b"SiteMap : https://example.org/sitemap.xml",
            b"\tSitemap\t:\thttps://example.org/sitemap.xml \t",
            b"Sitemap: https://example.org/sitemap.xml # the only one",
            b"Sitemap: https://example.org/sitemap.xml#top",
            b"Sitemap: HTTPS://Example.ORG:443/sitemap.xml",
            b"Sitemap: https://example.org/%73itemap.xml",
        ],
    )
    @pytest.mark.parametrize("before", [b"", b"User-agent: *\nDisallow: /a\n", b"\xef\xbb\xbf"])
    def test_a_line_that_names_the_url_in_any_spelling_is_enough(
        self, before: bytes, line: bytes
    ) -> None:
        for data in (before + line, before + line + b"\r\nUser-agent: *\r\nDisallow:"):
            assert has_sitemap_line(data, URL)
            assert add(data) == b""

    @pytest.mark.parametrize(
        "line",
        [
            b"# Sitemap: https://example.org/sitemap.xml",
            b"User-agent: * # Sitemap: https://example.org/sitemap.xml",
            b"Sitemap:",
            b"Sitemap: # https://example.org/sitemap.xml",
            b"Sitemap: /sitemap.xml",
            b"Sitemap: http://example.org/sitemap.xml",
            b"Sitemap: https://www.example.org/sitemap.xml",
            b"Sitemap: https://example.org/sitemap.xml.gz",
            b"Sitemap: https://example.org/Sitemap.xml",
            b"Sitemap: https://example.org/sitemap.xml https://example.org/b.xml",
            b"Sitemaps: https://example.org/sitemap.xml",
            b"Site-map: https://example.org/sitemap.xml",
            b"Disallow: /Sitemap: https://example.org/sitemap.xml",
            b"Sitemap: https://[example/sitemap.xml",
            b"x\x0cSitemap: https://example.org/sitemap.xml",
            "x\u2028Sitemap: https://example.org/sitemap.xml".encode(),
        ],
    )
    def test_a_comment_another_url_or_another_field_is_no_declaration(self, line: bytes) -> None:
        assert not has_sitemap_line(line, URL)
        assert add(line + b"\n") == f"{LINE}\n".encode()


class TestAppending:
    @pytest.mark.parametrize(
        ("data", "added"),
        [
            (b"", "{}\n"),
            (b"User-agent: *\n", "{}\n"),
            (b"User-agent: *\r\n", "{}\r\n"),
            (b"User-agent: *\r", "{}\r"),
            (b"User-agent: *\nDisallow: /a", "\n{}\n"),
            (b"User-agent: *\r\nDisallow: /a", "\r\n{}\r\n"),
            (b"User-agent: *\rDisallow: /a", "\r{}\r"),
            (b"User-agent: *\nDisallow: /a\r\nDisallow: /b", "\r\n{}\r\n"),
            (b"User-agent: *\r\nDisallow: /a\nDisallow: /b", "\n{}\n"),
            (b"Disallow: /a", "\n{}\n"),
            (b"User-agent: *\n\n\n", "{}\n"),
            (b"# a comment", "\n{}\n"),
            (b"\xef\xbb\xbf", "\n{}\n"),
            (b"\xef\xbb\xbfUser-agent: *\n", "{}\n"),
            (b"# caf\xe9 \xff\nUser-agent: *\nDisallow: /\xe9", "\n{}\n"),
            ("# form\x0cfeed\u2028".encode(), "\n{}\n"),
        ],
    )
    def test_one_line_follows_in_the_files_own_newlines(self, data: bytes, added: str) -> None:
        assert add(data) == added.format(LINE).encode()

    @given(st.binary(max_size=80))
    def test_adding_twice_adds_once_and_never_raises(self, data: bytes) -> None:
        once = add_sitemap_line(data, URL)

        assert once.startswith(data)
        assert len(once) - len(data) <= len(f"\r\n{LINE}\r\n")
        assert add_sitemap_line(once, URL) == once


class Reading(NamedTuple):
    """What a robots.txt parser makes of a file."""

    verdicts: tuple[bool, ...]
    sitemaps: set[str]


PARSE_HANDLER: Any = googlebot.RobotsParseHandler


class SitemapLines(PARSE_HANDLER):  # type: ignore[misc] # The wheel has no types.
    """Collects what Google's parser takes for Sitemap lines; its method names are Google's."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def HandleSitemap(self, _line: int, value: str) -> None:  # noqa: N802
        self.found.add(value)

    def _ignore(self, *_: object) -> None: ...

    HandleRobotsStart = HandleRobotsEnd = HandleUserAgent = HandleAllow = _ignore
    HandleDisallow = HandleUnknownAction = ReportLineMetadata = _ignore


def google(data: bytes) -> Reading:
    # The wrapper hands values over as str and fails on bytes that are not UTF-8.
    text = data.decode("utf-8", "replace").encode()
    lines = SitemapLines()
    googlebot.ParseRobotsTxt(text, lines)
    return Reading(tuple(google_allows(data, agent, path) for agent, path in CASES), lines.found)


def google_allows(data: bytes, agent: str, path: str) -> bool:
    matcher = googlebot.RobotsMatcher()
    allowed = matcher.OneAgentAllowedByRobots(data, agent, f"https://example.org{path}")
    return bool(allowed)


def protego(data: bytes) -> Reading:
    parser = Protego.parse(data.decode("utf-8", "replace"))
    verdicts = tuple(parser.can_fetch(f"https://example.org{path}", agent) for agent, path in CASES)
    return Reading(verdicts, set(parser.sitemaps))


PARSERS = (google, protego)
CASES = [(agent, path) for agent in AGENTS for path in PATHS]

FIELDS = st.sampled_from(
    ["User-agent: ", "user-agent:", "Disallow: ", "Allow: ", "Crawl-delay: ", "Sitemap: ", "# ", ""]
)
VALUES = st.sampled_from(
    [
        b"*", b"a", b"googlebot", b"/", b"/a", b"/private/", b"/*.html$", b"/sitemap.xml", b"",
        b"3", b"https://example.org/other.xml", b"/ # note", b"caf\xc3\xa9", b"caf\xe9", b" \t",
    ]
)  # fmt: skip
LINES = st.builds(lambda field, value: field.encode() + value, FIELDS, VALUES)


@st.composite
def robots_files(draw: st.DrawFn) -> bytes:
    newlines = draw(st.sampled_from([[b"\n"], [b"\r\n"], [b"\r"], [b"\n", b"\r\n", b"\r"]]))
    data = draw(st.sampled_from([b"", b"", b"\xef\xbb\xbf"]))
    for line in draw(st.lists(LINES, max_size=10)):
        data += line + draw(st.sampled_from(newlines))
    return data + draw(st.one_of(st.just(b""), LINES))


class TestCrawlers:
    @pytest.mark.parametrize("read", PARSERS)
    @given(data=robots_files())
    def test_no_verdict_changes_and_the_sitemap_is_found(
        self, read: Callable[[bytes], Reading], data: bytes
    ) -> None:
        before, after = read(data), read(add_sitemap_line(data, URL))

        assert after.verdicts == before.verdicts
        assert after.sitemaps == before.sitemaps | {URL}


class TestRobotsFile:
    def update(self, folder: Path, mode: Literal["auto"] | bool = "auto") -> RobotsResult:
        return update_robots(folder, URL, BASE, mode)

    def test_a_missing_file_is_created_with_the_line_alone(self, tmp_path: Path) -> None:
        result = self.update(tmp_path)

        assert result == RobotsResult("created", None)
        assert (tmp_path / "robots.txt").read_bytes() == f"{LINE}\n".encode()

    def test_a_file_gains_one_line_and_keeps_it(self, tmp_path: Path) -> None:
        path = tmp_path / "robots.txt"
        path.write_bytes(b"User-agent: *\r\nDisallow: /a")
        expected = b"User-agent: *\r\nDisallow: /a\r\n" + f"{LINE}\r\n".encode()

        assert self.update(tmp_path) == RobotsResult("added", None)
        assert path.read_bytes() == expected
        assert self.update(tmp_path) == RobotsResult("present", None)
        assert path.read_bytes() == expected

    def test_nothing_happens_when_switched_off(self, tmp_path: Path) -> None:
        assert self.update(tmp_path, mode=False) == RobotsResult("skipped", None)
        assert not list(tmp_path.iterdir())

    @pytest.mark.parametrize("old", [None, b"User-agent: *\n"])
    def test_below_a_path_the_line_to_copy_is_told(self, tmp_path: Path, old: bytes | None) -> None:
        path = tmp_path / "robots.txt"
        if old is not None:
            path.write_bytes(old)
        url = "https://Example.org/docs/sitemap.xml"
        result = update_robots(tmp_path, url, f"{BASE}docs/", "auto")

        assert result.status == "skipped"
        assert result.message is not None
        assert f"https://example.org/robots.txt: Sitemap: {url}" in result.message
        assert (path.read_bytes() if path.exists() else None) == old

    def test_below_a_path_the_line_is_written_when_asked_for(self, tmp_path: Path) -> None:
        url = "https://example.org/docs/sitemap.xml"
        result = update_robots(tmp_path, url, f"{BASE}docs/", True)

        assert result.status == "created"
        assert result.message is not None
        assert "https://example.org/robots.txt" in result.message
        assert (tmp_path / "robots.txt").read_text() == f"Sitemap: {url}\n"

    def test_a_folder_of_that_name_is_an_error_with_a_cure(self, tmp_path: Path) -> None:
        (tmp_path / "robots.txt").mkdir()

        with pytest.raises(WriteError, match=r"robots\.txt: cannot be read: .*'robots' to false"):
            self.update(tmp_path)

    @pytest.mark.parametrize("exists", [True, False])
    def test_a_link_within_the_output_stays_a_link(self, tmp_path: Path, exists: bool) -> None:
        target = tmp_path / "shared.txt"
        if exists:
            target.write_bytes(b"User-agent: *\n")
        (tmp_path / "robots.txt").symlink_to("shared.txt")

        assert self.update(tmp_path).status == ("added" if exists else "created")
        assert (tmp_path / "robots.txt").is_symlink()
        assert target.read_text().endswith(f"{LINE}\n")

    def test_a_source_file_that_the_output_links_to_is_not_changed(self, tmp_path: Path) -> None:
        source = tmp_path / "content" / "robots.txt"
        output = tmp_path / "output"
        source.parent.mkdir()
        output.mkdir()
        source.write_bytes(b"User-agent: *\n")
        (output / "robots.txt").symlink_to(source)
        result = self.update(output)

        assert result.status == "skipped"
        assert result.message is not None
        assert result.message.endswith(f"add this line: {LINE}")
        assert (output / "robots.txt").is_symlink()
        assert source.read_bytes() == b"User-agent: *\n"


class TestNotices:
    def message(self, folder: Path, data: bytes) -> str | None:
        (folder / "robots.txt").write_bytes(data)
        return update_robots(folder, URL, BASE, "auto").message

    @pytest.mark.parametrize(
        ("rules", "named"),
        [
            ("User-agent: *\nDisallow: /", "Disallow: /"),
            ("user-agent:*\ndisallow:/sitemap.xml$", "Disallow: /sitemap.xml$"),
            ("User-agent: *\nDisallow: /*.xml\nAllow: /s", "Disallow: /*.xml"),
            ("User-agent: a\nUser-agent: *\nDisallow: /\n\nUser-agent: b\nDisallow: /s", None),
        ],
    )
    def test_a_rule_that_forbids_the_sitemap_to_all_is_named(
        self, tmp_path: Path, rules: str, named: str | None
    ) -> None:
        message = self.message(tmp_path, rules.encode())

        assert message is not None
        assert f"'{named or 'Disallow: /'}'" in message
        assert "Allow: /sitemap.xml" in message

    @pytest.mark.parametrize(
        "rules",
        [
            "User-agent: *\nDisallow:",
            "User-agent: *\nDisallow: /Sitemap.xml",
            "User-agent: *\nDisallow: /sitemap.xml.gz",
            "User-agent: *\nDisallow: /private/",
            "User-agent: *\nDisallow: /\nAllow: /sitemap.xml",
            "User-agent: *\nDisallow: /\nAllow /sitemap.xml",
            "User-agent: *\nDisallow: /*.xml\nAllow: /*p.xml",
            "User-agent: *\nDisallow: /sitemap\nAllow: /sitemap",
            "User-agent: badbot\nDisallow: /",
            "User-agent: *\nDisallow: /\nUser-agent: Googlebot\nAllow: /",
            "User-agent: *\nDisallow: /\nUser-agent: Googlebot\nDisallow:",
            "User-agent: *\nAllow: /\nUseragent: badbot\nDisallow: /",
            "# User-agent: *\n# Disallow: /",
            "Disallow: /",
        ],
    )
    def test_no_rule_is_named_while_somebody_may_read_the_sitemap(
        self, tmp_path: Path, rules: str
    ) -> None:
        assert self.message(tmp_path, rules.encode()) is None

    def test_rules_of_a_file_that_is_not_at_the_hosts_root_are_not_judged(
        self, tmp_path: Path
    ) -> None:
        (tmp_path / "robots.txt").write_bytes(b"User-agent: *\nDisallow: /\n")
        message = update_robots(tmp_path, URL, f"{BASE}docs/", True).message

        assert message is not None
        assert "Disallow" not in message

    @pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32-be"])
    @pytest.mark.parametrize("text", ["User-agent: *\n", f"{LINE}\n"])
    def test_a_file_that_no_crawler_can_read_is_left_as_it_is(
        self, tmp_path: Path, encoding: str, text: str
    ) -> None:
        data = text.encode(encoding)
        (tmp_path / "robots.txt").write_bytes(data)
        result = update_robots(tmp_path, URL, BASE, "auto")

        assert result.status == "skipped"
        assert result.message == (
            "it is not UTF-8, so crawlers cannot read it; save it as UTF-8 and add this line: "
            f"{LINE}"
        )
        assert (tmp_path / "robots.txt").read_bytes() == data

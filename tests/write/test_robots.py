"""The line in robots.txt: one line more, whatever the file is, and nothing else."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from protego import Protego

from files import read_table
from sitemap_plugin.errors import WriteError
from sitemap_plugin.write.robots_line import RobotsResult, add_sitemap_line, update_robots

# Google's own parser has wheels for some systems and Pythons only.
googlebot = pytest.importorskip("jwm.robotstxt.googlebot")

TABLE = read_table(__file__, "robots.yaml")
BASE = "https://example.org/"
URL = f"{BASE}sitemap.xml"
LINE = f"Sitemap: {URL}"
AGENTS = ("googlebot", "bingbot", "a", "other")
PATHS = ("/", "/a", "/a/b.html", "/private/", "/sitemap.xml", "/x?q=1")
CASES = [(agent, f"https://example.org{path}") for agent in AGENTS for path in PATHS]


def add(data: bytes) -> bytes:
    """Return what is appended to ``data``."""
    new = add_sitemap_line(data, URL)
    assert new.startswith(data)
    return new[len(data) :]


@pytest.mark.parametrize("line", TABLE["declarations"])
@pytest.mark.parametrize("before", [b"", b"User-agent: *\nDisallow: /a\n", b"\xef\xbb\xbf"])
def test_a_line_that_names_the_url_in_any_spelling_is_enough(before: bytes, line: str) -> None:
    data = before + line.encode("latin-1")
    assert add(data) == add(data + b"\r\nUser-agent: *\r\nDisallow:") == b""


@pytest.mark.parametrize("line", TABLE["others"])
def test_a_comment_another_url_or_another_field_is_no_declaration(line: str) -> None:
    assert add(line.encode("latin-1") + b"\n") == f"{LINE}\n".encode()


@pytest.mark.parametrize(("data", "added"), TABLE["appended"])
def test_one_line_follows_in_the_files_own_newlines(data: str, added: str) -> None:
    assert add(data.encode("latin-1")) == added.format(LINE).encode()


@given(st.binary(max_size=80))
def test_adding_twice_adds_once_and_never_raises(data: bytes) -> None:
    added = add(data)
    assert len(added) <= len(f"\r\n{LINE}\r\n")
    assert add(data + added) == b""


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


Reading = tuple[list[bool], set[str]]
"""Whether each of the cases may be read, and the sitemaps."""


def google(data: bytes) -> Reading:
    # The wrapper hands values over as str and fails on bytes that are not UTF-8.
    lines, matcher = SitemapLines(), googlebot.RobotsMatcher()
    googlebot.ParseRobotsTxt(data.decode("utf-8", "replace").encode(), lines)
    return [matcher.OneAgentAllowedByRobots(data, *case) for case in CASES], lines.found


def protego(data: bytes) -> Reading:
    parser = Protego.parse(data.decode("utf-8", "replace"))
    return [parser.can_fetch(url, agent) for agent, url in CASES], set(parser.sitemaps)


FIELDS = ["User-agent: ", "user-agent:", "Disallow: ", "Allow: ", "Crawl-delay: ", "Sitemap: ", "#"]
VALUES = [
    b"*", b"a", b"googlebot", b"/", b"/a", b"/private/", b"/*.html$", b"/sitemap.xml", b"",
    b"3", b"https://example.org/other.xml", b"/ # note", b"caf\xc3\xa9", b"caf\xe9", b" \t",
]  # fmt: skip
LINES = st.builds(
    lambda field, value: field.encode() + value, st.sampled_from(FIELDS), st.sampled_from(VALUES)
)


@st.composite
def robots_files(draw: st.DrawFn) -> bytes:
    newlines = draw(st.sampled_from([[b"\n"], [b"\r\n"], [b"\r"], [b"\n", b"\r\n", b"\r"]]))
    data = draw(st.sampled_from([b"", b"", b"\xef\xbb\xbf"]))
    for line in draw(st.lists(LINES, max_size=10)):
        data += line + draw(st.sampled_from(newlines))
    return data + draw(st.one_of(st.just(b""), LINES))


@pytest.mark.parametrize("read", [google, protego])
@settings(max_examples=25)
@given(data=robots_files())
def test_no_verdict_of_a_crawler_changes_and_the_sitemap_is_found(
    read: Callable[[bytes], Reading], data: bytes
) -> None:
    before, after = read(data), read(add_sitemap_line(data, URL))
    assert after == (before[0], before[1] | {URL})


def update(
    folder: Path, old: bytes | None, mode: Literal["auto"] | bool = "auto", below: str = ""
) -> tuple[RobotsResult, bytes | None]:
    """Name a sitemap in a robots.txt; return what was said and what is in it then."""
    path = folder / "robots.txt"
    if old is not None:
        path.write_bytes(old)
    result = update_robots(folder, f"{BASE}{below}sitemap.xml", BASE + below, mode)
    return result, path.read_bytes() if path.exists() else None


def test_a_missing_file_is_created_and_another_gains_one_line_once(tmp_path: Path) -> None:
    line = f"{LINE}\n".encode()
    rules = b"User-agent: *\r\nDisallow: /a"
    more = rules + f"\r\n{LINE}\r\n".encode()

    assert update(tmp_path, None, mode=False) == (("skipped", None), None)
    assert update(tmp_path, None) == (("created", None), line)
    assert update(tmp_path, rules) == (("added", None), more)
    assert update(tmp_path, None) == (("present", None), more)


@pytest.mark.parametrize("old", [None, b"User-agent: *\nDisallow: /\n"])
def test_below_a_path_the_line_to_copy_is_told_and_written_when_asked_for(
    tmp_path: Path, old: bytes | None
) -> None:
    line = f"Sitemap: {BASE}docs/sitemap.xml"
    message = "crawlers read no robots.txt below a path; add this line to "
    message += f"https://example.org/robots.txt: {line}"

    assert update(tmp_path, old, below="docs/") == (("skipped", message), old)
    status = "created" if old is None else "added"
    written = (old or b"") + f"{line}\n".encode()
    assert update(tmp_path, old, mode=True, below="docs/") == ((status, message), written)


def test_a_folder_of_that_name_is_an_error_with_a_cure(tmp_path: Path) -> None:
    (tmp_path / "robots.txt").mkdir()
    with pytest.raises(WriteError, match=r"robots\.txt: cannot be read: .*'robots' to false"):
        update(tmp_path, None)


@pytest.mark.parametrize("exists", [True, False])
def test_a_link_within_the_output_stays_a_link(tmp_path: Path, exists: bool) -> None:
    if exists:
        (tmp_path / "shared.txt").write_bytes(b"User-agent: *\n")
    (tmp_path / "robots.txt").symlink_to("shared.txt")

    assert update(tmp_path, None)[0].status == ("added" if exists else "created")
    assert (tmp_path / "robots.txt").is_symlink()
    assert (tmp_path / "shared.txt").read_text().endswith(f"{LINE}\n")


def test_a_source_file_that_the_output_links_to_is_not_changed(tmp_path: Path) -> None:
    source, output = tmp_path / "content" / "robots.txt", tmp_path / "output"
    source.parent.mkdir()
    output.mkdir()
    source.write_bytes(b"User-agent: *\n")
    (output / "robots.txt").symlink_to(source)
    for within in ((), (source.parent,)):
        status, message = update_robots(output, URL, BASE, "auto", within)
        assert status == "skipped"
        assert str(message).endswith(f"is left alone; add this line: {LINE}")
    assert (output / "robots.txt").is_symlink()
    assert source.read_bytes() == b"User-agent: *\n"
    source.write_text(LINE)

    assert update_robots(output, URL, BASE, "auto", (source.parent,)).status == "present"


@pytest.mark.parametrize(("rules", "named"), TABLE["obstacles"])
def test_a_rule_that_forbids_the_sitemap_to_all_is_named(
    tmp_path: Path, rules: str, named: str | None
) -> None:
    message = str(update(tmp_path, rules.encode())[0].message)
    assert f"'{named or 'Disallow: /'}'" in message
    assert "Allow: /sitemap.xml" in message


@pytest.mark.parametrize("rules", TABLE["none"])
def test_no_rule_is_named_while_somebody_may_read_the_sitemap(tmp_path: Path, rules: str) -> None:
    assert update(tmp_path, rules.encode())[0].message is None


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32-be"])
@pytest.mark.parametrize("text", ["User-agent: *\n", f"{LINE}\n"])
def test_a_file_that_no_crawler_can_read_is_left_as_it_is(
    tmp_path: Path, encoding: str, text: str
) -> None:
    message = "it is not UTF-8, so crawlers cannot read it; save it as UTF-8 and add this line"
    data = text.encode(encoding)
    assert update(tmp_path, data) == (("skipped", f"{message}: {LINE}"), data)

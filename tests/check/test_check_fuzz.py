"""No input makes a check fail: whatever is in a file, the outcome is a list of findings."""

import json
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from check.example import BASE, EXAMPLES, write
from files import Files
from sitemap_plugin.commands.check.folder import check
from sitemap_plugin.commands.check.formats import FORMATS

SMALL = 10_000
NAMES = ("sitemap.xml", "sitemap.xml.gz", "sitemap.txt", "robots.txt", "index.html", "a.html")
TOKENS = [
    b"<", b">", b"&", b"&amp;", b"&#0;", b"&#x10FFFF;", b'"', b"'", b"]]>", b"<![CDATA[", b"<!--",
    b"-->", b"<?x ", b"<!DOCTYPE x [", b"</url>", b"<url>", b"<loc>", b"</loc>", b"xmlns=''",
    b"xmlns:xhtml='x'", b"\0", b"\xff", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\x1f\x8b", b"\r",
    b"\xc2\x85", b"\xe2\x80\xa8", b"http://[", b"https://\xe1\xba\x9e/", b"//", b"/../", b"%00",
    b"%", b"#", b"9" * 400, b"1e999", b"-", b"0000-00-00", b"9999-12-31T23:59:60-14:00", b"_",
    b"Disallow: /*", b"Sitemap:", b"<link rel=canonical href='http://['>", b"<base href='//['>",
]  # fmt: skip
SEEDS = [
    (example.target, files)
    for example in EXAMPLES
    for files in (example.bad, example.good)
    if sum(map(len, files.values())) < SMALL
]


def _render_all(folder: Path, target: str, base_url: str | None) -> None:
    """Check a target and write the findings in every form."""
    outcome = check(folder / target, base_url=base_url)
    for form, render in FORMATS.items():
        rendered = render(outcome)
        assert rendered.endswith("\n")
        if form in {"json", "sarif"}:
            json.loads(rendered)


def _mutate(content: bytes, draw: st.DrawFn) -> bytes:
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(content)))
        end = min(len(content), start + draw(st.sampled_from([0, 0, 1, 3, 20, 500])))
        piece = draw(st.sampled_from(TOKENS) | st.just(content[start:end] * 2))
        content = content[:start] + piece + content[end:]
    return content


@st.composite
def mutated(draw: st.DrawFn) -> tuple[str, Files]:
    """Draw files of an example, some of them damaged."""
    target, files = draw(st.sampled_from(SEEDS))
    contents = {
        name: content.encode() if isinstance(content, str) else content
        for name, content in files.items()
    }
    return target, {name: _mutate(content, draw) for name, content in contents.items()}


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(mutated(), st.sampled_from([None, BASE, f"{BASE}docs/"]))
def test_damaged_files_are_checked(files: tuple[str, Files], base_url: str | None) -> None:
    with tempfile.TemporaryDirectory() as name:
        write(Path(name), files[1])
        _render_all(Path(name), files[0], base_url)


@settings(deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(NAMES), st.binary() | st.lists(st.sampled_from(TOKENS)).map(b"".join)
    ),
    st.sampled_from([None, BASE]),
)
def test_any_bytes_are_checked(files: Files, base_url: str | None) -> None:
    with tempfile.TemporaryDirectory() as name:
        write(Path(name), files)
        for target in (*files, ""):
            _render_all(Path(name), target, base_url)

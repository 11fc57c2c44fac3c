"""Hostile and broken input is a finding or a refusal; it takes neither much memory nor long."""

import errno
import os
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from check.example import BASE, EXTENSIONS, NAMESPACE, entry, index, page, urlset, write
from sitemap_plugin.commands.check import sitemaps
from sitemap_plugin.commands.check.folder import check
from sitemap_plugin.commands.reading.reader import READ_LIMIT
from sitemap_plugin.common.files import read_start

HEAD = f'<urlset xmlns="{NAMESPACE}"{EXTENSIONS}>\n'.encode()
SMALL = urlset(entry())
MEGABYTE = 1 << 20
MEMORY = 500
"""Mebibytes that a check may take beside Python itself, whatever it is given."""

MEASURE = """
import sys
from sitemap_plugin.commands.cli import main
status = main(sys.argv[1:])
# What getrusage tells includes the process that started this one.
[peak] = [line for line in open("/proc/self/status") if line.startswith("VmHWM:")]
print(peak)
sys.exit(status)
"""
needs_proc = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="this system does not tell a process's memory"
)


def codes(target: Path, base_url: str | None = BASE) -> set[str]:
    """Return the codes of what a check finds."""
    return set(check(target, base_url=base_url).findings.counts)


def measured(path: Path) -> tuple[str, int, int]:
    """Check in a process of its own; return its output, its memory in MiB and its exit status."""
    result = subprocess.run(
        [sys.executable, "-c", MEASURE, "check", str(path)],
        check=False,
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        timeout=300,
    )
    assert result.stderr == ""
    peak = int(result.stdout.split("VmHWM:")[1].split()[0])
    return result.stdout, peak // 1024, result.returncode


def fill(path: Path, head: bytes, unit: bytes, size: int) -> None:
    """Write a file that repeats something up to a size."""
    chunk = unit * (MEGABYTE // len(unit) + 1)
    with path.open("wb") as file:
        file.write(head)
        for _ in range(size // len(chunk) + 1):
            file.write(chunk)


LARGE = {
    "entries": (b"<url><loc>https://example.org/a</loc></url>\n", "too-many-urls"),
    "odd entries": (b"<url><loc>https://example.org/a</loc></url >\n", "too-many-urls"),
    "faulty entries": (b"<url><loc>a b</loc><lastmod>x</lastmod></url>", "loc-not-absolute"),
    "depth": (b"<a>", "not-read"),
    "text": (b"text", "file-too-large"),
    "a comment": (b"a ", "file-too-large"),
    "a value": (b"<url><loc>", "unknown-element"),
    "links of one entry": (
        b'<xhtml:link rel="alternate" hreflang="de" href="https://example.org/"/>', "file-too-large"
    ),
}  # fmt: skip

STARTS = {"a comment": b"<!--", "links of one entry": b"<url>"}


@needs_proc
@pytest.mark.slow
@pytest.mark.parametrize("kind", LARGE)
def test_a_file_without_end_takes_little_memory(kind: str, tmp_path: Path) -> None:
    unit, code = LARGE[kind]
    path = tmp_path / "sitemap.xml"
    fill(path, HEAD + STARTS.get(kind, b""), unit, READ_LIMIT + MEGABYTE)
    output, memory, status = measured(path)

    assert f"[{code}]" in output
    assert memory < MEMORY
    assert status == 1


@needs_proc
@pytest.mark.slow
def test_a_gzip_bomb_takes_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "sitemap.xml.gz"
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    with path.open("wb") as file:
        file.write(packer.compress(HEAD + b"<url><loc>"))
        for _ in range(1000):
            file.write(packer.compress(b"a" * MEGABYTE))
        file.write(packer.flush())
    output, memory, status = measured(path)

    assert path.stat().st_size < 2 * MEGABYTE
    assert "[file-too-large]" in output
    assert (memory < MEMORY, status) == (True, 1)


def _laughs() -> str:
    entities = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    return f'<!DOCTYPE x [<!ENTITY l0 "lol">{entities}]><urlset xmlns="{NAMESPACE}">&l9;</urlset>'


@pytest.mark.parametrize(
    "text",
    [
        _laughs(),
        f'<!DOCTYPE x [<!ENTITY a "{"a" * 100_000}">]><urlset>{"&a;" * 100_000}</urlset>',
        '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><urlset>&a;</urlset>',
        '<!DOCTYPE x [<!ENTITY % a SYSTEM "http://127.0.0.1:1/a.dtd"> %a;]><urlset/>',
        '<!DOCTYPE x [<!ATTLIST urlset a CDATA "a">]><urlset/>',
    ],
)
def test_entities_are_neither_expanded_nor_fetched(text: str, tmp_path: Path) -> None:
    write(tmp_path, {"sitemap.xml": text})

    assert codes(tmp_path / "sitemap.xml") == {"entity"}


def test_only_so_many_entries_are_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemaps, "MOST_COMPARED", 10)
    write(tmp_path, {"sitemap.xml": urlset(*(entry(str(n)) for n in range(9)))})
    write(tmp_path, {"sitemap.xml": index(*(f"{BASE}{n}.xml" for n in range(3)))})
    write(tmp_path, {f"{n}.xml": urlset(*(entry(f"{n}/{m}") for m in range(9))) for n in range(3)})

    assert "not-compared" in codes(tmp_path / "sitemap.xml")


def _link(folder: Path, **targets: str) -> None:
    for name, target in targets.items():
        path = folder / name.replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)


def test_links_in_a_circle_are_not_followed(tmp_path: Path) -> None:
    write(tmp_path, {"sitemap.xml": urlset(entry("a/b/"), entry("x")), "index.html": page()})
    _link(tmp_path, a=".", b="b", x_html="x.html", sitemap_txt="sitemap.txt")

    assert codes(tmp_path) == {"page-missing", "unreadable", "robots-no-sitemap"}
    with pytest.raises(OSError, match="symbolic links"):
        check(tmp_path / "sitemap.txt")


@pytest.mark.parametrize(
    "path", ["../secret", "%2e%2e/secret", "..%2Fsecret", "out/secret", "//etc/passwd", "a%00b"]
)
def test_nothing_outside_the_folder_is_read(path: str, tmp_path: Path) -> None:
    site = tmp_path / "site"
    write(tmp_path, {"secret.html": page("<meta name=robots content=noindex>")})
    write(site, {"sitemap.xml": urlset(entry(), entry(path)), "index.html": page()})
    _link(site, out="..")
    found = codes(site)

    assert found == {"robots-no-sitemap", "page-outside" if "out/" in path else "page-missing"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_pipes_and_devices_are_not_opened(tmp_path: Path) -> None:
    write(tmp_path, {"robots.txt/x": "", "index.html": page(), "sitemap.txt": BASE})
    for name in ("sitemap.xml", "a.html", "b.xml"):
        os.mkfifo(tmp_path / name)

    assert codes(tmp_path) == {"unreadable", "robots-no-sitemap"}
    for name in ("sitemap.xml", "/dev/zero"):
        with pytest.raises(OSError, match="not a regular file"):
            check(tmp_path / name)


def test_a_page_that_cannot_be_read_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"sitemap.xml": SMALL, "index.html": page(), "a/index.html": page()})

    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("sitemap_plugin.commands.check.folder.read_head", refuse)

    assert "unreadable" in codes(tmp_path)


def test_nothing_is_said_of_the_lines_of_a_robots_txt_that_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"sitemap.xml": SMALL, "index.html": page(), "robots.txt": "Disallow: /"})

    # Who runs the tests may have the right to read everything.
    def refuse(path: str | Path, size: int) -> bytes:
        if str(path).endswith("robots.txt"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return read_start(path, size)

    monkeypatch.setattr("sitemap_plugin.commands.check.folder.read_start", refuse)

    assert codes(tmp_path) == {"robots-unreadable"}


def test_nothing_in_a_file_reaches_the_terminal_as_it_is(tmp_path: Path) -> None:
    evil = "\x9b31m\u202e\u2028"
    text = urlset(f"<loc>{evil}</loc><lastmod>{evil}</lastmod>", f"<{'b' * 5000}/>", evil)
    write(tmp_path, {"sitemap.xml": text})
    found = check(tmp_path / "sitemap.xml", base_url=BASE).findings.sorted()

    assert found
    for item in found:
        assert all(text.isprintable() for text in (item.message, item.cure, item.url or ""))
        assert len(item.message) < 400


def test_findings_do_not_pile_up(tmp_path: Path) -> None:
    write(tmp_path, {"sitemap.xml": urlset(*("<loc>x</loc>" for _ in range(20_000)))})
    findings = check(tmp_path / "sitemap.xml", base_url=BASE).findings

    assert findings.counts["loc-not-absolute"] == 20_000
    assert len(findings.sorted()) == 2000


@pytest.mark.parametrize(("count", "found"), [(50_000, False), (50_001, True)])
def test_too_many_sitemaps_in_an_index_are_found(count: int, found: bool, tmp_path: Path) -> None:
    write(tmp_path, {"sitemap.xml": index(*(f"{BASE}{number}.xml" for number in range(count)))})

    assert ("too-many-sitemaps" in codes(tmp_path / "sitemap.xml", None)) is found

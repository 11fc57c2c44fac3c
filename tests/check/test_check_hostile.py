"""Hostile and broken input is a finding or a refusal; it takes neither much memory nor long."""

import errno
import os
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from check.example import BASE, EXTENSIONS, NAMESPACE, entry, index, link, page, urlset, write
from sitemap_plugin.commands.check import folder, sitemaps
from sitemap_plugin.commands.check.folder import check
from sitemap_plugin.commands.reading.reader import READ_LIMIT

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


@needs_proc
@pytest.mark.slow
@pytest.mark.parametrize(
    ("start", "unit", "code"),
    [
        ("", "<url><loc>https://example.org/a</loc></url>\n", "too-many-urls"),
        ("", "<url><loc>https://example.org/a</loc></url >\n", "too-many-urls"),
        ("", "<url><loc>a b</loc><lastmod>x</lastmod></url>", "loc-not-absolute"),
        ("", "<a>", "not-read"),
        ("", "text", "file-too-large"),
        ("<!--", "a ", "file-too-large"),
        ("", "<url><loc>", "unknown-element"),
        ("<url>", link("de", BASE), "file-too-large"),
    ],
)
def test_a_file_without_end_takes_little_memory(
    start: str, unit: str, code: str, tmp_path: Path
) -> None:
    path = tmp_path / "sitemap.xml"
    fill(path, HEAD + start.encode(), unit.encode(), READ_LIMIT + MEGABYTE)
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
    write(tmp_path, {"sitemap.xml": index(*(f"{BASE}{n}.xml" for n in range(3)))})
    write(tmp_path, {f"{n}.xml": urlset(*(entry(f"{n}/{m}") for m in range(9))) for n in range(3)})

    assert "not-compared" in codes(tmp_path / "sitemap.xml")


def test_links_in_a_circle_are_not_followed(tmp_path: Path) -> None:
    write(tmp_path, {"sitemap.xml": urlset(entry("a/b/"), entry("x")), "index.html": page()})
    for name, target in {
        "a": ".",
        "b": "b",
        "x.html": "x.html",
        "sitemap.txt": "sitemap.txt",
    }.items():
        (tmp_path / name).symlink_to(target)

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
    (site / "out").symlink_to("..")
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


@pytest.mark.parametrize(
    ("reader", "name", "found"),
    [
        ("read_head", "index.html", {"unreadable", "robots-no-sitemap"}),
        # Nothing is said of its lines.
        ("read_start", "robots.txt", {"robots-unreadable", "page-not-listed"}),
    ],
)
def test_what_may_not_be_read_is_found(
    reader: str, name: str, found: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = {"index.html": page(), "a/index.html": page()}
    write(tmp_path, {"sitemap.xml": SMALL, "robots.txt": "Disallow: /", **pages})
    read = getattr(folder, reader)

    # Who runs the tests may have the right to read everything.
    def refuse(path: str | Path, *size: int) -> object:
        if str(path).endswith(name):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return read(path, *size)

    monkeypatch.setattr(folder, reader, refuse)

    assert codes(tmp_path) == found


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

"""Each code is found where its fault is and nowhere else, and independent judges agree."""

import ast
import gzip
import tomllib
import zlib
from collections import Counter
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from language_tags import tags  # type: ignore[import-untyped]
from lxml import etree

from check.example import (
    BASE,
    EXAMPLES,
    HOME,
    NEWS,
    Example,
    entry,
    findings,
    image,
    packed,
    page,
    urlset,
    write,
)
from files import Files
from sitemap_plugin.commands import check, reading
from sitemap_plugin.commands.reading import faults
from sitemap_plugin.commands.reading.faults import RULES

# Google's own parser has wheels for some systems and Pythons only.
googlebot = pytest.importorskip("jwm.robotstxt.googlebot")

BOM = "\ufeff"
MARKED = HOME.replace("<urlset", "<!-- Caf\xe9 --><urlset", 1)
GZ = "sitemap.xml.gz"
ROBOTS = f"User-agent: *\nDisallow:\n\nSitemap: {BASE}sitemap.xml\n"
PADDED = packed(HOME) + packed(" ") + b"\0" * 100
SITE: Files = {"sitemap.xml": HOME, "index.html": page()}


def _large(size: int) -> str:
    """Return a sitemap of so many bytes."""
    room = size - len(HOME.encode())
    comment = f"<!--{'x' * 999_993}-->"
    rest = f"<!--{'x' * (room % 1_000_000 - 7)}-->"
    return HOME.replace("</urlset>", f"{comment * (room // 1_000_000)}{rest}</urlset>")


def _many(count: int, *more: str) -> str:
    return urlset(*(entry(str(number), *more) for number in range(count)))


def _images(count: int) -> str:
    return urlset(entry("", image(f"{BASE}a.png") * count))


def _example(key: str, bad: str | bytes, good: str | bytes = HOME, **more: Any) -> Example:
    code, _, name = key.partition(" ")
    target = more.get("target", "sitemap.xml")
    return Example(code, {target: bad}, {target: good}, name=name, **more)


def _gzipped(key: str, bad: str | bytes, good: bytes, **more: Any) -> Example:
    return _example(key, bad, good, target=GZ, **more)


# Bytes and files too large to be written down.
OTHERS = (
    _example("unsupported-format binary", bytes(range(256)) * 20, oracle="xml"),
    _gzipped("unsupported-format twice", packed(packed(HOME).decode("latin-1")), packed(HOME)),
    _example("unsupported-format zip", b"PK\x03\x04" + HOME.encode(), oracle="xml"),
    _gzipped("gzip-broken truncated", packed(HOME)[:-20], packed(HOME), oracle="gzip"),
    _gzipped("gzip-broken checksum", packed(HOME)[:-8] + b"\0" * 8, packed(HOME), oracle="gzip"),
    _gzipped("gzip-broken rubbish", packed(HOME) + b"rubbish", PADDED, oracle="gzip"),
    _gzipped("gzip-mismatch plain", HOME, packed(HOME), oracle="gzip"),
    _example("gzip-mismatch packed", packed(HOME)),
    Example(
        "twin-differs",
        {"sitemap.xml": HOME, GZ: packed(urlset(entry("old/")))},
        {"sitemap.xml": HOME, GZ: packed(HOME)},
    ),
    _example("file-too-large", _large(52_428_801), _large(52_428_800)),
    _example("too-many-urls", _many(50_001), _many(50_000)),
    _example("too-many-images", _images(1001), _images(1000)),
    _example("too-many-news", _many(1001, NEWS), _many(1000, NEWS)),
    _example("not-utf-8 utf-16", HOME.replace("UTF-8", "UTF-16").encode("utf-16")),
    _example("not-utf-8 utf-16-without-mark", HOME.encode("utf-16-be")),
    _example("not-utf-8 bytes", MARKED.encode("latin-1"), MARKED, oracle="xml"),
    _example("byte-order-mark", BOM + HOME),
    _example("byte-order-mark text", BOM + BASE, BASE, target="sitemap.txt"),
    _example("xml-broken control", urlset(entry() + "\x08"), oracle="xml"),
    Example(
        "robots-unreadable",
        {**SITE, "robots.txt": f"{ROBOTS}# {'x' * 512_000}"},
        {**SITE, "robots.txt": ROBOTS},
        target="",
    ),
    Example(
        "robots-unreadable",
        {**SITE, "robots.txt": ROBOTS.encode("utf-16")},
        {**SITE, "robots.txt": ROBOTS.encode("utf-8-sig")},
        name="utf-16",
        target="",
        also=("robots-no-sitemap",),
    ),
)
ALL = (*EXAMPLES, *OTHERS)

TESTED_ELSEWHERE = {
    "unreadable": "test_check_hostile",
    "not-compared": "test_check_hostile",
    "page-outside": "test_check_hostile",
    "too-many-sitemaps": "test_check_hostile",
    "page-status": "test_check_published",
    "published-differs": "test_check_published",
    "sitemap-content-type": "test_check_published",
    "sitemap-redirect": "test_check_published",
    "sitemap-status": "test_check_published",
}


def _name(example: Example) -> str:
    return f"{example.code}-{example.name}" if example.name else example.code


def _examples(*oracles: str) -> list[object]:
    chosen = [item for item in ALL if not oracles or item.oracle in oracles]
    return [pytest.param(item, id=_name(item)) for item in chosen]


def _placeholders(key: str) -> set[str]:
    table = tomllib.loads(Path(faults.__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    code, _, variant = key.partition(".")
    texts = table[code] | (table[code][variant] if variant else {})
    parsed = Formatter().parse(texts["message"] + texts["cure"])
    return {name for _, name, _, _ in parsed if name}


@pytest.mark.parametrize("room", [check, reading], ids=["check", "reading"])
def test_each_fault_is_given_the_values_that_its_texts_name(room: Any) -> None:
    calls = [
        (key.value, {keyword.arg for keyword in call.keywords})
        for path in Path(room.__path__[0]).glob("*.py")
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "fault"
        for key in ast.walk(call.args[0])
        if isinstance(key, ast.Constant) and isinstance(key.value, str)
        if key.value[0] not in ".-" and all(keyword.arg for keyword in call.keywords)
    ]

    assert len(calls) > 30
    assert [(key, names) for key, names in calls if not _placeholders(key) <= names] == []


def test_every_code_has_an_example() -> None:
    assert {item.code for item in ALL} | set(TESTED_ELSEWHERE) == set(RULES)
    assert max(Counter(map(_name, ALL)).values()) == 1


@pytest.mark.parametrize("example", _examples())
def test_a_fault_is_found(example: Example, tmp_path: Path) -> None:
    write(tmp_path, example.bad)
    found = findings(tmp_path / example.target, example.base_url)

    assert {item.code for item in found} == {example.code, *example.also}
    for item in found:
        assert item.severity == RULES[item.code].severity
        assert item.message.endswith((".", "?"))
        assert item.cure.endswith((".", "?")) or "Sitemap: " in item.cure


@pytest.mark.parametrize("example", _examples())
def test_files_without_the_fault_have_no_finding(example: Example, tmp_path: Path) -> None:
    write(tmp_path, example.good)

    assert findings(tmp_path / example.target, example.base_url) == []


def _text(example: Example, *, bad: bool) -> bytes:
    content = (example.bad if bad else example.good)[example.target]
    return content.encode() if isinstance(content, str) else content


@pytest.mark.parametrize("example", _examples("xml"))
def test_another_parser_finds_the_same_fault(example: Example) -> None:
    etree.fromstring(_text(example, bad=False))

    with pytest.raises(etree.XMLSyntaxError):
        etree.fromstring(_text(example, bad=True))


@pytest.mark.parametrize("example", _examples("gzip"))
def test_gzip_finds_the_same_fault(example: Example) -> None:
    gzip.decompress(_text(example, bad=False))

    with pytest.raises((OSError, EOFError, zlib.error)):
        gzip.decompress(_text(example, bad=True))


@pytest.mark.parametrize("example", _examples("language"))
def test_a_registry_of_languages_finds_the_same_fault(example: Example) -> None:
    def codes(*, bad: bool) -> list[str]:
        root = etree.fromstring(_text(example, bad=bad))
        return [
            link.get("hreflang", "") for link in root.iter("{http://www.w3.org/1999/xhtml}link")
        ]

    assert all(tags.check(code) for code in codes(bad=False) if code != "x-default")
    assert not all(tags.check(code) for code in codes(bad=True))


@pytest.mark.parametrize("example", _examples("robots"))
def test_googles_own_parser_finds_the_same_fault(example: Example) -> None:
    def may_read(*, bad: bool) -> bool:
        robots = (example.bad if bad else example.good)["robots.txt"]
        assert isinstance(robots, str)
        matcher = googlebot.RobotsMatcher()
        return bool(matcher.OneAgentAllowedByRobots(robots, "Googlebot", f"{BASE}a"))

    assert may_read(bad=False)
    assert not may_read(bad=True)

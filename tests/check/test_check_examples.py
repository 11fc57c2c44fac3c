"""Each code is found where its fault is and nowhere else, and independent judges agree."""

from __future__ import annotations

import gzip
import zlib
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from jwm.robotstxt import googlebot  # type: ignore[import-untyped]
from language_tags import tags  # type: ignore[import-untyped]
from lxml import etree

from check import examples_of_entries, examples_of_files, examples_of_sites
from check.example import BASE, Example, findings, write
from sitemap_plugin.commands.reading.faults import RULES

EXAMPLES = (
    *examples_of_files.EXAMPLES,
    *examples_of_entries.EXAMPLES,
    *examples_of_sites.EXAMPLES,
)
SCHEMAS = Path(__file__).parents[3] / "shared" / "xsd"

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
    chosen = [item for item in EXAMPLES if not oracles or item.oracle in oracles]
    return [pytest.param(item, id=_name(item)) for item in chosen]


def test_every_code_has_an_example() -> None:
    assert {item.code for item in EXAMPLES} | set(TESTED_ELSEWHERE) == set(RULES)
    assert max(Counter(map(_name, EXAMPLES)).values()) == 1


@pytest.mark.parametrize("example", _examples())
def test_a_fault_is_found(example: Example, tmp_path: Path) -> None:
    write(tmp_path, example.files(bad=True))
    found = findings(tmp_path / example.target, example.base_url)

    assert {item.code for item in found} == {example.code, *example.also}
    for item in found:
        assert item.severity == RULES[item.code].severity
        assert item.message.endswith((".", "?"))
        assert item.cure.endswith(".") or "Sitemap: " in item.cure


@pytest.mark.parametrize("example", _examples())
def test_files_without_the_fault_have_no_finding(example: Example, tmp_path: Path) -> None:
    write(tmp_path, example.files(bad=False))

    assert findings(tmp_path / example.target, example.base_url) == []


@cache
def _schema(name: str) -> etree.XMLSchema:
    path = SCHEMAS / name
    if not path.is_file():
        pytest.skip("the sitemap schemas are not beside the repository")
    return etree.XMLSchema(etree.parse(path))


def _text(example: Example, *, bad: bool) -> bytes:
    content = example.files(bad=bad)[example.target]
    return content.encode() if isinstance(content, str) else content


@pytest.mark.parametrize("example", _examples("xsd"))
def test_the_schema_finds_the_same_fault(example: Example) -> None:
    schema = _schema("all.xsd")

    assert not schema.validate(etree.fromstring(_text(example, bad=True)))
    assert schema.validate(etree.fromstring(_text(example, bad=False))), schema.error_log


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
        robots = example.files(bad=bad)["robots.txt"]
        assert isinstance(robots, str)
        matcher = googlebot.RobotsMatcher()
        return bool(matcher.OneAgentAllowedByRobots(robots, "Googlebot", f"{BASE}a"))

    assert may_read(bad=False)
    assert not may_read(bad=True)

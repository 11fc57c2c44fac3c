"""Findings in each form hold what was found, and are what their readers expect."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from check.example import BASE, entry, index, page, urlset, write
from sitemap_plugin.commands.check.findings import CheckOutcome, Findings
from sitemap_plugin.commands.check.folder import check
from sitemap_plugin.commands.check.formats import FORMATS
from sitemap_plugin.commands.reading.faults import RULES, Fault
from sitemap_plugin.write.view import read_data

MANY = 1200


@pytest.fixture
def outcome(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CheckOutcome:
    """Return findings of every severity, with characters that each form has to escape."""
    monkeypatch.chdir(tmp_path)
    entries = [entry(), entry("a"), entry("#x"), "<loc>/&lt;b&gt;,:%\n</loc>"]
    entries += [f"<loc>x{number}</loc>" for number in range(MANY)]
    pages = {"a site/index.html": page(), "a site/a/index.html": page()}
    write(tmp_path, {"a site/sitemap.xml": urlset(*entries), **pages})
    return check(Path("a site"), base_url=BASE)


def test_text_shows_place_message_code_address_and_cure(outcome: CheckOutcome) -> None:
    lines = FORMATS["text"](outcome).splitlines()
    [fragment] = [line for line in lines if "[loc-fragment]" in line]

    assert fragment.startswith("a site/sitemap.xml:5: warning: ")
    assert lines[lines.index(fragment) + 1] == f"    {BASE}#x"
    assert lines[lines.index(fragment) + 2].startswith("    Write ")


def test_text_shows_ten_of_a_kind_and_counts_the_rest(outcome: CheckOutcome) -> None:
    shown = FORMATS["text"](outcome)

    assert shown.count(" [loc-not-absolute]\n") == 10 + 1
    assert f"... and {MANY + 1 - 10:,} more [loc-not-absolute]" in shown
    assert shown.splitlines()[-1] == (
        "1,201 errors, 1 warning, 2 notices in 1,203 addresses, 1 sitemap, 2 pages"
    )


def test_json_holds_everything(outcome: CheckOutcome) -> None:
    content = json.loads(FORMATS["json"](outcome))

    assert content["version"] == 1
    assert (content["target"], content["base_url"]) == ("a site", BASE)
    assert content["checked"] == {"files": 1, "urls": MANY + 3, "pages": 2}
    assert content["severities"] == {"error": MANY + 1, "warning": 1, "notice": 2}
    assert content["codes"]["loc-not-absolute"] == MANY + 1
    assert len(content["findings"]) == 1000 + 3
    [fragment] = [item for item in content["findings"] if item["code"] == "loc-fragment"]
    assert fragment == {
        "code": "loc-fragment",
        "severity": "warning",
        "file": "a site/sitemap.xml",
        "line": 5,
        "url": f"{BASE}#x",
        "message": "The address has a fragment, which search engines drop.",
        "cure": f"Write '{BASE}'.",
    }


def _run(outcome: CheckOutcome) -> dict[str, Any]:
    log = json.loads(FORMATS["sarif"](outcome))
    assert log["version"] == "2.1.0"
    [run] = log["runs"]
    assert isinstance(run, dict)
    return run


def test_sarif_points_at_rules_files_and_lines(outcome: CheckOutcome) -> None:
    run = _run(outcome)

    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == list(RULES)
    assert len(run["results"]) == 1000 + 3
    for result in run["results"]:
        rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
        place = result["locations"][0]["physicalLocation"]
        assert rule["id"] == result["ruleId"]
        assert result["level"] == rule["defaultConfiguration"]["level"]
        assert place["artifactLocation"]["uri"].startswith("a%20site/")
        assert place.get("region", {"startLine": 1})["startLine"] > 0


def test_sarif_gives_a_finding_the_same_fingerprint_when_lines_move(tmp_path: Path) -> None:
    prints = []
    for first in ("", "\n\n"):
        write(tmp_path, {"sitemap.xml": urlset(first + entry("#a"))})
        [result] = _run(check(tmp_path / "sitemap.xml", base_url=BASE))["results"]
        prints.append(result["partialFingerprints"])

    assert prints[0] == prints[1]


def test_annotations_are_one_line_each(outcome: CheckOutcome) -> None:
    lines = FORMATS["github"](outcome).splitlines()
    form = re.compile(r"::(error|warning|notice) file=[^,:]+,title=[^,:]+(,line=\d+)?::.+")

    assert all(form.fullmatch(line) for line in lines[:-1])
    assert len(lines) == 1000 + 3 + 1
    [fragment] = [line for line in lines if "loc-fragment" in line]
    assert fragment.startswith("::warning file=a site/sitemap.xml,title=sitemap%3A loc-fragment,")
    assert f"%0A{BASE}#x" in fragment
    assert any("%25" in line for line in lines if "loc-not-absolute" in line)


@pytest.mark.parametrize(
    ("text", "in_property", "in_message"),
    [
        ("100%", "100%25", "100%25"),
        ("a,b", "a%2Cb", "a,b"),
        ("a:b::c", "a%3Ab%3A%3Ac", "a:b::c"),
        ("a\r\nb", "a%0D%0Ab", "a%0D%0Ab"),
        ("%0A", "%250A", "%250A"),
    ],
)
def test_annotations_escape_what_would_end_them(
    text: str, in_property: str, in_message: str
) -> None:
    """As the runner's own toolkit does: commas and colons in properties only."""
    findings = Findings()
    findings.add(Fault("empty", text, "Mend it."), text, 7, None)
    [line, _] = FORMATS["github"](CheckOutcome("x", None, 1, 1, 0, findings)).splitlines()

    assert line == (
        f"::error file={in_property},title=sitemap%3A empty,line=7::{in_message}%0AMend it."
    )


def test_the_page_says_how_many_findings_of_a_code_it_does_not_hold(outcome: CheckOutcome) -> None:
    shown = FORMATS["html"](outcome)

    assert "201 more findings, not shown here" in shown
    assert len(read_data(shown)["findings"]) == 1000 + 3


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_found_is_said_too(form: str, tmp_path: Path) -> None:
    write(tmp_path, {"sitemap.xml": index(f"{BASE}1.xml"), "1.xml": urlset(entry())})
    rendered = FORMATS[form](check(tmp_path / "sitemap.xml", base_url=BASE))

    assert rendered.endswith("\n")
    if form in {"text", "github", "html"}:
        assert "nothing found in 1 address, 2 sitemaps" in rendered


@pytest.mark.parametrize("form", FORMATS)
def test_names_that_are_no_text_can_be_written(form: str, tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"s\xffte")
    write(folder, {"sitemap.xml": urlset(entry("#a"))})
    rendered = FORMATS[form](check(folder, base_url=BASE))

    assert rendered.encode("utf-8")
    assert "udcff" in rendered

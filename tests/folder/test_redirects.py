"""What a file ``_redirects`` redirects is no page."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemap_plugin.report import Report
from sitemap_plugin_folder.build_command import build_folder

PAGE = "<!doctype html><html lang=en><head><title>T</title></head><body>Text</body></html>"
NAMES = ("index.html", "old/index.html", "old/sub.html", "new.html")


def build(folder: Path, rules: str) -> Report:
    for name in NAMES:
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(PAGE)
    (folder / "_redirects").write_text(rules, encoding="utf-8")
    return build_folder(folder, "https://example.org/", {})


@pytest.mark.parametrize(
    ("rule", "left_out"),
    [
        ("/old/ /new/ 301!", {"old/index.html"}),
        ("/old https://other.example/ 302!", {"old/index.html"}),
        ("/old/index.html /new 308!  # moved", {"old/index.html"}),
        ("\ufeff/old/* /new/:splat 301!", {"old/index.html", "old/sub.html"}),
        ("/* https://other.example/:splat 301!", set(NAMES)),
        ("/new https://other.example/new 301!", {"new.html"}),
        ("/new/ /new 301!", set()),
        ("/old/* /index.html 200!", set()),
        ("/old/ /new/ 302! Country=de", set()),
        ("/old/ id=:id /new/ 301!", set()),
        ("# /old/ /new/ 301!", set()),
        ("/old/ /fine/ 200\n/old/ /new/ 301!", {"old/index.html"}),
        ("/old/", set()),
        ("/" + "*l" * 20 + "x /new/ 301!", set()),
    ],
)
def test_a_rule_with_an_exclamation_mark_leaves_its_pages_out(
    tmp_path: Path, rule: str, left_out: set[str]
) -> None:
    report = build(tmp_path, rule)

    assert {page.source_path for page in report.left_out} == left_out
    assert {reason.split(" (")[0] for reason in report.left_out.values()} <= {"redirect"}
    assert not [problem for problem in report.problems if problem.where == "_redirects"]


def test_a_rule_without_it_is_a_notice(tmp_path: Path) -> None:
    report = build(tmp_path, "\n/old/* /new/:splat\n/old/ /new/ 301!\n")

    assert report.entries == 4
    (problem,) = [problem for problem in report.problems if problem.where == "_redirects"]
    assert problem.severity == "notice"
    assert problem.message.startswith("line 2 redirects old/index.html, where there is a page too")
    assert problem.message.endswith(" (1 more page like it)")


def test_other_sitemaps_are_a_notice_that_names_them(tmp_path: Path) -> None:
    for name in ("sitemap-index.xml", "sitemap-0.xml"):
        (tmp_path / name).write_text("<sitemapindex/>")
    report = build(tmp_path, "")

    (problem,) = [problem for problem in report.problems if "sitemap-0" in problem.message]
    assert problem.severity == "notice"
    assert problem.message.startswith("sitemap-0.xml, sitemap-index.xml: written by something else")

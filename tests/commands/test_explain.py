"""``sitemap-plugin explain`` tells why a page is in the sitemap or not."""

from __future__ import annotations

import argparse
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from markdown_text import ROOT, code, fences, sections
from mkdocs_sites import run_build
from sitemap_plugin.commands.explain import CURES, add_arguments, run
from sitemap_plugin.hookspecs import hookimpl
from sitemap_plugin.models import Page, Site
from sites import BASE, build_pages, page

PAGES = (
    page("", {"modified": "2024-01-31"}, title="Home", language="en", translation_key="home"),
    page("de/", language="de", translation_key="home"),
    page("guide/setup/", {"sitemap": {"changefreq": "weekly", "priority": 0.5}}),
    page("guide/first%20steps/", {"date": "2023-05-06"}, source_path="guide/first steps.md"),
    page("hidden/", {"sitemap": False}, title="For subscribers"),
    page("internal/list/"),
    page("blog/", kind="listing", members=(f"{BASE}guide/first%20steps/", f"{BASE}")),
    page("shop/cart/", source_path=None),
    page("news/cart/"),
)


@pytest.fixture(params=["report.json", "report.html"])
def report(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    options = {"report": request.param, "exclude": ["internal/"]}
    build_pages(tmp_path / "out", PAGES, options, config_dir=tmp_path)
    return tmp_path / str(request.param)


def explain(report: Path, wanted: str) -> int:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return run(parser.parse_args([str(report), wanted]))


@pytest.mark.parametrize(
    ("wanted", "lines"),
    [
        (BASE, [BASE, 'index.md, "Home"', "in sitemap.xml", '2024-01-31, by its front matter "mod',
                "translations:\n  de  https://example.org/de/\n  en  https://example.org/  (this"]),
        (f"{BASE}guide/setup/", ["guide/setup.md", "is in the sitemap", "It has no date",
                                 "changefreq is weekly", "priority is 0.5", "no translations"]),
        (f"{BASE}guide/first%20steps/", ['2023-05-06, by its front matter "date"']),
        (f"{BASE}blog/", ["2024-01-31, by the newest of the 2 pages that it lists"]),
        (f"{BASE}hidden/", ['hidden.md, "For subscribers"', "is not in the sitemap",
                            '"sitemap: false", decided by front matter.',
                            "take that out of its front matter"]),
        (f"{BASE}internal/list/", ['"excluded by pattern (internal/)", decided by options.',
                                   "change the option 'exclude'"]),
    ],
)  # fmt: skip
def test_a_page_is_explained_in_words(
    report: Path, capsys: pytest.CaptureFixture[str], wanted: str, lines: list[str]
) -> None:
    status = explain(report, wanted)
    out, err = capsys.readouterr()

    assert (status, err) == (0, "")
    for line in lines:
        assert line in out


@pytest.mark.parametrize(
    ("wanted", "url"),
    [
        ("/", ""),
        ("index.md", ""),
        ("/index.html", ""),
        ("/guide/setup/", "guide/setup/"),
        ("guide/setup", "guide/setup/"),
        ("guide/setup/index.html", "guide/setup/"),
        ("guide/setup.md", "guide/setup/"),
        ("docs/guide/setup.md", "guide/setup/"),
        ("./guide/setup.md", "guide/setup/"),
        ("guide\\setup.md", "guide/setup/"),
        ("setup.md", "guide/setup/"),
        ("Guide/Setup", "guide/setup/"),
        ("http://127.0.0.1:8000/guide/setup/", "guide/setup/"),
        (f"{BASE}guide/setup/#install", "guide/setup/"),
        (" guide/setup/ ", "guide/setup/"),
        ("/guide/first steps/", "guide/first%20steps/"),
        ("guide/first steps.md", "guide/first%20steps/"),
        ("shop/cart", "shop/cart/"),
    ],
)
def test_a_page_is_found_under_what_people_call_it(
    report: Path,
    capsys: pytest.CaptureFixture[str],
    wanted: str,
    url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(report.parent)
    Path("docs/guide").mkdir(parents=True)
    Path("docs/guide/setup.md").touch()

    assert explain(report, wanted) == 0
    assert capsys.readouterr().out.splitlines()[0] == BASE + url


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (f"{BASE}guide/setpu/", f"did you mean '{BASE}guide/setup/'?"),
        ("/guide/setpu/", "did you mean '/guide/setup/'?"),
        ("guide/setpu.md", "did you mean 'guide/setup.md'?"),
        ("qqqqqq", "qqqqqq: the report has no such page\n"),
        ("nowhere/index.md", "nowhere/index.md: the report has no such page"),
        ("docs/guide/setup.md", "docs/guide/setup.md: the report has no such page"),
        ("raw.html", "copies as it is is listed by the option 'static_html'"),
        ("cart", f"2 pages may be meant: {BASE}news/cart/, {BASE}shop/cart/\n"),
    ],
)
def test_an_unknown_page_gets_the_nearest_ones_and_status_2(
    report: Path, capsys: pytest.CaptureFixture[str], wanted: str, message: str
) -> None:
    status = explain(report, wanted)
    out, err = capsys.readouterr()

    assert (status, out) == (2, "")
    assert message in err


def damaged_reports() -> Iterator[dict[str, Any]]:
    """Yield reports of which one value is of a wrong kind."""
    page = {
        "url": "https://example.org/", "source": "a.md", "title": "A", "listed": True,
        "reason": None, "decided_by": None, "loc": "https://example.org/", "file": "sitemap.xml",
        "lastmod": None, "lastmod_source": None, "alternates": {},
        "news": {"publication_date": None, "file": None}, "videos": 0,
    }  # fmt: skip
    problem = {"severity": "notice", "message": "M", "where": None}
    for key in page.keys() - {"title"}:  # Of which a plugin may make anything.
        yield {"version": 1, "pages": [{**page, key: [7]}], "problems": [problem]}
    for key in problem:
        yield {"version": 1, "pages": [page], "problems": [{**problem, key: [7]}]}
    for key in ("publication_date", "file"):
        news = {"publication_date": None, "file": None, key: [7]}
        yield {"version": 1, "pages": [{**page, "news": news}], "problems": [problem]}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot be read: No such file"),
        (b"", "this is neither JSON nor"),
        (b"<html></html>", "this is neither JSON nor"),
        (b"\xff\xfe", "this is neither JSON nor"),
        (b"[" * 100_000, "this is neither JSON nor"),
        (b"{}", "this is no report"),
        (b"[1]", "this is no report"),
        (b'{"version": 2, "pages": [], "problems": []}', "another version"),
        (b'{"version": 1, "pages": [{}], "problems": []}', "another version"),
        (b'{"version": 1, "pages": [7], "problems": []}', "another version"),
        (b'{"version": 1, "pages": 7, "problems": []}', "another version"),
        (b'{"version": 1, "pages": [], "problems": {}}', "another version"),
        (b'{"version": 1, "pages": [], "problems": [{}]}', "another version"),
        *((json.dumps(damaged).encode(), "another version") for damaged in damaged_reports()),
    ],
)
def test_what_is_no_report_is_said_with_status_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None, message: str
) -> None:
    path = tmp_path / "report.json"
    if content is not None:
        path.write_bytes(content)

    assert explain(path, "/") == 2
    assert f"report.json: {message}" in capsys.readouterr().err


def test_all_pages_of_one_source_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = [page("a/", source_path="a.md"), page("de/a/", source_path="a.md")]
    build_pages(tmp_path / "out", pages, {"report": "r.json"}, config_dir=tmp_path)

    assert explain(tmp_path / "r.json", "a.md") == 0
    out = capsys.readouterr().out
    assert f"{BASE}a/\n" in out
    assert f"\n\n{BASE}de/a/\n" in out


def test_what_the_build_said_about_a_page_is_repeated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = [page("a/", {"priority": 7}), page("b/", {"priority": 8})]
    build_pages(tmp_path / "out", pages, {"report": "r.json"}, config_dir=tmp_path)

    assert explain(tmp_path / "r.json", "a.md") == 0
    out = capsys.readouterr().out
    assert "warning: front matter 'priority' is 7" in out
    assert "is 8" not in out


def test_an_address_that_a_plugin_changed_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    class Changer:
        @hookimpl
        def sitemap_transform(self, site: Site) -> Any:  # noqa: ARG002 - the hook's argument
            return lambda _, entry: entry.replace(loc=f"{entry.loc}?v=2", lastmod=entry.lastmod)

    options = {"report": "r.json"}
    build_pages(tmp_path / "out", [page("a/")], options, [Changer()], config_dir=tmp_path)

    assert explain(tmp_path / "r.json", f"{BASE}a/?v=2") == 0
    assert f"listed as {BASE}a/?v=2, since a plugin" in capsys.readouterr().out


def test_a_title_cannot_control_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    title = "A\x1b[31m\r\x9b\u202eü\n"
    build_pages(
        tmp_path / "out", [page("a/", title=title)], {"report": "r.json"}, config_dir=tmp_path
    )

    assert explain(tmp_path / "r.json", "/a/") == 0
    assert r'"A\x1b[31m\r\x9b\u202eü' in capsys.readouterr().out


def test_every_documented_reason_has_a_cure() -> None:
    text = (ROOT / "docs" / "which-pages.md").read_text(encoding="utf-8")
    listed = sections(text, 2)["Reasons to leave a page out"]
    names = re.findall(r"^- ((?:`[^`]+`(?:, )?)+):", listed, re.MULTILINE)

    assert sorted(CURES) == sorted(reason for some in names for reason in code(some))


def test_pages_without_source_or_title_are_explained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = [Page(f"{BASE}x/"), Page(f"{BASE}y/", status="draft")]
    build_pages(tmp_path / "out", pages, {"report": "r.json"}, config_dir=tmp_path)

    assert explain(tmp_path / "r.json", "x") == explain(tmp_path / "r.json", "y") == 0
    assert "None" not in capsys.readouterr().out
    assert json.loads((tmp_path / "r.json").read_text())["left_out"] == {"draft": 1}


def test_the_example_in_the_documentation_is_what_the_sample_site_gets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (ROOT / "docs" / "report.md").read_text(encoding="utf-8")
    (example,) = fences(text, "console")
    command, _, expected = example.text.partition("\n")
    program, name, file, wanted = command.removeprefix("$ ").split()
    root = Path(shutil.copytree(ROOT / "sample_sites" / "mkdocs", tmp_path / "site"))
    config = (root / "mkdocs.yml").read_text(encoding="utf-8")
    (root / "mkdocs.yml").write_text(
        config.replace("  - sitemap:\n", f"  - sitemap:\n      report: {file}\n"), encoding="utf-8"
    )
    assert run_build(root).status == 0

    assert (program, name) == ("sitemap-plugin", "explain")
    assert explain(root / file, wanted) == 0
    assert capsys.readouterr().out == expected


@pytest.mark.parametrize("url", ["https://[x/", "nonsense", "https://example.org:99999/"])
def test_pages_without_a_valid_url_are_explained_and_hide_no_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], url: str
) -> None:
    pages = [page("a/"), Page(url, source_path="b.md")]
    build_pages(tmp_path / "out", pages, {"report": "r.json"}, config_dir=tmp_path)

    assert [explain(tmp_path / "r.json", name) for name in ("/a/", "b.md", url)] == [0, 0, 0]
    assert capsys.readouterr().out.count('The reason: "invalid URL"') == 2

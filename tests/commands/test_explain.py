"""``sitemap-plugin explain`` tells why a page is in the sitemap or not."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commands.written import Capsys
from files import read_table
from markdown_text import ROOT, code, fences, sections
from mkdocs_sites import run_build
from sitemap_plugin.commands.cli import main
from sitemap_plugin.commands.explain import CURES
from sitemap_plugin.hookspecs import hookimpl
from sitemap_plugin.models import Page, Site
from sites import BASE, build_pages, page

TABLES = read_table(__file__, "explain.yaml")
PAGES = (
    page("", {"modified": "2024-01-31"}, title="Home", language="en", translation_key="home"),
    page("de/", language="de", translation_key="home"),
    page("guide/setup/", {"sitemap": {"changefreq": "weekly", "priority": 0.5}}),
    page("guide/first%20steps/", {"date": "2023-05-06"}, source_path="guide/first steps.md"),
    page("hidden/", {"sitemap": False}, title="For subscribers"),
    page("internal/list/"),
    page("moved/"),
    page("blog/", kind="listing", members=(f"{BASE}guide/first%20steps/", f"{BASE}")),
    page("shop/cart/", source_path=None),
    page("news/cart/", {"priority": 7}, source_path="news/cart.html"),
    page("changed/", {"sitemap": False}, source_path="changed.html"),
    page("en/a/", source_path="a.md", title="A\x1b[31m\r\x9b\u202eü\n"),
    page("fr/a/", source_path="a.md"),
    Page(f"{BASE}bare/", status="draft"),
    Page("https://[x/", source_path="b.md"),
    Page("nonsense", source_path="c.md"),
)


class Changer:
    """A plugin that changes an address."""

    @hookimpl
    def sitemap_transform(self, site: Site) -> Any:  # noqa: ARG002 - the hook's argument
        return lambda page, entry: (
            entry.replace(loc=f"{entry.loc}?v=2") if page.url.endswith("moved/") else entry
        )


@pytest.fixture(scope="module", params=["report.json", "report.html"])
def report(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("explained")
    options = {"report": request.param, "exclude": ["internal/"]}
    build_pages(folder / "out", PAGES, options, [Changer()], config_dir=folder)
    (folder / "docs/guide").mkdir(parents=True)
    (folder / "docs/guide/setup.md").touch()
    return folder / str(request.param)


@pytest.mark.parametrize(("wanted", "lines"), TABLES["found"])
def test_a_page_is_found_by_what_people_call_it_and_explained_in_words(
    report: Path, capsys: Capsys, monkeypatch: pytest.MonkeyPatch, wanted: str, lines: list[str]
) -> None:
    monkeypatch.chdir(report.parent)
    status = main(["explain", report.name, wanted])
    out, err = capsys.readouterr()

    assert (status, err) == (0, "")
    assert "None" not in out
    for line in lines:
        assert line in out


@pytest.mark.parametrize(("wanted", "message"), TABLES["unknown"])
def test_an_unknown_page_gets_the_nearest_one_and_status_2(
    report: Path, capsys: Capsys, wanted: str, message: str
) -> None:
    status = main(["explain", str(report), wanted])
    out, err = capsys.readouterr()

    assert (status, out) == (2, "")
    assert message in err


def damaged_reports() -> Iterator[str]:
    """Yield reports of which one value is of a wrong kind."""
    news = {"publication_date": None, "file": None}
    listed: dict[str, Any] = {
        "url": BASE, "source": "a.md", "listed": True, "reason": None,
        "decided_by": None, "loc": BASE, "file": "sitemap.xml", "lastmod": None,
        "lastmod_source": None, "alternates": {}, "news": news, "videos": 0,
    }  # fmt: skip
    said = {"severity": "notice", "message": "M", "where": None}
    pages: list[Any] = [{**listed, key: [7]} for key in listed]
    pages += [{**listed, "news": {**news, key: [7]}} for key in news]
    pages += [{**listed, "alternates": {"de": 7}}, {}, 7]
    damaged: list[tuple[Any, Any]] = [([page], [said]) for page in pages]
    damaged += [([listed], [{**said, key: [7]}]) for key in said]
    damaged += [([listed], [{}]), (7, []), ([], {})]
    yield '{"version": 2, "pages": [], "problems": []}'
    for some, problems in damaged:
        yield json.dumps({"version": 1, "pages": some, "problems": problems})


@pytest.mark.parametrize(
    ("contents", "message"),
    [
        ([None], "cannot be read: No such file"),
        (["", "<html></html>", "\ud800", "[" * 100_000], "this is neither JSON nor"),
        (["{}", "[1]"], "this is no report"),
        (damaged_reports(), "another version"),
    ],
)
def test_what_is_no_report_is_said_with_status_2(
    tmp_path: Path, capsys: Capsys, contents: Iterator[Any], message: str
) -> None:
    path = tmp_path / "report.json"
    for content in contents:
        if content is not None:
            path.write_text(content, "utf-8", "surrogatepass")

        assert main(["explain", str(path), "/"]) == 2, content
        assert f"report.json: {message}" in capsys.readouterr().err


def test_every_documented_reason_has_a_cure() -> None:
    text = (ROOT / "docs" / "which-pages.md").read_text(encoding="utf-8")
    listed = sections(text, 2)["Reasons to leave a page out"]
    names = re.findall(r"^- ((?:`[^`]+`(?:, )?)+):", listed, re.MULTILINE)

    assert sorted(CURES) == sorted(reason for some in names for reason in code(some))


def test_the_example_in_the_documentation_is_what_the_sample_site_gets(
    tmp_path: Path, capsys: Capsys
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

    assert program == "sitemap-plugin"
    assert main([name, str(root / file), wanted]) == 0
    assert capsys.readouterr().out == expected

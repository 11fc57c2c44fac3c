"""``sitemap-plugin explain`` tells why a page is in the sitemap or not."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from markdown_text import ROOT, code, fences, sections
from mkdocs_sites import run_build
from sitemap_plugin.commands.cli import main
from sitemap_plugin.commands.explain import CURES
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


SETUP = (
    "/guide/setup/", "guide/setup/index.html", "docs/guide/setup.md", "./guide/setup.md",
    "guide\\setup.md", "setup.md", "Guide/Setup", "http://127.0.0.1:8000/guide/setup/",
    f" {BASE}guide/setup/#install ",
)  # fmt: skip


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


@pytest.mark.parametrize(
    ("wanted", "lines"),
    [
        (BASE, [BASE, 'index.md, "Home"', "in sitemap.xml", '2024-01-31, by its front matter "mod',
                "translations:\n  de  https://example.org/de/\n  en  https://example.org/  (this"]),
        (f"{BASE}guide/setup/", ["guide/setup.md", "is in the sitemap", "It has no date",
                                 "changefreq is weekly", "priority is 0.5", "no translations"]),
        (f"{BASE}guide/first%20steps/", ['2023-05-06, by its front matter "date"']),
        (f"{BASE}hidden/", ['hidden.md, "For subscribers"', "is not in the sitemap",
                            '"sitemap: false", decided by front matter.',
                            "take that out of its front matter"]),
        ("changed", ["decided by the page's head", "take that out of its head"]),
        (f"{BASE}internal/list/", ['"excluded by pattern (internal/)", decided by options.',
                                   "change the option 'exclude'"]),
        (f"{BASE}blog/", ["2024-01-31, by the newest of the 2 pages that it lists"]),
        ("news/cart", ["warning: front matter 'priority' is 7"]),
        (f"{BASE}moved/?v=2", [f"listed as {BASE}moved/?v=2, since a plugin"]),
        ("a.md", [f"{BASE}en/a/\n", r'"A\x1b[31m\r\x9b\u202eü', f"\n\n{BASE}fr/a/\n"]),
        ("cart", [f"{BASE}news/cart/\n", f"\n\n{BASE}shop/cart/\n"]),
        ("bare", [f"{BASE}bare/\nIt is not", "draft"]),
        ("https://[x/", ['The reason: "invalid URL"']),
        ("c.md", ['The reason: "invalid URL"']),
        *((name, [f"{BASE}\nindex.md"]) for name in ("/", "index.md", "/index.html")),
        *((name, [f"{BASE}guide/setup/\nguide/setup.md\n"]) for name in SETUP),
        ("/guide/first steps/", [f"{BASE}guide/first%20steps/\n"]),
        ("guide/first steps.md", [f"{BASE}guide/first%20steps/\n"]),
        ("shop/cart", [f"{BASE}shop/cart/\n"]),
    ],
)  # fmt: skip
def test_a_page_is_found_by_what_people_call_it_and_explained_in_words(
    report: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    wanted: str,
    lines: list[str],
) -> None:
    monkeypatch.chdir(report.parent)
    status = main(["explain", report.name, wanted])
    out, err = capsys.readouterr()

    assert (status, err) == (0, "")
    assert "None" not in out
    for line in lines:
        assert line in out


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (f"{BASE}guide/setpu/", f"did you mean '{BASE}guide/setup/'?"),
        ("/guide/setpu/", "did you mean '/guide/setup/'?"),
        ("guide/setpu.md", "did you mean 'guide/setup.md'?"),
        ("qqqqqq", "qqqqqq: the report has no such page\n"),
        ("nowhere/index.md", "nowhere/index.md: the report has no such page"),
        ("docs/guide/setup.md", "docs/guide/setup.md: the report has no such page"),
        ("qqqqqqqqqqqq.htm", "copies as it is is listed by the option 'static_html'"),
    ],
)
def test_an_unknown_page_gets_the_nearest_one_and_status_2(
    report: Path, capsys: pytest.CaptureFixture[str], wanted: str, message: str
) -> None:
    status = main(["explain", str(report), wanted])
    out, err = capsys.readouterr()

    assert (status, out) == (2, "")
    assert message in err


def damaged_reports() -> Iterator[str]:
    """Yield reports of which one value is of a wrong kind."""
    news = {"publication_date": None, "file": None}
    listed: dict[str, Any] = {
        "url": "https://example.org/", "source": "a.md", "listed": True, "reason": None,
        "decided_by": None, "loc": "https://example.org/", "file": "sitemap.xml", "lastmod": None,
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
    tmp_path: Path, capsys: pytest.CaptureFixture[str], contents: Iterator[Any], message: str
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

    assert program == "sitemap-plugin"
    assert main([name, str(root / file), wanted]) == 0
    assert capsys.readouterr().out == expected

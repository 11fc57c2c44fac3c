"""Which pages are listed, and the one reason of each that is not."""

from pathlib import Path
from typing import Any

import pytest

from files import read_table
from sitemap_plugin.build import build
from sitemap_plugin.config import Config
from sitemap_plugin.html.head import Head, read_head
from sitemap_plugin.models import Page, Site
from sites import BASE, build_pages, giving, page

TABLE = read_table(__file__, "reasons.yaml")
HTML = "<!doctype html><html><head>{}</head><body>Text</body></html>"


def reasons(folder: Path, *pages: Page, **options: Any) -> dict[str, str]:
    report = build_pages(folder, [page("home/"), *pages], options)
    return {left.url.removeprefix(BASE): reason for left, reason in report.left_out.items()}


@pytest.mark.parametrize(("metadata", "fields", "options", "reason"), TABLE["pages"])
def test_front_matter_options_and_defaults_decide(
    tmp_path: Path,
    metadata: dict[Any, Any],
    fields: dict[str, Any],
    options: dict[str, Any],
    reason: str | None,
) -> None:
    found = reasons(tmp_path, page("x/", metadata, **fields), **options)

    assert found == ({"x/": reason} if reason else {})


@pytest.mark.parametrize(("fields", "options"), TABLE["wishes"])
def test_sitemap_true_overrides_defaults_rules_and_patterns(
    tmp_path: Path, fields: dict[str, Any], options: dict[str, Any]
) -> None:
    assert list(reasons(tmp_path, page("x/", **fields), **options)) == ["x/"]
    for wish in (True, "true", {"exclude": False}):
        report = build_pages(tmp_path, [page("x/", {"sitemap": wish}, **fields)], options)

        assert (report.left_out, report.warnings) == ({}, 0)


@pytest.mark.parametrize(("head", "reason"), TABLE["heads"])
def test_a_rendered_page_speaks_for_itself(tmp_path: Path, head: str, reason: str | None) -> None:
    output = tmp_path / "x.html"
    output.write_text(HTML.format(head))

    wished = page("x/", {"sitemap": True}, output=output)

    assert reasons(tmp_path, wished) == ({"x/": reason} if reason else {})
    assert reasons(tmp_path, wished, inspect_html=False) == {}


@pytest.mark.parametrize(("written", "reason"), TABLE["files"])
def test_the_hosts_error_page_is_known_by_its_file(
    tmp_path: Path, written: str, reason: str | None
) -> None:
    output = tmp_path / written
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(HTML)
    error_page = page("some/url/", output=output, title="404")
    found = reasons(tmp_path, error_page, languages={"za": "en-ZA"})

    assert found == ({"some/url/": reason} if reason else {})
    by_url = {written: reason} if reason else {}
    assert reasons(tmp_path, page(written), languages={"za": "en-ZA"}) == by_url


@pytest.mark.parametrize("url", ["", "rel/x", "mailto:a@example.org", "https://exa mple.org/"])
def test_a_page_without_an_absolute_url_is_left_out_with_a_warning(
    tmp_path: Path, url: str
) -> None:
    declaring = page("a/", {"translations": {"en": "a.md"}})
    report = build_pages(tmp_path, [declaring, Page(url, source_path="x.md")])

    assert list(report.reasons()) == ["invalid URL"]
    assert report.warnings == 1


@pytest.mark.parametrize(("fields", "reason"), TABLE["homes"])
def test_a_home_page_that_is_left_out_is_worth_a_notice(
    tmp_path: Path, fields: dict[str, Any], reason: str
) -> None:
    home = page(**{"path": "", **fields})
    again = home._replace(source_path="README.md", metadata={}, status="published")
    report = build_pages(tmp_path, [home, again, page("a/")])

    assert [(p.severity, p.message) for p in report.problems] == [
        ("notice", f"the home page is left out: {reason}")
    ]


def test_a_written_page_is_read_once_and_only_if_pages_are_read(tmp_path: Path) -> None:
    (tmp_path / "x.html").write_text(HTML.format('<link rel=canonical href="/x/">'))
    read: list[Path] = []

    def head_of(path: Path) -> Head:
        read.append(path)
        return read_head(path)

    metadata = {"canonical": f"{BASE}x/", "robots": "index"}
    pages = [page("x/", metadata, output=tmp_path / "x.html")]
    build(Site(BASE, tmp_path), [giving(pages)], head_of=head_of)
    config = Config(inspect_html=False)
    build(Site(BASE, tmp_path, config=config), [giving(pages)], head_of=head_of)

    assert read == [tmp_path / "x.html"]

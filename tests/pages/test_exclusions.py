"""Which pages are listed, and the one reason of each that is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sitemap_plugin.build import build
from sitemap_plugin.html import Head, read_head
from sitemap_plugin.models import Page, Site
from sitemaps import read_locs
from sites import BASE, Pages, build_pages, page

HTML = "<!doctype html><html><head>{}</head><body>Text</body></html>"


def reasons(folder: Path, *pages: Page, **options: Any) -> dict[str, str]:
    report = build_pages(folder, [page("home/"), *pages], options)
    return {left.url.removeprefix(BASE): reason for left, reason in report.left_out.items()}


def test_every_page_that_nothing_speaks_against_is_listed(tmp_path: Path) -> None:
    report = build_pages(tmp_path, [page(""), page("a/", in_nav=False), page("b.html")])

    assert read_locs(tmp_path / "sitemap.xml") == [BASE, f"{BASE}a/", f"{BASE}b.html"]
    assert report.left_out == {}


@pytest.mark.parametrize(
    ("metadata", "reason"),
    [
        ({"draft": True}, "draft"),
        ({"draft": "true"}, "draft"),
        ({"robots": "noindex"}, "noindex"),
        ({"robots": "NOINDEX, follow"}, "noindex"),
        ({"robots": "none"}, "noindex"),
        ({"robots": ["follow", "noindex"]}, "noindex"),
        ({"noindex": True}, "noindex"),
        ({"noindex": "yes"}, "noindex"),
        ({"canonical": "https://example.org/other/"},
         "canonical elsewhere (https://example.org/other/)"),
        ({"canonical_url": "../other/"}, "canonical elsewhere (https://example.org/other/)"),
        ({"canonical": "https://other.example/x/"}, "canonical elsewhere (https://other.example/x/)"),
        ({"sitemap": False}, "sitemap: false"),
        ({"sitemap": "False"}, "sitemap: false"),
        ({"sitemap": {"exclude": True}}, "sitemap: false"),
        ({"sitemap": {"disable": True}}, "sitemap: false"),
        ({"sitemap": {"ignore": "true"}}, "sitemap: false"),
        ({"private": True}, "private"),
        ({"private": "True"}, "private"),
    ],
)  # fmt: skip
def test_front_matter_leaves_a_page_out(
    tmp_path: Path, metadata: dict[str, Any], reason: str
) -> None:
    assert reasons(tmp_path, page("x/", metadata)) == {"x/": reason}


@pytest.mark.parametrize(
    "metadata",
    [
        {"draft": False}, {"draft": "no"}, {"robots": "index, follow"}, {"robots": "noindexing"},
        {"robots": None}, {"noindex": False}, {"canonical": "https://example.org/x/"},
        {"canonical": "HTTPS://EXAMPLE.ORG/x/#top"}, {"canonical": ""}, {"sitemap": True},
        {"sitemap": {"priority": 0.5}}, {"private": False}, {"hide": ["navigation"]},
        {"status": "new"}, {1: "a key that is no text", None: "another"},
    ],
)  # fmt: skip
def test_front_matter_that_says_nothing_against_a_page_leaves_it_in(
    tmp_path: Path, metadata: dict[Any, Any]
) -> None:
    assert reasons(tmp_path, page("x/", metadata)) == {}


@pytest.mark.parametrize(
    ("fields", "options", "reason"),
    [
        ({"status": "draft"}, {}, "draft"),
        ({"status": "hidden"}, {}, "hidden"),
        ({"status": "hidden"}, {"hidden": True}, None),
        ({"kind": "pagination"}, {}, "later page of a listing"),
        ({"kind": "pagination"}, {"pagination": True}, None),
        ({"kind": "listing"}, {}, None),
        ({"kind": "listing"}, {"listings": False}, "listing"),
        ({"fallback": True}, {}, "untranslated copy"),
        ({"fallback": True}, {"fallback_pages": True}, None),
        ({"in_nav": False}, {}, None),
        ({"in_nav": False}, {"nav_only": True}, "not in the navigation"),
        ({}, {"exclude": ["x/"]}, "excluded by pattern (x/)"),
        ({}, {"exclude": ["x.md"]}, "excluded by pattern (x.md)"),
        ({}, {"exclude": ["re:^x"]}, "excluded by pattern (re:^x)"),
        ({}, {"exclude": ["*", "!x.md", "!home.md"]}, None),
        ({}, {"rules": [{"match": "x.md", "exclude": True}]}, "excluded by rule (rules[0])"),
        ({}, {"rules": [{"match": "x.md", "exclude": True}, {"match": "x*", "exclude": False}]},
         None),
    ],
)  # fmt: skip
def test_defaults_and_options_decide(
    tmp_path: Path, fields: dict[str, Any], options: dict[str, Any], reason: str | None
) -> None:
    assert reasons(tmp_path, page("x/", **fields), **options) == ({"x/": reason} if reason else {})


@pytest.mark.parametrize("wish", [True, "true", {"exclude": False}])
@pytest.mark.parametrize(
    ("fields", "options"),
    [
        ({"status": "hidden"}, {}), ({"kind": "pagination"}, {}),
        ({"kind": "listing"}, {"listings": False}), ({"in_nav": False}, {"nav_only": True}),
        ({}, {"exclude": ["x.md"]}), ({}, {"rules": [{"match": "x.md", "exclude": True}]}),
    ],
)  # fmt: skip
def test_sitemap_true_overrides_defaults_rules_and_patterns(
    tmp_path: Path, wish: Any, fields: dict[str, Any], options: dict[str, Any]
) -> None:
    assert reasons(tmp_path, page("x/", {"sitemap": wish}, **fields), **options) == {}


@pytest.mark.parametrize(
    ("metadata", "fields", "reason"),
    [
        ({"noindex": True}, {}, "noindex"),
        ({"draft": True}, {}, "draft"),
        ({}, {"status": "draft"}, "draft"),
        ({}, {"fallback": True}, "untranslated copy"),
        ({"canonical": "../y/"}, {}, f"canonical elsewhere ({BASE}y/)"),
    ],
)
def test_sitemap_true_does_not_override_what_search_engines_would_refuse(
    tmp_path: Path, metadata: dict[str, Any], fields: dict[str, Any], reason: str
) -> None:
    assert reasons(tmp_path, page("x/", {"sitemap": True, **metadata}, **fields)) == {"x/": reason}


@pytest.mark.parametrize(
    ("head", "reason"),
    [
        ('<meta name="robots" content="noindex">', "noindex"),
        ('<META NAME=Robots CONTENT="None">', "noindex"),
        ('<link rel="canonical" href="/y/">', f"canonical elsewhere ({BASE}y/)"),
        ('<link rel="canonical" href="./">', None),
        ('<base href="/y/"><link rel="canonical" href="./">', f"canonical elsewhere ({BASE}y/)"),
        ('<meta http-equiv="refresh" content="0; url=../y/">', f"redirect ({BASE}y/)"),
        ('<meta http-equiv="refresh" content="30">', None),
        ('<meta http-equiv="refresh" content="30; url=https://example.org/x/">', None),
        ('<!-- <meta name="robots" content="noindex"> -->', None),
        ('<link rel="canonical" href="http://[broken">', None),
        ('<link rel="canonical" href="mailto:x@example.org">', None),
        ('<meta http-equiv="refresh" content="0; url=tel:123">', None),
    ],
)
def test_a_rendered_page_speaks_for_itself(tmp_path: Path, head: str, reason: str | None) -> None:
    output = tmp_path / "x.html"
    output.write_text(HTML.format(head))

    wished = page("x/", {"sitemap": True}, output=output)

    assert reasons(tmp_path, wished) == ({"x/": reason} if reason else {})
    assert reasons(tmp_path, wished, inspect_html=False) == {}


def test_a_page_that_was_not_written_is_not_served(tmp_path: Path) -> None:
    assert reasons(tmp_path, page("x/", output=tmp_path / "x")) == {"x/": "not written"}


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("404.html", "error page"), ("404/index.html", "error page"), ("fr/404.html", "error page"),
        ("zh-Hant/404/index.html", "error page"), ("za/404.html", "error page"),
        ("errors/404.html", None), ("a/b/404.html", None), ("1404.html", None),
        ("404-not-found.html", None),
    ],
)  # fmt: skip
def test_the_hosts_error_page_is_known_by_its_file(
    tmp_path: Path, written: str, reason: str | None
) -> None:
    output = tmp_path / written
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(HTML)
    found = reasons(
        tmp_path, page("some/url/", output=output, title="404"), languages={"za": "en-ZA"}
    )

    assert found == ({"some/url/": reason} if reason else {})


def test_a_url_with_two_claimants_is_listed_once(tmp_path: Path) -> None:
    first, second = page("x/", source_path="a.md"), page("x/", source_path="b.md")

    assert reasons(tmp_path, first, second) == {"x/": "same URL as another page (a.md)"}
    assert read_locs(tmp_path / "sitemap.xml") == [f"{BASE}home/", f"{BASE}x/"]


def test_a_page_outside_the_site_is_left_out(tmp_path: Path) -> None:
    report = build_pages(
        tmp_path,
        [page("docs/a/"), page("other/")],
        base_url=f"{BASE}docs",
    )

    assert [(left.url, reason) for left, reason in report.left_out.items()] == [
        (f"{BASE}other/", "not below the base URL")
    ]
    assert report.warnings == 1


@pytest.mark.parametrize("url", ["", "rel/x", "mailto:a@example.org", "https://exa mple.org/"])
def test_a_page_without_an_absolute_url_is_left_out_with_a_warning(
    tmp_path: Path, url: str
) -> None:
    report = build_pages(tmp_path, [page("a/"), Page(url)])

    assert list(report.reasons()) == ["invalid URL"]
    assert report.warnings == 1


def test_a_pattern_that_matches_nothing_is_a_warning(tmp_path: Path) -> None:
    options = {
        "exclude": ["drafts/", "x.md"],
        "rules": [{"match": ["y.md", "z.md"], "priority": 0.5}],
    }
    pages = [page("home/"), page("x/", {"draft": True}), page("y/")]
    report = build_pages(tmp_path, pages, options)

    assert [(problem.severity, problem.where) for problem in report.problems[:2]] == [
        ("warning", "exclude[0]"),
        ("warning", "rules[0].match[1]"),
    ]


@pytest.mark.parametrize(
    "fields",
    [{"status": "hidden"}, {"kind": "pagination"}, {"in_nav": False}],
)
def test_a_pattern_is_of_use_too_where_the_page_asked_to_be_listed(
    tmp_path: Path, fields: dict[str, Any]
) -> None:
    options = {
        "nav_only": True,
        "exclude": ["x.md"],
        "rules": [{"match": "x.md", "exclude": True}],
    }
    report = build_pages(tmp_path, [page("x/", {"sitemap": True}, **fields)], options)

    assert report.warnings == 0


@pytest.mark.parametrize(
    ("metadata", "reason"),
    [
        ({"canonical": "https://elsewhere.example/"}, "elsewhere (https://elsewhere.example/)"),
        ({"noindex": True}, "noindex"),
        ({"sitemap": False}, "sitemap: false"),
    ],
)
def test_a_home_page_that_is_left_out_is_worth_a_notice(
    tmp_path: Path, metadata: dict[str, Any], reason: str
) -> None:
    report = build_pages(tmp_path, [page("", metadata), page("a/")])

    assert report.problems[0].severity == "notice"
    assert reason in report.problems[0].message


def test_the_home_page_may_have_the_address_of_its_file(tmp_path: Path) -> None:
    report = build_pages(tmp_path, [page("index.html", {"noindex": True}), page("a.html")])

    assert [p.message for p in report.problems] == ["the home page is left out: noindex"]


@pytest.mark.parametrize("again", ["", "index.html"])
def test_a_home_page_that_is_given_twice_is_listed_and_no_notice_denies_it(
    tmp_path: Path, again: str
) -> None:
    repeated = page(again, {"noindex": True} if again else {}, source_path="README.md")
    report = build_pages(tmp_path, [page(""), repeated])

    assert read_locs(tmp_path / "sitemap.xml") == [BASE]
    assert len(report.left_out) == 1
    assert report.problems == []


def test_of_a_home_page_that_is_given_twice_the_reason_is_told_not_the_repetition(
    tmp_path: Path,
) -> None:
    home = page("", {"noindex": True})
    report = build_pages(tmp_path, [home, page("", source_path="README.md"), page("a/")])

    assert [p.message for p in report.problems] == ["the home page is left out: noindex"]


def test_a_site_with_nothing_to_list_gets_no_file_and_one_warning(tmp_path: Path) -> None:
    report = build_pages(tmp_path, [page("a/", {"draft": True})])

    assert list(tmp_path.iterdir()) == []
    assert [problem.severity for problem in report.problems] == ["warning"]


OWN = '<link rel=canonical href="/x/">'
CONTRADICTED = "x.md: is left out, because its front matter names another page as the canonical one"


def notices(folder: Path, head: str | None, count: int = 1, **options: Any) -> list[str]:
    """Build pages whose front matter names another page; return what is said of them."""
    pages = []
    for name in [f"x{number or ''}" for number in range(count)]:
        output = folder / name / "index.html"
        output.parent.mkdir()
        if head is not None:
            output.write_text(HTML.format(head.replace("/x/", f"/{name}/")))
        metadata = {"canonical": "https://other.example/y/"}
        pages.append(page(f"{name}/", metadata, output=output))
    report = build_pages(folder, [page("home/"), *pages], options)
    assert report.reasons() == {"canonical elsewhere": count}
    assert {problem.severity for problem in report.problems} <= {"notice"}
    return [str(problem) for problem in report.problems if "canonical" in problem.message]


@pytest.mark.parametrize(
    "head", [OWN, OWN.replace("/x/", "HTTPS://example.org/x/#top"), "<base href=/x/a>" + OWN]
)
def test_a_written_page_that_contradicts_its_front_matter_is_told(
    tmp_path: Path, head: str
) -> None:
    (notice,) = notices(tmp_path, head)

    assert notice.startswith(CONTRADICTED)
    assert notice.endswith(", or take it out there")


def test_many_written_pages_that_contradict_their_front_matter_are_one_notice(
    tmp_path: Path,
) -> None:
    (notice,) = notices(tmp_path, OWN, 12)

    assert notice.startswith(CONTRADICTED)
    assert notice.endswith(" (11 more pages like it)")


@pytest.mark.parametrize(
    "head",
    [
        "", None, "<link rel=canonical href=https://other.example/y/>",
        "<link rel=canonical href=/elsewhere/>", OWN + "<meta name=robots content=noindex>",
        OWN + "<meta http-equiv=refresh content='0; url=/y/'>",
        OWN + "<link rel=canonical href=/elsewhere/>",
    ],
)  # fmt: skip
def test_a_written_page_that_does_not_contradict_its_front_matter_is_not_mentioned(
    tmp_path: Path, head: str | None
) -> None:
    assert notices(tmp_path, head) == []


def test_a_written_page_is_not_read_to_compare_it_unless_pages_are_read(tmp_path: Path) -> None:
    assert notices(tmp_path, OWN, inspect_html=False) == []


def test_a_page_whose_front_matter_names_no_other_page_is_not_read_twice(tmp_path: Path) -> None:
    (tmp_path / "x.html").write_text(HTML.format(OWN))
    read: list[Path] = []

    def head_of(path: Path) -> Head:
        read.append(path)
        return read_head(path)

    metadata = {"canonical": f"{BASE}x/", "robots": "index"}
    pages = [page("x/", metadata, output=tmp_path / "x.html")]
    build(Site(BASE, tmp_path), [Pages(pages)], head_of=head_of)

    assert read == [tmp_path / "x.html"]

"""What a MkDocs user gets from the one line in mkdocs.yml."""

from __future__ import annotations

from html import unescape

import pytest

from mkdocs_sites import Builder

PAGES = {"index.md": "# Home", "guide/index.md": "# Guide", "guide/setup.md": "# Setup"}


@pytest.mark.parametrize("directory_urls", [True, False])
def test_each_page_is_listed_under_its_canonical_link(
    build_site: Builder, directory_urls: bool
) -> None:
    built = build_site(PAGES, use_directory_urls=directory_urls)

    assert built.status == 0, built.log
    for url in built.urls.values():
        path = url.loc.removeprefix("https://example.org/")
        page = built.site / (path + "index.html" if path.endswith("/") or not path else path)
        assert f'<link rel="canonical" href="{url.loc}"' in page.read_text()
    assert len(built.urls) == 3


def test_the_names_of_files_are_encoded_as_mkdocs_encodes_them(build_site: Builder) -> None:
    names = [
        "terms&policies", "C#/intro", "50%", "what?", "it's", 'say "hi"', "two words", "über",
        "日本語", "😀", "مرحبا", "a+b", "a;b", "tilde~", "(paren)", "[x]", "a%20b",
    ]  # fmt: skip
    built = build_site({f"{name}.md": "# Page" for name in names} | {"index.md": "# Home"})

    for url in built.urls.values():
        pages = list(built.site.rglob("index.html"))
        assert any(_canonical(page.read_text()) == url.loc for page in pages), url.loc
    assert len(built.urls) == len(names) + 1
    assert {"terms%26policies/", "C%23/intro/", "50%25/", "a%2520b/"} <= set(built.urls)


def _canonical(html: str) -> str:
    return unescape(html.split('<link rel="canonical" href="')[1].split('"', maxsplit=1)[0])


def test_external_links_in_the_navigation_are_not_listed(build_site: Builder) -> None:
    nav = [{"Home": "index.md"}, {"Code": "https://code.example/"}, {"Chat": "https://x.example/"}]
    built = build_site(PAGES, nav=nav)

    assert set(built.urls) == {"", "guide/", "guide/setup/"}


def test_nav_only_leaves_out_what_the_navigation_does_not_reach(build_site: Builder) -> None:
    built = build_site(PAGES, {"nav_only": True}, nav=[{"Home": "index.md"}])

    assert set(built.urls) == {""}
    assert "2 not in the navigation" in built.log


def test_what_mkdocs_excludes_is_not_listed(build_site: Builder) -> None:
    files = {**PAGES, "draft.md": "# Draft", "no.md": "# No"}
    built = build_site(files, draft_docs="draft.md", exclude_docs="no.md")

    assert set(built.urls) == {"", "guide/", "guide/setup/"}


def test_an_error_page_is_left_out_by_the_file_that_is_written(build_site: Builder) -> None:
    files = {**PAGES, "404.md": "# Gone", "errors/404.md": "# About 404", "http-404.md": "# 404"}
    built = build_site(files)

    assert set(built.urls) == {"", "guide/", "guide/setup/", "errors/404/", "http-404/"}


def test_a_readme_beside_an_index_is_one_url(build_site: Builder) -> None:
    built = build_site({**PAGES, "guide/README.md": "# Readme"})

    assert list(built.urls) == ["", "guide/", "guide/setup/"]


def test_a_hand_written_sitemap_is_kept_and_reported(build_site: Builder) -> None:
    built = build_site({**PAGES, "sitemap.xml": "<urlset>mine</urlset>"})

    assert (built.site / "sitemap.xml").read_text() == "<urlset>mine</urlset>"
    assert not (built.site / "sitemap.xml.gz").exists()
    assert "WARNING -  sitemap: sitemap.xml: the site has a sitemap.xml of its own" in built.log
    assert not (built.site / "robots.txt").exists()


def test_an_extra_template_that_writes_the_sitemap_is_kept_and_reported(
    build_site: Builder,
) -> None:
    files = {**PAGES, "sitemap.xml": "<urlset>{{ config.site_name }}</urlset>"}
    built = build_site(files, extra_templates=["sitemap.xml"])

    assert (built.site / "sitemap.xml").read_text() == "<urlset>Site</urlset>"
    assert "the site has a sitemap.xml of its own" in built.log


@pytest.mark.parametrize("spelling", ["https://example.org/docs", "https://example.org/docs/"])
def test_a_site_below_a_path_gets_the_line_to_copy(build_site: Builder, spelling: str) -> None:
    built = build_site({**PAGES, "robots.txt": "User-agent: *\nDisallow: /x"}, site_url=spelling)

    assert (built.site / "robots.txt").read_text() == "User-agent: *\nDisallow: /x"
    assert "Sitemap: https://example.org/docs/sitemap.xml" in built.log
    assert set(built.urls) == {"docs/", "docs/guide/", "docs/guide/setup/"}


@pytest.mark.parametrize(
    ("setting", "line"),
    [
        (
            None,
            "WARNING -  sitemap: site_url: not set, so there is no sitemap: its URLs must be "
            "absolute; set it to the address of the published site, like https://example.org/",
        ),
        (
            "",
            "INFO    -  sitemap: site_url: empty, so there is no sitemap: its URLs must be "
            "absolute",
        ),
    ],
)
def test_without_a_site_url_there_is_one_message_and_no_file(
    build_site: Builder, setting: str | None, line: str
) -> None:
    built = build_site(PAGES, plugins=["search"], site_url=setting)

    assert [found for found in built.log.splitlines() if "sitemap: " in found] == [line]
    assert not list(built.site.glob("sitemap.xml*"))
    assert not (built.site / "robots.txt").exists()
    assert "None" not in built.log


def test_properdocs_writes_the_same_bytes(build_site: Builder) -> None:
    files = {**PAGES, "a&b.md": "---\nmodified: 2024-01-31\n---\n# A"}
    mkdocs = build_site(files, name="mkdocs")
    properdocs = build_site(files, name="properdocs", command="properdocs")

    assert properdocs.status == 0, properdocs.log
    for name in ("sitemap.xml", "sitemap.xml.gz", "robots.txt"):
        assert (mkdocs.site / name).read_bytes() == (properdocs.site / name).read_bytes()


def test_a_page_that_mkdocs_did_not_write_is_not_listed(build_site: Builder) -> None:
    files = {**PAGES, "empty.md": "---\ntemplate: empty.html\n---\n"}
    theme = {"name": "mkdocs", "custom_dir": "theme"}
    first = build_site(PAGES, theme="mkdocs")
    (first.root / "theme").mkdir()
    (first.root / "theme" / "empty.html").write_text("")

    built = build_site(files, theme=theme)

    assert "empty/" not in built.urls
    assert "1 not written" in built.log


def test_a_strict_build_fails_on_a_warning_only(build_site: Builder) -> None:
    good = build_site(PAGES, None, "--strict", name="good")
    bad = build_site(PAGES, {"exclude": ["nothing-like-this/"]}, "--strict", name="bad")
    own = build_site(PAGES, {"exclude": ["nothing/"], "strict": True}, name="own")

    assert good.status == 0
    assert bad.status == 1
    assert own.status == 1
    assert "'nothing/' matches no page" in own.log


def test_the_letters_of_the_host_stay_as_mkdocs_writes_them(build_site: Builder) -> None:
    built = build_site(PAGES, site_url="https://My-Docs.Example.org/")

    home = (built.site / "index.html").read_text()
    assert '<link rel="canonical" href="https://My-Docs.Example.org/"' in home
    assert sorted(built.urls) == [
        f"https://My-Docs.Example.org/{path}" for path in ("", "guide/", "guide/setup/")
    ]
    assert (
        "Sitemap: https://My-Docs.Example.org/sitemap.xml"
        in (built.site / "robots.txt").read_text()
    )

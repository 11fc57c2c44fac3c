"""What cases alone cannot show: canonical links, ProperDocs, rebuilds, plugins, versions, media."""

import json
from html import unescape
from pathlib import Path

import pytest
from lxml import etree

from files import read_table
from git_repositories import Repo
from mkdocs_sites import COMMANDS, Builder, run_build
from sitemaps import read_locs, read_sitemap

CASES = read_table(__file__, "build.yaml")

HOME = {"index.md": "# Home"}
PAGES = {**HOME, "guide/index.md": "# Guide", "guide/setup.md": "# Setup"}
NEWS = "{http://www.google.com/schemas/sitemap-news/0.9}"
VIDEO = "{http://www.google.com/schemas/sitemap-video/1.1}"


def test_names_of_files_are_encoded_as_mkdocs_encodes_them(build_site: Builder) -> None:
    names = [
        "terms&policies", "C#/intro", "50%", "what?", "it's", 'say "hi"', "two words", "über",
        "日本語", "😀", "مرحبا", "a+b", "a;b", "tilde~", "(paren)", "[x]", "a%20b",
    ]  # fmt: skip
    built = build_site({f"{name}.md": "# Page" for name in names} | HOME)

    pages = [path.read_text() for path in built.site.rglob("index.html")]
    start = '<link rel="canonical" href="'
    links = [unescape(page.split(start)[1].split('"', maxsplit=1)[0]) for page in pages]
    assert sorted(links) == [url.loc for url in built.urls.values()]
    assert {"terms%26policies/", "C%23/intro/", "50%25/", "a%2520b/"} <= set(built.urls)


def test_properdocs_writes_the_same_bytes_and_says_no_more(build_site: Builder) -> None:
    files = {**PAGES, "a&b.md": "---\nmodified: 2024-01-31\n---\n# A"}
    mkdocs = build_site(files, name="mkdocs")
    properdocs = build_site(files, name="properdocs", command="properdocs")

    assert properdocs.status == 0, properdocs.log
    assert "skipped" not in properdocs.log
    for name in ("sitemap.xml", "sitemap.xml.gz", "robots.txt"):
        assert (mkdocs.site / name).read_bytes() == (properdocs.site / name).read_bytes()


def test_rebuilds_neither_grow_nor_remember(build_site: Builder) -> None:
    languages = [{"locale": code, "name": code, "build": True} for code in ("en", "fr")]
    plugins = [{"i18n": {"languages": [{**languages[0], "default": True}, languages[1]]}}]
    first = build_site({**HOME, "index.fr.md": "# Accueil"}, plugins=plugins)
    before = first.links
    more = build_site({"new.md": "# New", "new.fr.md": "# Nouveau"}, plugins=plugins).links
    for name in ("new.md", "index.fr.md"):
        (first.root / "docs" / name).unlink()

    assert (set(before), len(before[""])) == ({"", "fr/"}, 3)
    assert set(more) == {"", "fr/", "new/", "fr/new/"}
    assert run_build(first.root).links == {"": {}, "fr/new/": {}}


def test_a_plugin_that_raises_is_named_with_hook_and_page(
    build_site: Builder, tmp_path: Path
) -> None:
    info = tmp_path / "third-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: third\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[sitemap_plugin]\nthird = third_plugin\n")
    (tmp_path / "third_plugin.py").write_text(
        "from sitemap_plugin import hookimpl\n\n@hookimpl\ndef sitemap_transform(site):\n"
        "    return lambda page, entry: 1 / 0\n"
    )
    built = build_site(HOME, environment={"PYTHONPATH": str(tmp_path)})

    assert built.status == 1
    place = "plugin 'third', hook sitemap_transform, page index.md"
    assert f"sitemap: {place}: ZeroDivisionError: division by zero" in built.log
    assert not (built.site / "sitemap.xml").exists()


@pytest.mark.parametrize(("address", "known"), CASES["mike addresses"])
def test_a_version_at_the_end_of_the_address_that_mike_extends_is_named(
    build_site: Builder, tmp_path: Path, address: str, known: str | None
) -> None:
    repo = Repo.make(tmp_path / "site")
    versions = [{"version": "1.0", "title": "1.0", "aliases": ["newest"]}]
    repo.commit(0, {"versions.json": json.dumps(versions)})
    repo.git("branch", "gh-pages")
    plugins = ["search", {"mike": {"alias_type": "copy"}}]
    environment = {"MIKE_DOCS_VERSION": "2.0"}
    built = build_site(HOME, plugins=plugins, site_url=address, environment=environment)

    last = address.split("/")[-2]
    message = (
        f"sitemap: site_url: ends in '{last}', {known}, and mike adds the version to it, so that "
        f"the addresses begin with {address}2.0/, where no page is served; take '{last}' out"
    )
    assert (message in built.log, "ends in" in built.log) == (bool(known), bool(known))
    assert built.status == bool(known and "versions.json" in known)


@pytest.mark.parametrize("command", COMMANDS)
def test_news_and_videos_are_listed(build_site: Builder, command: str) -> None:
    files = {
        **HOME,
        "news/tea.md": "---\ndate: 2025-03-03\n---\n# Tea & `<pots>` *now*",
        "news/year.md": "---\ndate: 2025-03-03\ntitle: 1984\n---\n# No text to YAML",
        "news/old.md": "---\ndate: 2025-01-01\n---\n# Old",
        "guide.md": (
            "---\ndescription: Slowly\nsitemap:\n  video:\n    thumbnail_loc: brewing.png\n"
            "    content_loc: /media/brewing.mp4\n    duration: 3:14\n---\n# How to brew"
        ),
        "brewing.png": b"x",
        "media/brewing.mp4": b"x",
    }
    options = {"news": {"publication": "The Kettle Times", "language": "en", "match": "news/"}}
    noon = {"SOURCE_DATE_EPOCH": "1741089600"}  # On 4 March 2025.
    built = build_site(files, options, "--strict", command=command, environment=noon)

    assert built.status == 0, built.log
    assert len(read_sitemap(built.site / "sitemap-pages.xml")) == 5
    articles = [f"https://example.org/news/{name}/" for name in ("tea", "year")]
    assert read_locs(built.site / "sitemap-news.xml") == articles
    titles = etree.parse(built.site / "sitemap-news.xml").findall(f".//{NEWS}title")
    assert [title.text for title in titles] == ["Tea & <pots> now", "1984"]
    (video,) = etree.parse(built.site / "sitemap-pages.xml").findall(f".//{VIDEO}video")
    links = ["https://example.org/brewing.png", "https://example.org/media/brewing.mp4"]
    assert [part.text for part in video] == [links[0], "How to brew", "Slowly", links[1], "194"]


@pytest.mark.parametrize("command", COMMANDS)
def test_material_sites_build_strictly(build_site: Builder, command: str) -> None:
    post = {"blog/index.md": "# Blog", "blog/posts/a.md": "---\ndate: 2020-01-01\n---\n# A"}
    plugins, theme = ["blog", "search", "tags"], {"name": "material", "font": False}
    config = {"plugins": plugins, "theme": theme, "command": command}
    built = build_site({**HOME, **post}, None, "--strict", **config)

    assert built.status == 0, built.log
    assert "blog/2020/01/01/a/" in built.urls

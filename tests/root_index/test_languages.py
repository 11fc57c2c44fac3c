"""One build of MkDocs for each language: their pages are linked with each other."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from mkdocs_sites import run_build
from root_index.trees import BASE, build, children, copy, index, page, snapshot, write
from sitemap_plugin.commands.check.run import check
from sitemap_plugin.models import Alternate, Entry
from write.folders import write_sitemap
from sitemaps import Url, read_sitemap

CONFIG = """\
site_name: Docs
site_url: https://example.org/{below}
site_dir: {site}
theme: {{name: material, language: {language}, font: false}}
plugins: [search{plugin}]
extra:
  alternate:
    - {{name: English, link: /, lang: en}}
    - {{name: Deutsch, link: /de/, lang: de}}
    - {{name: 繁體中文, link: /zh-hant/, lang: zh-Hant}}
"""
PAGES: Mapping[str, tuple[str, ...]] = {
    "": ("index", "about", "english"),
    "de": ("index", "about", "nur-deutsch"),
    "zh-hant": ("index", "about"),
}
CODES = {"": "en", "de": "de", "zh-hant": "zh-Hant"}


def make(root: Path, plugin: str) -> Path:
    """Build each language by itself, the default language at the root first."""
    for folder, names in PAGES.items():
        below = f"{folder}/" if folder else ""
        project = root / (folder or "en")
        language = CODES[folder].replace("zh-Hant", "zh-Hant")
        write(
            project,
            {
                "mkdocs.yml": CONFIG.format(
                    below=below, site=root / "site" / below, language=language, plugin=plugin
                ),
                **{f"docs/{name}.md": f"---\ndate: 2024-05-01\n---\n# {name}" for name in names},
            },
        )
        built = run_build(project)
        assert built.status == 0, built.log
    return root / "site"


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("ours"), ", sitemap")


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("theirs"), "")


def read(site: Path) -> dict[str, Url]:
    """Return all entries of a tree by their path below the base URL."""
    paths = [path for path in site.rglob("sitemap*.xml") if b"<urlset" in path.read_bytes()]
    urls = [url for path in sorted(paths) for url in read_sitemap(path)]
    return {url.loc.removeprefix(BASE): url for url in urls}


ABOUT = (
    ("de", f"{BASE}de/about/"),
    ("en", f"{BASE}about/"),
    ("x-default", f"{BASE}about/"),
    ("zh-Hant", f"{BASE}zh-hant/about/"),
)


def assert_linked(urls: Mapping[str, Url]) -> None:
    for path in ("about/", "de/about/", "zh-hant/about/"):
        assert urls[path].alternates == ABOUT
    assert {len(urls[path].alternates) for path in ("", "de/", "zh-hant/")} == {4}
    assert urls["english/"].alternates == urls["de/nur-deutsch/"].alternates == ()


def test_pages_of_the_same_path_are_linked_and_nothing_else_changes(
    ours: Path, tmp_path: Path
) -> None:
    site = copy(ours, tmp_path / "site")
    before = read(site)
    ran = index(site, "--link-translations")
    after = read(site)

    assert (ran.status, ran.err) == (0, "")
    assert "translations linked, en (/), de (de/), zh-Hant (zh-hant/): 3 rewritten" in ran.out
    assert_linked(after)
    assert {path: url._replace(alternates=()) for path, url in after.items()} == before
    assert not list(site.rglob("*.bak*"))
    assert len(children(site / "sitemap-index.xml")) == 3
    assert not check(site, base_url=BASE).findings.counts


def test_linking_again_changes_nothing(ours: Path, tmp_path: Path) -> None:
    site = copy(ours, tmp_path / "site")
    index(site, "--link-translations")
    before = snapshot(site)
    ran = index(site, "--link-translations")

    assert ran.out.count("as before") == 1
    assert snapshot(site) == before


def test_without_being_asked_no_sitemap_is_rewritten(ours: Path, tmp_path: Path) -> None:
    site = copy(ours, tmp_path / "site")
    ran = index(site)

    assert (ran.status, ran.err) == (0, "")
    assert snapshot(ours).items() - snapshot(site).items() <= {
        ("robots.txt", (ours / "robots.txt").read_bytes())
    }


def test_a_build_of_one_language_may_be_renewed_alone(ours: Path, tmp_path: Path) -> None:
    site = copy(ours, tmp_path / "site")
    index(site, "--link-translations")
    whole = snapshot(site)
    for name in ("sitemap.xml", "sitemap.xml.gz"):
        (site / "de" / name).write_bytes((ours / "de" / name).read_bytes())
    ran = index(site, "--link-translations")

    assert "1 rewritten" in ran.out
    assert snapshot(site) == whole


def test_a_page_that_is_gone_is_gone_from_all_sets(ours: Path, tmp_path: Path) -> None:
    site = copy(ours, tmp_path / "site")
    index(site, "--link-translations")
    entries = [Entry(f"{BASE}de/"), Entry(f"{BASE}de/nur-deutsch/")]
    write_sitemap({None: entries}, folder=site / "de", base_url=f"{BASE}de/")
    (site / "de/about/index.html").unlink()
    ran = index(site, "--link-translations")

    assert (ran.status, ran.err) == (0, "")
    links = [link for link in ABOUT if link[0] != "de"]
    assert list(read(site)["about/"].alternates) == links
    assert list(read(site)["zh-hant/about/"].alternates) == links


def test_sitemaps_of_others_are_rewritten_with_force_only_and_kept(
    theirs: Path, tmp_path: Path
) -> None:
    site = copy(theirs, tmp_path / "site")
    before = snapshot(site)
    refused = index(site, "--link-translations")
    unchanged = snapshot(site)
    forced = index(site, "--link-translations", "--force")

    assert refused.status == 2
    assert "did not write: de/sitemap.xml, sitemap.xml, zh-hant/sitemap.xml" in refused.err
    assert unchanged == before
    assert forced.status == 0
    assert_linked(read(site))
    for name in ("sitemap.xml", "de/sitemap.xml", "zh-hant/sitemap.xml"):
        assert (site / f"{name}.bak").read_bytes() == before[name]


@pytest.mark.parametrize(
    ("value", "expected"), [("de", f"{BASE}de/about/"), ("fr", None), ("false", None)]
)
def test_the_option_decides_about_x_default_also_later(
    ours: Path, tmp_path: Path, value: str, expected: str | None
) -> None:
    site = copy(ours, tmp_path / "site")
    index(site, "--link-translations")
    ran = index(site, "--link-translations", f"--x-default={value}")

    assert ran.status == 0, ran.err
    for path in ("about/", "de/about/"):
        assert dict(read(site)[path].alternates).get("x-default") == expected


def test_pages_whose_paths_differ_are_joined_by_the_keys_in_reports(tmp_path: Path) -> None:
    names = {"en": "about", "de": "ueber"}
    for language, name in names.items():
        text = f"---\ntranslation_key: about\n---\n# {name}"
        config = (
            f"site_name: Docs\nsite_url: {BASE}{language}/\nsite_dir: {tmp_path}/site/{language}\n"
            f"theme: {{name: mkdocs, locale: {language}}}\n"
            "plugins: [search, {sitemap: {report: report.json}}]\n"
        )
        files = {"mkdocs.yml": config, "docs/index.md": "# Home", f"docs/{name}.md": text}
        built = run_build(write(tmp_path / language, files))
        assert built.status == 0, built.log
    site = tmp_path / "site"
    reports = [f"--report={language}/report.json" for language in names]
    ran = index(site, "--link-translations", "--x-default=en", *reports)
    no_report = index(site, "--link-translations", f"--report={site}/sitemap.xml")

    assert (ran.status, ran.err) == (0, "")
    expected = {"en": f"{BASE}en/about/", "de": f"{BASE}de/ueber/", "x-default": f"{BASE}en/about/"}
    assert dict(read(site)["de/ueber/"].alternates) == expected
    assert no_report.status == 2
    assert "this is neither JSON nor a report as HTML" in no_report.err


# What follows is written by hand.


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return tmp_path / "site"


def codes(site: Path) -> dict[str, list[str]]:
    """Return the codes of each entry's links."""
    return {path: [code for code, _ in url.alternates] for path, url in read(site).items()}


def test_folders_that_are_no_languages_are_sections(site: Path) -> None:
    for below in ("de/", "fr/", "api/", "dev/", "latest/"):
        build(site, below, ["", "a/"], language=below[:2] if below in {"de/", "fr/"} else "en")
    ran = index(site, "--link-translations", "--x-default=false")

    assert ran.status == 0, ran.err
    assert "translations linked, de (de/), fr (fr/): 2 rewritten" in ran.out
    assert codes(site)["api/a/"] == codes(site)["latest/"] == []
    assert codes(site)["de/a/"] == codes(site)["fr/a/"] == ["de", "fr"]


def test_a_switcher_tells_languages_that_folders_do_not(site: Path) -> None:
    links = {"en": "/docs/", "de": "/german/"}
    switcher = "".join(
        f'<link rel="alternate" hreflang="{c}" href="{h}">' for c, h in links.items()
    )
    for below in ("docs/", "german/"):
        build(site, below, ["", "a/"])
        write(site, {f"{below}index.html": page(switcher, language="de" if "g" in below else "en")})
    ran = index(site, "--link-translations")

    assert (ran.status, ran.err) == (0, "")
    assert codes(site)["docs/a/"] == codes(site)["german/a/"] == ["de", "en"]


# What a switcher says of a folder that the options name does not count.
@pytest.mark.parametrize("head", ["", '<link rel="alternate" hreflang="ja" href="/cn/">'])
def test_languages_can_be_named_in_the_options(site: Path, head: str) -> None:
    build(site, "cn/", ["", "a/"], language="zh-Hans")
    build(site, "en/", ["", "a/"])
    english = '<link rel="alternate" hreflang="en" href="/en/">'
    write(site, {"en/index.html": page(head, english if head else "")})
    ran = index(site, "--link-translations", '--languages={cn = "zh-Hans"}')

    assert (ran.status, ran.err) == (0, "")
    assert codes(site)["cn/a/"] == ["en", "zh-Hans"]


def test_the_page_at_the_root_tells_the_default_language(site: Path) -> None:
    build(site, "de/", ["", "a/"], language="de")
    build(site, "en/", ["", "a/"])
    write(site, {"index.html": page('<meta http-equiv="refresh" content="0; url=en/">')})
    ran = index(site, "--link-translations")

    assert ran.status == 0, ran.err
    assert dict(read(site)["de/a/"].alternates)["x-default"] == f"{BASE}en/a/"


@pytest.mark.parametrize("link", ["", '<link rel="alternate" hreflang="{}" href="/{}">'])
def test_a_section_beside_the_languages_has_its_own(site: Path, link: str) -> None:
    build(site, "", ["", "a/"])
    write(site, {"index.html": page(link.format("en", ""), link.format("de", "de/"))})
    build(site, "de/", ["", "a/", "blog/x/"], language="de")
    build(site, "blog/", ["x/"], language="fr")
    write(site, {"blog/index.html": page(language="fr")})
    ran = index(site, "--link-translations")

    assert (ran.status, ran.err) == (0, "")
    assert codes(site)["blog/x/"] == codes(site)["de/blog/x/"] == ["de", "fr"]
    assert codes(site)["a/"] == ["de", "en", "x-default"]


def test_versions_in_each_language_correspond(site: Path) -> None:
    for below in ("1.0/", "de/1.0/"):
        build(site, below, ["", "a/"], language="de" if "de" in below else "en")
    ran = index(site, "--link-translations")

    assert (ran.status, ran.err) == (0, "")
    assert dict(read(site)["1.0/a/"].alternates) == {
        "de": f"{BASE}de/1.0/a/",
        "en": f"{BASE}1.0/a/",
        "x-default": f"{BASE}1.0/a/",
    }


def test_each_language_may_have_versions_of_its_own(site: Path) -> None:
    for language in ("de", "en"):
        for version in ("1.0", "2.0"):
            build(site, f"{language}/{version}/", ["", "a/"], language=language)
        versions = '[{"version": "2.0", "aliases": ["latest"]}, {"version": "1.0", "aliases": []}]'
        write(site, {f"{language}/versions.json": versions})
    ran = index(site, "--link-translations", "--x-default=false")

    assert (ran.status, ran.err) == (0, "")
    assert list(children(site / "sitemap.xml")) == [
        f"{BASE}de/2.0/sitemap.xml",
        f"{BASE}en/2.0/sitemap.xml",
    ]
    assert codes(site)["de/2.0/a/"] == codes(site)["en/2.0/a/"] == ["de", "en"]
    assert codes(site)["de/1.0/a/"] == []


def test_a_folder_that_contradicts_its_pages_is_told(site: Path) -> None:
    build(site, "cs/", ["", "a/"])
    build(site, "ts/", ["", "a/"])
    ran = index(site, "--link-translations")

    assert ran.status == 0
    assert "warning: cs/: is taken for the folder of the language cs" in ran.err
    assert "its home page says lang='en'" in ran.err


def test_links_that_builds_have_already_join_sets_and_those_to_other_hosts_stay(
    site: Path,
) -> None:
    there = Alternate("ja", "https://example.jp/a/")
    english = (Alternate("en", f"{BASE}a/"), there)
    dead = (Alternate("de", f"{BASE}de/b/"), Alternate("en", f"{BASE}gone/"))
    build(site, "", ["", Entry(f"{BASE}a/", alternates=english)])
    build(site, "de/", ["", "a/", Entry(f"{BASE}de/b/", alternates=dead)], language="de")
    ran = index(site, "--link-translations", "--x-default=false")

    assert ran.status == 0, ran.err
    assert codes(site)["a/"] == codes(site)["de/a/"] == ["de", "en", "ja"]
    assert codes(site)["de/b/"] == []


def test_a_finer_language_that_a_page_gives_itself_is_kept(site: Path) -> None:
    own = (Alternate("pt-BR", f"{BASE}pt/a/"), Alternate("es", "https://example.es/a/"))
    build(site, "", ["", "a/"])
    build(site, "pt/", [Entry(f"{BASE}pt/a/", alternates=own)], language="pt")
    index(site, "--link-translations", "--x-default=false")

    assert codes(site)["a/"] == ["en", "es", "pt-BR"]


def test_the_parts_of_a_split_sitemap_stay_its_parts(site: Path) -> None:
    names = [f"{number}/" for number in range(5)]
    build(site, "de/", names, language="de")
    build(site, "fr/", names, language="fr")
    for below in ("de/", "fr/"):
        entries = [Entry(f"{BASE}{below}{name}") for name in names]
        sections = {None: entries[:1], "x": entries[1:2], "y-1": entries[2:3], "z": entries[3:]}
        write_sitemap(sections, folder=site / below, base_url=BASE + below, max_urls=1)
    before = set(snapshot(site))
    ran = index(site, "--link-translations", "--x-default=false")

    assert (ran.status, ran.err) == (0, "")
    assert {path for path in set(snapshot(site)) - before if "/" in path} == set()
    assert set(before) <= set(snapshot(site))
    assert len(children(site / "sitemap.xml")) == 10
    assert all(found == ["de", "fr"] for found in codes(site).values())
    assert not check(site, base_url=BASE).findings.counts


def test_a_sitemap_that_outgrows_a_file_is_split_and_its_parts_are_listed(site: Path) -> None:
    for below in ("de/", "fr/"):
        build(site, below, [f"{number}/" for number in range(9)], language=below[:2])
    ran = index(site, "--link-translations", "--max-bytes=1500")

    assert (ran.status, ran.err) == (0, "")
    listed = children(site / "sitemap.xml")
    assert len(listed) > 2
    assert all("/sitemap-" in url for url in listed)
    assert not check(site, base_url=BASE).findings.counts


LOSSES = {
    "element": ("<x:y xmlns:x='urn:z'>1</x:y>", "it has elements of the namespace urn:z"),
    "date": ("<lastmod>2024-05</lastmod>", "has the date '2024-05'"),
    "changefreq": ("<changefreq>Daily</changefreq>", "has the changefreq 'Daily'"),
    "priority": ("<priority>0.55</priority>", "has the priority '0.55'"),
    "caption": (
        "<i:image xmlns:i='http://www.google.com/schemas/sitemap-image/1.1'>"
        "<i:loc>https://example.org/i.png</i:loc><i:caption>C</i:caption></i:image>",
        "has an image that cannot be written again",
    ),
}


@pytest.mark.parametrize(("more", "message"), LOSSES.values(), ids=LOSSES.keys())
def test_what_cannot_be_written_again_is_not_rewritten_even_with_force(
    site: Path, more: str, message: str
) -> None:
    build(site, "fr/", ["", "a/"], language="fr")
    build(site, "de/", ["", "a/"], language="de")
    text = (site / "de/sitemap.xml").read_text()
    (site / "de/sitemap.xml").write_text(text.replace("</loc>", f"</loc>{more}", 1))
    before = snapshot(site)
    ran = index(site, "--link-translations", "--force")

    assert ran.status == 2
    assert "cannot rewrite de/sitemap.xml, because " in ran.err
    assert message in ran.err
    assert snapshot(site) == before

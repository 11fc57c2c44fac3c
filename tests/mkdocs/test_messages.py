"""What a MkDocs user reads when something is wrong; never a traceback (the builder checks)."""

from __future__ import annotations

from pathlib import Path

import pytest

from mkdocs_sites import Builder, run_build

HOME = {"index.md": "# Home"}


def test_all_bad_options_are_listed_at_once_and_the_build_fails(build_site: Builder) -> None:
    built = build_site(HOME, {"exlude": [], "priority": 7, "lastmod": ["modifed"], "gzip": "no"})

    assert built.status == 1
    message = " ".join(built.log.split())
    for problem in (
        "Plugin 'sitemap' option 'exlude': unknown option; did you mean 'exclude'?",
        "Plugin 'sitemap' option 'priority': expected a number from 0.0 to 1.0, got 7",
        "Plugin 'sitemap' option 'lastmod': unknown date source 'modifed'; there are modified, ",
        "Plugin 'sitemap' option 'gzip': expected true or false, got 'no'",
    ):
        assert problem in message
    assert not built.site.exists()


@pytest.mark.parametrize(
    "front_matter",
    ["- a\n- list", "", "just text", "1: one\nnull: none\ntrue: yes", "date: {}", "sitemap: []"],
)
def test_odd_front_matter_neither_stops_the_build_nor_hides_the_page(
    build_site: Builder, front_matter: str
) -> None:
    built = build_site({**HOME, "odd.md": f"---\n{front_matter}\n---\n# Odd"})

    assert built.status == 0, built.log
    assert "odd/" in built.urls


@pytest.mark.parametrize(
    ("front_matter", "warning"),
    [
        ("priority: 10000", "odd.md: front matter 'priority' is 10000: write a number from"),
        ("changefreq: ''", "odd.md: front matter 'changefreq' is '': write one of always, hourly,"),
        ("date: 2014-1-31T14:18", "odd.md: front matter 'date': '2014-1-31T14:18'"),
        ("modified: 2024", "odd.md: front matter 'modified': "),
    ],
)
def test_a_bad_value_names_file_key_value_and_cure(
    build_site: Builder, front_matter: str, warning: str
) -> None:
    built = build_site({**HOME, "odd.md": f"---\n{front_matter}\n---\n# Odd"})
    strict = run_build(built.root, "--strict")

    assert (built.status, strict.status) == (0, 1)
    assert f"WARNING -  sitemap: {warning}" in built.log
    assert built.urls["odd/"] == ("https://example.org/odd/", None, None, None, ())


@pytest.mark.parametrize(
    "front_matter",
    [
        "title: Foo: bar\nsitemap: false",
        "date: 2024-02-30",
        "date: 2024-01-01T24:00:00",
        "a:\n\t- tab\nnoindex: true",
        "a: !!python/object:os.system {}\nlang: fr",
        "robots: noindex\na: [1, 2",
    ],
)
@pytest.mark.parametrize("arguments", [(), ("--dirty",)])
def test_front_matter_that_is_not_yaml_is_a_warning_with_file_and_reason(
    build_site: Builder, front_matter: str, arguments: tuple[str, ...]
) -> None:
    built = build_site({**HOME, "odd.md": f"---\n{front_matter}\n---\n# Odd"}, None, *arguments)

    assert "WARNING -  sitemap: odd.md: its front matter is not read, since it is not" in built.log


@pytest.mark.parametrize(
    "front_matter",
    [
        "sitemap:false",
        "title: Odd\nsitemap:false",
        "sitemap:false\ntitle: Odd",
        "# A comment\n\nrobots:noindex",
        "canonical:https://example.org/",
    ],
)
def test_a_key_without_a_space_after_its_colon_is_a_warning(
    build_site: Builder, front_matter: str
) -> None:
    built = build_site({**HOME, "odd.md": f"---\n{front_matter}\n---\n# Odd"})

    assert "WARNING -  sitemap: odd.md: its front matter is not read, since it is not" in built.log
    assert "odd/" in built.urls


@pytest.mark.parametrize(
    "text",
    [
        "---\nSee:this\n---\n\n# Hi",
        "---\nhttps://example.org/date:1\n---\n\n# Hi",
        "---\nTea at 10:30\ndate:today\n---\n\n# Hi",
        "---\ndate://nowhere\n---\n\n# Hi",
        "---\n\n# Not: yaml: here\n\n---\nText",
        "---\n\nSome *text*: with [a]: b\n\n---\n\n# Hi",
        "---\n**Note:** see: this: thing\n---\n\n# Hi",
    ],
)
def test_a_rule_at_the_top_of_a_page_is_no_front_matter(build_site: Builder, text: str) -> None:
    built = build_site({**HOME, "rule.md": text}, None, "-s")

    assert built.status == 0, built.log
    assert "not YAML" not in built.log


def test_front_matter_that_says_nothing_to_a_sitemap_fails_no_strict_build(
    build_site: Builder,
) -> None:
    header = "title: A\nauthors:\n- x\n  sponsors:\n- y"
    built = build_site({**HOME, "a.md": f"---\n{header}\n---\n# Hi"}, None, "-s")

    assert built.status == 0, built.log
    assert "front matter" not in built.log


def test_a_folder_where_the_file_should_be_is_a_clear_error(build_site: Builder) -> None:
    built = build_site({**HOME, "sitemap.xml/picture.png": b"x"})

    assert built.status == 1
    assert (
        "site/sitemap.xml: cannot be written: it is not a regular file; remove or rename"
        in built.log
    )
    assert (built.site / "sitemap.xml/picture.png").exists()
    assert sorted(path.name for path in built.site.glob("*sitemap*.xml*")) == ["sitemap.xml"]


def test_a_plugin_that_raises_is_named_with_hook_and_page(
    build_site: Builder, tmp_path: Path
) -> None:
    _install(tmp_path, "    return lambda page, entry: 1 / 0\n")
    built = build_site(HOME, environment={"PYTHONPATH": str(tmp_path)})

    assert built.status == 1
    expected = (
        "sitemap: plugin 'third', hook sitemap_transform, page index.md: ZeroDivisionError: "
        "division by zero"
    )
    assert expected in built.log
    assert not (built.site / "sitemap.xml").exists()


def _install(folder: Path, body: str) -> None:
    """Install a plugin called ``third`` as pip would."""
    info = folder / "third-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: third\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[sitemap_plugin]\nthird = third_plugin\n")
    (folder / "third_plugin.py").write_text(
        "from sitemap_plugin import hookimpl\n\n@hookimpl\ndef sitemap_transform(site):\n" + body
    )

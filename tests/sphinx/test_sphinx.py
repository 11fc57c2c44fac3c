"""The Sphinx extension, in builds in this process."""

import io
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sphinx")

from sphinx.application import Sphinx
from sphinx.errors import SphinxError
from sphinx.util.docutils import docutils_namespace, patch_docutils

from files import write_files
from git_repositories import Repo
from sitemaps import Url, read_sitemap

BASE = "https://kiln.example/docs/"
CONF = "extensions = ['sitemap_plugin_sphinx', *{extensions}]\nhtml_baseurl = {base!r}\n{more}\n"
INDEX = "Kiln\n====\n\n.. toctree::\n\n"


class Built:
    """One run of Sphinx: what it listed, and what it said."""

    def __init__(self, app: Sphinx, out: str, err: str) -> None:
        self.app, self.out, self.err = app, out, re.sub(r"\x1b\[\d+m", "", err)
        path = Path(app.outdir, app.config.sitemap.get("filename", "sitemap.xml"))
        self.urls: dict[str, Url] = {}
        if path.exists():
            self.urls = {url.loc.removeprefix(BASE): url for url in read_sitemap(path)}


Builder = Callable[..., Built]


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Builder:
    """Build a project of some files; ``more`` is added to its conf.py."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))

    def build(
        files: Mapping[str, str] | None = None,
        *,
        builder: str = "html",
        more: str = "",
        base: str = BASE,
        extensions: tuple[str, ...] = (),
        **options: Any,
    ) -> Built:
        conf = CONF.format(extensions=list(extensions), base=base, more=more)
        names = sorted(name for name in files or () if name.endswith((".rst", ".md")))
        index = INDEX + "".join(f"   {name.rpartition('.')[0]}\n" for name in names)
        for name, text in {"conf.py": conf, "index.rst": index, **(files or {})}.items():
            path = tmp_path / "docs" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists() or path.read_text() != text:
                path.write_text(text)
        out, err = io.StringIO(), io.StringIO()
        source, output = tmp_path / "docs", tmp_path / "out"
        with patch_docutils(source), docutils_namespace():
            options |= {"status": out, "warning": err}
            app = Sphinx(source, source, output, tmp_path / "trees", builder, **options)
            app.build()
        return Built(app, out.getvalue(), err.getvalue())

    return build


def page(title: str = "Title", fields: str = "", text: str = "Text.") -> str:
    return f"{fields}\n\n{title}\n{'=' * len(title)}\n\n{text}\n"


def test_every_document_is_listed_and_no_generated_page(build: Builder) -> None:
    more = "html_domain_indices = True\nsitemap = {}\n"
    module = page(text=".. py:module:: json\n\n.. py:function:: dumps()\n\n.. index:: x")
    files = {"a.rst": page(), "b/c.rst": module, "d.rst": page(fields=":orphan:\n:nosearch:")}
    found = build(files, more=more, extensions=("sphinx.ext.viewcode",))

    for name in ("genindex.html", "search.html", "py-modindex.html", "_modules/json.html"):
        assert Path(found.app.outdir, name).exists(), name
    assert list(found.urls) == ["a.html", "b/c.html", "d.html", "index.html"]
    assert found.err == ""
    assert re.search(r"sitemap: 4 URLs in .*sitemap\.xml", found.out)


def test_addresses_of_dirhtml_are_folders(build: Builder) -> None:
    files = {"a.rst": page(), "b/index.rst": page(), "ü b.rst": page()}
    assert list(build(files, builder="dirhtml").urls) == ["", "%C3%BC%20b/", "a/", "b/"]


def test_front_matter_comes_from_docinfo(build: Builder) -> None:
    files = {
        "a.rst": page(fields=":Last Modified: 2024-05-06\n:priority: 0.3"),
        "b.rst": page(fields=":sitemap: false"),
        "c.rst": page(fields=":draft: true"),
        "d.rst": page(fields=":date: 2023-01-02\n:sitemap: {priority: 0.8}"),
        "e.rst": page(fields=":priority: 7"),
    }
    found = build(files)

    dates = {path: (url.lastmod, url.priority) for path, url in found.urls.items()}
    assert dates == {
        "a.html": ("2024-05-06", "0.3"),
        "d.html": ("2023-01-02", "0.8"),
        "e.html": (None, None),
        "index.html": (None, None),
    }
    assert "sitemap: e.rst: front matter 'priority' is '7'" in found.err


def test_front_matter_comes_from_myst(build: Builder) -> None:
    pytest.importorskip("myst_parser")
    files = {
        "a.md": "---\nmodified: 2024-05-06\nsitemap:\n  priority: 0.8\n---\n# A\n",
        "b.md": "---\nsitemap: false\n---\n# B\n",
        "c.md": "---\nhtml_meta: {robots: noindex}\n---\n# C\n",
    }
    found = build(files, extensions=("myst_parser",))

    assert list(found.urls) == ["a.html", "index.html"]
    assert (found.urls["a.html"].lastmod, found.urls["a.html"].priority) == ("2024-05-06", "0.8")


def test_a_page_is_as_new_as_what_it_includes(build: Builder, tmp_path: Path) -> None:
    pages = {
        "a.rst": page(text=".. literalinclude:: code.py"),
        "b.rst": page(text=".. include:: part.txt"),
        "c.rst": page(text=".. image:: picture.png\n\n:download:`code.zip`"),
    }
    names = ("code.py", "part.txt", "picture.png", "code.zip")
    build({**pages, **dict.fromkeys(names, "old = 1\n")})
    Repo.make(tmp_path).commit(0, {})
    write_files(tmp_path / "docs", dict.fromkeys(names, "new = 2\n"))
    Repo(tmp_path).commit(366, {})
    found = build(pages)

    assert {path: str(url.lastmod)[:4] for path, url in found.urls.items()} == {
        "a.html": "2021", "b.html": "2021", "c.html": "2020", "index.html": "2020",
    }  # fmt: skip


def test_a_translated_page_is_as_new_as_its_translation(build: Builder, tmp_path: Path) -> None:
    catalog = tmp_path / "docs/locales/de/LC_MESSAGES/a.po"
    build({"a.rst": page(), "docutils.conf": ""})
    Repo.make(tmp_path).commit(0, {})
    catalog.parent.mkdir(parents=True)
    catalog.write_text('msgid ""\nmsgstr ""\n\nmsgid "Text."\nmsgstr "Wort."\n')
    (tmp_path / "docs/docutils.conf").write_text("[general]\nlanguage_code: de\n")
    Repo(tmp_path).commit(366, {})
    more = "language = 'de'\nlocale_dirs = ['locales']\n"
    (tmp_path / "docs/conf.py").unlink()
    found = build({"a.rst": page()}, more=more, freshenv=True)

    assert {path: str(url.lastmod)[:4] for path, url in found.urls.items()} == {
        "a.html": "2021", "index.html": "2020",
    }  # fmt: skip


def test_a_build_that_reads_only_what_changed_lists_all(build: Builder) -> None:
    files = {"a.rst": page(fields=":priority: 0.3"), "b.rst": page()}
    first = build(files).urls
    second = build(files | {"b.rst": page("Changed")})

    assert "1 changed" in second.out
    assert second.urls == first


@pytest.mark.slow
def test_parallel_builds_list_the_same(build: Builder) -> None:
    files = {f"{number}.rst": page(fields=f":priority: 0.{number}") for number in range(10)}
    alone = build(files).urls
    found = build(files, freshenv=True, parallel=2)

    assert found.urls == alone
    assert "not safe for parallel" not in found.err


def test_without_html_baseurl_there_is_one_warning_and_no_sitemap(build: Builder) -> None:
    found = build(base="", warningiserror=True)

    assert found.urls == {}
    assert found.err.count("\n") == 1
    assert "WARNING: sitemap: html_baseurl: not set" in found.err
    assert found.app.statuscode == 1


def test_strict_fails_the_build_with_a_message(build: Builder) -> None:
    with pytest.raises(SphinxError, match="strict"):
        build(more="sitemap = {'strict': True, 'exclude': ['nothing/']}")


def test_wrong_options_fail_before_the_build(build: Builder, tmp_path: Path) -> None:
    with pytest.raises(SphinxError, match=r"conf\.py: sitemap: priorty: unknown option"):
        build(more="sitemap = {'priorty': 1}")
    assert not (tmp_path / "out/index.html").exists()


@pytest.mark.parametrize("builder", ["text", "singlehtml", "dummy"])
def test_other_builders_get_no_sitemap(build: Builder, tmp_path: Path, builder: str) -> None:
    build(builder=builder, base="")
    assert not (tmp_path / "out/sitemap.xml").exists()


def test_a_sitemap_of_the_users_own_is_not_overwritten(build: Builder) -> None:
    files = {"extra/sitemap.xml": "by hand", "extra/robots.txt": "User-agent: *\n"}
    found = build(files, more="html_extra_path = ['extra']\nsitemap = {'filename': 'pages.xml'}")

    assert Path(found.app.outdir, "sitemap.xml").read_text() == "by hand"
    assert list(found.urls) == ["index.html"]


@pytest.mark.parametrize(("option", "listed"), [("False", []), ("True", ["own.html", "raw.html"])])
def test_pages_of_templates_and_copied_ones_are_static_html(
    build: Builder, option: str, listed: list[str]
) -> None:
    more = (
        "templates_path = ['templates']\nhtml_extra_path = ['extra']\nroot_doc = 'a'\n"
        "html_additional_pages = {'index': 'own.html', 'own': 'own.html'}\n"
        f"exclude_patterns = ['index.rst']\nsitemap = {{'static_html': {option}}}\n"
    )
    html = "<!doctype html><title>Own</title>"
    files = {"a.rst": page(), "templates/own.html": html, "extra/raw.html": html}

    assert list(build(files, more=more).urls) == ["a.html", "index.html", *listed]


def test_the_sample_site_is_as_its_sources_say(build: Builder) -> None:
    sample = Path(__file__).parents[2] / "sample_sites/sphinx"
    files = {path.name: path.read_text() for path in sample.iterdir() if path.is_file()}
    found = build(files | {"conf.py": files["conf.py"].replace("https://kiln.example/", BASE)})

    assert list(found.urls) == ["firing.html", "index.html", "reference.html"]
    assert found.urls["reference.html"].lastmod == "2023-11-02"
    assert found.urls["reference.html"].changefreq == "monthly"
    assert found.err == ""

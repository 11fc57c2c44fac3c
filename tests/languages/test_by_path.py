"""Pages of the same path in folders of languages are translations, if they say so themselves."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from files import read_table
from sitemap_plugin_folder.build_command import build_folder
from sitemaps import read_sitemap
from sites import links, page

TABLE = read_table(__file__, "by_path.yaml")
BODY = "<!doctype html><title>T</title><main>{}</main>"


def by_path(
    folder: Path, pages: Mapping[str, str | None], texts: Mapping[str, str] = {}, **more: Any
) -> dict[str, dict[str, str]]:
    """Return the links of pages in the given languages, each with a text of its own."""
    made = []
    for path, language in pages.items():
        output = folder / (path if path.endswith(".html") else f"{path}index.html")
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(BODY.format(texts.get(path, f"Text {path}")), encoding="utf-8")
        made.append(page(path, language=language, output=output))
    options = {"translations_by_path": True, **more.pop("options", {})}
    found, problems = links(folder, *made, options=options, **more)
    assert problems == []
    return found


@pytest.mark.parametrize(("pages", "sets"), TABLE["linked"])
def test_pages_in_folders_of_languages_are_linked(
    tmp_path: Path, pages: Mapping[str, str | None], sets: list[dict[str, str]]
) -> None:
    found = by_path(tmp_path, pages, options={"languages": {"cn": "zh-Hans"}, "x_default": False})

    assert {path: links for path, links in found.items() if links} == {
        path: links for links in sets for path in links.values()
    }


@pytest.mark.parametrize("pages", TABLE["unlinked"])
def test_other_pages_are_not_linked(tmp_path: Path, pages: Mapping[str, str | None]) -> None:
    assert set(map(str, by_path(tmp_path, pages).values())) == {"{}"}


def test_a_copy_word_for_word_is_none(tmp_path: Path) -> None:
    pages = {"a/": "en", "de/a/": "de", "fr/a/": "fr"}
    texts = {"a/": "<p>One <a href=/b>two</a>", "de/a/": "<p>One <a href=/de/b>two</a>"}

    every = {"en": "a/", "fr": "fr/a/", "x-default": "a/"}
    found = by_path(tmp_path, pages, texts)
    assert found == {"a/": every, "fr/a/": every, "de/a/": {}}


def test_nothing_is_matched_unless_asked_for(tmp_path: Path) -> None:
    pages = {"a/": "en", "de/a/": "de"}
    found = by_path(tmp_path, pages, options={"translations_by_path": False})
    assert found == {"a/": {}, "de/a/": {}}


VITEPRESS = """<!DOCTYPE html>
<html lang="{language}" dir="ltr">
  <head><meta charset="utf-8"><title>{title} | Kiln</title></head>
  <body><div id="app"><header class="VPNav">Kiln</header>
    <main class="main"><div class="vp-doc"><h1 id="t">{title}
      <a class="header-anchor" href="#t" aria-label="Permalink">&#8203;</a></h1>
      <p>{title} <a href="{folder}/clay">1</a></p></div></main></div></body>
</html>
"""


def test_a_site_of_vitepress_in_two_languages(tmp_path: Path) -> None:
    titles = {
        ("", "en-US"): {"index": "Kiln", "glaze": "Glaze", "clay": "Clay", "news": "News"},
        ("/de", "de"): {"index": "Ofen", "glaze": "Glasur", "clay": "Clay", "only": "Nur hier"},
    }
    (tmp_path / "de").mkdir()
    for (folder, language), pages in titles.items():
        for name, title in pages.items():
            text = VITEPRESS.format(language=language, title=title, folder=folder)
            (tmp_path / f"{folder[1:]}/{name}.html".lstrip("/")).write_text(text)

    build_folder(tmp_path, "https://kiln.example/", {"translations_by_path": True})
    urls = read_sitemap(tmp_path / "sitemap.xml")

    home, glaze = (
        {"de": f"https://kiln.example/de/{name}", **dict.fromkeys(["en-US", "x-default"], own)}
        for name in ("", "glaze.html")
        for own in [f"https://kiln.example/{name}"]
    )
    assert {url.loc.split("/", 3)[3]: dict(url.alternates) for url in urls} == {
        "": home, "clay.html": {}, "de/": home, "de/clay.html": {}, "de/glaze.html": glaze,
        "de/only.html": {}, "glaze.html": glaze, "news.html": {},
    }  # fmt: skip

"""News that are listed as pages too, in files of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from check.example import BASE, entry, index, links, urlset, write
from check.examples_of_entries import NEWS
from sitemap_plugin.commands.check.run import check

PAGES = urlset(entry("a"), entry("b"))
ARTICLES = urlset(entry("a", NEWS))


def found(folder: Path, *files: str) -> list[str]:
    """Check an index of some files; return what is found."""
    names = [f"{number}.xml" for number in range(len(files))]
    write(folder, dict(zip(names, files, strict=True)))
    write(folder, {"sitemap.xml": index(*(BASE + name for name in names))})
    outcome = check(folder / "sitemap.xml", base_url=BASE)
    return [f"{each.code} {Path(each.path).name}" for each in outcome.findings.sorted()]


@pytest.mark.parametrize("files", [(PAGES, ARTICLES), (ARTICLES, PAGES)])
def test_an_article_may_be_listed_as_a_page_too(tmp_path: Path, files: tuple[str, ...]) -> None:
    assert found(tmp_path, *files) == []


def test_a_page_or_an_article_that_is_listed_twice_is_still_found(tmp_path: Path) -> None:
    assert found(tmp_path, PAGES, PAGES) == ["loc-duplicate 1.xml"] * 2
    assert found(tmp_path, ARTICLES, ARTICLES) == ["loc-duplicate 1.xml"]
    assert found(tmp_path, urlset(entry("a"), entry("a", NEWS))) == ["loc-duplicate 0.xml"]


@pytest.mark.parametrize("articles_first", [False, True])
def test_translations_of_a_page_are_compared_though_its_article_has_none(
    tmp_path: Path, articles_first: bool
) -> None:
    pages = urlset(entry("a", links(en="a", de="b")), entry("b", links(en="a", de="b")), entry("c"))
    files = (ARTICLES, pages) if articles_first else (pages, ARTICLES)

    assert found(tmp_path, *files) == []


def test_an_article_is_recognised_however_the_file_is_cut(tmp_path: Path) -> None:
    names = [f"{number:05}" for number in range(3000)]
    pages = urlset(*map(entry, names))
    articles = [urlset(*(entry(name, NEWS) for name in names[n::3])) for n in range(3)]

    assert found(tmp_path, pages, *articles) == []

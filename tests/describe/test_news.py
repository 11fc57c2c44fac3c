"""News articles: who is one, what is said of it, and in which file it stands."""

import datetime as dt
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from files import read_table
from sitemap_plugin import ConfigError, Entry, News, Page, Report, Site, hookimpl
from sitemap_plugin.commands.explain import explain
from sitemaps import read_locs, read_sitemap
from sites import BASE, build_pages, page

TABLE = read_table(__file__, "news.yaml")

NOW = dt.datetime(2025, 3, 4, 12, tzinfo=dt.UTC)
NEWS = "{http://www.google.com/schemas/sitemap-news/0.9}"
OPTION = {"news": {"publication": "The Kettle Times", "language": "en"}}
NEW = "2025-03-03"
TOKYO = dt.timezone(dt.timedelta(hours=9))


@pytest.fixture(autouse=True)
def _build_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(NOW.timestamp())))


def article(path: str = "a/", news: Any = True, **metadata: Any) -> Page:
    """Return a page that wants to be an article."""
    return page(path, {"date": NEW, **metadata, "sitemap": {"news": news}}, title="Tea is up")


def build_news(
    folder: Path, *pages: Page, options: Any = None, **more: Any
) -> tuple[list[tuple[str, ...]], Report]:
    """Build a site; return the name, language, date and title of each article, and the report."""
    report = build_pages(folder, pages, OPTION if options is None else options, **more)
    files = sorted(folder.glob("sitemap-news*.xml"))
    found = [
        tuple(str(element.text) for element in news.iter() if not len(element))
        for file in files
        for news in etree.parse(file).iter(f"{NEWS}news")
    ]
    return found, report


def problems(report: Report) -> list[str]:
    """Return the problems in one line each."""
    return [f"{problem.severity} {problem}" for problem in report.problems]


def test_an_article_is_listed_as_a_page_and_once_more_as_news(tmp_path: Path) -> None:
    found, report = build_news(tmp_path, article(modified="2025-03-04"), page("b/"))
    (news,) = read_sitemap(tmp_path / "sitemap-news.xml")

    assert found == [("The Kettle Times", "en", NEW, "Tea is up")]
    assert (news.loc, news.lastmod) == (f"{BASE}a/", "2025-03-04")
    assert read_locs(tmp_path / "sitemap-pages.xml") == [f"{BASE}a/", f"{BASE}b/"]
    assert NEWS.strip("{}") not in (tmp_path / "sitemap-pages.xml").read_text()
    assert [path.name for path in report.files] == [
        "sitemap.xml", "sitemap-pages.xml", "sitemap-news.xml",
    ]  # fmt: skip
    assert report.entries == 2
    assert report.is_split
    assert report.problems == []


def test_a_site_without_news_has_one_file(tmp_path: Path) -> None:
    _, report = build_news(tmp_path, page("a/", {"date": NEW}, title="T"), options={})

    assert [path.name for path in report.files] == ["sitemap.xml"]


def test_front_matter_says_more_than_the_page_and_the_options(tmp_path: Path) -> None:
    own = {
        "publication": "The Pot & <Lid>",
        "language": "pt-BR",
        "publication_date": "2025-03-04T09:30:00+09:00",
        "title": " Über\n tea ",
    }
    found, report = build_news(tmp_path, article(news=own))

    assert found == [("The Pot & <Lid>", "pt", "2025-03-04T09:30:00+09:00", "Über tea")]
    assert report.problems == []


def test_a_page_that_matches_is_an_article_without_saying_so(tmp_path: Path) -> None:
    dated: dict[str, Any] = {"date": NEW}
    pages = [
        page("news/a/", dated, title="A"),
        page("news/b/", {**dated, "sitemap": {"news": False}}, title="B"),
        page("news/c/", dated),
        page("news/d/", title="D"),
        page("news/", dated, title="All", kind="listing"),
        page("e/", dated, title="E"),
    ]
    options = {"news": {**OPTION["news"], "match": "news/"}}
    found, report = build_news(tmp_path, *pages, options=options)

    assert [title for *_, title in found] == ["A"]
    assert report.problems == []


@pytest.mark.parametrize(("published", "listed"), TABLE["days"])
def test_articles_of_the_last_two_days_are_news(
    tmp_path: Path, published: str, listed: bool
) -> None:
    found, report = build_news(tmp_path, article(date=published), page("b/"))

    assert bool(found) is listed
    assert read_locs(tmp_path / "sitemap-pages.xml") == [f"{BASE}a/", f"{BASE}b/"]
    assert (tmp_path / "sitemap.xml").read_text().count("<sitemap>") == 1 + listed
    assert report.problems == []


def test_only_the_file_of_news_changes_with_the_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = [article(), page("b/")]
    build_news(tmp_path, *pages)
    first = {path.name: path.read_bytes() for path in tmp_path.glob("*.xml")}
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int((NOW + dt.timedelta(days=9)).timestamp())))
    build_news(tmp_path, *pages)
    then = {path.name: path.read_bytes() for path in tmp_path.glob("*.xml")}

    assert set(first) - set(then) == {"sitemap-news.xml"}
    assert not (tmp_path / "sitemap-news.xml.gz").exists()
    assert first["sitemap-pages.xml"] == then["sitemap-pages.xml"]


@pytest.mark.parametrize(("own", "page_language", "site_language", "written"), TABLE["languages"])
def test_the_language_is_written_as_news_sitemaps_want_it(
    tmp_path: Path,
    own: str | None,
    page_language: str | None,
    site_language: str | None,
    written: str,
) -> None:
    there = article(news={"language": own}).replace(language=page_language)
    options = {"news": {"publication": "P"}}
    found, _ = build_news(tmp_path, there, options=options, language=site_language)

    assert [language for _, language, *_ in found] == [written]


@pytest.mark.parametrize(("news", "problem"), TABLE["unusable"])
def test_what_cannot_be_used_is_a_warning_and_the_page_no_news(
    tmp_path: Path, news: Any, problem: str
) -> None:
    found, report = build_news(tmp_path, article(news=news), page("b/"))
    (told,) = problems(report)

    assert told.startswith(f"warning a.md: front matter {problem}")
    assert found == []
    assert report.entries == 2


def test_an_unknown_key_is_a_warning_and_the_article_stays(tmp_path: Path) -> None:
    found, report = build_news(tmp_path, article(news={"titel": "T"}))

    assert problems(report) == [
        "warning a.md: front matter 'sitemap.news' has an unknown key 'titel'; "
        "did you mean 'title'?"
    ]
    assert len(found) == 1


def test_an_article_that_asks_and_lacks_something_is_told_what(tmp_path: Path) -> None:
    lacking = page("a/", {"sitemap": {"news": True}})
    found, report = build_news(tmp_path, lacking, options={})

    assert found == []
    assert problems(report) == [
        f"warning a.md: front matter 'sitemap.news.{field}' is missing: {cure}"
        for field, cure in [
            ("publication", "write the publication's name"),
            ("language", "write a code such as en, zh-cn or zh-tw"),
            ("publication_date", "write a date, or a moment with its time zone"),
            ("title", "write the article's title"),
        ]
    ]


def test_a_site_whose_language_is_not_known_is_told_once(tmp_path: Path) -> None:
    options = {"news": {"publication": "P", "match": "*"}}
    pages = [page(f"{name}/", {"date": NEW}, title="T") for name in "abc"]
    found, report = build_news(tmp_path, *pages, options=options)

    assert found == []
    assert problems(report) == [
        "warning news.language: the language of the site is not known; write it here, as a code "
        "such as en"
    ]


@pytest.mark.parametrize("name", ["news", "News"])
def test_a_section_cannot_be_called_as_the_files_of_news(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match=rf"^sections\.{name}: the site has news, "):
        build_news(tmp_path, article(), options={**OPTION, "sections": {name: "a/"}})

    assert list(tmp_path.iterdir()) == []


class Editor:
    """A plugin that makes every page an article."""

    def __init__(self, news: Any) -> None:
        self._news = news

    @hookimpl
    def sitemap_transform(self, site: Site) -> Callable[[Page, Entry], Entry]:  # noqa: ARG002 - hook
        return lambda _page, entry: entry.replace(news=self._news)


def test_a_plugin_makes_articles(tmp_path: Path) -> None:
    news = News("P", "en", dt.datetime(2025, 3, 4, 7, tzinfo=TOKYO), "T")
    found, report = build_news(tmp_path, page("a/"), options={}, plugins=[Editor(news)])

    assert found == [("P", "en", "2025-03-04T07:00:00+09:00", "T")]
    assert report.problems == []


@pytest.mark.parametrize(("field", "value", "problem"), TABLE["plugins"])
def test_what_is_wrong_with_a_plugins_article_is_told_and_the_page_stays(
    tmp_path: Path, field: str, value: Any, problem: str
) -> None:
    sound = News("P", "en", dt.date(2025, 3, 3), "T")
    news = value if field == "news" else sound._replace(**{field: value})
    found, report = build_news(tmp_path, page("a/"), options={}, plugins=[Editor(news)])
    (told,) = problems(report)

    start = "" if field == "news" else f"{field} of a News "
    assert told.startswith(f"warning {BASE}a/: {start}{problem}")
    assert found == []
    assert read_locs(tmp_path / "sitemap.xml") == [f"{BASE}a/"]


def test_the_report_tells_where_an_article_is_listed(tmp_path: Path) -> None:
    _, report = build_news(tmp_path, article(), article("b/", date="2025-01-01"), page("c/"))
    records = report.to_json()["pages"]

    assert [record["news"] for record in records] == [
        {"publication_date": NEW, "file": "sitemap-news.xml"},
        {"publication_date": "2025-01-01", "file": None},
        None,
    ]
    assert {record["file"] for record in records} == {"sitemap-pages.xml"}
    told = ["\n".join(explain(record)) for record in records]
    assert f"It is a news article of {NEW}, also listed in sitemap-news.xml." in told[0]
    assert "It is a news article of 2025-01-01, which the build found too old" in told[1]
    assert "news" not in told[2]

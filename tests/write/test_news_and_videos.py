"""News and videos in files: their form, their names, and how many fit."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from sitemap_plugin.errors import WriteError
from sitemap_plugin.models import Entry, News, Restriction, Video
from write.folders import write_sitemap
from sitemaps import read_locs
from write.folders import BASE, entries, published, state, write

HERE = Path(__file__).parent
NEWS = News("The Kettle Times", "en", dt.date(2025, 3, 4), "Tea & Töpfe")
VIDEO = Video(
    thumbnail_loc="https://cdn.example.org/a&b.png",
    title='"Slow" tea',
    description="1 < 2\n3 > 2",
    content_loc="https://cdn.example.org/a.mp4",
    player_loc="https://cdn.example.org/play?a&b",
    duration=194,
    expiration_date=dt.date(2030, 1, 1),
    rating=4.2,
    view_count=12,
    publication_date=dt.datetime(2025, 3, 4, 9, 30, tzinfo=dt.UTC),
    tags=("tea", "pots"),
    family_friendly=True,
    restriction=Restriction("allow", ("DE", "AT")),
    requires_subscription=False,
    uploader="Ann's",
    uploader_info=f"{BASE}ann/",
    platform=Restriction("deny", ("tv",)),
    live=False,
)


def articles(count: int) -> list[Entry]:
    return [entry.replace(news=NEWS) for entry in entries(count)]


def test_a_file_looks_like_this(tmp_path: Path) -> None:
    write(
        tmp_path,
        [Entry(BASE, news=NEWS, videos=(VIDEO, Video("https://x/", "T", "D", BASE + "v")))],
    )

    assert (tmp_path / "sitemap.xml").read_bytes() == (HERE / "golden_media.xml").read_bytes()
    assert len(published(tmp_path).urls) == 1


def test_news_are_written_once_more_and_counted_once(tmp_path: Path) -> None:
    written = write(tmp_path, entries(3), news=articles(2))
    site = published(tmp_path)

    assert site.parts == ["sitemap-pages.xml", "sitemap-news.xml"]
    assert len(site.urls) == 5
    assert written.entries == 3
    assert [part.count for part in written.parts] == [3, 2]
    assert written.is_index


def test_a_site_of_news_has_an_index_also_when_none_is_new(tmp_path: Path) -> None:
    write(tmp_path, entries(3), news=articles(1))
    written = write(tmp_path, entries(3), news=[])

    assert published(tmp_path).parts == ["sitemap-pages.xml"]
    assert written.is_index
    assert sorted(path.name for path in tmp_path.glob("sitemap-*.xml")) == ["sitemap-pages.xml"]


def test_an_entry_without_an_article_is_no_news(tmp_path: Path) -> None:
    write(tmp_path, entries(3), news=[*articles(1), *entries(2, start=1)])

    assert len(read_locs(tmp_path / "sitemap-news.xml")) == 1


@pytest.mark.parametrize("count", [999, 1000, 1001, 2500])
def test_a_file_has_a_thousand_articles_at_most_wherever_they_come_from(
    tmp_path: Path, count: int
) -> None:
    """Also where they are handed over as pages, and at any place of a batch."""
    listed = [*entries(70), *(entry.replace(news=NEWS) for entry in entries(count, start=70))]
    written = write(tmp_path, listed, gzip=False)
    site = published(tmp_path)

    assert site.locs == [entry.loc for entry in listed]
    for part in site.parts:
        assert (tmp_path / part).read_text().count("<news:news>") <= 1000
    assert written.entries == count + 70


def test_lower_limits_hold_for_news_too(tmp_path: Path) -> None:
    write(tmp_path, entries(3), news=articles(3), max_urls=2)

    assert published(tmp_path).parts == [
        "sitemap-pages-1.xml", "sitemap-pages-2.xml", "sitemap-news-1.xml", "sitemap-news-2.xml",
    ]  # fmt: skip


def test_what_is_wrong_with_an_address_is_told_once(tmp_path: Path) -> None:
    bad = Entry(f"{BASE}a b", news=NEWS)
    written = write(tmp_path, [bad.replace(news=None), *entries(1)], news=[bad])

    assert len(written.problems) == 1
    assert published(tmp_path).parts == ["sitemap-pages.xml"]


def test_a_section_with_the_name_of_news_is_refused_before_anything_changes(
    tmp_path: Path,
) -> None:
    write(tmp_path, entries(2))
    before = state(tmp_path)
    with pytest.raises(WriteError, match=r"both be written to sitemap-news\.xml"):
        write_sitemap({"news": entries(1)}, news=articles(1), folder=tmp_path, base_url=BASE)

    assert state(tmp_path) == before


def test_videos_are_never_the_page_itself(tmp_path: Path) -> None:
    """The same videos on two pages, of which one is what they name."""
    first, second = entries(2)
    videos = (Video("https://x/", "T", "D", first.loc), VIDEO)
    written = write(tmp_path, [first.replace(videos=videos), second.replace(videos=videos)])

    text = (tmp_path / "sitemap.xml").read_text()
    assert text.count("<video:video>") == 3
    assert [problem.where for problem in written.problems] == [first.loc, first.loc]

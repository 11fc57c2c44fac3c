"""Files stay within the limits, and no entry is lost or repeated on the way."""

import datetime as dt
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap_plugin.errors import WriteError
from sitemap_plugin.models import Alternate, Entry, Image, News
from write.folders import BASE, entries, published, state, write, write_sitemap

NEWS = News("The Kettle Times", "en", dt.date(2025, 3, 4), "Tea & Töpfe")


@st.composite
def some_entries(draw: st.DrawFn) -> list[Entry]:
    """Draw entries of very different sizes, with and without links, images and news."""
    slugs = draw(st.sets(st.text("abz&'~", max_size=9), min_size=1))
    codes = st.sets(st.sampled_from(("de", "en", "fr", "x-default"))).map(sorted)
    alternates = codes.map(lambda codes: tuple(Alternate(code, f"{BASE}{code}&") for code in codes))
    images = st.lists(st.just(Image(f"{BASE}i'm.png")), max_size=3).map(tuple)
    dates, news = st.none() | st.dates(dt.date(1970, 1, 1)), st.none() | st.just(NEWS)
    given = st.tuples(dates, st.none(), st.none(), alternates, images, news)
    return [Entry(BASE + slug, *draw(given)) for slug in sorted(slugs)]


@settings(max_examples=20)
@given(some_entries(), st.integers(1, 12), st.integers(1500, 4000), st.booleans())
def test_splitting_loses_and_repeats_nothing_and_keeps_both_limits(
    listed: list[Entry], max_urls: int, max_bytes: int, gzip: bool
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        written = write(folder, listed, max_urls=max_urls, max_bytes=max_bytes, gzip=gzip)
        site = published(folder)

        assert site.locs == [entry.loc for entry in listed]
        assert written.entries == len(listed)
        names = [path.name for path in written.files]
        assert names == list(dict.fromkeys(("sitemap.xml", *site.parts)))
        for part in site.parts:
            data = (folder / part).read_bytes()
            assert len(data) <= max_bytes
            assert data.count(b"<url>") <= max_urls
        assert site.is_index == (len(site.parts) > 1)


@settings(max_examples=15)
@given(some_entries())
def test_a_file_is_cut_only_where_the_next_entry_would_not_fit(listed: list[Entry]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, listed)
        size = (folder / "sitemap.xml").stat().st_size

        write(folder, listed, max_bytes=size)
        assert not published(folder).is_index
        if len(listed) > 1:
            write(folder, listed, max_bytes=size - 1)
            assert len(published(folder).parts) == 2


@pytest.mark.parametrize("count", [1, 511, 512, 513])
def test_the_limit_of_urls_is_met_exactly(tmp_path: Path, count: int) -> None:
    write(tmp_path, entries(count), max_urls=count)
    assert not published(tmp_path).is_index

    write(tmp_path, entries(count + 1), max_urls=count)
    site = published(tmp_path)
    assert site.parts == ["sitemap-1.xml", "sitemap-2.xml"]
    assert site.locs == [entry.loc for entry in entries(count + 1)]


def test_the_protocols_own_limit_splits_after_50_000_urls(tmp_path: Path) -> None:
    write(tmp_path, entries(60_000), gzip=False)
    parts = [(tmp_path / f"sitemap-{number}.xml").read_bytes() for number in (1, 2)]
    assert [part.count(b"<url>") for part in parts] == [50_000, 10_000]


@pytest.mark.parametrize("count", [1000, 1001])
def test_a_file_has_a_thousand_articles_at_most(tmp_path: Path, count: int) -> None:
    written = write(tmp_path, entries(1), news=[e.replace(news=NEWS) for e in entries(count)])

    parts = {1000: ["sitemap-news.xml"], 1001: ["sitemap-news-1.xml", "sitemap-news-2.xml"]}
    assert published(tmp_path).parts[1:] == parts[count]
    assert written.entries == 1


def test_what_is_wrong_with_an_address_is_told_once(tmp_path: Path) -> None:
    bad = Entry(f"{BASE}a b", news=NEWS)
    written = write(tmp_path, [bad.replace(news=None), *entries(1)], news=[bad])

    assert len(written.problems) == 1
    assert published(tmp_path).parts == ["sitemap-pages.xml"]


def test_an_entry_larger_than_a_file_is_left_out_with_a_warning(tmp_path: Path) -> None:
    large = Entry(f"{BASE}n", images=tuple(Image(f"{BASE}{n}.png") for n in range(50)))
    listed = sorted([*entries(2), large, Entry(f"{BASE}z")])

    written = write(tmp_path, listed, max_bytes=1000)

    assert published(tmp_path).locs == [entry.loc for entry in listed if entry is not large]
    assert published(tmp_path).parts == ["sitemap.xml"]
    [problem] = written.problems
    assert (problem.severity, problem.where) == ("warning", large.loc)
    assert "max_bytes" in problem.message
    [path] = write(tmp_path, [large], max_bytes=9000).files
    size = path.stat().st_size
    assert [len(write(tmp_path, [large], max_bytes=size - less).files) for less in (0, 1)] == [1, 0]


def test_without_a_valid_entry_nothing_is_written(tmp_path: Path) -> None:
    for listed in ([], [Entry("https://elsewhere.org/")]):
        written = write(tmp_path, listed)
        assert (written.entries, written.files) == (0, [])
    assert state(tmp_path) == {}


def test_a_parts_lastmod_in_the_index_is_the_newest_of_its_own(tmp_path: Path) -> None:
    tokyo = dt.timezone(dt.timedelta(hours=9))
    days = [dt.date(2020, 1, 2), dt.date(2024, 1, 1), dt.date(2021, 1, 1), None, None, None]
    moments = [dt.datetime(2024, 1, 1, 8, tzinfo=tokyo),
               dt.datetime(2023, 12, 31, 23, 30, tzinfo=dt.UTC), dt.date(2023, 12, 31)]  # fmt: skip
    listed = [Entry(f"{BASE}{number}", lastmod) for number, lastmod in enumerate([*days, *moments])]

    write(tmp_path, listed, max_urls=2)

    assert published(tmp_path).dates == [
        "2024-01-01", "2021-01-01", None, "2023-12-31T23:30:00+00:00", "2023-12-31",
    ]  # fmt: skip


def test_sections_have_files_of_their_own(tmp_path: Path) -> None:
    sections = {"blog": entries(3), "api": entries(1, 5), "none": [], None: entries(5, 7)}
    written = write_sitemap(sections, folder=tmp_path, filename="map.xml", max_urls=3)

    site = published(tmp_path, "map.xml")
    assert site.parts == ["map-blog.xml", "map-api.xml", "map-pages-1.xml", "map-pages-2.xml"]
    assert len(site.locs) == written.entries == 9
    write_sitemap({"blog": entries(1), None: []}, folder=tmp_path)
    assert published(tmp_path).parts == ["sitemap-blog.xml"]


def test_sections_that_would_share_a_file_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match=r"two sections would both be written to sitemap-A\.xml"):
        write_sitemap({"a": entries(1), "A": entries(1)}, folder=tmp_path)


def test_a_site_may_have_more_files_than_can_be_open(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))
    try:
        written = write(tmp_path, entries(200), max_urls=1)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)

    assert (written.entries, len(written.files)) == (200, 201)


def test_an_index_of_too_many_files_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sitemap_plugin.write.sitemap.MAX_PARTS", 2)
    message = "index of 3 files is too large, the protocol allows 2; raise"
    with pytest.raises(WriteError, match=message):
        write(tmp_path, entries(3), max_urls=1)


def test_entries_out_of_order_are_an_error_of_the_caller(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not sorted by loc"):
        write(tmp_path, entries(2)[::-1])

"""Files stay within the limits, and no entry is lost or repeated on the way."""

from __future__ import annotations

import datetime as dt
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap_plugin.errors import WriteError
from sitemap_plugin.models import Alternate, Entry, Image
from write.folders import write_sitemap
from write.folders import BASE, entries, published, state, write

HREFLANGS = ("de", "en", "fr", "x-default")


@st.composite
def some_entries(draw: st.DrawFn) -> list[Entry]:
    """Draw entries of very different sizes, with and without links and images."""
    slugs = draw(st.sets(st.text("abz&'%~", max_size=9).map(escape_percent), min_size=1))
    dates = st.none() | st.dates(dt.date(1970, 1, 1))
    alternates = st.sets(st.sampled_from(HREFLANGS)).map(
        lambda codes: tuple(Alternate(code, f"{BASE}{code}&") for code in sorted(codes))
    )
    images = st.lists(st.just(Image(f"{BASE}i'm.png")), max_size=3).map(tuple)
    return [
        Entry(BASE + slug, draw(dates), None, None, draw(alternates), draw(images))
        for slug in sorted(slugs)
    ]


def escape_percent(text: str) -> str:
    return text.replace("%", "%25")


@settings(max_examples=100, deadline=None)
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
        assert [part.path.name for part in written.parts] == site.parts
        sizes = [(folder / part).stat().st_size for part in site.parts]
        assert all(size <= max_bytes for size in sizes)
        assert all(part.count <= max_urls for part in written.parts)
        assert site.is_index == written.is_index == (len(site.parts) > 1)


@settings(max_examples=60, deadline=None)
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


@pytest.mark.parametrize("count", [1, 2, 127, 128, 129, 256, 257])
def test_the_limit_of_urls_is_met_exactly_across_batches(tmp_path: Path, count: int) -> None:
    write(tmp_path, entries(count), max_urls=count)
    assert not published(tmp_path).is_index

    write(tmp_path, entries(count + 1), max_urls=count)
    site = published(tmp_path)
    assert site.parts == ["sitemap-1.xml", "sitemap-2.xml"]
    assert site.locs == [entry.loc for entry in entries(count + 1)]


def test_the_protocols_own_limit_splits_after_50_000_urls(tmp_path: Path) -> None:
    written = write(tmp_path, entries(60_000), gzip=False)

    assert [part.count for part in written.parts] == [50_000, 10_000]


def test_what_a_namespace_declaration_takes_counts(tmp_path: Path) -> None:
    """The last entry's link makes the start of the file longer, and so the file too long."""
    linked = Entry(f"{BASE}z", alternates=(Alternate("en", BASE),))
    write(tmp_path, [*entries(3), linked])
    size = (tmp_path / "sitemap.xml").stat().st_size

    written = write(tmp_path, [*entries(3), linked], max_bytes=size - 1)

    assert [part.count for part in written.parts] == [3, 1]
    assert b"xmlns:xhtml" not in (tmp_path / "sitemap-1.xml").read_bytes()
    assert b"xmlns:xhtml" in (tmp_path / "sitemap-2.xml").read_bytes()


def test_an_entry_larger_than_a_file_is_left_out_with_a_warning(tmp_path: Path) -> None:
    large = Entry(f"{BASE}n", images=tuple(Image(f"{BASE}{n}.png") for n in range(50)))
    listed = sorted([*entries(2), large, Entry(f"{BASE}z")])

    written = write(tmp_path, listed, max_bytes=1000)

    assert published(tmp_path).locs == [entry.loc for entry in listed if entry is not large]
    [problem] = written.problems
    assert (problem.severity, problem.where) == ("warning", large.loc)
    assert "max_bytes" in problem.message


def test_without_a_valid_entry_nothing_is_written_or_removed(tmp_path: Path) -> None:
    write(tmp_path, entries(3), max_urls=2)
    before = state(tmp_path)

    written = write(tmp_path, [])
    assert (written.entries, written.files, written.parts) == (0, [], [])
    assert state(tmp_path) == before
    written = write(tmp_path, [Entry("https://elsewhere.org/")])
    assert written.entries == 0
    assert state(tmp_path) == before


def test_entries_are_streamed(tmp_path: Path) -> None:
    """An iterator is read once, a batch at a time, and nothing of it is kept."""
    alive = 0
    most = 0

    class Loc(str):
        __slots__ = ()

        def __del__(self) -> None:
            nonlocal alive
            alive -= 1

    def stream() -> Iterator[Entry]:
        nonlocal alive, most
        for number in range(20_000):
            alive += 1
            most = max(most, alive)
            yield Entry(Loc(f"{BASE}{number:05}"))

    assert write(tmp_path, stream(), gzip=False).entries == 20_000
    assert most < 2000


def test_a_parts_lastmod_in_the_index_is_the_newest_of_its_own(tmp_path: Path) -> None:
    days = [dt.date(2020, 1, 2), dt.date(2024, 1, 1), dt.date(2021, 1, 1), None, None]
    east = dt.timezone(dt.timedelta(hours=9))
    moments = [
        dt.datetime(2024, 1, 1, 8, tzinfo=east),
        dt.datetime(2023, 12, 31, 23, 30, tzinfo=dt.UTC),
        dt.date(2023, 12, 31),
    ]
    listed = [Entry(f"{BASE}{number}", lastmod) for number, lastmod in enumerate([*days, *moments])]

    written = write(tmp_path, listed, max_urls=2)

    assert published(tmp_path).dates == [
        "2024-01-01",
        "2021-01-01",
        "2024-01-01T08:00:00+09:00",
        "2023-12-31T23:30:00+00:00",
    ]
    assert [part.newest for part in written.parts] == [days[1], days[2], moments[0], moments[1]]


def test_a_part_without_dates_has_none_in_the_index(tmp_path: Path) -> None:
    write(tmp_path, entries(2), max_urls=1)

    assert published(tmp_path).dates == [None, None]


def test_an_index_names_no_more_than_50_000_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "MAX_PARTS", 3)
    write(tmp_path, entries(3), max_urls=1)
    before = state(tmp_path)

    with pytest.raises(WriteError, match=r"more than 3 files.*raise max_urls or max_bytes"):
        write(tmp_path, entries(4), max_urls=1)

    assert state(tmp_path) == before


class TestSections:
    def test_each_gets_a_file_and_the_rest_goes_to_pages(self, tmp_path: Path) -> None:
        written = write_sitemap(
            {"blog": entries(3), "api": entries(1, 5), None: entries(2, 7)},
            folder=tmp_path,
            base_url=BASE,
        )

        site = published(tmp_path)
        assert site.parts == ["sitemap-blog.xml", "sitemap-api.xml", "sitemap-pages.xml"]
        assert len(site.locs) == written.entries == 6
        assert [path.name for path in written.files] == ["sitemap.xml", *site.parts]

    def test_each_is_split_further_when_it_has_to_be(self, tmp_path: Path) -> None:
        write_sitemap(
            {"blog": entries(3), None: entries(5, 7)},
            folder=tmp_path,
            base_url=BASE,
            filename="map.xml",
            max_urls=3,
        )

        assert published(tmp_path, "map.xml").parts == [
            "map-blog.xml",
            "map-pages-1.xml",
            "map-pages-2.xml",
        ]

    def test_the_index_exists_even_for_one_file(self, tmp_path: Path) -> None:
        write_sitemap({"blog": entries(1), None: []}, folder=tmp_path, base_url=BASE)

        site = published(tmp_path)
        assert site.is_index
        assert site.parts == ["sitemap-blog.xml"]

    def test_each_has_an_order_of_its_own(self, tmp_path: Path) -> None:
        written = write_sitemap(
            {"z": entries(2, 10), "a": entries(2)}, folder=tmp_path, base_url=BASE
        )

        assert (written.entries, written.problems) == (4, [])

    def test_two_that_would_share_a_file_are_refused(self, tmp_path: Path) -> None:
        with pytest.raises(WriteError, match=r"two sections.*sitemap-blog-1\.xml"):
            write_sitemap(
                {"blog": entries(3), "blog-1": entries(1)},
                folder=tmp_path,
                base_url=BASE,
                max_urls=2,
            )

        assert state(tmp_path) == {}

    @pytest.mark.parametrize("name", ["", "a/b", "..\\x", "a~new", "a\nb"])
    def test_a_name_that_is_none_for_a_file_is_refused(self, tmp_path: Path, name: str) -> None:
        with pytest.raises(ValueError, match="section"):
            write_sitemap({name: entries(1)}, folder=tmp_path, base_url=BASE)

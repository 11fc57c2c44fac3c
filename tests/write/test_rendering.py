"""What is written for an entry."""

import datetime as dt
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from lxml import etree

from sitemap_plugin.models import Alternate, Entry, Image, News, Restriction, Video
from sitemaps import Url, read_sitemap
from write.folders import BASE, entries, published, write, write_sitemap

HERE = Path(__file__).parent
IMAGE_LOC = "{http://www.google.com/schemas/sitemap-image/1.1}loc"
BERLIN = ZoneInfo("Europe/Berlin")


def zone(hours: int, minutes: int = 0) -> dt.timezone:
    return dt.timezone(dt.timedelta(hours=hours, minutes=minutes))


VERSIONS = {"de-CH": "https://example.ch/", "en": BASE, "x-default": BASE}
PICTURES = (Image("https://cdn.example.org/a&b.png"), Image("https://cdn.example.org/c.png"))
LINKS = tuple(Alternate(*version) for version in VERSIONS.items())
LATE = dt.datetime(2024, 12, 14, 11, 53, 0, 999_999, tzinfo=zone(9))
ENTRIES = [
    Entry(BASE, dt.date(2026, 3, 5), "daily", 1, LINKS, PICTURES),
    Entry(f"{BASE}%C3%BCber/", changefreq="never"),
    Entry(f"{BASE}ask?who=you&me=it's", LATE, priority=0),
]


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


def read_one(folder: Path, entry: Entry) -> Url:
    """Write and read one entry."""
    written = write(folder, [entry])
    assert written.problems == []
    [url] = read_sitemap(folder / "sitemap.xml")
    return url


def test_a_file_looks_like_this(tmp_path: Path) -> None:
    write(tmp_path, ENTRIES, stylesheet="sitemap.css")
    assert (tmp_path / "sitemap.xml").read_bytes() == (HERE / "golden.xml").read_bytes()
    assert len(published(tmp_path).urls) == 3


def test_an_index_looks_like_this(tmp_path: Path) -> None:
    write(tmp_path, ENTRIES[:2], stylesheet="sitemap.css", max_urls=1)
    assert (tmp_path / "sitemap.xml").read_bytes() == (HERE / "golden_index.xml").read_bytes()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (dt.date(1970, 1, 1), "1970-01-01"),
        (dt.date(9999, 12, 31), "9999-12-31"),
        (dt.datetime(2024, 5, 6, 7, 8, 9, 10, tzinfo=dt.UTC), "2024-05-06T07:08:09+00:00"),
        (dt.datetime(2024, 5, 6, 7, 8, 9, 10, tzinfo=zone(9)), "2024-05-06T07:08:09+09:00"),
        (dt.datetime(2024, 7, 1, tzinfo=BERLIN), "2024-07-01T00:00:00+02:00"),
        (dt.datetime(2024, 1, 1, tzinfo=BERLIN), "2024-01-01T00:00:00+01:00"),
        (dt.datetime(2024, 10, 27, 2, 30, tzinfo=BERLIN), "2024-10-27T02:30:00+02:00"),
        (dt.datetime(2024, 10, 27, 2, 30, fold=1, tzinfo=BERLIN), "2024-10-27T02:30:00+01:00"),
        (dt.datetime(2024, 1, 1, tzinfo=zone(-3, -30)), "2024-01-01T00:00:00-03:30"),
        # Liberia's clocks: seconds in an offset are a form that W3C and the schema do not know.
        (dt.datetime(1971, 1, 1, tzinfo=ZoneInfo("Africa/Monrovia")), "1971-01-01T00:44:30+00:00"),
        (dt.datetime(2024, 1, 1, tzinfo=zone(23, 59)), "2023-12-31T00:01:00+00:00"),
        (dt.datetime(2024, 1, 1, tzinfo=zone(14)), "2024-01-01T00:00:00+14:00"),
    ],
)
def test_lastmod_is_written_in_the_two_forms_that_everybody_reads(
    tmp_path: Path, value: dt.date, text: str
) -> None:
    assert read_one(tmp_path, Entry(BASE, value)).lastmod == text
    if isinstance(value, dt.datetime):
        assert abs(dt.datetime.fromisoformat(text) - value) < dt.timedelta(seconds=1)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0.0"), (-0.0, "0.0"), (1, "1.0"), (0.5, "0.5"), (0.85, "0.85"), (1e-5, "0.00001"),
        (1e-300, "0.0"), (Decimal("0.30"), "0.3"), (Fraction(1, 4), "0.25"),
    ],
)  # fmt: skip
def test_priority_is_written_in_its_shortest_form(tmp_path: Path, value: float, text: str) -> None:
    assert read_one(tmp_path, Entry(BASE, priority=value)).priority == text


def test_news_and_videos_look_like_this(tmp_path: Path) -> None:
    least = Video("https://x/", "T", "D", f"{BASE}v")
    write(tmp_path, [Entry(BASE, news=NEWS, videos=(VIDEO, least))])

    assert (tmp_path / "sitemap.xml").read_bytes() == (HERE / "golden_media.xml").read_bytes()
    assert len(published(tmp_path).urls) == 1


def test_all_five_characters_are_escaped_everywhere(tmp_path: Path) -> None:
    url = f"{BASE}?a=1&b='2'"
    write(tmp_path, [Entry(url, alternates=(Alternate("en", url),), images=(Image(url),))])

    text = (tmp_path / "sitemap.xml").read_text()
    assert text.count(f"{BASE}?a=1&amp;b=&apos;2&apos;") == 3


LINKED = Entry(f"{BASE}x", alternates=(Alternate("en", BASE),))
PICTURED = Entry(f"{BASE}y", images=(Image(BASE),))


@pytest.mark.parametrize(
    ("more", "declared"), [([], []), ([LINKED], ["xhtml"]), ([PICTURED], ["image"])]
)
def test_namespaces_are_declared_exactly_where_used(
    tmp_path: Path, more: list[Entry], declared: list[str]
) -> None:
    """Even when the first use comes long after the start of the file was written."""
    listed = [*entries(600), *more]
    write_sitemap({None: listed, "links": [LINKED]}, folder=tmp_path)
    roots = [etree.parse(tmp_path / f"sitemap-{name}.xml").getroot() for name in ("pages", "links")]

    assert [sorted(filter(None, root.nsmap)) for root in roots] == [declared, ["xhtml"]]
    size = (tmp_path / "sitemap-pages.xml").stat().st_size
    write(tmp_path, listed, max_bytes=size)
    assert not published(tmp_path).is_index

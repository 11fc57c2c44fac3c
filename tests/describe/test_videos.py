"""The videos of a page: what front matter says of them, and what is written."""

import datetime as dt
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from files import read_table, write_files
from markdown_text import ROOT
from sitemap_plugin import Entry, News, Page, Report, Restriction, Site, Video, hookimpl
from sitemap_plugin.commands.explain import explain
from sitemap_plugin.describe.media import KEYS
from sitemaps import read_sitemap
from sites import BASE, build_pages, page

TABLE = read_table(__file__, "videos.yaml")

VIDEO = "{http://www.google.com/schemas/sitemap-video/1.1}"
CDN = "https://cdn.example"
LEAST = {
    "thumbnail_loc": f"{CDN}/a.jpg",
    "title": "T",
    "description": "D",
    "content_loc": f"{CDN}/a.mp4",
}
Lines = list[tuple[str, str, dict[str, str]]]
WRITTEN: Lines = [(key, value, {}) for key, value in LEAST.items()]


def build_videos(
    folder: Path, video: Any, *, plugins: Any = (), **fields: Any
) -> tuple[list[Lines], list[str], Report]:
    """Build a site of one page; return the elements of its videos, the problems and the report."""
    write_files(folder, dict.fromkeys(("here.jpg", "guide/here.mp4", "guide/a/beside.jpg"), "x"))
    metadata = {**fields.pop("metadata", {}), "sitemap": {"video": video}}
    report = build_pages(folder, [page("guide/a/", metadata, **fields)], plugins=plugins)
    assert len(read_sitemap(folder / "sitemap.xml")) == 1
    found = [
        [(part.tag.removeprefix(VIDEO), str(part.text), dict(part.attrib)) for part in element]
        for element in etree.parse(folder / "sitemap.xml").iter(f"{VIDEO}video")
    ]
    return found, [f"{each.severity} {each}" for each in report.problems], report


def test_a_video_has_all_elements_in_the_order_of_the_schema(tmp_path: Path) -> None:
    video = {
        "live": False,
        "platform": {"deny": "tv"},
        "uploader": {"name": "Ann & Bo", "info": "/about/"},
        "requires_subscription": "yes",
        "restriction": {"allow": ["de", "AT"]},
        "family_friendly": True,
        "tag": ["tea", "pots"],
        "publication_date": dt.date(2025, 3, 4),
        "view_count": "12345",
        "rating": 4.25,
        "expiration_date": "2999-12-31T10:00:00+02:00",
        "duration": 600,
        "player_loc": f"{CDN}/player?a=1&b='2'",
        **LEAST,
    }
    (found,), problems, report = build_videos(tmp_path, video)

    assert found == [
        *WRITTEN,
        ("player_loc", f"{CDN}/player?a=1&b='2'", {}),
        ("duration", "600", {}),
        ("expiration_date", "2999-12-31T10:00:00+02:00", {}),
        ("rating", "4.2", {}),
        ("view_count", "12345", {}),
        ("publication_date", "2025-03-04", {}),
        ("tag", "tea", {}),
        ("tag", "pots", {}),
        ("family_friendly", "yes", {}),
        ("restriction", "DE AT", {"relationship": "allow"}),
        ("requires_subscription", "yes", {}),
        ("uploader", "Ann & Bo", {"info": f"{BASE}about/"}),
        ("platform", "tv", {"relationship": "deny"}),
        ("live", "no", {}),
    ]
    assert problems == []
    (record,) = report.to_json()["pages"]
    assert record["videos"] == 1
    assert "It has 1 video." in list(explain(record))


@pytest.mark.parametrize(("setting", "value", "written"), TABLE["values"])
def test_a_value_may_be_written_in_several_ways(
    tmp_path: Path, setting: str, value: Any, written: Any
) -> None:
    (found,), problems, _ = build_videos(tmp_path, {**LEAST, setting: value})

    assert found == [*WRITTEN, tuple(written)]
    assert problems == []


@pytest.mark.parametrize(("link", "url"), TABLE["files"])
def test_files_are_found_as_images_are(tmp_path: Path, link: str, url: str) -> None:
    (found,), problems, _ = build_videos(tmp_path, {**LEAST, "thumbnail_loc": link})

    assert found[0] == ("thumbnail_loc", url, {})
    assert problems == []


def test_title_and_description_are_the_pages_where_the_video_has_none(tmp_path: Path) -> None:
    video = {"thumbnail_loc": "here.jpg", "content_loc": "here.mp4"}
    metadata = {"description": "How to\nbrew <tea>"}
    (found,), problems, _ = build_videos(tmp_path, video, title="Téa", metadata=metadata)

    assert found[1:3] == [("title", "Téa", {}), ("description", "How to brew <tea>", {})]
    assert found[3] == ("content_loc", f"{BASE}guide/here.mp4", {})
    assert problems == []


def test_long_texts_are_shortened_to_what_the_schema_allows(tmp_path: Path) -> None:
    video = {**LEAST, "title": "é" * 101, "description": "d" * 2049}
    (found,), problems, _ = build_videos(tmp_path, video)

    assert found[1:3] == [("title", "é" * 99 + "…", {}), ("description", "d" * 2047 + "…", {})]
    assert problems == []


def test_a_page_has_several_videos(tmp_path: Path) -> None:
    found, problems, _ = build_videos(tmp_path, [LEAST, {**LEAST, "rating": 7}, {"title": "T"}])

    assert found == [WRITTEN, WRITTEN]
    assert problems[0] == (
        "warning guide/a.md: front matter 'sitemap.video[1].rating' is 7: write a number from "
        "0.0 to 5.0"
    )
    assert problems[1].startswith("warning guide/a.md: front matter 'sitemap.video[2].thumbnail")


@pytest.mark.parametrize(("setting", "value", "problem"), TABLE["unusable"])
def test_what_cannot_be_used_is_a_warning_and_left_out(
    tmp_path: Path, setting: str, value: Any, problem: str
) -> None:
    (found,), (told,), _ = build_videos(tmp_path, {**LEAST, setting: value})

    assert told.startswith(f"warning guide/a.md: front matter 'sitemap.video.{setting}")
    assert problem in told
    name: Lines = [("uploader", "N", {})] if isinstance(value, dict) and "name" in value else []
    assert found == [*WRITTEN, *name]


@pytest.mark.parametrize(("changes", "problem"), TABLE["lacking"])
def test_a_video_that_lacks_what_is_required_is_left_out(
    tmp_path: Path, changes: dict[str, Any], problem: str
) -> None:
    found, (told,), _ = build_videos(tmp_path, {**LEAST, **changes})

    assert told.startswith(f"warning guide/a.md: front matter {problem}")
    assert found == []


@pytest.mark.parametrize("video", ["x", 7, True, [[]]])
def test_what_is_no_mapping_is_a_warning(tmp_path: Path, video: Any) -> None:
    found, (told,), _ = build_videos(tmp_path, video)

    assert told.endswith(": write a mapping, or a list of mappings")
    assert found == []


def test_an_unknown_key_is_a_warning_and_the_video_stays(tmp_path: Path) -> None:
    found, (told,), _ = build_videos(tmp_path, {**LEAST, "thumbnail": "x"})

    assert told.endswith("has an unknown key 'thumbnail'; did you mean 'thumbnail_loc'?")
    assert found == [WRITTEN]


class Director:
    """A plugin that gives every page videos."""

    def __init__(self, videos: Any) -> None:
        self._videos = videos

    @hookimpl
    def sitemap_transform(self, site: Site) -> Callable[[Page, Entry], Entry]:  # noqa: ARG002 - hook
        return lambda _page, entry: entry.replace(videos=self._videos)


GIVEN = Video(f"{CDN}/a.jpg", "T", "D", f"{CDN}/a.mp4")


def test_a_plugin_adds_videos(tmp_path: Path) -> None:
    restricted = GIVEN.replace(restriction=Restriction("allow", ("DE",)))
    director = Director((GIVEN, restricted))
    found, problems, _ = build_videos(tmp_path, None, plugins=[director])

    assert found == [WRITTEN, [*WRITTEN, ("restriction", "DE", {"relationship": "allow"})]]
    assert problems == []


@pytest.mark.parametrize(
    ("changes", "problem", "kept"),
    [
        ({"thumbnail_loc": "a.jpg"}, "thumbnail_loc of a Video left out: it is 'a.jpg'; ", False),
        ({"content_loc": f"{BASE}guide/a/"}, "the page itself is neither", False),
        ({"content_loc": None}, "content_loc of a Video left out: it is None; ", False),
        ({"title": 7}, "title of a Video left out: it is 7; write a text", False),
        ({"tags": None}, "tags of a Video left out: it is None; write a list", True),
        ({"tags": "abc"}, "tags of a Video left out: it is 'abc'; write a list", True),
        ({"duration": "60"}, "duration of a Video left out: it is '60'; ", True),
        ({"view_count": 10**19}, "view_count of a Video left out", True),
        ({"view_count": 10**5000}, "view_count of a Video left out", True),
        ({"expiration_date": dt.datetime(2030, 1, 1)}, "expiration_date of a Video left", True),  # noqa: DTZ001 - the fault
        ({"restriction": ("allow", ("DE",))}, "restriction of a Video left out", True),
        ({"platform": Restriction("allow", ("DE",))}, "platform of a Video left out", True),
        ({"restriction": Restriction("allow", "DE")}, "restriction of a Video left out", True),  # type: ignore[arg-type]
        ({"uploader_info": "https://x.example/"}, "write the URL of a page of this site", True),
        ({"uploader_info": "https://[1]/"}, "write the URL of a page of this site", True),
        ({"restriction": Restriction(["allow"], ("DE",))}, "restriction of a Video", True),  # type: ignore[arg-type]
        ({"live": "yes"}, "live of a Video left out: it is 'yes'; write true", True),
    ],
)
def test_what_is_wrong_with_a_plugins_video_is_told_and_left_out(
    tmp_path: Path, changes: dict[str, Any], problem: str, kept: bool
) -> None:
    director = Director((GIVEN.replace(**changes),))
    found, problems, _ = build_videos(tmp_path, None, plugins=[director])

    assert found == ([WRITTEN] if kept else [])
    assert problem in problems[0]
    assert problems[0].startswith(f"warning {BASE}guide/a/: ")


@pytest.mark.parametrize("videos", ["x", (7,), [GIVEN, ("x",)]])
def test_what_are_no_videos_is_told(tmp_path: Path, videos: Any) -> None:
    _, problems, _ = build_videos(tmp_path, None, plugins=[Director(videos)])

    assert len(problems) == 1
    assert problems[0].endswith((" is not a tuple", " is not a Video"))


WORDS = st.sampled_from(["allow", "deny", "name", "info", "x"])
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.dates(),
    lambda some: st.lists(some, max_size=3) | st.dictionaries(WORDS | st.integers(), some),
    max_leaves=8,
)


@settings(max_examples=15)
@given(
    JUNK | st.dictionaries(st.sampled_from([*KEYS]), JUNK),
    JUNK | st.dictionaries(st.sampled_from(News._fields), JUNK),
)
def test_whatever_front_matter_says_the_page_is_listed(video: Any, news: Any) -> None:
    with tempfile.TemporaryDirectory() as name:
        metadata = {"sitemap": {"video": video, "news": news}}
        report = build_pages(Path(name), [page("a/", metadata, title="T")])
        (record,) = report.to_json()["pages"]
        assert [url.loc for url in read_sitemap(Path(name, record["file"]))] == [f"{BASE}a/"]


def test_the_keys_are_documented() -> None:
    text = (ROOT / "docs" / "news-and-videos.md").read_text(encoding="utf-8")

    assert [key for key in KEYS if f"`{key}`" not in text] == []

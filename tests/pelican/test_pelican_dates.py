"""A page is dated by what its author wrote, never by what Pelican makes of it or fills in."""

from __future__ import annotations

import os

import pytest

from pelican_sites import Site

DATES = {
    "2026-03-05": "2026-03-05",
    "2024-12-14T11:53+09:00": "2024-12-14T11:53:00+09:00",
    "2024-12-14 11:53": "2024-12-14T11:53:00+01:00",
    "2024-07-14 11:53:07": "2024-07-14T11:53:07+02:00",
    "2024-12-14 00:00": "2024-12-14T00:00:00+01:00",
    "2024-12-14_11:53": "2024-12-14T11:53:00+01:00",
    "Sat, 14 Dec 2024 11:53:00 +0900": "2024-12-14T11:53:00+09:00",
}


def test_a_date_means_the_same_wherever_the_site_is_built(site: Site) -> None:
    site.settings["TIMEZONE"] = "Europe/Berlin"
    for number, date in enumerate(DATES):
        site.article(f"a{number}.md", date=date)
    site.article("tokyo.md", "Timezone: Asia/Tokyo", date="2024-01-02 03:04")
    site.article("day.md", "Timezone: Asia/Tokyo", date="2024-01-02")
    entries = site.build(TZ="America/Los_Angeles").entries

    found = [entries[f"a{number}.html"].lastmod for number in range(len(DATES))]
    assert found == list(DATES.values())
    assert entries["tokyo.html"].lastmod == "2024-01-02T03:04:00+09:00"
    assert entries["day.html"].lastmod == "2024-01-02"


SOURCES = {
    "a.md": (
        "title: A\nDATE:   2024-01-02\n    2024-01-03\nModified: 2024-02-03\n\nDate: 2001-01-01\n"
    ),
    "b.markdown": "---\nTitle: B\nDate: 2024-01-02\nModified: 2024-02-03\n---\n\nText\n",
    "c.rst": """\
.. A comment.

Title
#####

:Date: 2024-01-02
:modified: 2024-02-03
:summary: Of several
   lines.

Text

:date: 2001-01-01
""",
    "d.html": """\
<html><head><title>D</title>
<meta content="2024-01-02" name="Date" />
<META NAME='modified' CONTENT='2024-02-03'>
</head><body><meta name="modified" content="2001-01-01"></body></html>
""",
    "e.md": "\ufefftitle: E\r\ndate: 2024-01-02\r\nmodified: 2024-02-03\r\n\r\nText\r\n",
    "f.md": "title: F\ndate: 2024-01-02\ndate: 2001-01-01\nmodified: 2024-02-03\n\nText\n",
}


def test_dates_are_read_from_every_kind_of_source(site: Site) -> None:
    content = site.folder / "content"
    content.mkdir()
    for name, source in SOURCES.items():
        (content / name).write_bytes(source.encode())
    both = site.build().entries
    for name, source in SOURCES.items():
        lines = source.splitlines(keepends=True)
        kept = "".join(line for line in lines if "2024-02-03" not in line)
        (content / name).write_bytes(kept.encode())
    date_only = site.build().entries

    for page in ("a.html", "b.html", "title.html", "d.html", "e.html", "f.html"):
        assert both[page].lastmod == "2024-02-03"
        assert date_only[page].lastmod == "2024-01-02"


GUESSES = {
    "2014-1-31T14:18": "2014-01-31T14:18",
    "2014-1-31": "2014-01-31",
    "01.05.2024": "YYYY-MM-DD",
    "May 2024": "YYYY-MM-DD",
    "1969-05-06": "1970",
}


def test_a_date_that_would_have_to_be_guessed_is_a_warning_that_names_the_file(site: Site) -> None:
    for number, date in enumerate(GUESSES):
        site.article(f"blog/a{number}.md", date=date)
    build = site.build()

    for number, cure in enumerate(GUESSES.values()):
        assert build.entries[f"a{number}.html"].lastmod is None
        assert build.said("WARNING", f"blog/a{number}.md", "date", cure)


def test_a_date_in_the_file_name_or_path_is_the_authors(site: Site) -> None:
    site.settings["PATH_METADATA"] = r"(?P<modified>\d{8})/.*"
    site.article("2024-01-31-hello.md", "slug: hello", date=None)
    site.article("20240229/leap.md", date="2024-01-01")
    entries = site.build().entries

    assert entries["hello.html"].lastmod == "2024-01-31"
    assert entries["leap.html"].lastmod == "2024-02-29"


@pytest.mark.parametrize(
    "settings",
    [
        {"DEFAULT_DATE": "fs"},
        {"DEFAULT_DATE": "2020-01-02"},
        {"DEFAULT_METADATA": {"date": "2020-01-02", "modified": "2020-01-03"}},
    ],
)
def test_a_default_dates_nothing(site: Site, settings: dict[str, object]) -> None:
    site.settings.update(settings)
    site.article("hello.md", date=None)
    site.article("dated.md", date="2024-01-01")
    site.write("content/old.rst", "Old\n###\n\nText\n")
    site.page("about.md")
    entries = site.build().entries

    for page in ("hello.html", "old.html", "pages/about.html"):
        assert entries[page].lastmod is None
    assert entries["dated.html"].lastmod == "2024-01-01"


READER = """
from datetime import datetime
from pelican import signals
from pelican.readers import BaseReader

class NoteReader(BaseReader):
    file_extensions = ["note"]

    def read(self, path):
        time = 12 if "noon" in path else 0
        return "Text", {"title": "N", "slug": path[-9:-5], "date": datetime(2024, 1, 2, time)}

def add(readers):
    readers.reader_classes["note"] = NoteReader

def register():
    signals.readers_init.connect(add)
"""


def test_what_another_reader_says_is_used(site: Site) -> None:
    site.settings["PLUGINS"] = ["sitemap_plugin", "note_reader"]
    site.write("note_reader.py", READER)
    site.write("content/noon.note", "")
    site.write("content/0000.note", "")
    entries = site.build().entries

    assert entries["noon.html"].lastmod == "2024-01-02T12:00:00+00:00"
    assert entries["0000.html"].lastmod == "2024-01-02"


def test_cached_contents_keep_their_dates(site: Site) -> None:
    site.settings.update(
        CACHE_CONTENT=True, LOAD_CONTENT_CACHE=True, CONTENT_CACHING_LAYER="generator"
    )
    site.article("hello.md", "Tags: a", date="2024-01-02")
    first = site.build()
    data = first.sitemap.read_bytes()

    assert [path for path in (site.folder / "cache").rglob("*") if path.is_file()]
    assert site.build().sitemap.read_bytes() == data
    assert "Cannot" not in first.text


def test_a_listing_is_as_new_as_its_newest_article(site: Site) -> None:
    site.settings.update(
        DEFAULT_PAGINATION=1,
        YEAR_ARCHIVE_SAVE_AS="{date:%Y}/index.html",
        SITEMAP={"pagination": True},
    )
    site.article("a.md", "Category: c\nTags: t\nModified: 2020-02-03", date="2019-01-01")
    site.article("b.md", "Category: c\nTags: t, u\nModified: 2023-02-03", date="2018-01-01")
    site.article("d.md", "Category: d\nAuthor: Eve", date="2024-01-01")
    entries = site.build().entries
    dates = {path: entry.lastmod for path, entry in entries.items()}

    assert dates["category/c.html"] == dates["tag/t.html"] == dates["tag/u.html"] == "2023-02-03"
    assert dates["author/ada.html"] == dates["2018/"] == "2023-02-03"
    assert dates["2019/"] == "2020-02-03"
    assert dates[""] == dates["archives.html"] == dates["author/eve.html"] == "2024-01-01"
    assert dates["index2.html"] == "2020-02-03"
    assert dates["index3.html"] == "2023-02-03"


def test_a_build_on_another_day_gives_the_same_bytes(site: Site) -> None:
    site.article("hello.md", "Tags: a, b, c")
    site.page("about.md")
    first = site.build(PYTHONHASHSEED="1").sitemap.read_bytes()
    twin = site.folder / "output" / "sitemap.xml.gz"
    packed = twin.read_bytes() if twin.exists() else b""
    for path in (site.folder / "content").rglob("*.md"):
        os.utime(path, (1, 1))
    second = site.build(PYTHONHASHSEED="2", SOURCE_DATE_EPOCH="1").sitemap.read_bytes()

    assert second == first
    assert not packed or twin.read_bytes() == packed

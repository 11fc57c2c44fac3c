"""News and videos of a site built by MkDocs and by ProperDocs."""

from __future__ import annotations

import pytest
from lxml import etree

from mkdocs_sites import COMMANDS, Builder
from sitemaps import read_locs, read_sitemap

NEWS = "{http://www.google.com/schemas/sitemap-news/0.9}"
VIDEO = "{http://www.google.com/schemas/sitemap-video/1.1}"
BUILT = "1741089600"  # 4 March 2025, noon in UTC
FILES: dict[str, str | bytes] = {
    "index.md": "# Home",
    "news/index.md": "# All news",
    "news/tea.md": "---\ndate: 2025-03-03\n---\n# Tea & `<pots>` *now*",
    "news/old.md": "---\ndate: 2025-01-01\n---\n# Old",
    "guide/brewing.md": (
        "---\ndescription: Slowly\nsitemap:\n  video:\n    thumbnail_loc: brewing.png\n"
        "    content_loc: /media/brewing.mp4\n    duration: 3:14\n---\n# How to brew"
    ),
    "guide/brewing.png": b"x",
    "media/brewing.mp4": b"x",
}
OPTIONS = {"news": {"publication": "The Kettle Times", "language": "en", "match": "news/"}}


@pytest.mark.parametrize("command", COMMANDS)
def test_news_and_videos_are_listed(build_site: Builder, command: str) -> None:
    environment = {"SOURCE_DATE_EPOCH": BUILT}
    built = build_site(FILES, OPTIONS, "--strict", command=command, environment=environment)

    assert built.status == 0, built.log
    assert not [line for line in built.problems if "'search'" not in line]
    assert len(read_sitemap(built.site / "sitemap-pages.xml")) == 5
    assert read_locs(built.site / "sitemap-news.xml") == ["https://example.org/news/tea/"]
    titles = etree.parse(built.site / "sitemap-news.xml").findall(f".//{NEWS}title")
    assert [title.text for title in titles] == ["Tea & <pots> now"]
    (video,) = etree.parse(built.site / "sitemap-pages.xml").findall(f".//{VIDEO}video")
    assert [part.text for part in video] == [
        "https://example.org/guide/brewing.png",
        "How to brew",
        "Slowly",
        "https://example.org/media/brewing.mp4",
        "194",
    ]


@pytest.mark.parametrize("title", ["1984", "2025-03-01", "4.5"])
def test_a_title_that_yaml_takes_for_something_else_is_a_title(
    build_site: Builder, title: str
) -> None:
    files = {"index.md": "# Home", "news/a.md": f"---\ndate: 2025-03-03\ntitle: {title}\n---\n# A"}
    built = build_site(files, OPTIONS, environment={"SOURCE_DATE_EPOCH": BUILT})

    assert built.status == 0, built.log
    (found,) = etree.parse(built.site / "sitemap-news.xml").findall(f".//{NEWS}title")
    assert found.text == title

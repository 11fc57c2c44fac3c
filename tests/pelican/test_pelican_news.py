"""News of a Pelican site, whose headers are plain text."""

from __future__ import annotations

from lxml import etree

from pelican_sites import Site
from sitemaps import read_locs

NEWS = "{http://www.google.com/schemas/sitemap-news/0.9}"
BUILT = "1741089600"  # 4 March 2025, noon in UTC


def test_articles_that_match_are_news_in_their_language(site: Site) -> None:
    site.settings |= {
        "TIMEZONE": "Europe/Berlin",
        "DEFAULT_LANG": "de",
        "SITEMAP": {"news": {"publication": "Die Kanne", "match": ["*.md", "*.rst"]}},
    }
    site.article("tea.md", date="2025-03-04 09:30")
    site.article("old.md", date="2025-01-01")
    site.article("english.md", "Lang: en", date="2025-03-03")
    site.write("content/a.rst", "Tee & <Tassen>\n##############\n\n:date: 2025-03-03\n\nText.\n")
    site.configure()
    build = site.run(SOURCE_DATE_EPOCH=BUILT)

    assert build.status == 0, build.text
    assert not build.said("WARNING"), build.text
    found = [
        [str(part.text) for part in news.iter() if not len(part)]
        for news in etree.parse(build.output / "sitemap-news.xml").iter(f"{NEWS}news")
    ]
    assert sorted(found) == [
        ["Die Kanne", "de", "2025-03-03", "Tee & <Tassen>"],
        ["Die Kanne", "de", "2025-03-04T09:30:00+01:00", "tea"],
        ["Die Kanne", "en", "2025-03-03", "english"],
    ]
    assert len(read_locs(build.output / "sitemap-pages.xml")) > len(found)

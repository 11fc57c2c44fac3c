"""A browser shows a sitemap as a readable table."""

import datetime as dt
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from chromium import Box, contrast, drawn, overflow
from sitemap_plugin.models import Alternate, Entry, Image, News, Video
from sitemap_plugin.write.site import write_stylesheet
from sitemap_plugin.write.sitemap import Destination
from write.folders import write

BASE = "https://example.org/"
GROUND = "getComputedStyle(document.documentElement).backgroundColor"

NewPage = Callable[..., Page]


def entry(number: int) -> Entry:
    return Entry(f"{BASE}page-{number:05}/", dt.date(2020, 1, 1) + dt.timedelta(number % 900))


def rich(number: int) -> Entry:
    """Return an entry of the longest kind: long words, a time of day, links, an image."""
    loc = f"{BASE}{number:05}/{'a-name-without-an-end-' * 12}/"
    lastmod = dt.datetime.fromisoformat("2024-05-01T12:30:00+05:30")
    links = tuple(Alternate(code, f"{loc}{code}/") for code in ("de", "zh-Hans", "x-default"))
    return Entry(loc, lastmod, "monthly", 0.8, links, (Image(f"{loc}picture.png"),))


def texts(boxes: list[Box]) -> list[str]:
    return [box.text for box in boxes]


def find(boxes: list[Box], text: str) -> Box:
    (box,) = [box for box in boxes if box.text == text]
    return box


def columns(boxes: list[Box], count: int) -> list[tuple[Box, Box, Box]]:
    """Return number, address and date of each row of plain entries."""
    rows = [(str(n + 1), entry(n).loc, str(entry(n).lastmod)) for n in range(count)]
    return [(find(boxes, n), find(boxes, loc), find(boxes, date)) for n, loc, date in rows]


@pytest.fixture
def opened(tmp_path: Path, served: str, new_page: NewPage) -> Callable[..., Page]:
    """Return how to publish entries and open their sitemap in a window."""

    def open_sitemap(entries: list[Entry], *, max_urls: int = 50_000, **options: Any) -> Page:
        style = write_stylesheet(Destination(tmp_path, BASE), [])
        written = write(tmp_path, entries, base_url=BASE, stylesheet=style, max_urls=max_urls)
        assert written.entries == len(entries)
        return new_page(f"{served}sitemap.xml", **options)

    return open_sitemap


@pytest.mark.parametrize("size", [1, 50, 10_000])
def test_rows_are_numbered_and_stand_in_columns_below_the_heading(
    opened: Callable[..., Page], size: int
) -> None:
    page = opened([entry(number) for number in range(size)])

    boxes = drawn(page)
    heading = find(boxes, "Sitemap of example.org")
    count = find(boxes, "1 page" if size == 1 else f"{size} pages")
    (introduction,) = [box for box in boxes if box.text.startswith("This file is for search")]
    rows = columns(boxes, min(size, 10))
    assert heading.bottom <= introduction.top < introduction.bottom <= rows[0][1].top
    assert heading.right < count.left
    assert heading.top < count.top < count.bottom < heading.bottom
    for number, loc, date in rows:
        assert number.right < loc.left < loc.right < date.left
        assert abs(number.bottom - loc.bottom) < 3
        assert abs(date.bottom - loc.bottom) < 3
    for (_, above, _), (_, below, _) in pairwise(rows):
        assert above.bottom < below.top
    assert len({loc.left for _, loc, _ in rows}) == len({date.left for *_, date in rows}) == 1
    assert len({round(number.right) for number, *_ in rows}) == 1
    page_title, date_title = find(boxes, "Page"), find(boxes, "Last changed")
    assert (page_title.left, date_title.left) == (rows[0][1].left, rows[0][2].left)
    assert page_title.bottom <= rows[0][1].top
    assert abs(page_title.bottom - date_title.bottom) < 1
    assert overflow(page) == 0


def test_of_news_and_videos_the_titles_are_shown(opened: Callable[..., Page]) -> None:
    news = News("The Times", "en", dt.date(2020, 1, 1), "Tea & more")
    video = Video(f"{BASE}v.png", "How to brew", "Very slowly", f"{BASE}v.mp4", duration=5)
    page = opened([entry(0).replace(news=news, videos=(video, video))])

    boxes = drawn(page)
    loc, badge, title = (find(boxes, text) for text in (entry(0).loc, "news", "Tea & more"))
    assert loc.left < badge.left < badge.right < title.left
    assert loc.bottom < title.top
    assert texts(boxes).count("How to brew") == texts(boxes).count("video") == 2
    shown = " ".join(texts(boxes))
    assert not any(hidden in shown for hidden in ("The Times", "slowly", "v.png", "v.mp4"))
    assert overflow(page) == 0


def test_translations_images_and_hints_stand_below_the_address(opened: Callable[..., Page]) -> None:
    page = opened([Entry(f"{BASE}a/"), rich(1).replace(loc=f"{BASE}b/")])

    boxes = drawn(page)
    address, date = find(boxes, f"{BASE}b/"), find(boxes, "2024-05-01T12:30:00+05:30")
    told = [*rich(1).alternates, ("image", rich(1).images[0].loc)]
    above = address
    for name, url in told:
        label, link = find(boxes, name), find(boxes, url)
        assert address.left <= label.left < label.right < link.left < link.right <= date.left
        assert above.bottom < link.top < label.bottom
        above = link
    assert len({find(boxes, url).left for _, url in told}) == 1
    for text in ("monthly", "changes "):
        assert find(boxes, text).top >= address.bottom
    assert find(boxes, "priority ").left == date.left
    assert find(boxes, "0.8").top >= date.bottom


def test_an_index_is_shown_in_the_same_way(opened: Callable[..., Page]) -> None:
    page = opened([entry(number) for number in range(25)], max_urls=10)

    boxes = drawn(page)
    find(boxes, "Sitemap index of example.org")
    find(boxes, "3 files")
    assert find(boxes, "File").bottom <= find(boxes, f"{BASE}sitemap-1.xml").top
    for number, newest in ((1, 9), (2, 19), (3, 24)):
        loc = find(boxes, f"{BASE}sitemap-{number}.xml")
        assert find(boxes, str(number)).right < loc.left
        assert loc.right < find(boxes, str(entry(newest).lastmod)).left
    page.goto(page.url.replace("sitemap.xml", "sitemap-3.xml"))
    find(drawn(page), "5 pages")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_in_light_and_dark_at_any_width(
    opened: Callable[..., Page], scheme: str
) -> None:
    page = opened([rich(1), rich(2)], color_scheme=scheme)

    assert (page.evaluate(GROUND) == "rgb(255, 255, 255)") == (scheme == "light")
    for selector, pseudo in (
        ("urlset", "::before"), ("urlset", "::after"), ("url", "::before"), ("url", "::after"),
        ("loc", ""), ("loc", "::before"), ("lastmod", ""), ("changefreq", ""), ("priority", ""),
        ("link", "::before"), ("link", "::after"),
    ):  # fmt: skip
        assert contrast(page, selector, pseudo) >= 4.5, (selector, pseudo)
    for width in (320, 390, 700, 1000):
        page.set_viewport_size({"width": width, "height": 800})
        assert overflow(page) == 0
        assert max(box.right for box in drawn(page)) <= width


def test_on_a_phone_the_text_is_as_large_as_on_other_pages(opened: Callable[..., Page]) -> None:
    screen = {"width": 390, "height": 844}
    page = opened(
        [rich(1), entry(0)], viewport=screen, screen=screen, is_mobile=True, has_touch=True
    )

    scale = page.evaluate("visualViewport.scale")
    size = page.evaluate("parseFloat(getComputedStyle(document.querySelector('loc')).fontSize)")
    boxes = drawn(page)
    assert scale < 0.5
    assert 14 <= scale * size <= 18
    assert find(boxes, str(entry(0).lastmod)).top >= find(boxes, entry(0).loc).bottom
    assert max(box.right for box in boxes) * scale <= 390


def test_on_paper_every_row_is_there_in_black_on_white(opened: Callable[..., Page]) -> None:
    page = opened([entry(number) for number in range(500)], color_scheme="dark")
    page.emulate_media(media="print")

    shown = set(texts(drawn(page)))
    assert {entry(number).loc for number in range(500)} <= shown
    assert {str(number + 1) for number in range(500)} <= shown
    assert page.evaluate(GROUND) == "rgb(255, 255, 255)"
    assert contrast(page, "loc") > 20

"""The work of linking grows with the number of pages, and not faster, whatever joins them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from sitemap_plugin.languages.links import link_translations
from sitemap_plugin.models import Entry, Page, Site
from sitemap_plugin.pages.front_matter import Settings
from sitemap_plugin.pages.selection import ListedPage

BASE = "https://example.org/"
LANGUAGES = ("en", "fr", "de", "it", "es")
FOLLOWING = dict(zip(LANGUAGES, LANGUAGES[1:] + LANGUAGES[:1], strict=True))

Kind = Callable[[int, str], Settings]

KINDS: dict[str, Kind] = {
    "keys": lambda number, _: Settings(translation_key=str(number)),
    "star": lambda number, _: Settings(translations={"en": f"en/{number}/"}),
    "chain": lambda n, code: Settings(translations={FOLLOWING[code]: f"{FOLLOWING[code]}/{n}.md"}),
    "left out": lambda number, _: Settings(translations={"pt": f"pt/{number}.md"}),
    "missing": lambda number, _: Settings(translations={"nl": f"nl/{number}.md"}),
    "twice": lambda number, _: Settings(translation_key=str(number), language="en"),
    "one x-default": lambda n, _: Settings(translation_key=str(n), translations={"x-default": "/"}),
    "one long set": lambda n, code: Settings(translations={code: f"{code}/{n + 1}.md"}),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_four_times_the_pages_are_four_times_the_work(name: str) -> None:
    small, large = (_work(KINDS[name], sets) for sets in (50, 200))

    assert small > 1000
    assert large < 5 * small


def _work(kind: Kind, sets: int) -> int:
    """Return how many lines of Python it takes to link so many sets."""
    pages = [(code, number) for code in sorted(LANGUAGES) for number in range(sets)]
    listed = [ListedPage(Page(BASE))]
    for code, number in pages:
        page = Page(f"{BASE}{code}/{number}/", source_path=f"{code}/{number}.md", language=code)
        listed.append(ListedPage(page, kind(number, code)))
    entries = [Entry(item.page.url) for item in listed]
    left_out = [
        Page(f"{BASE}pt/{number}/", source_path=f"pt/{number}.md") for number in range(sets)
    ]
    count = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:  # noqa: ARG001 - Python's arguments
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        link_translations(Site(BASE, language="en"), listed, entries, left_out)
    finally:
        sys.settrace(before)
    return count

"""The work of linking grows with the number of pages, and not faster, whatever joins them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest

from sitemap_plugin.languages.links import link_translations
from sitemap_plugin.models import Entry, Page, Site
from sitemap_plugin.pages.selection import ListedPage

BASE = "https://example.org/"
LANGUAGES = ("en", "fr", "de", "it", "es")


def keys(number: int, language: str) -> Page:
    return Page(f"{BASE}{language}/{number}/", language=language, translation_key=str(number))


def front_matter_keys(number: int, language: str) -> Page:
    return Page(
        f"{BASE}{language}/{number}/", metadata={"translation_key": number, "lang": language}
    )


def star(number: int, language: str) -> Page:
    return _declaring(number, language, {"en": f"en/{number}/"})


def chain(number: int, language: str) -> Page:
    following = LANGUAGES[(LANGUAGES.index(language) + 1) % len(LANGUAGES)]
    return _declaring(number, language, {following: f"{following}/{number}.md"})


def left_out(number: int, language: str) -> Page:
    return _declaring(number, language, {"pt": f"pt/{number}.md"})


def missing(number: int, language: str) -> Page:
    return _declaring(number, language, {"nl": f"nl/{number}.md"})


def twice_in_a_language(number: int, language: str) -> Page:
    return keys(number, "en")._replace(url=f"{BASE}{language}/{number}/")


def one_x_default(number: int, language: str) -> Page:
    declared = {"translations": {"x-default": "/"}}
    return keys(number, language)._replace(metadata=declared)


def one_long_set(number: int, language: str) -> Page:
    return _declaring(number, language, {language: f"{language}/{number + 1}.md"})


def _declaring(number: int, language: str, declared: dict[str, str]) -> Page:
    return Page(
        f"{BASE}{language}/{number}/",
        source_path=f"{language}/{number}.md",
        language=language,
        metadata={"translations": declared},
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind",
    [
        keys, front_matter_keys, star, chain, left_out, missing, twice_in_a_language,
        one_x_default, one_long_set,
    ],
)  # fmt: skip
def test_four_times_the_pages_are_four_times_the_work(kind: Callable[[int, str], Page]) -> None:
    small, large = (_work(kind, sets) for sets in (50, 200))

    assert small > 1000
    assert large < 5 * small


def _work(kind: Callable[[int, str], Page], sets: int) -> int:
    """Return how many lines of Python it takes to link so many sets."""
    pages = [Page(BASE), *(kind(n, code) for n in range(sets) for code in LANGUAGES)]
    pages.sort(key=lambda page: page.url)
    entries = [Entry(page.url) for page in pages]
    listed = [ListedPage(page) for page in pages]
    left_out = [
        Page(f"{BASE}pt/{number}/", source_path=f"pt/{number}.md") for number in range(sets)
    ]
    with _counting() as count:
        link_translations(Site(BASE, language="en"), listed, entries, left_out)
    return count[0]


@contextmanager
def _counting() -> Iterator[list[int]]:
    count = [0]

    def trace(frame: FrameType, event: str, argument: Any) -> Any:  # noqa: ARG001 - Python's arguments
        count[0] += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield count
    finally:
        sys.settrace(before)

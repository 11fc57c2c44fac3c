"""What belongs to the main content of a page, and what it says."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from files import read_table
from sitemap_plugin.html.content import main_images, main_text

TABLE = read_table(__file__, "content.yaml")


@pytest.mark.parametrize(("body", "text"), TABLE["texts"])
def test_the_text_of_the_main_content_is_read(body: str, text: str) -> None:
    assert main_text(f"<!doctype html><title>T</title>{body}".encode()) == text


def test_other_encodings_are_read_as_they_are_declared() -> None:
    assert main_text(b"<meta charset=latin1><p>\xe9") == "\N{LATIN SMALL LETTER E WITH ACUTE}"


@pytest.mark.parametrize(("body", "sources"), TABLE["images"])
def test_the_images_of_the_main_content_are_found(body: str, sources: list[str]) -> None:
    assert [given["src"] for given in main_images(body.encode())] == sources


@settings(max_examples=30)
@given(st.binary(max_size=200))
def test_any_bytes_have_a_content(data: bytes) -> None:
    assert isinstance(main_text(data), str)
    assert isinstance([*main_images(data)], list)

"""Foreign text in messages."""

from typing import Any

import pytest

from sitemap_plugin.common.text import quoted, shown


def test_lists_of_lists_are_not_written_out() -> None:
    bomb: Any = ["x"] * 10
    for _ in range(12):
        bomb = [bomb] * 10

    assert quoted(bomb) == "a large list"
    assert quoted({"a": bomb}) == "a large dict"
    assert quoted(["x" * 5000] * 3) == "a large list"
    assert quoted(["x"] * 3) == "['x', 'x', 'x']"


@pytest.mark.parametrize(
    "text",
    ["https://u:secret@h/", "//u:secret@h/", "https:/u:secret@h/", "a http://secret@b@h/",
     "u:secret@h/", "rules[0].u:secret@h/", "'u:secret@h/'", "http:u:secret@h/"],
)  # fmt: skip
def test_passwords_are_masked(text: str) -> None:
    assert "***@h/" in shown(text)
    assert "secret" not in shown(text)


@pytest.mark.parametrize("text", ["mailto:me@example.org", "at 12:30 me@example.org", "a: b@c"])
def test_what_is_no_password_is_shown(text: str) -> None:
    assert shown(text) == text

"""A commit counts where it changed a word; every kind has one neighbour that does."""

from pathlib import Path

import pytest

from files import read_table
from sitemap_plugin.dates.words import have_words, same_words

CASES = read_table(__file__, "words.yaml")

MARKDOWN = Path(__file__).with_name("clay.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("old", "new", "same"), CASES["edits of Markdown"])
@pytest.mark.parametrize("more", [0, 150])
def test_what_a_reader_reads_of_markdown_counts(old: str, new: str, same: bool, more: int) -> None:
    start, heading, end = MARKDOWN.partition("# Clay\n\n")
    before = start + heading + "Words before.\n\n" * more + end + "\nWords after.\n" * more
    changed = before.replace(old, new)

    assert changed != before
    assert same_words(before.encode(), changed.encode(), b"a.md") is same
    assert same_words(changed.encode(), before.encode(), b"a.md") is same


@pytest.mark.parametrize(("name", "old", "new", "same"), CASES["other formats"])
def test_what_a_reader_reads_of_other_formats_counts(
    name: str, old: str, new: str, same: bool
) -> None:
    assert same_words(old.encode(), new.encode(), name.encode()) is same


@pytest.mark.parametrize("suffix", CASES["suffixes"])
def test_the_words_of_each_kind_of_source_are_compared(suffix: str) -> None:
    name = f"docs/A.{suffix}".encode()

    assert have_words(name)
    assert same_words(b"one \xff two", b"one \xff  two\n", name)
    assert not same_words(b"one \xff two", b"one \xff three", name)

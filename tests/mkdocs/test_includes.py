"""A page is as new as the files that it is made of."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mkdocs_sites import Builder

OLD, NEW = 1577934245, 1609556645  # 2020-01-02 and 2021-01-02, 03:04:05.
SNIPPETS = {"markdown_extensions": [{"pymdownx.snippets": {"base_path": ["docs", "../parts"]}}]}
PARTS = {
    "index.md": "# Home",
    "parts/warn.md": "Hot!",
    "parts/nested.md": '--8<-- "parts/warn.md"',
    "parts/section.md": "# --8<-- [start: a]\nOne\n# --8<-- [end: a]\nTwo\n",
}
PLUGIN: list[object] = [{"include-markdown": {}}]
OTHER_TAGS: list[object] = [{"include-markdown": {"opening_tag": "{!", "closing_tag": "!}"}}]


def is_dated_by(build_site: Builder, root: Path, text: str, part: str, **config: object) -> bool:
    """Tell whether a page gets the date of a part."""
    files = {**PARTS, "page.md": text}
    options = {"lastmod": ["mtime"], "exclude": ["parts/"]}
    build_site(files, options, **config)
    for path in (root / "site" / "docs").rglob("*.md"):
        os.utime(path, (OLD, OLD))
    os.utime(root / "site" / "docs" / part, (NEW, NEW))
    built = build_site({}, options, **config)
    assert built.status == 0, built.log
    date = built.urls["page/"].lastmod
    assert date is not None
    return date.startswith("2021")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ('--8<-- "parts/nested.md"', "parts/warn.md"),
        ('--8<-- "parts/section.md:a"', "parts/section.md"),
    ],
)
def test_snippets_date_a_page(build_site: Builder, tmp_path: Path, text: str, part: str) -> None:
    assert is_dated_by(build_site, tmp_path, text, part, **SNIPPETS)


@pytest.mark.parametrize(
    ("text", "plugins", "expected"),
    [
        ('{% include-markdown "parts/warn.md" %}', PLUGIN, True),
        ("{%\n  include './parts/warn.md' heading-offset=1\n%}", PLUGIN, True),
        ('{% include "parts/w*.md" %}', PLUGIN, True),
        ('{% include-markdown "parts/**/*.md" %}', PLUGIN, True),
        ('{! include "parts/warn.md" !}', OTHER_TAGS, True),
        ('{% include "parts/warn.md" %}', OTHER_TAGS, False),
        ('{% include "parts/section.md" %}', PLUGIN, False),
        ('--8<-- "parts/warn.md"', PLUGIN, False),
    ],
)
def test_include_markdown_dates_a_page(
    build_site: Builder, tmp_path: Path, text: str, plugins: list[object], expected: bool
) -> None:
    assert is_dated_by(build_site, tmp_path, text, "parts/warn.md", plugins=plugins) is expected

"""Which files a Markdown source is made of."""

from pathlib import Path

import pytest

from files import read_table, write_files
from sitemap_plugin.dates.included_files import find_included, find_snippets

CASES = read_table(__file__, "snippets.yaml")


@pytest.mark.parametrize(("text", "expected"), CASES["includes are found"])
def test_includes_are_found(tmp_path: Path, text: str, expected: list[str]) -> None:
    files = {
        "parts/part.md": "",
        "parts/other.md": "",
        "parts/nested.md": '--8<-- "part.md"\n',
        "parts/loop.md": '--8<-- "loop.md"\n',
    }
    write_files(tmp_path, {**files, "page.md": text})
    found = find_included(tmp_path / "page.md", [find_snippets([tmp_path / "parts"])])

    assert [path.relative_to(tmp_path).as_posix() for path in found] == expected

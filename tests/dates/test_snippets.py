"""Which files a Markdown source is made of."""

from pathlib import Path

import pytest

from sitemap_plugin.dates.dependencies import find_included, find_snippets
from tables import read_table

CASES = read_table(__file__, "snippets.yaml")


@pytest.mark.parametrize(("text", "expected"), CASES["includes are found"])
def test_includes_are_found(tmp_path: Path, text: str, expected: list[str]) -> None:
    files = {
        "parts/part.md": "",
        "parts/other.md": "",
        "parts/nested.md": '--8<-- "part.md"\n',
        "parts/loop.md": '--8<-- "loop.md"\n',
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    (tmp_path / "page.md").write_text(text)
    found = find_included(tmp_path / "page.md", [find_snippets([tmp_path / "parts"])])

    assert [path.relative_to(tmp_path).as_posix() for path in found] == expected

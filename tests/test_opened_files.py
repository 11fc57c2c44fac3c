"""One way to open a file, and one way to write one: nothing else in the packages does."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
OPENING = {
    "open", "read_text", "read_bytes", "write_text", "write_bytes", "touch",
    "fdopen", "mkstemp", "mkdtemp", "NamedTemporaryFile", "TemporaryDirectory",
    "copy", "copy2", "copyfile", "copytree", "rmtree", "move", "rename", "symlink_to",
}  # fmt: skip
"""Names of functions and methods that open, write, copy or rename files."""

OWN = {
    # The one place.
    ("sitemap_plugin/common/files.py", "open"),
    ("sitemap_plugin/common/files.py", "fdopen"),
    # The null device, once whoever read the output has gone.
    ("sitemap_plugin/commands/cli.py", "open"),
    # Files of this package itself.
    ("sitemap_plugin/commands/reading/faults.py", "read_text"),
    ("sitemap_plugin/languages/codes.py", "read_text"),
    ("sitemap_plugin/write/site.py", "read_text"),
    ("sitemap_plugin/write/view.py", "read_text"),
}


def calls() -> Iterator[tuple[str, str, int]]:
    for package in ("sitemap_plugin", "adapters"):
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call):
                    name = _opening(node.func)
                    if name:
                        yield path.relative_to(ROOT).as_posix(), name, node.lineno


def _opening(function: ast.expr) -> str | None:
    """Return the name of a function or method that has to do with files, None for any other."""
    if isinstance(function, ast.Name):
        return "open" if function.id == "open" else None
    if not isinstance(function, ast.Attribute) or function.attr not in OPENING:
        return None
    owner = function.value.id if isinstance(function.value, ast.Name) else ""
    # Dictionaries have a method of that name, too.
    return function.attr if function.attr != "copy" or owner == "shutil" else None


def test_nothing_else_opens_files() -> None:
    found = [call for call in calls() if call[:2] not in OWN]

    assert found == []

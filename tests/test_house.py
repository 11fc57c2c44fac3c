"""The rules of the house: who imports whom and opens files, how many names and lines there are."""

import ast
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from markdown_text import ROOT

FOLDERS = (ROOT / "sitemap_plugin", *sorted((ROOT / "adapters").glob("sitemap_plugin_*")))
MOST_NAMES, MOST_MODULES, MOST_IMPORTED_LINES, MOST_LINES = 16, 48, 7_425, 350


@cache
def modules() -> dict[str, Path]:
    """Return every module of the package and the adapters, by its dotted name."""
    paths = [(path, folder.parent) for folder in FOLDERS for path in folder.rglob("*.py")]
    parts = {path: path.relative_to(above).with_suffix("").parts for path, above in paths}
    return {".".join(names).removesuffix(".__init__"): path for path, names in parts.items()}


def core() -> list[str]:
    """Return the modules of the package that are no part of the commands."""
    names = [name for name in modules() if name.split(".")[0] == "sitemap_plugin"]
    return [name for name in names if name.split(".")[1:2] != ["commands"]]


@cache
def tree(name: str) -> ast.Module:
    return ast.parse(modules()[name].read_text(encoding="utf-8"))


def imports(name: str, *, for_types: bool = True) -> set[str]:
    """Return what a module imports of ours, at the top or later."""
    return {found for found in _imports(tree(name), for_types) if found in modules()} - {name}


def _imports(node: ast.AST, for_types: bool) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names)
        elif isinstance(child, ast.ImportFrom) and child.module:
            inner = (f"{child.module}.{alias.name}" for alias in child.names)
            yield from (name if name in modules() else child.module for name in inner)
        elif for_types or not (
            isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
        ):
            yield from _imports(child, for_types)


def reached(start: str) -> set[str]:
    """Return every module that one imports, directly or not."""
    found, waiting = set[str](), {start}
    while waiting:
        found |= waiting
        new = set().union(*(imports(name, for_types=False) for name in waiting))
        new |= {name.rpartition(".")[0] for name in waiting} & modules().keys()
        waiting = new - found
    return found


def test_the_core_never_imports_the_commands_or_an_adapter() -> None:
    found = {(name, other) for name in core() for other in imports(name)}
    foreign = ("sitemap_plugin.commands", "sitemap_plugin_")
    assert [pair for pair in found if pair[1].startswith(foreign)] == []


def test_a_build_imports_few_modules() -> None:
    found = reached("sitemap_plugin.build")
    lines = sum(len(modules()[name].read_text(encoding="utf-8").splitlines()) for name in found)

    assert len(found) <= MOST_MODULES, sorted(found)
    assert lines <= MOST_IMPORTED_LINES


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = {name: imports(name, for_types=False) for name in modules()}
    while leaves := [name for name, found in graph.items() if not found & set(graph)]:
        for name in leaves:
            del graph[name]

    assert sorted(graph) == []


def test_no_two_modules_of_the_core_and_no_two_classes_have_one_name() -> None:
    found = [name for name in core() if modules()[name].stem != "__init__"]
    names = [name.rpartition(".")[2] for name in found]
    nodes = (node for name in modules() for node in ast.walk(tree(name)))
    classes = [node.name for node in nodes if isinstance(node, ast.ClassDef)]

    assert [name for name, count in Counter(names).items() if count > 1] == []
    assert [name for name, count in Counter(classes).items() if count > 1] == []


def test_few_names_lie_at_the_top_and_no_module_is_too_long_to_read_in_a_sitting() -> None:
    top = {name.split(".")[1] for name in modules() if name.startswith("sitemap_plugin.")}
    lines = {name: len(path.read_text("utf-8").splitlines()) for name, path in modules().items()}

    assert len({*top, "__init__"}) <= MOST_NAMES
    assert {name: count for name, count in lines.items() if count > MOST_LINES} == {}


# Names of functions and methods that open, write, copy or rename files.
OPENING = {
    "open", "read_text", "read_bytes", "write_text", "write_bytes", "touch",
    "fdopen", "mkstemp", "mkdtemp", "NamedTemporaryFile", "TemporaryDirectory",
    "copy", "copy2", "copyfile", "copytree", "rmtree", "move", "rename", "symlink_to",
}  # fmt: skip
OWN = {
    "common.files": {"open", "fdopen"},  # The one place.
    "commands.cli": {"open"},  # The null device, once whoever read the output has gone.
    # Files of this package itself.
    "commands.reading.faults": {"read_text"},
    "languages.codes": {"read_text"},
    "write.site": {"read_text"},
    "write.view": {"read_text"},
}


def _opening(call: ast.expr) -> str | None:
    """Return the name of a function or method that has to do with files, None for any other."""
    if isinstance(call, ast.Name):
        return "open" if call.id == "open" else None
    if not isinstance(call, ast.Attribute) or call.attr not in OPENING:
        return None
    # Dictionaries have a method of that name, too.
    return call.attr if call.attr != "copy" or ast.unparse(call.value) == "shutil" else None


def test_only_one_module_opens_files() -> None:
    found: dict[str, set[str]] = {}
    for name in modules():
        calls = (node for node in ast.walk(tree(name)) if isinstance(node, ast.Call))
        if names := {*filter(None, (_opening(call.func) for call in calls))}:
            found[name.removeprefix("sitemap_plugin.")] = names

    assert found == OWN


# What a package imports only where an extra, or the host that it serves, is installed.
EXTRAS = {
    "sitemap_plugin_mkdocs": {"mkdocs", "jinja2"},  # MkDocs depends on Jinja.
    "sitemap_plugin_pelican": {"pelican", "blinker"},  # Pelican depends on blinker.
    "sitemap_plugin_sphinx": {"sphinx", "docutils"},  # Sphinx depends on docutils.
}
# The dependencies by the names of their modules.
DECLARED = {
    {"pyyaml": "yaml"}.get(name, name): name
    for text in tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    for name in [text.partition(">")[0]]
}


@cache
def outside(package: str) -> set[str]:
    """Return what a package imports that is neither its own nor Python's."""
    own = [name for name in modules() if name.partition(".")[0] == package]
    imported = (found for name in own for found in _imports(tree(name), for_types=True))
    found = {name.partition(".")[0] for name in imported}
    return found - sys.stdlib_module_names - {folder.name for folder in FOLDERS}


@pytest.mark.parametrize("package", [folder.name for folder in FOLDERS])
def test_what_is_imported_is_declared(package: str) -> None:
    assert outside(package) <= DECLARED.keys() | EXTRAS.get(package, set())


def test_every_dependency_is_needed_and_has_its_reason() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert set().union(*(outside(folder.name) for folder in FOLDERS)) >= DECLARED.keys()
    assert [name for name in DECLARED.values() if f"\n| {name} | " not in text] == []

"""The documentation says what the code does."""

from __future__ import annotations

import ast
import inspect
import json
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml

from given_pages import GivenPages
from markdown_text import ROOT, anchors, code, fences, links, sections, table
from mkdocs_sites import BIN, run_build
from sitemap_plugin import Entry, Page, Site, hookspecs
from sitemap_plugin.build import build
from sitemap_plugin.config import BUILT_IN_SOURCES, Config, parse_config
from sitemap_plugin.pages.front_matter import DATE_KEYS, MODIFIED_KEYS
from sitemap_plugin.plugins import HOOKS
from sitemap_plugin.report import REFUSED
from sitemaps import read_locs

DOCS = ROOT / "docs"
TEXTS = {
    path.relative_to(DOCS).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(DOCS.rglob("*.md"))
}
OPTIONS = sections(TEXTS["options.md"], 3)
BASE = "https://example.org/"


def test_the_documentation_builds_without_a_warning_and_passes_the_check(tmp_path: Path) -> None:
    config, site = str(ROOT / "mkdocs.yml"), str(tmp_path / "site")
    built = run_build(tmp_path, "--strict", "-f", config, "-d", site)

    assert built.status == 0, built.log
    base = "https://sitemap-plugin.example/"
    listed = [loc.removeprefix(base).rstrip("/") for loc in read_locs(built.site / "sitemap.xml")]
    names = ["" if name == "index.md" else name.removesuffix(".md") for name in TEXTS]
    assert sorted(listed) == sorted(names)
    arguments = ["check", str(built.site), "--fail-on", "warning"]
    found = subprocess.run(
        [BIN / "sitemap-plugin", *arguments], check=False, capture_output=True, text=True
    )
    assert found.returncode == 0, found.stdout


@pytest.mark.parametrize("name", ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"])
def test_links_out_of_the_documentation_lead_somewhere(name: str) -> None:
    for target in links((ROOT / name).read_text(encoding="utf-8")):
        path, _, anchor = target.partition("#")
        assert (ROOT / path).exists(), target
        assert not anchor or anchor in anchors((ROOT / path).read_text(encoding="utf-8")), target


def test_every_option_has_a_section() -> None:
    assert sorted(OPTIONS) == sorted(field.name for field in fields(Config))


@pytest.mark.parametrize("name", OPTIONS)
def test_an_options_default_is_the_codes(name: str) -> None:
    (written,) = [line for line in OPTIONS[name].splitlines() if line.startswith("Default: ")]
    default = yaml.safe_load(code(written)[0])
    config, _ = parse_config({name: default}, generator="mkdocs")

    assert getattr(config, name) == getattr(Config(), name)
    assert default is not None or getattr(Config(), name) is None


def test_the_built_in_date_sources_are_described() -> None:
    listed = [name for row in table(OPTIONS["lastmod"], first="name") for name in code(row[0])]
    described = sections(sections(TEXTS["dates.md"], 2)["The sources"], 3)

    assert sorted(listed) == sorted(described) == sorted(BUILT_IN_SOURCES)


class Recorder(Mapping[str, Any]):
    """Front matter that has nothing but notes what it is asked for."""

    def __init__(
        self, seen: set[str], prefix: str = "", nested: Mapping[str, Any] | None = None
    ) -> None:
        self._seen = seen
        self._prefix = prefix
        self._nested = nested or {}

    def __getitem__(self, key: str) -> Any:
        self._seen.add(self._prefix + key)
        return self._nested[key]

    def __iter__(self) -> Iterator[str]:
        # Pages whose keys say nothing of leaving out are not asked for the rest of those.
        return iter(["robots"])

    def __len__(self) -> int:
        return 1


def _keys_read(tmp_path: Path) -> set[str]:
    """Return every key of front matter that a build looks at."""
    seen: set[str] = set()
    nested = {name: Recorder(seen, f"{name}.") for name in ("sitemap", "date", "last_update")}
    pages = [
        Page(f"{BASE}flat", metadata=Recorder(seen), translation_key="both"),
        Page(f"{BASE}nested", metadata=Recorder(seen, nested=nested), translation_key="both"),
    ]
    build(Site(BASE, tmp_path), [GivenPages(*pages)])
    return seen


def test_every_key_of_front_matter_is_documented(tmp_path: Path) -> None:
    text = TEXTS["front-matter.md"]
    documented = [key for row in table(text, first="key") for key in code(row[0])]
    documented += [name for name in sections(text, 3) if " " not in name]

    assert sorted(documented) == sorted(_keys_read(tmp_path))


@pytest.mark.parametrize(("source", "keys"), [("modified", MODIFIED_KEYS), ("date", DATE_KEYS)])
def test_the_keys_of_dates_are_documented_in_their_order(
    source: str, keys: tuple[str, ...]
) -> None:
    rows = table(sections(TEXTS["front-matter.md"], 2)["Dates"], first="key")

    assert [code(row[0])[0] for row in rows if code(row[1]) == [source]] == list(keys)


def _reasons_given() -> Iterator[str]:
    """Yield each reason to leave a page out that stands in the code."""
    for folder in ("sitemap_plugin", "adapters"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef) and node.name.strip("_") == "reason":
                    returns = [part for part in ast.walk(node) if isinstance(part, ast.Return)]
                    yield from (text for part in returns for text in _texts(part.value))
                if isinstance(node, ast.Call) and ast.unparse(node.func) == "report.leave_out":
                    yield from _texts(node.args[1])


def _texts(value: ast.expr | None) -> Iterator[str]:
    """Yield what an expression may be, up to the parenthesis."""
    if isinstance(value, ast.IfExp):
        yield from (*_texts(value.body), *_texts(value.orelse))
    if isinstance(value, ast.JoinedStr):
        value = value.values[0]
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        yield value.value.split(" (")[0]


def test_every_reason_to_leave_a_page_out_is_documented() -> None:
    documented = [code(row[0])[0] for row in table(TEXTS["which-pages.md"], first="reason")]

    assert sorted(documented) == sorted({*_reasons_given(), REFUSED})


def test_every_key_of_the_report_is_documented(tmp_path: Path) -> None:
    pages = [Page(f"{BASE}in"), Page(f"{BASE}out", metadata={"sitemap": False})]
    report = build(Site(BASE, tmp_path), [GivenPages(*pages)]).to_json()
    listed, left_out = report["pages"]
    text = TEXTS["report.md"]
    (example,) = fences(text, "json")
    described = [code(row[0])[0] for row in table(text, first="key of a page")]

    assert [code(row[0])[0] for row in table(text, first="key")] == list(report)
    assert sorted(described) == sorted(listed)
    assert described[: len(left_out)] == list(left_out) == list(json.loads(example.text))


def test_every_hook_is_documented_with_its_arguments() -> None:
    documented = {
        name: text for name, text in sections(TEXTS["hooks.md"], 2).items() if name in HOOKS
    }

    assert set(documented) == set(HOOKS)
    for name, text in documented.items():
        arguments = list(inspect.signature(getattr(hookspecs, name)).parameters)
        signature, _example = fences(text, "python")
        described = [line for line in text.splitlines() if line.startswith("- `")]
        assert signature.text == f"{name}({', '.join(arguments)})\n"
        assert [code(line)[0] for line in described] == arguments
        assert "**Returns** " in text


@pytest.mark.parametrize(
    ("model", "names"),
    [
        ("Site", [field.name for field in fields(Site)]),
        ("Page", Page._fields),
        ("Entry", Entry._fields),
    ],
)
def test_the_fields_of_models_are_documented(model: str, names: list[str]) -> None:
    text = sections(TEXTS["hooks.md"], 2)["What plugins work with"]
    own = text.split(f"**`{model}`**")[1].split("\n**`")[0]

    assert [code(row[0])[0] for row in table(own, first="field")] == list(names)


def test_every_module_has_its_line_in_the_overview() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for folder in ("sitemap_plugin", "adapters"):
        named = [code(row[0])[0] for row in table(text, first=f"`{folder}/`")]
        paths = [
            path for path in (ROOT / folder).iterdir() if not path.name.startswith("__pycache")
        ]
        there = [f"{path.name}/" if path.is_dir() else path.name for path in paths]
        assert sorted(named) == sorted(name for name in there if name != "py.typed")

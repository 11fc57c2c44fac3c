"""The documentation says what the code does."""

import ast
import inspect
import json
import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml

from files import BIN, run_program
from markdown_text import ROOT, code, fences, items, links, sections, table
from mkdocs_sites import run_command
from sitemap_plugin import Entry, Page, Site, hookspecs
from sitemap_plugin.commands.explain import CURES
from sitemap_plugin.config import BUILT_IN_SOURCES, Config, parse_config
from sitemap_plugin.pages.front_matter import DATE_KEYS, MODIFIED_KEYS
from sitemap_plugin.plugins import HOOKS
from sitemaps import read_locs
from sites import BASE, build_pages

DOCS = ROOT / "docs"
TEXTS = {
    path.relative_to(DOCS).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(DOCS.rglob("*.md"))
}
OPTIONS = sections(TEXTS["options.md"], 3)
MOST_WORDS = 14_000


def test_the_documentation_is_short() -> None:
    assert sum(len(text.split()) for text in TEXTS.values()) <= MOST_WORDS


def test_the_documentation_builds_without_a_warning_and_passes_the_check(tmp_path: Path) -> None:
    config, site = str(ROOT / "mkdocs.yml"), str(tmp_path / "site")
    built = run_command(tmp_path, "--strict", "-f", config, "-d", site)

    assert built.status == 0, built.log
    base = "https://sitemap-plugin.example/"
    listed = [loc.removeprefix(base).rstrip("/") for loc in read_locs(built.site / "sitemap.xml")]
    names = ["" if name == "index.md" else name.removesuffix(".md") for name in TEXTS]
    assert sorted(listed) == sorted(names)
    arguments = ("check", str(built.site), "--fail-on", "warning")
    assert run_program(BIN / "sitemap-plugin", *arguments, cwd=tmp_path)


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
    listed = [name for names, _ in items(OPTIONS["lastmod"]) for name in names]
    described = sections(sections(TEXTS["dates.md"], 2)["The sources"], 3)
    assert sorted(listed) == sorted(described) == sorted(BUILT_IN_SOURCES)


class Recorder(Mapping[str, Any]):
    """Front matter that has nothing but notes what it is asked for."""

    def __init__(self, seen: set[str], prefix: str = "", **nested: Any) -> None:
        self._seen, self._prefix, self._nested = seen, prefix, nested

    def __getitem__(self, key: str) -> Any:
        self._seen.add(self._prefix + key)
        return self._nested.get(key)

    def __contains__(self, key: object) -> bool:
        return self[str(key)] is not None

    def __iter__(self) -> Iterator[str]:
        # Pages whose keys say nothing of leaving out are not asked for the rest of those.
        return iter(["robots"])

    def __len__(self) -> int:
        return 1


def _keys_read(tmp_path: Path) -> set[str]:
    """Return every key of front matter that a build looks at."""
    seen: set[str] = set()
    nested: dict[str, Any] = {
        name: Recorder(seen, f"{name}.") for name in ("sitemap", "date", "last_update")
    }
    pages: list[Page] = []
    recorders = {"flat": Recorder(seen), "nested": Recorder(seen, **nested)}
    for name, metadata in recorders.items():
        pages.append(Page(BASE + name, metadata=metadata, translation_key="both"))
    build_pages(tmp_path, pages)
    return seen


def test_every_key_of_front_matter_is_documented(tmp_path: Path) -> None:
    text = sections(TEXTS["which-pages.md"], 2)["Front matter"]
    documented = {key for row in table(text, first="key") for key in code(row[0])} | {"sitemap"}
    asked = {key for key in _keys_read(tmp_path) if not key.endswith("_by_host")}

    assert sorted(documented) == sorted(asked - NOT_WRITTEN_BY_AUTHORS)


NOT_WRITTEN_BY_AUTHORS = {"alternates"}
"""A key that is read to say that it belongs below ``sitemap``."""


def _fold(key: str) -> str:
    return key.translate(str.maketrans("", "", "-_ ")).lower()


@pytest.mark.parametrize(("source", "keys"), [("modified", MODIFIED_KEYS), ("date", DATE_KEYS)])
def test_the_keys_of_dates_are_documented_in_their_order(
    source: str, keys: tuple[str, ...]
) -> None:
    rows = table(sections(TEXTS["which-pages.md"], 3)["Keys for dates"], first="date source")
    (named,) = [code(row[1]) for row in rows if code(row[0]) == [source]]
    assert [_fold(name) for name in named if "." not in name] == list(keys)


def test_every_reason_to_leave_a_page_out_is_documented() -> None:
    text = sections(TEXTS["which-pages.md"], 2)["Reasons to leave a page out"]
    documented = [name for names, _ in items(text) for name in names]
    assert sorted(documented) == sorted(CURES)


def test_every_key_of_the_report_is_documented(tmp_path: Path) -> None:
    pages = [Page(f"{BASE}in"), Page(f"{BASE}out", metadata={"sitemap": False})]
    report = build_pages(tmp_path, pages).to_json()
    listed, left_out = report["pages"]
    text = sections(TEXTS["report.md"], 2)["The JSON form"]
    (example,) = fences(text, "json")
    described = [name for names, _ in items(text) for name in names]

    assert described[: len(report)] == list(report)
    assert sorted(described[len(report) :]) == sorted(listed)
    assert described[len(report) :][: len(left_out)] == list(json.loads(example.text))
    assert list(left_out) == list(json.loads(example.text))


def test_every_hook_is_documented_with_its_arguments() -> None:
    texts = sections(TEXTS["hooks.md"], 2)
    documented = {name: text for name, text in texts.items() if name in HOOKS}

    assert set(documented) == set(HOOKS)
    for name, text in documented.items():
        arguments = list(inspect.signature(getattr(hookspecs, name)).parameters)
        signature, _example = fences(text, "python")
        described = [line for line in text.splitlines() if line.startswith("- `")]
        assert signature.text == f"{name}({', '.join(arguments)})\n"
        assert [code(line)[0] for line in described] == arguments
        assert "**Returns** " in text


SITE = [field.name for field in fields(Site)]


@pytest.mark.parametrize(
    ("model", "names"), [("Site", SITE), ("Page", Page._fields), ("Entry", Entry._fields)]
)
def test_the_fields_of_models_are_documented(model: str, names: list[str]) -> None:
    text = sections(TEXTS["hooks.md"], 2)["What plugins work with"]
    own = text.split(f"**`{model}`**")[1].split("\n**`")[0]
    assert [name for given, _ in items(own) for name in given] == list(names)


CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("folder", ["sitemap_plugin", "adapters"])
def test_every_room_has_its_line_in_the_overview(folder: str) -> None:
    named = [code(row[0])[0] for row in table(CONTRIBUTING, first=f"`{folder}/`")]
    paths = [path for path in (ROOT / folder).iterdir() if not path.name.startswith("__pycache")]
    there = [f"{path.name}/" if path.is_dir() else path.name for path in paths]

    assert sorted(named) == sorted(name for name in there if name != "py.typed")


def test_the_places_that_contributors_are_sent_to_exist() -> None:
    named = [name for line in CONTRIBUTING.splitlines() for name in code(line)]
    paths = [path for path in named if path.startswith(("sitemap_plugin/", "tests/"))]

    assert len(paths) > 20
    assert [path for path in paths if not (ROOT / path).exists()] == []


def _strings(path: Path) -> Iterator[str]:
    """Yield the texts in a module, with an ellipsis for what is filled in."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else "…" for part in node.values]
            yield "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


HOSTS_OWN = {
    "Invalid Plugins configuration",
    'The "exclude" plugin is not installed',
    "Invalid config options for the 'sitemap' plugin",
    "mapping values are not allowed here",
    "Plugin 'sitemap' was specified multiple times",
    "Cannot load plugin",
}
"""What MkDocs and Pelican say themselves."""


def test_the_messages_that_are_explained_are_those_of_the_code() -> None:
    parts = sections(TEXTS["messages.md"], 2).values()
    explained = {name for part in parts for (name, *_), _ in items(part)}
    files = [*(ROOT / "sitemap_plugin").rglob("*.py"), *(ROOT / "adapters").rglob("*.py")]
    texts = "\n".join(text for path in files for text in _strings(path))

    assert explained >= HOSTS_OWN
    assert [name for name in explained - HOSTS_OWN if not _occurs(name, texts)] == []


def _occurs(message: str, texts: str) -> bool:
    pattern = ".*".join(map(re.escape, re.split("(?: ?… ?)", message)))
    return re.search(pattern, texts) is not None


SHOWN = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in (*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md")))
}


def _github_anchors(text: str) -> set[str]:
    """Return the anchors of a text's headings as GitHub makes them: each space becomes a hyphen."""
    headings = (heading for level in (1, 2, 3) for heading in sections(text, level))
    shown = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading) for heading in headings)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in shown}


@pytest.mark.parametrize("name", SHOWN)
def test_links_lead_somewhere_where_the_repository_is_shown(name: str) -> None:
    for target in links(SHOWN[name]):
        path, _, anchor = target.partition("#")
        there = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
        assert (ROOT / there).is_file(), target
        assert not anchor or anchor in _github_anchors(SHOWN[there]), target

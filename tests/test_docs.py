"""The documentation says what the code does, and its examples do what they say."""

import ast
import inspect
import json
import posixpath
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml
from mkdocs.utils.meta import get_data
from mkdocs.utils.yaml import yaml_load

from files import BIN, run_program
from markdown_text import ROOT, Fence, code, fences, items, links, sections, table
from mkdocs_sites import run_command
from sitemap_plugin import Entry, Page, Site, hookspecs
from sitemap_plugin.commands.explain import CURES
from sitemap_plugin.config import BUILT_IN_SOURCES, Config, parse_config
from sitemap_plugin.dates.parse import format_lastmod, parse_date
from sitemap_plugin.languages.codes import normalize
from sitemap_plugin.pages.front_matter import DATE_KEYS, MODIFIED_KEYS
from sitemap_plugin.pages.patterns import Patterns
from sitemap_plugin.plugins import HOOKS
from sitemaps import read_locs
from sites import BASE, build_pages

DOCS = ROOT / "docs"
TEXTS = {
    path.relative_to(DOCS).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(DOCS.rglob("*.md"))
}
WRITTEN = {path.name: path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("*.md"))}
WRITTEN |= {f"docs/{name}": text for name, text in TEXTS.items()}
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


def _github_anchors(text: str) -> set[str]:
    """Return the anchors of a text's headings as GitHub makes them: each space becomes a hyphen."""
    headings = (heading for level in (1, 2, 3) for heading in sections(text, level))
    shown = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading) for heading in headings)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in shown}


@pytest.mark.parametrize("name", WRITTEN)
def test_links_lead_somewhere_where_the_repository_is_shown(name: str) -> None:
    for target in links(WRITTEN[name]):
        path, _, anchor = target.partition("#")
        there = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
        assert (ROOT / there).is_file(), target
        assert not anchor or anchor in _github_anchors(WRITTEN[there]), target


def _settings(fence: Fence) -> dict[str, Any] | None:
    """Return the plugin's options in a block of configuration, None where it has none."""
    if fence.language == "yaml":
        content = yaml_load(fence.text)
        plugins = content.get("plugins", ()) if isinstance(content, dict) else ()
        given = [plugin for plugin in plugins if isinstance(plugin, dict) and "sitemap" in plugin]
        return next((dict(plugin["sitemap"]) for plugin in given), None)
    if fence.title == "sitemap.toml":
        return {k: v for k, v in tomllib.loads(fence.text).items() if k != "base_url"}
    for node in ast.parse(fence.text).body if fence.language == "python" else ():
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "SITEMAP":
            return dict(ast.literal_eval(node.value))
    return None


@pytest.mark.parametrize("name", WRITTEN)
def test_examples_of_configuration_can_be_read(name: str) -> None:
    for fence in fences(WRITTEN[name]):
        if fence.language == "yaml":
            assert isinstance(yaml_load(fence.text), dict | list)
        if fence.language == "toml":
            assert tomllib.loads(fence.text)


CONFIGURATIONS = [
    pytest.param(fence.language, settings, id=f"{name}-{number}")
    for name, text in WRITTEN.items()
    for number, fence in enumerate(fences(text))
    if (settings := _settings(fence)) is not None
]


@pytest.mark.parametrize(("language", "settings"), CONFIGURATIONS)
def test_examples_of_options_are_accepted(language: str, settings: dict[str, Any]) -> None:
    generators = {"yaml": "mkdocs", "python": "pelican", "toml": "folder"}
    assert parse_config(settings, generator=generators[language])[1] == []


FRONT_MATTER = [
    pytest.param(fence, id=f"{name}-{fence.title}")
    for name, text in WRITTEN.items()
    for fence in fences(text, "markdown")
    if fence.text.startswith("---\n")
]


@pytest.mark.parametrize("fence", FRONT_MATTER)
def test_examples_of_front_matter_are_accepted(fence: Fence, tmp_path: Path) -> None:
    source = fence.title.removeprefix("docs/")
    metadata = get_data(fence.text)[1]
    page = Page(f"{BASE}example/", source_path=source, metadata=metadata, title="Example")
    other = Page(f"{BASE}other/", source_path="de/ueber.md", metadata={"lang": "de"})
    pages = [page] if source == other.source_path else [page, other]
    for name in ("prices.png", "images/brewing.jpg", "videos/brewing.mp4"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    news = {"publication": "The Kettle Times", "language": "en"}
    report = build_pages(tmp_path, pages, {"news": news})

    assert metadata
    assert report.problems == []


@pytest.mark.parametrize("row", table(TEXTS["which-pages.md"], first="pattern"))
def test_examples_of_patterns_match_as_they_say(row: list[str]) -> None:
    pattern, source, url = (code(cell)[0] if cell else "" for cell in row[:3])
    assert bool(Patterns([pattern]).match(source, url)) is (row[3] == "yes")


@pytest.mark.parametrize("row", table(TEXTS["dates.md"], first="written in front matter"))
def test_examples_of_dates_become_what_they_say(row: list[str]) -> None:
    (written,), (expected,) = map(code, row)
    assert format_lastmod(parse_date(written)) == expected
    assert format_lastmod(parse_date(yaml.safe_load(written))) == expected


@pytest.mark.parametrize("row", table(TEXTS["languages.md"], first="name"))
def test_examples_of_language_names_become_what_they_say(row: list[str]) -> None:
    (name,), (expected,) = map(code, row)
    assert normalize(name).code == expected

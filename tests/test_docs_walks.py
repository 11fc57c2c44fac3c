"""README and documentation are followed literally: commands, tutorials, plugins, recipes."""

import json
import os
import re
import shlex
import shutil
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from mkdocs.utils.yaml import yaml_load

from files import BIN, read_table, run_program, write_files
from markdown_text import ROOT, Fence, code, fences, sections
from mkdocs_sites import Built, run_build
from pelican_sites import needs_pelican, run_pelican
from sitemap_plugin.plugins import HOOKS
from sites import BASE

DOCS = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md")}
HOME = {"docs/index.md": "# Home"}


def _files(text: str) -> dict[str, str]:
    """Return the files that a text tells to write."""
    return {fence.title: fence.text for fence in fences(text) if fence.title}


def _new_files(text: str, folder: str) -> set[str]:
    """Return the files in a folder that a text speaks of."""
    named = set(re.findall(rf"`{folder}/([\w.]+)`", text)) | {"sitemap.xml"}
    assert len(named) == 4
    return named


def _names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def _check(text: str, root: Path) -> None:
    """Run the check that a text names; it has one notice, of the page that is left out."""
    (command,) = re.findall(r"`(sitemap-plugin check \w+)`", text)
    program, *arguments = command.split()
    found = run_program(BIN / program, *arguments, "--fail-on", "warning", cwd=root)
    assert found.count("[page-left-out]") == 1
    assert "1 notice in" in found


def _promised(text: str) -> list[str]:
    """Return the lines of the plugin that the consoles in a text show, without the next step."""
    lines = [line for fence in fences(text, "console") for line in fence.text.splitlines()]
    shown = [line.partition("; next: ")[0] for line in lines if not line.startswith("$")]
    return [line for line in shown if "sitemap" in line.lower()]


def test_the_summary_that_is_shown_first_is_that_of_a_sample_site(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "sample_sites" / "mkdocs", tmp_path / "kettle")
    built = run_build(tmp_path / "kettle")
    (shown,) = fences(DOCS["index.md"], "text")

    # The next step is shown at a terminal only.
    assert shown.text.partition("; next: ")[0] in built.log


def test_the_mkdocs_tutorial_leads_where_it_says(tmp_path: Path) -> None:
    parts = sections(DOCS["mkdocs.md"], 2)
    root = tmp_path / "my-docs"
    run_program(BIN / "mkdocs", "new", root, cwd=tmp_path)
    write_files(root, _files(parts["Make a site"] + parts["Add the line"]))
    built = run_build(root)

    assert built.status == 0, built.log
    assert (promised := _promised(parts["Build"]))
    assert all(line in built.log for line in promised), built.log
    for name, text in _files(parts["Build"]).items():
        assert (root / name).read_text(encoding="utf-8") == text
    assert _new_files(parts["Build"], "site") <= set(_names(root / "site"))
    _check(parts["Check it"], root)

    write_files(root, _files(parts["Say more about a page"]))
    more = run_build(root, "--strict")

    assert more.status == 0, more.log
    assert more.urls["https://docs.example.org/guide/start/"].priority == "0.8"


@pytest.mark.slow
@needs_pelican
def test_the_pelican_tutorial_leads_where_it_says(tmp_path: Path) -> None:
    parts = sections(DOCS["pelican.md"], 2)
    write_files(tmp_path, _files(parts["Make a site"]))
    # The environment of the tests has pelican-sitemap too, which Pelican would load as well.
    with (tmp_path / "pelicanconf.py").open("a") as file:
        file.write(_files(parts["Turn it on"])["pelicanconf.py"])
    assert "SITEURL: not set" in run_pelican(tmp_path, "content")
    assert not (tmp_path / "output" / "sitemap.xml").exists()

    log = run_pelican(tmp_path, "content", "-s", "publishconf.py")

    assert len(promised := _promised(parts["Build"])) == 1
    assert all(line in log for line in promised), log
    for title, text in _files(parts["Build"]).items():
        written = (tmp_path / title.split(" ")[0]).read_text(encoding="utf-8")
        entries = text.split("  </url>\n")[:-1] or [text]
        assert all(entry in written for entry in entries)
    assert _new_files(parts["Build"], "output") <= set(_names(tmp_path / "output"))
    _check(parts["Check it"], tmp_path)

    more = _files(parts["Say more about a page"])
    settings = (tmp_path / "pelicanconf.py").read_text(encoding="utf-8")
    write_files(tmp_path, {**more, "pelicanconf.py": settings + more["pelicanconf.py"]})
    log = run_pelican(tmp_path, "content", "-s", "publishconf.py")

    assert "WARNING" not in log
    assert "1 sitemap: false" in log


def _run_with_plugin(
    root: Path, fence: Fence, options: Mapping[str, object], files: Mapping[str, str]
) -> Built:
    """Build a site in an environment in which the plugin of a block of code is installed."""
    name = fence.title.removesuffix(".py")
    info = f"packages/{name}-1.dist-info"
    packages = {
        f"packages/{fence.title}": fence.text,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n",
        f"{info}/entry_points.txt": f"[sitemap_plugin]\n{name} = {name}\n",
    }
    settings = f"site_name: S\nsite_url: {BASE}\nplugins: [{{sitemap: {json.dumps(options)}}}]\n"
    write_files(root, {**packages, **HOME, "mkdocs.yml": settings, **files})
    paths = [str(root / "packages"), *filter(None, [os.environ.get("PYTHONPATH")])]
    return run_build(root, environment={"PYTHONPATH": os.pathsep.join(paths)})


def _example(hook: str) -> Fence:
    (fence,) = (f for f in fences(sections(DOCS["hooks.md"], 2)[hook], "python") if f.title)
    return fence


EXAMPLES = read_table(__file__, "docs_walks.yaml")


@pytest.mark.parametrize("hook", HOOKS)
def test_the_example_of_a_hook_does_what_it_says(hook: str, tmp_path: Path) -> None:
    options, files, expected = EXAMPLES[hook]
    built = _run_with_plugin(tmp_path, _example(hook), options, files)
    found = [
        " ".join([path, *(field for field in (url.lastmod, url.priority) if field)])
        for path, url in built.urls.items()
    ]

    assert found == expected
    assert ("(2 archived)" in built.log) == (hook == "sitemap_exclusion")
    if hook == "sitemap_written":
        text = (tmp_path / "left-out.txt").read_text()
        assert text == "https://example.org/secret/: sitemap: false\n"


def test_a_plugin_is_packaged_with_the_entry_point_of_its_module() -> None:
    (text,) = _files(sections(DOCS["hooks.md"], 2)["Write and install one"]).values()
    plugins = tomllib.loads(text)["project"]["entry-points"]["sitemap_plugin"]
    assert plugins == {"archived": _example("sitemap_exclusion").title.removesuffix(".py")}


HERE = {"docs/index.md": "# Home\n", "docs/reference/a.md": "# A\n", "src/a.py": "A = 1\n"}


def _build(root: Path, settings: Mapping[str, Any], files: Mapping[str, str]) -> Built:
    write_files(root, {**HERE, **files, "mkdocs.yml": yaml.safe_dump(settings)})
    return run_build(root, "--strict")


def _sites() -> Iterator[Any]:
    """Yield each whole mkdocs.yml with the files of its section."""
    for heading, text in sections(DOCS["recipes.md"], 2).items():
        found = fences(text)
        files = {fence.title: fence.text for fence in found if fence.title.startswith("docs/")}
        for fence in found:
            if fence.title == "mkdocs.yml":
                yield pytest.param(yaml_load(fence.text), files, id=heading)


@pytest.mark.slow
@pytest.mark.parametrize(("settings", "files"), list(_sites()))
def test_a_recipe_builds_a_sitemap_that_passes_the_check(
    settings: dict[str, Any], files: dict[str, str], tmp_path: Path
) -> None:
    built = _build(tmp_path, settings, files)
    arguments = ("check", str(built.site), "--fail-on", "warning")

    assert built.status == 0, built.log
    assert built.urls
    assert run_program(BIN / "sitemap-plugin", *arguments, cwd=tmp_path)


COMMANDS = sorted(set(re.findall(r"sitemap-plugin check \w+ [^\n&\"`]+", DOCS["recipes.md"])))


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_of_a_recipe_runs(command: str, tmp_path: Path) -> None:
    program, subcommand, folder, *arguments = command.split()
    site = {"site_name": "A", "site_url": "https://example.org/", "plugins": ["search", "sitemap"]}
    _build(tmp_path, site, {})
    (tmp_path / "site").rename(tmp_path / folder)

    assert run_program(BIN / program, subcommand, folder, *arguments, cwd=tmp_path)


README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PARTS = sections(README, 2)
MOST_LINES = 90


def _commands(text: str) -> list[str]:
    lines = [line for fence in fences(text, "console") for line in fence.text.splitlines()]
    return [re.sub(r"\s+# .*", "", line.removeprefix("$ ")) for line in lines]


def _column(heading: str) -> str:
    """Return what the README says of one generator, in its column of the table."""
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", PARTS["Use it"], re.DOTALL)
    headings, texts = (re.findall(r"<t([hd])>(.*?)</t\1>", row, re.DOTALL) for row in rows)
    columns = {name: text for (_, name), (_, text) in zip(headings, texts, strict=True)}
    return str(columns[heading])


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= MOST_LINES


@needs_pelican
def test_the_excerpt_is_what_the_sample_site_gets_without_its_hints(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "sample_sites" / "pelican", tmp_path / "site")
    run_pelican(tmp_path / "site", "content", "-o", "../output")
    (excerpt,) = fences(README, "xml")
    written = (tmp_path / "output" / "sitemap.xml").read_text(encoding="utf-8")

    assert excerpt.text in re.sub(r" *<(changefreq|priority)>.*\n", "", written)


def test_the_configuration_for_mkdocs_builds_a_sitemap(tmp_path: Path) -> None:
    part = _column("MkDocs and ProperDocs")
    (fence,) = fences(part, "yaml")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# Home")
    (tmp_path / fence.title).write_text(fence.text)
    built = run_build(tmp_path, "--strict")

    assert built.status == 0, built.log
    assert list(built.urls) == ["https://docs.example.org/"]


@needs_pelican
def test_the_configuration_for_pelican_builds_a_sitemap(tmp_path: Path) -> None:
    part = _column("Pelican")
    (fence,) = fences(part, "python")
    (tmp_path / "content").mkdir()
    (tmp_path / "content" / "a.md").write_text("Title: A\nDate: 2025-01-01\n\nText.\n")
    (tmp_path / fence.title).write_text(f"PLUGINS = []\n{fence.text}")
    program, *arguments = _commands(part)[-1].split()
    log = run_pelican(tmp_path, *arguments)

    assert program == "pelican"
    assert "URLs in output/sitemap.xml" in log
    assert "https://blog.example.org/a.html" in (tmp_path / "output/sitemap.xml").read_text()


def _run(command: str, *arguments: str, cwd: Path) -> str:
    program, *given = shlex.split(command)
    # What runs the tests may be make itself, and would hand its flags on.
    around = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    env = {**around, "PATH": os.pathsep.join([str(BIN), os.environ["PATH"]])}
    return run_program(program, *given, *arguments, cwd=cwd, env=env)


def test_a_folder_of_html_gets_a_sitemap(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("<!doctype html><title>Home</title>")
    (command,) = re.findall(r"`(sitemap-plugin build [^`]+)`", README)
    log = _run(command, cwd=tmp_path)

    assert "1 URL in site/sitemap.xml" in log


MAKE = ("-o", ".venv/.ready", "-o", ".venv-pelican/.ready")
"""The environments are as they are: the tests run in one of them."""


@pytest.mark.slow
@needs_pelican
def test_make_demo_shows_the_sitemap_of_each_sample_site() -> None:
    log = _run("make demo", *MAKE, cwd=ROOT)

    for site in (path.name for path in (ROOT / "sample_sites").iterdir() if path.is_dir()):
        assert f"== sample_sites/{site}\n" in log
    assert log.count("URLs in ") == log.count("<urlset") == log.count("== sample_sites/")


@pytest.mark.parametrize("text", [README, CONTRIBUTING], ids=["README", "CONTRIBUTING"])
def test_each_command_is_one_that_there_is(text: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([\w-]+):", makefile, re.MULTILINE))
    extras = {'".[mkdocs]"', '".[pelican]"'}
    spoken = [name for line in text.splitlines() for name in code(line)]
    for command in [*_commands(text), *(name for name in spoken if name.startswith("make "))]:
        program, *words = command.split()
        assert (
            (program == "make" and set(words) <= targets)
            or (program == "pip" and words[0] == "install" and words[1] in extras)
            or command in {"mkdocs build", "pelican content -s publishconf.py"}
            or Path(program).name == "python"
        ), command

"""The wheel: what is in it, what it says of itself, and that it works without the repository."""

import email
import os
import re
import runpy
import shutil
import sys
import tomllib
import venv
import zipfile
from pathlib import Path
from typing import Any

import pytest

from files import run_program, write_files
from markdown_text import ROOT

OURS = ("sitemap_plugin", "_editable_impl_sitemap", "__editable__")
HOSTS = ("folder", "mkdocs", "pelican", "sphinx")
PACKAGES = {"sitemap_plugin", *(f"sitemap_plugin_{host}" for host in HOSTS)}
ADDRESS = "https://forge.example/owner/sitemap-plugin"


def run(*command: str | Path, cwd: Path) -> str:
    around = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return run_program(*command, cwd=cwd, env=around)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=ROOT)
    (path,) = folder.glob("*.whl")
    return path


def test_the_wheel_holds_the_packages_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    files = {name for name in names if ".dist-info/" not in name}
    tracked = {
        path.relative_to(base).as_posix()
        for base in (ROOT, ROOT / "adapters")
        for package in PACKAGES
        for path in (base / package).rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }

    tracked -= {"sitemap_plugin_pelican/namespace.py"}
    assert files == tracked | {"pelican/plugins/sitemap_plugin/__init__.py"}
    assert {f"{package}/py.typed" for package in PACKAGES} <= files


def test_the_metadata_are_complete(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = email.message_from_bytes(archive.read(name))
    classifiers = metadata.get_all("Classifier") or []

    assert metadata["License-Expression"] == "MIT"
    assert metadata["Requires-Python"] == ">=3.11"
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert metadata.get_payload() == (ROOT / "README.md").read_text(encoding="utf-8")
    for minor in (11, 12, 13, 14):
        assert f"Programming Language :: Python :: 3.{minor}" in classifiers
    assert {"sphinx", "zensical"} <= set(metadata["Keywords"].split(","))
    requires = metadata.get_all("Requires-Dist") or []
    assert [text for text in requires if re.search(r"mkdocs\b.*<2", text)]
    assert metadata.get_all("Project-URL") is None  # Until the repository has its address.


def test_links_work_on_a_package_index_once_the_repository_has_an_address() -> None:
    hook = runpy.run_path(str(ROOT / "package_metadata.py"))["RepositoryAddress"]
    metadata: dict[str, Any] = {}
    hook(str(ROOT), {"repository": ADDRESS}).update(metadata)
    targets = re.findall(r"\]\(([^)\s]+)\)", metadata["readme"]["text"])
    folders = {target.partition("/main/")[0] for target in targets}

    assert len(targets) > 10
    assert folders == {f"{ADDRESS}/blob", f"{ADDRESS}/raw"}
    assert all(url.startswith(ADDRESS) for url in metadata["urls"].values())


def test_the_version_and_the_address_stand_in_one_place() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    version = re.compile(rf"['\"]{re.escape(project['project']['version'])}['\"]")
    code = [*(ROOT / "sitemap_plugin").rglob("*.py"), *(ROOT / "adapters").rglob("*.py")]
    hook = project["tool"]["hatch"]["metadata"]["hooks"]["custom"]

    assert hook["repository"] == "" or hook["repository"].startswith("https://")
    assert [path for path in code if version.search(path.read_text(encoding="utf-8"))] == []


def test_actions_are_pinned_by_commit_and_rights_are_given_one_by_one() -> None:
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        text = path.read_text(encoding="utf-8")
        for action in re.findall(r"uses: (.+)", text):
            assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action), action
        assert "\npermissions: {}\n" in text
        assert "secrets." not in text


def install(wheel: Path, folder: Path, like: Path) -> Path:
    """Make an environment with what ``like`` has but us, install the wheel; return its python."""
    venv.create(folder, symlinks=True)
    (target,) = folder.glob("lib/python*/site-packages")
    (source,) = like.glob("lib/python*/site-packages")
    for item in source.iterdir():
        if item.name.startswith(OURS):
            continue
        if item.name == "pelican":
            # The namespace below it holds our editable install.
            shutil.copytree(item, target / "pelican")
            shutil.rmtree(target / "pelican/plugins/sitemap_plugin")
        else:
            (target / item.name).symlink_to(item)
    python = folder / "bin/python"
    pip = (sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet")
    run(*pip, "--no-index", "--no-deps", wheel, cwd=folder)
    return python


@pytest.mark.slow
def test_mkdocs_finds_the_installed_plugin(wheel: Path, tmp_path: Path) -> None:
    python = install(wheel, tmp_path / "env", ROOT / ".venv")
    settings = "site_name: S\nsite_url: https://example.org/\nplugins: [sitemap]\n"
    write_files(tmp_path, {"docs/index.md": "# Home", "mkdocs.yml": settings})
    run(python, "-m", "mkdocs", "build", "--strict", cwd=tmp_path)
    shutil.move(tmp_path / "site/sitemap.xml", tmp_path / "first.xml")
    command = ("sitemap_plugin.commands.cli", "build", "site", "--robots", "false")
    run(python, "-m", *command, cwd=tmp_path)

    assert "sitemap-plugin" in (tmp_path / "first.xml").read_text()
    where = run(python, "-c", "import sitemap_plugin; print(sitemap_plugin.__file__)", cwd=tmp_path)
    assert where.startswith(str(tmp_path))
    code = "import importlib.util; print(importlib.util.find_spec('adapters'))"
    assert run(python, "-c", code, cwd=tmp_path) == "None\n"


@pytest.mark.slow
@pytest.mark.parametrize("setting", ["", 'PLUGINS = ["sitemap_plugin"]'])
def test_pelican_finds_the_installed_plugin(wheel: Path, tmp_path: Path, setting: str) -> None:
    like = ROOT / ".venv-pelican"
    if not like.is_dir():
        pytest.skip("there is no environment with Pelican; `make test` makes it")
    python = install(wheel, tmp_path / "env", like)
    settings = f"SITEURL = 'https://example.org'\n{setting}\n"
    article = "Title: A\nDate: 2024-01-31\n\nText"
    write_files(tmp_path, {"content/a.md": article, "pelicanconf.py": settings})
    run(python, "-m", "pelican", "content", "-s", "pelicanconf.py", cwd=tmp_path)

    assert "https://example.org/a.html" in (tmp_path / "output/sitemap.xml").read_text()


def test_the_core_loads_no_generator(tmp_path: Path) -> None:
    code = (
        "import sys, sitemap_plugin.build\n"
        "loaded = {name.partition('.')[0] for name in sys.modules}\n"
        "assert not loaded & {'mkdocs', 'pelican', 'sphinx', 'jinja2', 'lxml'}, loaded"
    )
    run_program(sys.executable, "-c", code, cwd=tmp_path)

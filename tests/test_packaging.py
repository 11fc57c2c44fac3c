"""The wheel, installed in fresh environments without a network, and the editable install."""

from __future__ import annotations

import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OURS = ("sitemap_plugin", "_editable_impl_sitemap", "__editable__")


def run(*command: str | Path, cwd: Path) -> str:
    result = subprocess.run(command, check=False, capture_output=True, text=True, cwd=cwd)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout + result.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=ROOT)
    (path,) = folder.glob("*.whl")
    return path


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


def test_the_wheel_holds_the_packages_and_nothing_else_at_top_level(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()

    top = {name.partition("/")[0] for name in names}
    assert top == {
        "sitemap_plugin",
        "sitemap_plugin_folder",
        "sitemap_plugin_sphinx",
        "sitemap_plugin_mkdocs",
        "sitemap_plugin_pelican",
        "pelican",
        next(name for name in top if name.endswith(".dist-info")),
    }
    assert [name for name in names if name.startswith("pelican/")] == [
        "pelican/plugins/sitemap_plugin/__init__.py"
    ]
    assert "sitemap_plugin_pelican/namespace.py" not in names
    for package in ("sitemap_plugin", "sitemap_plugin_mkdocs", "sitemap_plugin_pelican"):
        assert f"{package}/py.typed" in names


def test_mkdocs_finds_the_installed_plugin(wheel: Path, tmp_path: Path) -> None:
    python = install(wheel, tmp_path / "env", ROOT / ".venv")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text("# Home")
    (tmp_path / "mkdocs.yml").write_text(
        "site_name: S\nsite_url: https://example.org/\nplugins: [sitemap]\n"
    )
    run(python, "-m", "mkdocs", "build", "--strict", cwd=tmp_path)

    assert "sitemap-plugin" in (tmp_path / "site/sitemap.xml").read_text()
    where = run(python, "-c", "import sitemap_plugin; print(sitemap_plugin.__file__)", cwd=tmp_path)
    assert where.startswith(str(tmp_path))
    code = "import importlib.util; print(importlib.util.find_spec('adapters'))"
    assert run(python, "-c", code, cwd=tmp_path) == "None\n"


@pytest.mark.parametrize("setting", ["", 'PLUGINS = ["sitemap_plugin"]'])
def test_pelican_finds_the_installed_plugin(wheel: Path, tmp_path: Path, setting: str) -> None:
    like = ROOT / ".venv-pelican"
    if not like.is_dir():
        pytest.skip("there is no environment with Pelican; `make test` makes it")
    python = install(wheel, tmp_path / "env", like)
    (tmp_path / "content").mkdir()
    (tmp_path / "content/a.md").write_text("Title: A\nDate: 2024-01-31\n\nText")
    (tmp_path / "pelicanconf.py").write_text(f"SITEURL = 'https://example.org'\n{setting}\n")
    run(python, "-m", "pelican", "content", "-s", "pelicanconf.py", cwd=tmp_path)

    assert "https://example.org/a.html" in (tmp_path / "output/sitemap.xml").read_text()


def test_the_adapters_do_not_need_each_others_generator(tmp_path: Path) -> None:
    code = (
        "import sys, sitemap_plugin.build\n"
        "loaded = {name.partition('.')[0] for name in sys.modules}\n"
        "assert not loaded & {'mkdocs', 'properdocs', 'pelican', 'yaml', 'jinja2', 'lxml'}, loaded"
    )
    run(sys.executable, "-c", code, cwd=tmp_path)


def test_the_command_line_is_there_as_a_module_too(tmp_path: Path) -> None:
    command = Path(sys.executable).with_name("sitemap-plugin")
    assert run(sys.executable, "-m", "sitemap_plugin", "--help", cwd=tmp_path) == run(
        command, "--help", cwd=tmp_path
    )

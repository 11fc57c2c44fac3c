"""What generators write is judged as what it is: their own sitemaps, and ours."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from mkdocs_sites import run_build, run_command
from sitemap_plugin.commands.check.findings import CheckOutcome
from sitemap_plugin.commands.check.run import check
from sitemap_plugin.commands.cli import main

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "sample_sites"
PELICAN = Path(
    os.environ.get("SITEMAP_PLUGIN_PELICAN") or ROOT / ".venv-pelican" / "bin" / "pelican"
)


def severities(outcome: CheckOutcome) -> tuple[int, int]:
    """Return how many errors and warnings there are."""
    counts = outcome.findings.severities()
    return counts["error"], counts["warning"]


def mkdocs_site(root: Path, settings: str) -> Path:
    """Build a site of a few pages with MkDocs alone, and return its folder."""
    for name in ("index", "a", "b", "404", "terms&conditions"):
        path = root / "docs" / f"{name}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"# {name}\n", encoding="utf-8")
    (root / "mkdocs.yml").write_text(f"site_name: S\nplugins: []\n{settings}\n", encoding="utf-8")
    built = run_build(root)
    assert built.status == 0, built.log
    return built.site


@pytest.mark.parametrize("theme", ["mkdocs", "readthedocs", "material"])
def test_mkdocs_own_sitemap_has_build_dates_and_error_pages(theme: str, tmp_path: Path) -> None:
    site = mkdocs_site(tmp_path, f"site_url: https://example.org/docs/\ntheme: {{name: {theme}}}")
    outcome = check(site)

    assert outcome.base_url == "https://example.org/docs/"
    assert set(outcome.findings.counts) == {"lastmod-identical", "page-error"}
    assert set(check(site / "sitemap.xml.gz").findings.counts) == {"lastmod-identical"}


def test_mkdocs_own_sitemap_is_empty_without_a_site_url(tmp_path: Path) -> None:
    assert set(check(mkdocs_site(tmp_path, "")).findings.counts) == {"empty"}


@pytest.mark.parametrize("name", ["mkdocs", "mkdocs_blog", "mkdocs_i18n"])
def test_sample_sites_of_mkdocs_have_no_error_or_warning(name: str, tmp_path: Path) -> None:
    config = str(SAMPLES / name / "mkdocs.yml")
    built = run_command(tmp_path, "-f", config, "-d", str(tmp_path / "site"))
    outcome = check(built.site)

    assert built.status == 0, built.log
    assert outcome.pages > outcome.urls > 0
    assert severities(outcome) == (0, 0)


def test_a_folder_of_html_has_no_finding_once_it_has_a_sitemap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(SAMPLES / "html", tmp_path / "html")
    monkeypatch.chdir(tmp_path / "html")

    assert main(["check", "site"]) == 1
    assert main(["build", "site"]) == 0
    assert main(["check", "site", "--fail-on", "notice"]) == 0


@pytest.mark.skipif(not PELICAN.exists(), reason="Pelican has no environment here")
def test_what_pelican_sitemap_writes_has_faulty_links_and_breaks_off(tmp_path: Path) -> None:
    shutil.copytree(SAMPLES / "pelican", tmp_path / "blog")
    settings = tmp_path / "blog" / "pelicanconf.py"
    text = settings.read_text(encoding="utf-8").partition("PLUGINS =")[0]
    text += 'PLUGINS = ["pelican.plugins.sitemap"]\nSITEMAP = {"format": "xml"}\n'
    settings.write_text(text, encoding="utf-8")
    command = [str(PELICAN), "--quiet", "content", "-s", "pelicanconf.py", "-o", "output"]
    subprocess.run(command, check=True, capture_output=True, cwd=tmp_path / "blog")
    found = check(tmp_path / "blog" / "output").findings

    assert set(found.counts) == {"link-incomplete", "xml-broken", "robots-no-sitemap"}
    assert any("'ref'" in item.message for item in found.sorted())
    assert any("'&' is not escaped" in item.message for item in found.sorted())


@pytest.mark.skipif(not PELICAN.exists(), reason="Pelican has no environment here")
def test_the_sample_site_of_pelican_has_no_error_or_warning(tmp_path: Path) -> None:
    shutil.copytree(SAMPLES / "pelican", tmp_path / "blog")
    command = [str(PELICAN), "--quiet", "content", "-s", "pelicanconf.py", "-o", "output"]
    environment = {"PYTHONPATH": f"{ROOT}:{ROOT / 'adapters'}", "PATH": "/usr/bin:/bin"}
    subprocess.run(command, check=True, capture_output=True, cwd=tmp_path / "blog", env=environment)

    assert severities(check(tmp_path / "blog" / "output")) == (0, 0)

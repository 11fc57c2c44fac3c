"""The whole story of a site without a history: deployed, edited, compared, announced."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from files import write_files
from loopback import indexnow, serving
from mkdocs_sites import run_build
from sitemap_plugin.commands.cli import main
from sitemaps import read_sitemap

KEY = "0123456789abcdef0123456789abcdef"
JUNE, JULY = "1749513600", "1752105600"
PAGES = {
    "index.md": "# Kettles\n\nAll about [kettles](guide/boil.md).\n",
    "guide/boil.md": "# Boil\n\nFill it, and switch it on.\n",
    "guide/clean.md": "# Clean\n\nUse vinegar.\n\n| what | how |\n|---|---|\n| lime | acid |\n",
    "guide/old.md": "# Old models\n\nThey whistle.\n",
    "about.md": "# About\n\nWe like tea.\n",
}
EDITS = {
    "guide/boil.md": "# Boil\n\nFill it with fresh water, and switch it on.\n",
    "guide/descale.md": "# Descale\n\nOnce a month.\n",
}
EDITED = ("guide/boil/", "guide/descale/", "guide/old/")


def build(root: Path, day: str, pages: Mapping[str, str]) -> Path:
    """Build on a day, with some pages written anew; return the site."""
    write_files(root / "docs", pages)
    built = run_build(root, environment={"SOURCE_DATE_EPOCH": day})
    assert built.status == 0, built.log
    return built.site


def test_what_was_edited_is_what_differs_and_is_announced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    served, root, changed = tmp_path / "served", tmp_path / "root", str(tmp_path / "changed.txt")
    with serving(served) as server, serving() as engine:
        engine.add("/indexnow", indexnow)
        to = ("--endpoint", f"{engine.url}indexnow")
        options = {"lastmod": ["state"], "state_file": "state.json", "indexnow_key": KEY}
        settings = {"site_name": "K", "site_url": server.url, "plugins": [{"sitemap": options}]}
        write_files(root, {"mkdocs.yml": yaml.safe_dump(settings)})
        site = build(root, JUNE, PAGES)
        shutil.copytree(site, served, dirs_exist_ok=True)
        edited = [server.url + path for path in EDITED]

        build(root, JULY, {})  # Nothing is edited, so there is nothing to announce.
        assert main(["indexnow", server.url, str(site), *to]) == 0
        assert engine.asked == []
        assert not any(url.lastmod for url in read_sitemap(site / "sitemap.xml"))

        (root / "docs/guide/old.md").unlink()
        build(root, JULY, EDITS)
        capsys.readouterr()
        assert main(["diff", server.url, str(site), "--format", "json", "--exit-code"]) == 1
        found = json.loads(capsys.readouterr().out)
        dates = {"old": None, "new": "2025-07-10T00:00:00+00:00"}
        assert found["changed"] == [{"loc": edited[0], "lastmod": dates}]
        assert (found["added"], found["removed"]) == ([edited[1]], [edited[2]])
        assert found["unchanged"] == 3

        main(["diff", server.url, str(site), "--format", "urls", "--output", changed])
        assert main(["indexnow", server.url, str(site), *to]) == 0  # Both steps in one.
        shutil.copytree(site, served, dirs_exist_ok=True)
        assert main(["indexnow", "--urls", changed, "--key", KEY, *to]) == 0
        assert [posted["urlList"] for posted in engine.posted] == [edited] * 2
        assert engine.posted[1]["keyLocation"] == f"{server.url}{KEY}.txt"
        assert main(["diff", server.url, str(site), "--exit-code"]) == 0

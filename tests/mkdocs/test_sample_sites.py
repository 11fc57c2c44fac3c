"""The sample sites give the sitemaps that stand in the golden files beside this one."""

import os
import shutil
from pathlib import Path

import pytest

from mkdocs_sites import COMMANDS, run_build
from sitemaps import read_sitemap

ROOT = Path(__file__).parents[2]
GOLDEN = Path(__file__).parent / "golden"
SITES = sorted(path.parent.name for path in (ROOT / "sample_sites").glob("*/mkdocs.yml"))


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", SITES)
def test_a_sample_site_gives_its_golden_files(tmp_path: Path, name: str, command: str) -> None:
    # Outside the repository there are no git dates, which differ from commit to commit.
    root = Path(shutil.copytree(ROOT / "sample_sites" / name, tmp_path / name))
    built = run_build(root, "--strict", command=command)
    assert built.status == 0, built.log

    written = {
        path.name: path.read_text(encoding="utf-8")
        for pattern in ("sitemap*.xml", "robots.txt")
        for path in sorted(built.site.glob(pattern))
    }
    golden = GOLDEN / name
    if os.environ.get("UPDATE_GOLDEN"):
        golden.mkdir(parents=True, exist_ok=True)
        for file, text in written.items():
            (golden / file).write_text(text, encoding="utf-8")
    assert written == {path.name: path.read_text(encoding="utf-8") for path in golden.iterdir()}
    assert read_sitemap(built.site / "sitemap.xml")

"""The sample site shows what the plugin does; its sitemap is a file to read."""

from __future__ import annotations

import shutil
from pathlib import Path

from pelican_sites import Site
from sitemaps import read_locs

SAMPLE = Path(__file__).parents[2] / "sample_sites" / "pelican"
GOLDEN = Path(__file__).parent / "golden" / "sitemap.xml"


def test_the_sample_sites_sitemap_is_the_expected_one(site: Site) -> None:
    shutil.copytree(
        SAMPLE, site.folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("output", "__py*")
    )
    build = site.run()
    robots = (build.output / "robots.txt").read_text().splitlines()

    assert build.status == 0, build.text
    assert "WARNING" not in build.text
    assert build.sitemap.read_text(encoding="utf-8") == GOLDEN.read_text(encoding="utf-8")
    assert len(read_locs(build.sitemap)) == 18
    assert robots == [
        "User-agent: *",
        "Disallow: /drafts/",
        "Sitemap: https://blog.example.org/sitemap.xml",
    ]
    for reason in ("draft", "hidden", "noindex", "sitemap: false", "error page",
                   "canonical elsewhere", "later page of a listing", "excluded"):  # fmt: skip
        assert build.said("left out", reason)

"""The summary of a first build says what is left to do by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sitemap_plugin import Page, Site
from sitemap_plugin.build import build
from sitemap_plugin.config import parse_config
from sites import Pages


@pytest.fixture(autouse=True)
def _terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)


ROOT = "https://example.org/"
SUBMIT = "next: publish, then submit {}sitemap.xml in the search consoles"


def summary(folder: Path, base_url: str = ROOT, *, preview: bool = False, **options: Any) -> str:
    config, _ = parse_config(options, generator="folder")
    site = Site(base_url, folder, config=config, preview=preview)
    text = build(site, [Pages([Page(f"{base_url}a")])]).summary()
    assert "\n" not in text
    return text


def test_the_first_build_tells_to_submit_the_sitemap(tmp_path: Path) -> None:
    assert summary(tmp_path).endswith(f"robots.txt created; {SUBMIT.format(ROOT)}")


def test_a_build_over_a_sitemap_of_ours_tells_nothing(tmp_path: Path) -> None:
    summary(tmp_path)
    (tmp_path / "robots.txt").unlink()

    assert summary(tmp_path).endswith("robots.txt created")


def test_below_a_path_the_line_at_the_root_does_as_well(tmp_path: Path) -> None:
    step = SUBMIT.format("https://example.org/docs/")
    line = f"{step} or add its line to https://example.org/robots.txt"

    assert summary(tmp_path, "https://example.org/docs/").endswith(line)


def test_who_has_named_the_sitemap_by_hand_is_told_nothing(tmp_path: Path) -> None:
    (tmp_path / "robots.txt").write_text(f"Sitemap: {ROOT}sitemap.xml\n")

    assert summary(tmp_path).endswith("robots.txt names it already")


@pytest.mark.parametrize(("base_url", "preview"), [(ROOT, True), ("http://localhost:8000/", False)])
def test_what_is_not_published_is_not_submitted(
    tmp_path: Path, base_url: str, preview: bool
) -> None:
    assert "next:" not in summary(tmp_path, base_url, preview=preview)


@pytest.mark.parametrize(("preview", "notices"), [(False, 1), (True, 0)])
def test_a_preview_asks_for_no_line_in_the_robots_txt_of_this_machine(
    tmp_path: Path, preview: bool, notices: int
) -> None:
    below = f"{ROOT}docs/"
    site = Site(below, tmp_path, preview=preview)
    report = build(site, [Pages([Page(f"{below}a")])])

    assert [problem.where for problem in report.problems] == ["robots.txt"] * notices

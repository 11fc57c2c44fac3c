"""Versions by mike: an alias at the end of ``site_url`` makes every address wrong."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from mkdocs_sites import Builder

HOME = {"index.md": "# Home"}
MIKE = ["search", {"mike": {"alias_type": "copy"}}]


def deployed(root: Path, *versions: dict[str, object]) -> None:
    """Make a repository whose branch for GitHub Pages has mike's list of versions."""
    root.mkdir()
    (root / "versions.json").write_text(json.dumps(versions))
    for command in (
        ["init", "-q", "-b", "gh-pages"],
        ["add", "versions.json"],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "Deploy"],
        ["checkout", "-q", "-b", "main"],
    ):
        subprocess.run(["git", "-C", root, *command], check=True)


@pytest.mark.parametrize("alias", ["newest", "1.0"])
def test_an_alias_of_versions_json_is_an_error(
    build_site: Builder, tmp_path: Path, alias: str
) -> None:
    deployed(tmp_path / "site", {"version": "1.0", "title": "1.0", "aliases": ["newest"]})
    built = build_site(
        HOME,
        plugins=MIKE,
        site_url=f"https://example.org/{alias}/",
        environment={"MIKE_DOCS_VERSION": "2.0"},
    )

    assert built.status == 1
    assert (
        f"sitemap: site_url: ends in '{alias}', a version or alias in versions.json, and mike adds "
        f"the version to it, so that the addresses begin with https://example.org/{alias}/2.0/, "
        f"where no page is served; take '{alias}' out"
    ) in built.log


@pytest.mark.parametrize(
    ("site_url", "warned"),
    [
        ("https://example.org/latest/", True),
        ("https://example.org/docs/stable/", True),
        ("https://example.org/docs/", False),
        ("https://example.org/", False),
        ("https://latest.example.org/", False),
    ],
)
def test_a_usual_alias_is_a_warning_before_the_first_version_is_deployed(
    build_site: Builder, site_url: str, warned: bool
) -> None:
    environment = {"MIKE_DOCS_VERSION": "1.0"}
    built = build_site(HOME, plugins=MIKE, site_url=site_url, environment=environment)

    assert built.status == 0
    assert ("WARNING -  sitemap: site_url: ends in" in built.log) is warned


def test_without_mike_an_address_may_end_in_latest(build_site: Builder) -> None:
    built = build_site(HOME, None, "--strict", site_url="https://example.org/latest/")

    assert built.status == 0, built.log

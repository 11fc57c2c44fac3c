"""Killed at any instant, a build leaves the sitemap before it or its own, each file whole."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sitemap_plugin.models import Entry
from write.folders import entries, published, state, write
from write.interruption import (
    BUILDS,
    assert_whole,
    failed_at_every_step,
    kill_at_random,
    killed_at_every_step,
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="builds are forked and killed")

CHANGES = [
    ("single", "other single"),
    ("single", "index"),
    ("index", "single"),
    ("index", "changed index"),
    ("index with one change", "index"),
    ("large index", "sections"),
    ("by hand", "changed index"),
]


@pytest.mark.parametrize(("before", "after"), CHANGES)
def test_a_build_killed_at_any_step_leaves_one_whole_sitemap(
    tmp_path: Path, before: str, after: str
) -> None:
    """The build after it leaves nothing of the killed one behind."""
    for name in (before, after):
        BUILDS[name](tmp_path / name)
    allowed = [published(tmp_path / name).locs for name in (before, after)]
    undisturbed = tmp_path / "undisturbed"
    BUILDS[before](undisturbed)
    BUILDS[after](undisturbed)
    seen = []

    for site in killed_at_every_step(BUILDS[before], BUILDS[after], tmp_path / "killed"):
        seen.append(assert_whole(site, *allowed))
        BUILDS[after](site)
        assert contents(site) == contents(undisturbed)

    assert allowed[0] in seen
    assert allowed[1] in seen
    assert seen == sorted(seen, key=allowed.index)


@pytest.mark.parametrize(("before", "after"), CHANGES[1:4])
def test_a_build_that_fails_at_any_step_leaves_the_folder_as_it_was(
    tmp_path: Path, before: str, after: str
) -> None:
    """Unless it fails in the last steps: then the new sitemap is whole."""
    for name in (before, after):
        BUILDS[name](tmp_path / name)
    allowed = [published(tmp_path / name).locs for name in (before, after)]
    seen = []

    for site in failed_at_every_step(BUILDS[before], BUILDS[after], tmp_path / "failed"):
        seen.append(assert_whole(site, *allowed))
        if seen[-1] == allowed[0]:
            assert state(site) == state(tmp_path / "failed" / "before")

    assert allowed[0] in seen


def test_builds_killed_one_after_another_at_random_moments_tear_nothing() -> None:
    kill_at_random(rounds=40, seed=1)


def test_names_in_the_record_of_a_killed_build_do_not_endanger_other_files(tmp_path: Path) -> None:
    BUILDS["index"](tmp_path)
    by_hand = tmp_path / "sitemap-3.xml"
    by_hand.write_text("<urlset/>")
    killed = tmp_path / ".sitemap.xml.01234567.tmp"
    killed.mkdir()
    (killed / "names").write_text("sitemap-3.xml\nindex.html\nnone.xml")
    (tmp_path / "index.html").write_text("<title>Mine</title>")

    BUILDS["single"](tmp_path)

    assert by_hand.read_text() == "<urlset/>"
    assert (tmp_path / "index.html").exists()
    assert not killed.exists()


def test_the_folder_of_a_running_build_is_left_alone(tmp_path: Path) -> None:
    """A build that runs while another one reads its entries does not take it for a killed one."""

    def stream() -> Iterator[Entry]:
        BUILDS["single"](tmp_path)
        yield from entries(5, 40)

    write(tmp_path, stream())

    assert published(tmp_path).locs == [entry.loc for entry in entries(5, 40)]
    assert set(state(tmp_path)) == {"sitemap.xml", "sitemap.xml.gz"}


def contents(folder: Path) -> dict[str, bytes]:
    return {name: data for name, (data, _) in state(folder).items()}

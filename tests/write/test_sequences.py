"""What a folder holds after a build depends on that build alone, whatever was built before."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from write.folders import remove_sitemap, write_sitemap
from write.folders import BASE, entries, published, state

Build = tuple[Mapping[str | None, tuple[int, int]], dict[str, Any]]

ranges = st.tuples(st.integers(1, 7), st.integers(0, 3))
builds = st.tuples(
    st.dictionaries(st.none(), ranges, min_size=1)
    | st.dictionaries(st.sampled_from(["a", "b", None]), ranges, min_size=1),
    st.fixed_dictionaries(
        {
            "max_urls": st.integers(1, 4),
            "gzip": st.booleans(),
            "stylesheet": st.sampled_from([None, "s.css"]),
        }
    ),
)


def run(folder: Path, build: Build) -> list[Path]:
    sections, options = build
    listed = {name: entries(count, start) for name, (count, start) in sections.items()}
    return write_sitemap(listed, folder=folder, base_url=BASE, **options).changed


@settings(max_examples=60, deadline=None)
@given(st.lists(builds, min_size=2, max_size=5))
def test_a_build_after_others_leaves_what_it_leaves_alone(sequence: list[Build]) -> None:
    """And once more, it changes nothing, not even a time."""
    with tempfile.TemporaryDirectory() as name:
        folder, alone = Path(name, "folder"), Path(name, "alone")
        for build in sequence:
            run(folder, build)
        run(alone, sequence[-1])

        assert contents(folder) == contents(alone)
        locs = [entry.loc for n, start in sequence[-1][0].values() for entry in entries(n, start)]
        assert published(folder).locs == locs

        for path in folder.iterdir():
            os.utime(path, (1_000_000, 1_000_000))
        before = state(folder)
        assert run(folder, sequence[-1]) == []
        assert state(folder) == before


@settings(max_examples=40, deadline=None)
@given(builds, builds)
def test_files_that_stay_the_same_are_not_touched(first: Build, second: Build) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run(folder, first)
        for path in folder.iterdir():
            os.utime(path, (1_000_000, 1_000_000))
        before = state(folder)

        changed = {path.name for path in run(folder, second)}

        after = state(folder)
        touched = {file for file in after if after[file] != before.get(file)}
        assert {file for file in touched if not file.endswith(".gz")} == changed
        for file in touched & set(before):
            assert after[file][0] != before[file][0]


@settings(max_examples=30, deadline=None)
@given(st.lists(builds, min_size=1, max_size=3))
def test_what_builds_wrote_can_be_removed(sequence: list[Build]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "sitemap-mine.xml").write_text("<urlset/>")
        for build in sequence:
            run(folder, build)

        remove_sitemap(folder)

        assert [path.name for path in folder.iterdir()] == ["sitemap-mine.xml"]


def contents(folder: Path) -> dict[str, bytes]:
    return {name: data for name, (data, _) in state(folder).items()}

"""A build leaves the process that it runs in as it was."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from sites import build_pages, page


@pytest.mark.parametrize("frozen", [False, True])
def test_a_build_leaves_the_garbage_collector_as_the_host_has_set_it(
    tmp_path: Path, frozen: bool
) -> None:
    threshold = gc.get_threshold()
    gc.set_threshold(777, 7, 7)
    if frozen:
        gc.freeze()
    try:
        count = gc.get_freeze_count()
        build_pages(tmp_path, [page("a/")])

        assert gc.get_threshold() == (777, 7, 7)
        # Some of the host's objects may have gone in the meantime.
        assert count // 2 <= gc.get_freeze_count() <= count
        assert (gc.get_freeze_count() > 0) == frozen
    finally:
        gc.unfreeze()
        gc.set_threshold(*threshold)

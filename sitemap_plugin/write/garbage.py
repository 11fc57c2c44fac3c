"""Python's search for reference cycles, while a whole site is in memory."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["rare_collections"]

_THRESHOLD = 500_000
"""New objects after which Python looks for cycles; its own choice is some hundreds."""


@contextmanager
def rare_collections() -> Iterator[None]:
    """Let Python look for reference cycles rarely.

    Pages and entries are millions of tuples without a cycle among them, and looking through all of
    them again and again costs a sixth of a large build.
    """
    threshold = gc.get_threshold()
    if threshold[0]:  # Zero would mean that the host wants none at all.
        gc.set_threshold(_THRESHOLD, *threshold[1:])
    try:
        yield
    finally:
        if not gc.get_freeze_count():
            # Both together call all objects old at no cost, or the next collection looks at each.
            gc.freeze()
            gc.unfreeze()
        gc.set_threshold(*threshold)

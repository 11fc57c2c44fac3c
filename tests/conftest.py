"""What all tests share."""

import importlib.metadata
import os
import sys
from functools import cache
from typing import Any

import pytest
from hypothesis import settings

pytest.register_assert_rewrite("sites")

# A busy machine is no fault of the code, and a run that lets a change in looks at the same examples
# each time; people who work on the code look at new ones.
settings.register_profile("people", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "people")

_read_entry_points = importlib.metadata.entry_points


@cache
def _known_entry_points(_path: tuple[str, ...], **selection: Any) -> Any:
    return _read_entry_points(**selection)


def _entry_points(**selection: Any) -> Any:
    """Remember what is installed: to look takes longer than all else that a small build does."""
    return _known_entry_points(tuple(sys.path), **selection)


importlib.metadata.entry_points = _entry_points

"""Ctrl-C at the n-th call of a Python function, to try them all."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interrupted_at(step: int) -> Iterator[list[int]]:
    """Count the calls in ``with``, in a list of one number; at one of them, if it is not 0, end."""
    calls = [0]

    def profile(frame: FrameType, event: str, _argument: object) -> None:
        calls[0] += event == "call"
        # Python ignores what is raised while a generator is thrown away.
        if calls[0] >= step > 0 and frame.f_code.co_name != "<genexpr>":
            sys.setprofile(None)
            raise KeyboardInterrupt

    sys.setprofile(profile)
    try:
        yield calls
    finally:
        sys.setprofile(None)

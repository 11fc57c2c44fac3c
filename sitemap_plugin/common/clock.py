"""The time of the build, where what is written depends on it."""

from __future__ import annotations

import datetime as dt
import os


def build_time() -> dt.datetime:
    """Return the moment of the build in UTC, SOURCE_DATE_EPOCH being asked first.

    That is reproducible-builds.org's rule for dates that a build writes.
    """
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    if epoch.isascii() and epoch.isdigit():
        try:
            return dt.datetime.fromtimestamp(int(epoch), dt.UTC)
        except (ValueError, OverflowError, OSError):
            pass
    return dt.datetime.now(dt.UTC)

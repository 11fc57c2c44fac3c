"""The date that the plugin mkdocs-git-revision-date-localized found, where git cannot be asked.

For a file that is not in git the plugin gives the present time, which dates nothing, so a value of
the last day is not taken for a date. Its time is in a zone that it does not tell: only the day is.
"""

from __future__ import annotations

import datetime as dt

from sitemap_plugin.dates.parse import DateError, parse_date
from sitemap_plugin.models import Page

__all__ = ["localized_date"]

KEY = "git_revision_date_localized_raw_iso_datetime"
_PRESENT = dt.timedelta(days=1)


def localized_date(page: Page, now: dt.datetime | None = None) -> dt.date | None:
    """Return the day that the plugin gives the page, None where it gives none or the present."""
    value = page.metadata.get(KEY)
    if value is None:
        return None
    try:
        date = parse_date(value)
    except DateError:
        return None
    day = date.date() if isinstance(date, dt.datetime) else date
    latest = (now or dt.datetime.now(dt.UTC)) - _PRESENT
    return day if day < latest.date() else None

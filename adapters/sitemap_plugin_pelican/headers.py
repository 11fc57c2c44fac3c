"""What the author of an article or a page, or a plugin, says of it.

Pelican reads dates with dateutil, which makes a midnight of a day, drops what it does not
understand and fills in what is missing. Each date keeps the words that it was read from, and the
core judges these strictly. A date that only the settings supply dates nothing.
"""

import datetime as dt
import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from pelican.readers import METADATA_PROCESSORS
from pelican.utils import SafeDatetime, set_date_tzinfo

from sitemap_plugin.dates.parse import DateError, parse_date

# What plugins may set on the object instead of in its metadata, beside the dates.
ATTRIBUTES = (
    *("canonical", "canonical_url", "changefreq", "draft", "noindex", "priority", "private"),
    *("robots", "sitemap", "translation_key"),
)
DATES = ("date", "modified")
_BASIC_ISO = re.compile(r"(\d{4})(\d\d)(\d\d)", re.ASCII)


class WrittenDate(SafeDatetime):  # type: ignore[misc] # untyped
    """A date that Pelican has read, and the words that it was read from."""

    words: str | None = None

    def __reduce_ex__(self, _: Any) -> tuple[Any, ...]:
        """Keep the words in Pelican's content cache."""
        return _with_words, (SafeDatetime.combine(self.date(), self.timetz()), self.words)


def keep_words() -> None:
    """Have Pelican's readers keep the words of each date."""
    for key in DATES:
        read = METADATA_PROCESSORS[key]
        if getattr(read, "func", None) is not _read:
            METADATA_PROCESSORS[key] = partial(_read, read)


def _read(read: Callable[[str, Any], Any], words: str, settings: Any) -> Any:
    date = read(words, settings)
    return _with_words(date, words) if isinstance(date, dt.datetime) else date


def _with_words(date: dt.datetime, words: str | None) -> WrittenDate:
    written: WrittenDate = WrittenDate.combine(date.date(), date.timetz())
    written.words = words
    return written


def metadata(content: Any) -> dict[str, Any]:
    """Return a page's metadata, keys in lower case, with dates as written in the source."""
    values = {str(key).lower(): value for key, value in content.metadata.items()}
    own = vars(content)
    values |= {key: own[key] for key in ATTRIBUTES if key in own}
    for key in DATES:
        values[key] = _date(content, key, values.get(key))
    return values


def _date(content: Any, key: str, read: Any) -> Any:
    """Return a date as a plugin set it or an author wrote it, None for one that only defaults."""
    if not isinstance(read, dt.datetime | None):
        return read
    value = getattr(content, key, None)
    if read is None or value != set_date_tzinfo(read, str(content.timezone)):
        return _without_midnight(value)
    settings, words = content.settings, getattr(read, "words", None)
    if words is None:
        return None if settings.get("DEFAULT_DATE") else _without_midnight(read)
    if words == dict(settings.get("DEFAULT_METADATA") or ()).get(key):
        return None
    # A name like 20240131-title.md is meant so, and Pelican itself replaces "_".
    words = _BASIC_ISO.sub(r"\1-\2-\3", words).replace("_", " ")
    if "timezone" in content.metadata:
        with suppress(DateError):  # The core says what is wrong with it.
            return parse_date(words, content.timezone)
    return words


def _without_midnight(value: Any) -> Any:
    """Return the day where a datetime is its midnight, as dateutil makes it of a plain date."""
    is_midnight = isinstance(value, dt.datetime) and value.time() == dt.time()
    return value.date() if is_midnight else value

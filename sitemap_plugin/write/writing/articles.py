"""News articles: what may stand in a sitemap, and the elements that it becomes."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from sitemap_plugin.dates.parse import sort_key
from sitemap_plugin.models import Lastmod, News
from sitemap_plugin.write.writing.escaping import FaultError, escape_text
from sitemap_plugin.write.writing.timestamps import timestamp
from sitemap_plugin.write.writing.validity import is_date, is_text

__all__ = ["Articles", "Refuse", "is_new", "sound_news"]

Refuse = Callable[[str, object, str], None]
"""Takes note of a field, its value, and what to write instead."""

_NEWS_AGE, _DAY = dt.timedelta(days=2), dt.timedelta(days=1)
_LANGUAGE = re.compile("zh-cn|zh-tw|[a-z]{2,3}")


def _is_language(value: object) -> bool:
    return isinstance(value, str) and _LANGUAGE.fullmatch(value) is not None


_CHECKS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "publication": (is_text, "write the publication's name"),
    "language": (_is_language, "write a code of two or three letters, zh-cn or zh-tw"),
    "publication_date": (is_date, "write a date, or a moment with its time zone"),
    "title": (is_text, "write the article's title"),
}


def is_new(published: Lastmod, now: dt.datetime) -> bool:
    """Tell whether an article is of the last two days; a date may be the end of that day."""
    age = _NEWS_AGE if isinstance(published, dt.datetime) else _NEWS_AGE + _DAY
    return sort_key(published)[0] >= sort_key(now - age)[0]


def sound_news(news: News, refuse: Refuse) -> News | None:
    """Return an article of which all can be written, or None; every field is required."""
    is_sound = True
    for field, (is_right, cure) in _CHECKS.items():
        value = getattr(news, field)
        if not is_right(value):
            refuse(field, value, cure)
            is_sound = False
    return news if is_sound else None


class Articles:
    """News articles; a page is one at most."""

    prefix = "news"
    uri = "http://www.google.com/schemas/sitemap-news/0.9"
    nothing = None

    def __init__(self, _base_url: str) -> None:
        pass

    def render(self, column: Sequence[News | None], _locs: Sequence[str]) -> Iterable[str]:
        """Return the article of each entry of a batch; raises as Links does."""
        return ["" if news is None else _render(news) for news in column]


def _render(news: News) -> str:
    if not isinstance(news, News) or sound_news(news, lambda *_: None) is None:
        raise FaultError
    return (
        "\n    <news:news>\n      <news:publication>"
        f"\n        <news:name>{escape_text(news.publication)}</news:name>"
        f"\n        <news:language>{news.language}</news:language>"
        "\n      </news:publication>"
        "\n      <news:publication_date>"
        f"{timestamp(news.publication_date)}</news:publication_date>"
        f"\n      <news:title>{escape_text(news.title)}</news:title>"
        "\n    </news:news>"
    )

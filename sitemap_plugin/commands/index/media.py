"""Turn what was read of an image, an article or a video back into what is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sitemap_plugin.commands.check.batch import Media
from sitemap_plugin.dates.parse import parse_w3c
from sitemap_plugin.describe.news import check_news as sound_news
from sitemap_plugin.describe.videos import check_video as sound_video
from sitemap_plugin.models import Image, Lastmod, News, Restriction, Video

__all__ = ["exact_date", "read_medium"]

_ARTICLE = {
    "publication/name": "publication",
    "publication/language": "language",
    "publication_date": "publication_date",
    "title": "title",
}


def exact_date(text: str) -> Lastmod:
    """Return a date that can be written again as exactly as it was; raise ValueError if not."""
    value, granularity = parse_w3c(text)
    if granularity not in {"day", "minute", "second"}:
        raise ValueError(text)
    return value


def _flag(text: str) -> bool:
    return {"yes": True, "no": False}[text]


def _rating(text: str) -> float:
    value = float(text)
    if round(value, 1) != value:
        raise ValueError(text)
    return value


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split(" "))


_VIDEO: Mapping[str, Callable[[str], Any]] = {
    **dict.fromkeys(("thumbnail_loc", "title", "description", "content_loc", "player_loc"), str),
    **dict.fromkeys(("duration", "view_count"), int),
    **dict.fromkeys(("expiration_date", "publication_date"), exact_date),
    **dict.fromkeys(("family_friendly", "requires_subscription", "live"), _flag),
    **dict.fromkeys(("uploader", "uploader@info", "tag"), str),
    **dict.fromkeys(("restriction@relationship", "platform@relationship"), str),
    **dict.fromkeys(("restriction", "platform"), _names),
    "rating": _rating,
}


def read_medium(media: Media) -> Image | News | Video | None:
    """Return what can be written again without a loss; None where that is not so."""
    try:
        if media.kind == "news":
            return _article(media)
        if media.kind == "video":
            return _video(media)
    except (ValueError, KeyError, OverflowError):
        return None
    names = [name for name, _ in media.parts]
    return Image(media.parts[0][1]) if names == ["loc"] else None


def _article(media: Media) -> News | None:
    parts = dict(media.parts)
    if len(parts) < len(media.parts) or not parts.keys() <= _ARTICLE.keys() | {"publication"}:
        return None
    if parts.pop("publication", ""):
        return None
    fields: dict[str, Any] = {_ARTICLE[name]: text for name, text in parts.items()}
    fields["publication_date"] = exact_date(parts["publication_date"])
    if len(fields) < len(News._fields):
        return None
    return sound_news(News(**fields), lambda *_: None)


def _video(media: Media) -> Video | None:
    tags = tuple(text for name, text in media.parts if name == "tag")
    parts = {name: _VIDEO[name](text) for name, text in media.parts}
    parts.pop("tag", None)
    if len(parts) + len(tags) < len(media.parts):
        return None
    for name in ("restriction", "platform"):
        if name in parts:
            parts[name] = Restriction(parts.pop(f"{name}@relationship"), parts[name])
    if "uploader@info" in parts:
        parts["uploader_info"] = parts.pop("uploader@info")
    for needed in ("thumbnail_loc", "title", "description"):
        parts.setdefault(needed, None)
    video = Video(**parts, tags=tags)
    return video if sound_video(video, media.loc or "", lambda *_: None) is video else None

"""Read the videos that a page's front matter names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sitemap_plugin.common.urls import join_url
from sitemap_plugin.dates.parse import parse_date
from sitemap_plugin.describe.images import named_image
from sitemap_plugin.models import Page, Restriction, Site, Video
from sitemap_plugin.pages.front_matter import FrontMatter, read_date, truth
from sitemap_plugin.write.writing.videos import sound_video

__all__ = ["KEYS", "read_videos"]

_PLACE = "sitemap.video"
_NO_FILE = "there is no such file; write its path, or an absolute URL"


def read_videos(page: Page, value: Any, site: Site, front_matter: FrontMatter) -> tuple[Video, ...]:
    """Return the videos that can be listed; ``value`` is what the front matter says of them.

    A video without a title or a description has those of the page.
    """
    if value is False:
        return ()
    items = value if isinstance(value, list | tuple) else [value]
    found: list[Video] = []
    for number, item in enumerate(items):
        place = f"{_PLACE}[{number}]" if isinstance(value, list | tuple) else _PLACE
        if isinstance(item, Mapping):
            video = _VideoReader(page, item, place, site, front_matter).read()
            found += [] if video is None else [video]
        else:
            front_matter.warn(page, place, item, "write a mapping, or a list of mappings")
    return tuple(found)


class _VideoReader:
    """Reads one video; a value that cannot be read is told and counts as not there."""

    def __init__(
        self,
        page: Page,
        given: Mapping[Any, Any],
        place: str,
        site: Site,
        front_matter: FrontMatter,
    ) -> None:
        self._page, self._given, self._place = page, given, place
        self._site, self._front_matter = site, front_matter
        self._bad: set[str] = set()

    def read(self) -> Video | None:
        """Return the video, None if it lacks what all videos need."""
        self._front_matter.check_keys(self._page, self._place, self._given, tuple(KEYS))
        values: dict[str, Any] = {
            "thumbnail_loc": None,
            "title": self._page.title,
            "description": self._page.metadata.get("description"),
        }
        for key, convert in KEYS.items():
            value = self._given.get(key)
            if value is None:
                continue
            try:
                values.update(convert(self, key, value))
            except ValueError as error:
                self._bad.add(key)
                self._front_matter.warn(self._page, f"{self._place}.{key}", value, str(error))
        return sound_video(Video(**values), self._page.url, self._refuse)

    def _refuse(self, field: str, value: object, cure: str) -> None:
        key = {"uploader_info": "uploader.info", "tags": "tag"}.get(field, field)
        place = f"{self._place}.{key}"
        if field in self._bad:
            return
        if value is None:
            self._front_matter.miss(self._page, place, cure)
        else:
            self._front_matter.warn(self._page, place, self._given.get(key, value), cure)

    def as_it_is(self, key: str, value: Any) -> dict[str, Any]:
        """Leave a value to the check."""
        return {key: value}

    def file(self, key: str, value: Any) -> dict[str, Any]:
        """Find a file as images are found."""
        url = named_image(value, self._page, self._site) if isinstance(value, str) else None
        if url is None:
            raise ValueError(_NO_FILE)
        return {key: url}

    def address(self, key: str, value: Any) -> dict[str, Any]:
        """Resolve the address of something that need not be a file."""
        return {key: self._join(value)}

    def number(self, key: str, value: Any) -> dict[str, Any]:
        """Read a number that a text may hold."""
        if not isinstance(value, str):
            return {key: value}
        try:
            return {key: int(value) if value.strip().isdecimal() else float(value)}
        except ValueError:
            raise ValueError("write a number") from None

    def date(self, key: str, value: Any) -> dict[str, Any]:
        """Read a date that has been."""
        return {key: read_date(value, self._site.timezone)}

    def coming_date(self, key: str, value: Any) -> dict[str, Any]:
        """Read a date that may be still to come."""
        return {key: parse_date(value, self._site.timezone)}

    def flag(self, key: str, value: Any) -> dict[str, Any]:
        """Read a yes or no."""
        answer = truth(value)
        return {key: value if answer is None else answer}

    def tags(self, _key: str, value: Any) -> dict[str, Any]:
        """Read a text or a list of texts."""
        return {"tags": tuple(value) if isinstance(value, list | tuple) else (value,)}

    def restriction(self, key: str, value: Any) -> dict[str, Any]:
        """Read what is allowed or denied."""
        if not isinstance(value, Mapping) or len(value) != 1:
            raise ValueError("write {allow: [...]} or {deny: [...]}")
        relationship, names = next(iter(value.items()))
        if isinstance(names, str):
            names = names.replace(",", " ").split()
        if not isinstance(names, list | tuple):
            raise ValueError(f"write {{{relationship}: [...]}}")  # noqa: TRY004 - as all others
        if any(name is False for name in names):
            raise ValueError("YAML reads a bare NO as false; write 'NO'")
        cased = str.upper if key == "restriction" else str.lower
        return {key: Restriction(relationship, tuple(cased(str(name)) for name in names))}

    def uploader(self, _key: str, value: Any) -> dict[str, Any]:
        """Read a name, or a name and the address of a page about it."""
        if not isinstance(value, Mapping):
            return {"uploader": value}
        self._front_matter.check_keys(self._page, f"{self._place}.uploader", value, _UPLOADER)
        if value.get("name") is None:
            raise ValueError("write {name: ...} with or without info")
        info = value.get("info")
        return {
            "uploader": value.get("name"),
            "uploader_info": None if info is None else self._join(info),
        }

    def _join(self, value: Any) -> str:
        if not isinstance(value, str):
            raise ValueError("write a URL")  # noqa: TRY004 - as all others
        try:
            return join_url(self._page.url, value.strip())
        except ValueError as error:
            raise ValueError(f"it is no URL: {error}") from error


_UPLOADER = ("name", "info")
_Convert = Callable[[_VideoReader, str, Any], dict[str, Any]]
KEYS: Mapping[str, _Convert] = {
    "thumbnail_loc": _VideoReader.file,
    "title": _VideoReader.as_it_is,
    "description": _VideoReader.as_it_is,
    "content_loc": _VideoReader.file,
    "player_loc": _VideoReader.address,
    "duration": _VideoReader.number,
    "expiration_date": _VideoReader.coming_date,
    "rating": _VideoReader.number,
    "view_count": _VideoReader.number,
    "publication_date": _VideoReader.date,
    "tag": _VideoReader.tags,
    "family_friendly": _VideoReader.flag,
    "restriction": _VideoReader.restriction,
    "requires_subscription": _VideoReader.flag,
    "uploader": _VideoReader.uploader,
    "platform": _VideoReader.restriction,
    "live": _VideoReader.flag,
}
"""The keys of a video, by the names of Google's elements, and how each is read."""

"""What an entry may hold beyond the protocol's own elements: links to translations, and images.

An extension is a namespace, a field of Entry and the elements that the field becomes. To support
another one, add its field to Entry and its class to the end of EXTENSIONS.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import ClassVar, Protocol

from sitemap_plugin.models import Alternate, Image
from sitemap_plugin.writing.escaping import FaultError, escape_urls
from sitemap_plugin.writing.validity import MAX_IMAGES, is_hreflang

__all__ = ["EXTENSIONS", "Extension", "Images", "Links"]

MEMO_BYTES = 1 << 22


class Extension(Protocol):
    """Renders one field of a batch of entries."""

    prefix: ClassVar[str]
    uri: ClassVar[str]

    def render(self, column: Sequence[tuple[object, ...]]) -> list[str]:
        """Return the elements for the field's value in each entry of a batch.

        Raises FaultError, or another ValueError or TypeError, when a value is invalid.
        """


class Links:
    """Links to the translations of a page.

    All members of a set share one tuple of alternates, so its text is kept and found again by
    identity. The members lie far apart in a sorted sitemap: once the memo is full, the sets that
    are in it stay, for a memo that replaces them would have none of them when they come round.
    """

    prefix = "xhtml"
    uri = "http://www.w3.org/1999/xhtml"

    def __init__(self) -> None:
        self._memo: dict[int, tuple[str, tuple[Alternate, ...]]] = {}
        self._room = MEMO_BYTES
        self._templates: dict[tuple[str, ...], str] = {(): ""}

    def render(self, column: Sequence[tuple[Alternate, ...]]) -> list[str]:
        """Return the links of each entry."""
        memo = self._memo
        fresh = {id(links): links for links in column if id(links) not in memo}
        if fresh:
            texts = dict(zip(fresh, self._render(list(fresh.values())), strict=True))
            if self._room > 0:
                self._room -= sum(map(len, texts.values()))
                memo.update((key, (text, fresh[key])) for key, text in texts.items())
            return [texts[key] if (key := id(links)) in texts else memo[key][0] for links in column]
        return [memo[id(links)][0] for links in column]

    def _render(self, sets: Sequence[tuple[Alternate, ...]]) -> Iterator[str]:
        if set(map(type, sets)) != {tuple}:
            raise FaultError
        hrefs = iter(escape_urls([href for links in sets for _, href in links]))
        for links in sets:
            codes = tuple([code for code, _ in links])
            template = self._templates.get(codes) or self._template(codes)
            yield template % tuple([next(hrefs) for _ in links])

    def _template(self, codes: tuple[str, ...]) -> str:
        if not all(map(is_hreflang, codes)) or len({code.lower() for code in codes}) < len(codes):
            raise FaultError
        text = "".join(
            f'\n    <xhtml:link rel="alternate" hreflang="{code}" href="%s"/>' for code in codes
        )
        return self._templates.setdefault(codes, text)


class Images:
    """Images of a page."""

    prefix = "image"
    uri = "http://www.google.com/schemas/sitemap-image/1.1"

    def render(self, column: Sequence[tuple[Image, ...]]) -> list[str]:
        """Return the images of each entry."""
        if set(map(type, column)) != {tuple} or max(map(len, column)) > MAX_IMAGES:
            raise FaultError
        locs = iter(escape_urls([loc for (loc,) in chain.from_iterable(column)]))
        return [
            "".join(
                [
                    f"\n    <image:image>\n      <image:loc>{next(locs)}</image:loc>"
                    "\n    </image:image>"
                    for _ in images
                ]
            )
            for images in column
        ]


EXTENSIONS: tuple[type[Links | Images], ...] = (Links, Images)
"""In the order of Entry's fields and of the elements in the file."""

"""What an entry may hold beyond the protocol's own elements: links, images, news and videos.

An extension is a namespace, a field of Entry, the value that stands for nothing there, and the
elements that the field becomes. To support another one, add its field to Entry and its class to the
end of EXTENSIONS.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice, repeat

from sitemap_plugin.models import Alternate, Image
from sitemap_plugin.write.writing.articles import Articles
from sitemap_plugin.write.writing.escaping import FaultError, escape_urls
from sitemap_plugin.write.writing.validity import MAX_IMAGES, is_hreflang
from sitemap_plugin.write.writing.videos import Videos

__all__ = ["EXTENSIONS", "Images", "Links"]

MEMO_BYTES = 1 << 24
_MEMO_CODES = 1000


class Links:
    """Links to the translations of a page.

    All members of a set share one tuple of alternates, so its text is kept and found again by
    identity. The members lie far apart in a sorted sitemap: once the memo is full, the sets that
    are in it stay, for a memo that replaces them would have none of them when they come round.
    """

    prefix = "xhtml"
    uri = "http://www.w3.org/1999/xhtml"
    nothing = ()

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url
        self._memo = {id(()): ""}
        self._kept: list[tuple[Alternate, ...]] = []
        self._room = MEMO_BYTES
        self._slots: dict[tuple[str, ...], list[str]] = {}

    def render(
        self, column: Sequence[tuple[Alternate, ...]], _locs: Sequence[str]
    ) -> Iterable[str]:
        """Return the links of each entry of a batch, whose URLs are ``locs``.

        Raises FaultError, or another ValueError or a TypeError, when something is invalid.
        """
        memo = self._memo
        keys = list(map(id, column))
        with suppress(KeyError):
            return list(map(memo.__getitem__, keys))
        fresh = {key: links for key, links in zip(keys, column, strict=True) if key not in memo}
        texts = dict(zip(fresh, self._render(list(fresh.values())), strict=True))
        if self._room > 0:
            # What is in the memo is kept alive, or another set might get its identity.
            self._room -= sum(map(len, texts.values()))
            self._kept += fresh.values()
            memo.update(texts)
        return [texts[key] if key in texts else memo[key] for key in keys]

    def _render(self, sets: Sequence[tuple[Alternate, ...]]) -> Iterable[str]:
        if set(map(type, sets)) != {tuple}:
            raise FaultError
        codes, links = zip(*chain.from_iterable(sets), strict=False)
        hrefs = escape_urls(links, self._base_url)
        sizes = list(map(len, sets))
        size = sizes[0]
        if sizes.count(size) < len(sizes) or codes != codes[:size] * len(sizes):
            return self._render_each(sizes, codes, hrefs)
        # All sets have the same languages, so the n-th pieces of all their texts make a column.
        columns: list[Iterable[str]] = [repeat(slot) for slot in self._slots_for(codes[:size])]
        columns[1::2] = [hrefs[language::size] for language in range(size)]
        return map("".join, zip(*columns, strict=False))

    def _render_each(
        self, sizes: Iterable[int], codes: tuple[str, ...], hrefs: Sequence[str]
    ) -> Iterator[str]:
        end = 0
        for size in sizes:
            start, end = end, end + size
            slots = self._slots_for(codes[start:end]).copy()
            slots[1::2] = hrefs[start:end]
            yield "".join(slots)

    def _slots_for(self, codes: tuple[str, ...]) -> list[str]:
        """Return the pieces of the links in these languages; every second is an href to be set."""
        slots = self._slots.get(codes)
        if slots is None:
            if not all(map(is_hreflang, codes)) or len({c.lower() for c in codes}) < len(codes):
                raise FaultError
            slots, end = [], ""
            for code in codes:
                slots += [f'{end}\n    <xhtml:link rel="alternate" hreflang="{code}" href="', ""]
                end = '"/>'
            slots.append(end)
            if len(self._slots) > _MEMO_CODES:
                self._slots.clear()
            self._slots[codes] = slots
        return slots


class Images:
    """Images of a page."""

    prefix = "image"
    uri = "http://www.google.com/schemas/sitemap-image/1.1"
    nothing = ()

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url

    def render(self, column: Sequence[tuple[Image, ...]], _locs: Sequence[str]) -> Iterable[str]:
        """Return the images of each entry of a batch; raises as Links does."""
        if set(map(type, column)) != {tuple} or max(map(len, column)) > MAX_IMAGES:
            raise FaultError
        images = [loc for (loc,) in chain.from_iterable(column)]
        locs = iter(
            [
                f"\n    <image:image>\n      <image:loc>{loc}</image:loc>\n    </image:image>"
                for loc in escape_urls(images, self._base_url)
            ]
        )
        return ["".join(islice(locs, len(images))) for images in column]


EXTENSIONS: tuple[type[Links | Images | Articles | Videos], ...] = (
    Links,
    Images,
    Articles,
    Videos,
)
"""In the order of Entry's fields and of the elements in the file."""

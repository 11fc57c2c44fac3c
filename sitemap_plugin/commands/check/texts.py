"""The texts and the nested elements that a reader has to remember until their element ends."""

from __future__ import annotations

from collections.abc import Sequence

from sitemap_plugin.commands.check.batch import Media, MediaKind
from sitemap_plugin.commands.check.vocabulary import split_name

__all__ = ["Medium", "Texts"]

_SPACE = " \t\r\n"
_LONGEST = 1 << 16


class Texts(list[str]):
    """Pieces of text, with a stack of the places at which elements begin."""

    def __init__(self) -> None:
        super().__init__()
        self._begins: list[int] = []

    def begin(self) -> None:
        """Take what follows for the text of an element of its own."""
        self._begins.append(len(self))

    def end(self) -> str:
        """Return the text of the innermost element without the white space around it; drop it."""
        begin = self._begins.pop()
        text = "".join(self[begin:]).strip(_SPACE)
        del self[begin:]
        return text

    def take(self) -> str:
        """Return all text without the white space around it, and drop it."""
        text = "".join(self).strip(_SPACE)
        self.clear()
        return text

    def shorten(self) -> None:
        """Keep no more of a long text than is needed to find fault with it."""
        self[:] = ["".join(self)[:_LONGEST]]
        self._begins[:] = [0] * len(self._begins)


class Medium:
    """An image, a news article or a video that is being read."""

    def __init__(self, kind: MediaKind, line: int, loc: str | None) -> None:
        self.kind, self.depth = kind, 0
        self._line, self._loc = line, loc
        self._path: list[str] = []
        self.parts: list[tuple[str, str]] = []

    def start(self, name: str, attributes: Sequence[str]) -> None:
        """Begin an element in it."""
        self._path.append(split_name(name)[1])
        path = "/".join(self._path)
        pairs = zip(attributes[::2], attributes[1::2], strict=True)
        self.parts += [(f"{path}@{attribute}", value) for attribute, value in pairs]
        self.depth = len(self._path)

    def end(self, text: str) -> None:
        """End an element in it."""
        self.parts.append(("/".join(self._path), text))
        self._path.pop()
        self.depth = len(self._path)

    def finish(self) -> Media:
        """Return all of it."""
        return Media(self.kind, self._line, self._loc, tuple(self.parts))

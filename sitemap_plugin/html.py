"""Read what the head of a rendered page says to search engines."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urljoin

from sitemap_plugin.html_tokens import WHITESPACE, Token, attributes, head_tokens

__all__ = ["Head", "parse_head", "read_head"]

LIMIT = 1 << 20
"""Bytes of a file that are read at most; a head that is longer counts as ending there."""

_CHUNK = 1 << 16


class Head(NamedTuple):
    """The head of a page, as a search engine that runs scripts sees it.

    ``robots`` holds the rules of ``meta name=robots`` and ``googlebot`` in lower case. ``canonical``
    is None when several links name different URLs: search engines then ignore them all.
    ``refresh`` is the target of a ``meta http-equiv=refresh`` that has one. ``canonical``,
    ``refresh`` and the second part of each of ``alternates`` (hreflang, href) are as written, see
    ``resolve``; ``modified`` and ``published`` are unparsed dates.
    """

    robots: frozenset[str] = frozenset()
    canonical: str | None = None
    refresh: str | None = None
    base: str | None = None
    language: str | None = None
    title: str | None = None
    alternates: tuple[tuple[str, str], ...] = ()
    modified: str | None = None
    published: str | None = None

    @property
    def noindex(self) -> bool:
        """Whether the page asks to be left out of search results."""
        return not self.robots.isdisjoint(("noindex", "none"))

    def resolve(self, page_url: str, href: str) -> str:
        """Return the absolute URL that ``href`` stands for in the page at ``page_url``."""
        try:
            return urljoin(urljoin(page_url, self.base or ""), href)
        except ValueError:
            return href


def read_head(path: Path) -> Head:
    """Read the head of an HTML file; raise OSError if the file cannot be read."""
    with path.open("rb", buffering=0) as file:
        data = file.read(_CHUNK)
        while len(data) < LIMIT and b"<body" not in data and b"<BODY" not in data:
            more = file.read(LIMIT - len(data))
            if not more:
                break
            data += more
    return parse_head(data)


def parse_head(data: bytes) -> Head:
    """Return what the head of an HTML document says; any bytes are a document."""
    text = data[:LIMIT].decode("utf-8-sig", "replace").replace("\0", "\ufffd")
    return _collect(head_tokens(text))


_REFRESH = re.compile(
    r"""[\t\n\f\r ]*+ (?:[0-9]++|(?=\.)) [0-9.]*+
    (?: (?=[;,\t\n\f\r ]) [\t\n\f\r ]*+ [;,]?+ [\t\n\f\r ]*+ )
    (?: [uU][rR][lL][\t\n\f\r ]*+=[\t\n\f\r ]*+ | (?=["']) | (?=[^"']) )
    (?: "([^"]*) | '([^']*) | ([^"'].*) )""",
    re.VERBOSE | re.DOTALL,
)


def _collect(tokens: Iterable[Token]) -> Head:
    robots: set[str] = set()
    canonicals: list[str] = []
    alternates: list[tuple[str, str]] = []
    found: dict[str, str] = {}
    for name, raw, content in tokens:
        if name == "title":
            found.setdefault("title", " ".join(unescape(content).split()))
            continue
        if name not in ("meta", "link", "base", "html"):
            continue
        attrs = attributes(raw)
        if name == "html":
            if "lang" in attrs:
                found.setdefault("language", attrs["lang"].strip(WHITESPACE))
        elif name == "base":
            if "href" in attrs:
                found.setdefault("base", attrs["href"].strip(WHITESPACE))
        elif name == "link":
            rel = attrs.get("rel", "").lower().split()
            href = attrs.get("href", "").strip(WHITESPACE)
            if "canonical" in rel and href and href not in canonicals:
                canonicals.append(href)
            if "alternate" in rel and href and attrs.get("hreflang"):
                alternates.append((attrs["hreflang"].strip(WHITESPACE), href))
        else:
            value = attrs.get("content", "")
            if attrs.get("name", "").strip(WHITESPACE).lower() in ("robots", "googlebot"):
                robots.update(re.sub(r"\s*:\s*", ":", value.lower()).replace(",", " ").split())
            if attrs.get("http-equiv", "").lower() == "refresh" and "refresh" not in found:
                match = _REFRESH.match(value)
                if match:
                    found["refresh"] = (match[1] or match[2] or match[3] or "").strip()
            if attrs.get("property") == "article:modified_time":
                found.setdefault("modified", value.strip())
            if attrs.get("property") == "article:published_time":
                found.setdefault("published", value.strip())
    return Head(
        robots=frozenset(robots),
        canonical=canonicals[0] if len(canonicals) == 1 else None,
        refresh=found.get("refresh") or None,
        base=found.get("base") or None,
        language=found.get("language") or None,
        title=found.get("title") or None,
        alternates=tuple(alternates),
        modified=found.get("modified") or None,
        published=found.get("published") or None,
    )

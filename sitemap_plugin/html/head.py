"""Read what the head of a rendered page says to search engines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_plugin.common.files import read_start
from sitemap_plugin.common.urls import join_url
from sitemap_plugin.html.encoding import declared_encoding
from sitemap_plugin.html.shortcut import plain_tokens
from sitemap_plugin.html.tokens import WHITESPACE, Token, attributes, head_tokens, text_content

__all__ = ["Head", "parse_head", "read_head"]

LIMIT = 1 << 20
"""Bytes of a document that are read at most; a head that is longer counts as ending there."""

_READS = (1 << 14, 1 << 17, LIMIT)
_CONTROLS = "".join(map(chr, range(33)))
_REFRESH_TIME = re.compile(
    r"[\t\n\f\r ]*+(?:[0-9]++|(?=\.))[0-9.]*+"
    r"(?:\Z|(?=[;,\t\n\f\r ])[\t\n\f\r ]*+[;,]?+[\t\n\f\r ]*+)"
)
_REFRESH_URL = re.compile(r"[uU][rR][lL][\t\n\f\r ]*+=[\t\n\f\r ]*+")
_SPACE = re.compile(r"[\t\n\f\r ]+")
_ROBOTS_RULE = re.compile(r"(?:[^\s,:]+\s*:\s*)*[^\s,]+")
_DATES = {
    "article:modified_time": "modified",
    "datemodified": "modified",
    "article:published_time": "published",
    "datepublished": "published",
}


class Head(NamedTuple):
    """The head of a page, as a search engine sees it that runs scripts.

    ``robots`` holds the rules of ``meta name=robots`` and ``name=googlebot`` together, in lower
    case (``noindex``, ``max-snippet:-1``): Google obeys the sum of both and reports a page in a
    sitemap that either keeps out. ``canonical`` is None when the links contradict each other, as
    search engines then ignore them; ``canonicals`` has them all. ``refresh`` is where a
    ``meta http-equiv=refresh`` leads, None if it only reloads. ``alternates`` are pairs of hreflang
    and href. ``modified`` and ``published`` are dates that nobody has parsed yet. All URLs are as
    written: see ``resolve``.
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
    canonicals: tuple[str, ...] = ()

    @property
    def noindex(self) -> bool:
        """Whether the page asks to be left out of search results."""
        return not self.robots.isdisjoint(("noindex", "none"))

    def resolve(self, page_url: str, href: str) -> str | None:
        """Return the absolute URL of an ``href`` in the page at ``page_url``; None for no URL."""
        base = page_url
        if self.base:
            with suppress(ValueError):
                base = join_url(page_url, self.base)
        try:
            return join_url(base, href)
        except ValueError:
            return None


def read_head(path: Path) -> Head:
    """Read the head of an HTML file, and no more of it than needed.

    :raises OSError: the file cannot be read. Nothing else is raised, whatever the file contains.
    """
    data = b""
    for size in _READS:
        data = read_start(path, size)
        head = _head(data, complete=len(data) < size)
        if head is not None:
            return head
    return parse_head(data)


def parse_head(data: bytes) -> Head:
    """Return what the head of an HTML document says; any bytes are a document."""
    return _head(data[:LIMIT], complete=True) or Head()


def _head(data: bytes, *, complete: bool) -> Head | None:
    """Return the head, or None if ``data`` is the beginning of a file and the head goes on."""
    encoding = declared_encoding(data)
    if encoding == "utf-8":
        plain = plain_tokens(data)
        if plain is not None:
            return _collect(plain)
    text = data.decode(encoding, "replace").removeprefix("\ufeff").replace("\0", "\ufffd")
    tokens, ended = head_tokens(text if complete else text.rstrip("</"))
    return _collect(tokens) if ended or complete else None


def _collect(tokens: Iterable[Token]) -> Head:
    robots: set[str] = set()
    canonicals: dict[str, None] = {}
    alternates: list[tuple[str, str]] = []
    found: dict[str, str] = {}
    scripts: list[Token] = []
    for token in tokens:
        if token.name == "title":
            found.setdefault("title", _collapse(text_content(token.content)))
            continue
        if token.name in {"script", "noscript"}:
            scripts.append(token)
            continue
        attrs = attributes(token.attributes)
        if token.name == "meta":
            _read_meta(attrs, robots, found)
        elif token.name == "link":
            _read_link(attrs, canonicals, alternates)
        elif token.name == "html" and "lang" in attrs:
            found.setdefault("language", attrs["lang"].strip(WHITESPACE))
        elif token.name == "base" and "href" in attrs:
            found.setdefault("base", _url(attrs["href"]))
    if scripts:
        _read_scripts(scripts, found)
    return Head(
        robots=frozenset(robots),
        canonical=next(iter(canonicals)) if len(canonicals) == 1 else None,
        alternates=tuple(alternates),
        canonicals=tuple(canonicals),
        **{name: value or None for name, value in found.items()},
    )


def _read_meta(attrs: dict[str, str], robots: set[str], found: dict[str, str]) -> None:
    content = attrs.get("content")
    if not content:
        return
    if attrs.get("name", "").strip().lower() in {"robots", "googlebot"}:
        rules = _ROBOTS_RULE.findall(content.lower())
        robots.update("".join(rule.split()) for rule in rules)
    if "refresh" not in found and attrs.get("http-equiv", "").lower() == "refresh":
        target = _refresh_target(content)
        if target is not None:
            found["refresh"] = target
    for key in ("property", "name", "itemprop"):
        name = _DATES.get(attrs.get(key, "").strip().lower())
        if name:
            found.setdefault(name, content.strip())


def _read_link(
    attrs: dict[str, str], canonicals: dict[str, None], alternates: list[tuple[str, str]]
) -> None:
    rel = attrs.get("rel", "").lower().split()
    href = _url(attrs.get("href", ""))
    if not href:
        return
    # Google does not take a link that is limited to a language, medium or type for a canonical.
    if "canonical" in rel and attrs.keys().isdisjoint(("hreflang", "lang", "media", "type")):
        canonicals[href] = None
    hreflang = attrs.get("hreflang", "").strip()
    # A feed may have a language too and is no translation of the page.
    if "alternate" in rel and hreflang and "html" in attrs.get("type", "html").lower():
        alternates.append((hreflang, href))


def _refresh_target(content: str) -> str | None:
    """Return where a refresh leads, ``""`` if it reloads, None if browsers ignore it.

    The steps are the HTML standard's "shared declarative refresh steps".
    """
    time = _REFRESH_TIME.match(content)
    if not time:
        return None
    rest = content[time.end() :]
    prefix = _REFRESH_URL.match(rest)
    if prefix:
        rest = rest[prefix.end() :]
    if rest.startswith(('"', "'")):
        rest = rest[1:].partition(rest[0])[0]
    url = _url(rest)
    return None if url.lower().startswith("javascript:") else url


def _read_scripts(scripts: list[Token], found: dict[str, str]) -> None:
    """Take dates from JSON-LD, and the redirect of a stub that has one for either kind of browser.

    A refresh in ``noscript`` alone is no redirect. It is one if a script goes to the same place, or
    if there is no title: in the stubs of sphinxext-rediraffe that script is in the body.
    """
    plain: dict[str, str] = {}
    for token in scripts:
        if token.name == "noscript":
            for tag in head_tokens(token.content)[0]:
                _read_meta(attributes(tag.attributes), set(), plain)
        elif "ld+json" in attributes(token.attributes).get("type", "").lower():
            for node in _json_ld_nodes(token.content):
                for key in ("dateModified", "datePublished"):
                    if isinstance(node.get(key), str):
                        found.setdefault(_DATES[key.lower()], node[key].strip())
    target = plain.get("refresh")
    if target and (
        not found.get("title")
        or any(
            "location" in token.content and target in token.content
            for token in scripts
            if token.name == "script"
        )
    ):
        found.setdefault("refresh", target)


def _json_ld_nodes(content: str) -> Iterator[dict[str, Any]]:
    """Yield the nodes that describe the page: on top, in ``@graph``, or as ``mainEntity``."""
    try:
        nodes = [json.loads(content)]
    except (ValueError, RecursionError):
        return
    for node in nodes:
        if isinstance(node, list):
            nodes.extend(node)
        elif isinstance(node, dict):
            yield node
            nodes.extend(node[key] for key in ("@graph", "mainEntity") if key in node)


def _collapse(text: str) -> str:
    return _SPACE.sub(" ", text).strip(" ")


def _url(text: str) -> str:
    """Return a URL without the white space that URL parsers ignore."""
    text = text.strip(_CONTROLS)
    return text if text.isprintable() else text.translate({9: None, 10: None, 13: None})

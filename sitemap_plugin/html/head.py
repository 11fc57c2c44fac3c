"""Read what the head of a rendered page says to search engines."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from sitemap_plugin.common.files import read_start
from sitemap_plugin.common.urls import join_url
from sitemap_plugin.html.document import is_too_deep, parse, to_utf8

LIMIT = 1 << 20
"""Bytes of a document that are read at most; a head that is longer counts as ending there."""

_READS = (1 << 14, 1 << 17, LIMIT)
_BODY = re.compile(rb"<body(?=[\s/>])", re.IGNORECASE)
_DOCUMENT_TAG = re.compile(rb"<(?:html|head|body|frameset)(?=[\s/>])", re.IGNORECASE)
_MARK = "sitemap-plugin"
"""An attribute that is put into tags to find out whether the parser sees them as tags."""

_recent: deque[LexborHTMLParser] = deque(maxlen=1)
"""Keeps the memory of one tree for the next one: to get it anew from the system takes 40 µs."""

_CONTROLS = "".join(map(chr, range(33)))
_WHITESPACE = "\t\n\f\r "
_REFRESH_TIME = re.compile(
    r"[\t\n\f\r ]*+(?:[0-9]++|(?=\.))[0-9.]*+"
    r"(?:\Z|(?=[;,\t\n\f\r ])[\t\n\f\r ]*+[;,]?+[\t\n\f\r ]*+)"
)
_REFRESH_URL = re.compile(r"[uU][rR][lL][\t\n\f\r ]*+=[\t\n\f\r ]*+")
_SPACE = re.compile(r"[\t\n\f\r ]+")
_ROBOTS = frozenset({"robots", "googlebot"})
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
    written: see ``resolve``. ``is_document`` is false for a part of a page: it has no doctype, no
    ``html``, ``head`` or ``body`` tag, no title and no refresh.
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
    is_document: bool = True

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
    return _first_head(lambda size: read_start(path, size))


def parse_head(data: bytes) -> Head:
    """Return what the head of an HTML document says; any bytes are a document."""
    return _first_head(lambda size: data[:size])


def _first_head(read: Callable[[int], bytes]) -> Head:
    for size in _READS:
        data = read(size)
        head = _head(data, complete=len(data) < size or size == LIMIT)
        if head is not None:
            return head
    return Head()


def _head(data: bytes, *, complete: bool) -> Head | None:
    """Return the head, or None if ``data`` is the beginning of a file and the head goes on."""
    data = to_utf8(data)
    end = _BODY.search(data)
    if end:
        tree = parse(data[: end.start()] + f"<body {_MARK}>".encode())
        _recent.append(tree)
        if _is_marked(tree.body):
            return _collect(tree, is_document=True)
    # The tag is missing, or stands in a comment, a script or an attribute.
    if is_too_deep(data):
        data, complete = data[: _READS[0]], True
    tree = parse(data if complete else data.rstrip(b"</"))
    if not complete and not _has_content(tree.body):
        return None
    head = _collect(tree, is_document=False)
    is_document = bool(head.title or head.refresh) or _is_document(tree, data)
    return head._replace(is_document=is_document)


def _is_marked(node: LexborNode | None) -> bool:
    return node is not None and _MARK in node.attributes


def _has_content(body: LexborNode | None) -> bool:
    return body is None or body.first_child is not None or bool(body.attributes)


def _is_document(tree: LexborHTMLParser, data: bytes) -> bool:
    """Tell whether a document has a doctype or one of the tags that no part of a page has."""
    document = tree.root.parent if tree.root else None
    if document and any(node.tag == "-doctype" for node in document.iter(include_text=True)):
        return True
    marked = parse(_DOCUMENT_TAG.sub(rb"\g<0> " + _MARK.encode(), data))
    root = marked.root
    return root is not None and (_is_marked(root) or any(map(_is_marked, root.iter())))


def _collect(tree: LexborHTMLParser, *, is_document: bool) -> Head:
    robots: set[str] = set()
    canonicals: dict[str, None] = {}
    alternates: list[tuple[str, str]] = []
    found: dict[str, str] = {}
    scripts: list[LexborNode] = []
    if tree.root and (language := tree.root.attributes.get("lang")):
        found["language"] = language.strip(_WHITESPACE)
    for node in tree.head.iter() if tree.head else ():
        match node.tag:
            case "meta":
                _read_meta(node.attributes, robots, found)
            case "link":
                _read_link(node.attributes, canonicals, alternates)
            case "script" | "noscript":
                scripts.append(node)
            case "title":
                found.setdefault("title", _SPACE.sub(" ", node.text()).strip(" "))
            case "base" if "href" in (given := node.attributes):
                found.setdefault("base", _url(given["href"] or ""))
    if scripts:
        _read_scripts(scripts, found)
    return Head(
        robots=frozenset(robots),
        canonical=next(iter(canonicals)) if len(canonicals) == 1 else None,
        alternates=tuple(alternates),
        canonicals=tuple(canonicals),
        is_document=is_document,
        **{name: value or None for name, value in found.items()},
    )


def _read_meta(given: Mapping[str, str | None], robots: set[str], found: dict[str, str]) -> None:
    content = given.get("content")
    if not content:
        return
    for key in ("name", "property", "itemprop"):
        name = given.get(key)
        if not name:
            continue
        name = name.strip().lower()
        if name in _DATES:
            found.setdefault(_DATES[name], content.strip())
        elif key == "name" and name in _ROBOTS:
            robots.update("".join(rule.split()) for rule in _ROBOTS_RULE.findall(content.lower()))
    if "refresh" not in found and (given.get("http-equiv") or "").lower() == "refresh":
        target = _refresh_target(content)
        if target is not None:
            found["refresh"] = target


def _read_link(
    given: Mapping[str, str | None],
    canonicals: dict[str, None],
    alternates: list[tuple[str, str]],
) -> None:
    rel = (given.get("rel") or "").lower().split()
    is_alternate = "alternate" in rel and "hreflang" in given
    if not is_alternate and "canonical" not in rel:
        return
    href = _url(given.get("href") or "")
    if not href:
        return
    # Google does not take a link that is limited to a language, medium or type for a canonical.
    if "canonical" in rel and given.keys().isdisjoint(("hreflang", "lang", "media", "type")):
        canonicals[href] = None
    hreflang = (given.get("hreflang") or "").strip()
    # A feed may have a language too and is no translation of the page.
    if is_alternate and hreflang and "html" in (given.get("type") or "html").lower():
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


def _read_scripts(scripts: list[LexborNode], found: dict[str, str]) -> None:
    """Take dates from JSON-LD, and the redirect of a stub that has one for either kind of browser.

    A refresh in ``noscript`` alone is no redirect. It is one if a script goes to the same place, or
    if there is no title: in the stubs of sphinxext-rediraffe that script is in the body.
    """
    target = None
    for node in scripts:
        if node.tag == "script" and "ld+json" in (node.attributes.get("type") or "").lower():
            for item in _json_ld_nodes(node.text()):
                for key in ("dateModified", "datePublished"):
                    if isinstance(item.get(key), str):
                        found.setdefault(_DATES[key.lower()], item[key].strip())
        elif node.tag == "noscript" and not target and "refresh" in (text := node.text()).lower():
            target = _refresh_in(text)
    if target and (not found.get("title") or any(_goes_to(target, node) for node in scripts)):
        found.setdefault("refresh", target)


def _refresh_in(markup: str) -> str | None:
    head = parse(markup.encode()).head
    found: dict[str, str] = {}
    for node in head.iter() if head else ():
        if node.tag == "meta":
            _read_meta(node.attributes, set(), found)
    return found.get("refresh")


def _goes_to(target: str, node: LexborNode) -> bool:
    return node.tag == "script" and "location" in (text := node.text()) and target in text


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


def _url(text: str) -> str:
    """Return a URL without the white space that URL parsers ignore."""
    text = text.strip(_CONTROLS)
    return text if text.isprintable() else text.translate({9: None, 10: None, 13: None})

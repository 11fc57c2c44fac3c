"""Read what the head of a rendered page says to search engines."""

import json
import re
from collections import defaultdict, deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from sitemap_plugin.common.files import read_start
from sitemap_plugin.common.urls import join_url
from sitemap_plugin.errors import or_none
from sitemap_plugin.html.document import is_too_deep, parse, to_utf8

LIMIT, _USUAL = 1 << 20, 1 << 16
"""Bytes of a document that are read at most, and at first. A head that is longer ends there."""

_BODY = re.compile(rb"<body(?=[\s/>])", re.IGNORECASE)
_DOCUMENT_TAG = re.compile(rb"<(?:html|head|body|frameset)(?=[\s/>])", re.IGNORECASE)
_MARK = "sitemap-plugin"
"""An attribute that is put into tags to find out whether the parser sees them as tags."""

_recent: deque[LexborHTMLParser] = deque(maxlen=1)
"""Keeps the memory of one tree for the next one: to get it anew from the system takes 40 µs."""

_CONTROLS = "".join(map(chr, range(33)))
_REFRESH = re.compile(
    # HTML, "shared declarative refresh steps": a time, a separator, a URL.
    r"[\t\n\f\r ]*+(?:[0-9]++|(?=\.))[0-9.]*+"
    r"(?:\Z|(?=[;,\t\n\f\r ])[\t\n\f\r ]*+[;,]?+[\t\n\f\r ]*+)"
    r"(?:url[\t\n\f\r ]*+=[\t\n\f\r ]*+)?+(?:\"([^\"]*+)|'([^']*+)|(.*+))",
    re.IGNORECASE | re.DOTALL,
)
_SPACE = re.compile(r"[\t\n\f\r ]+")
_ROBOTS_RULE = re.compile(r"(?:[^\s,:]+\s*:\s*)*[^\s,]+")
_NAMES = {"article:modified_time": "modified", "datemodified": "modified",
          "article:published_time": "published", "datepublished": "published",
          "robots": "robots", "googlebot": "robots"}  # fmt: skip
"""Of a ``meta``: its name in lower case, and the field that it is for."""
_FIRST_COUNTS = ("refresh", "base", "language", "title", "modified", "published")

Found = defaultdict[str, list[Any]]
"""What the elements of a head say, by fields, in their order."""


class Head(NamedTuple):
    """The head of a page, as a search engine sees it that runs scripts; URLs are as written.

    ``robots`` holds the rules of ``meta name=robots`` and ``name=googlebot``, in lower case
    (``max-snippet:-1``): Google obeys the sum of both. ``canonical`` is None when ``canonicals``
    contradict each other, as search engines then ignore them. ``refresh`` is where a ``meta
    http-equiv=refresh`` leads, None if it only reloads. ``alternates`` are pairs of hreflang and
    href. ``is_document`` is false for a part of a page: it has no doctype, no ``html``, ``head`` or
    ``body`` tag, no title and no refresh.
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
        base = or_none(join_url, page_url, self.base) if self.base else None
        return or_none(join_url, base or page_url, href)


def read_head(path: Path) -> Head:
    """Read the head of an HTML file, and no more of it than needed.

    :raises OSError: the file cannot be read. Nothing else is raised, whatever the file contains.
    """
    data = read_start(path, _USUAL)
    if len(data) < _USUAL:
        return parse_head(data)
    return _read_before_body(to_utf8(data)) or parse_head(read_start(path, LIMIT))


def parse_head(data: bytes) -> Head:
    """Return what the head of an HTML document says; any bytes are a document."""
    data = to_utf8(data[:LIMIT])
    if known := _read_before_body(data):
        return known
    tree = parse(data[:4096] if is_too_deep(data) else data)
    head = _collect(tree)
    return head._replace(is_document=bool(head.title or head.refresh) or _is_document(tree, data))


def _read_before_body(data: bytes) -> Head | None:
    """Read what comes before the tag of the body, if the parser sees that as a tag."""
    if end := _BODY.search(data):
        tree = parse(data[: end.start()] + f"<body {_MARK}>".encode())
        _recent.append(tree)
        if tree.body is not None and _MARK in tree.body.attributes:
            return _collect(tree)
    return None


def _is_document(tree: LexborHTMLParser, data: bytes) -> bool:
    """Tell whether a document has a doctype or one of the tags that no part of a page has."""
    document = tree.root.parent if tree.root else None
    if document and any(node.tag == "-doctype" for node in document.iter(include_text=True)):
        return True
    marked = parse(_DOCUMENT_TAG.sub(rb"\g<0> " + _MARK.encode(), data))
    return marked.css_first(f"[{_MARK}]") is not None


def _collect(tree: LexborHTMLParser) -> Head:
    found: Found = defaultdict(list)
    scripts: list[LexborNode] = []
    if tree.root and (language := tree.root.attributes.get("lang")):
        found["language"].append(language.strip())
    for node in tree.head.iter() if tree.head else ():
        match node.tag:
            case "meta":
                _read_meta(node.attributes, found)
            case "link":
                _read_link(node.attributes, found)
            case "title":
                found["title"].append(_SPACE.sub(" ", node.text()).strip(" "))
            case "base" if "href" in (given := node.attributes):
                found["base"].append(_url(given["href"]))
            case "noscript" if "refresh" in (text := node.text()).lower():
                metas = parse(text.encode()).css("meta")
                found["stub"] += (_refresh_target(meta.attributes) for meta in metas)
            case "script":
                scripts.append(node)
                if "ld+json" in (node.attributes.get("type") or "").lower():
                    _read_json_ld(node.text(), found)
    # A refresh without scripts counts if a script goes to the same place, or if there is no title:
    # in the stubs of sphinxext-rediraffe that script is in the body.
    for stub in filter(None, found["stub"][:1]):
        texts = (node.text() for node in scripts)
        if not any(found["title"]) or any("location" in text and stub in text for text in texts):
            found["refresh"].append(stub)
    canonicals = tuple(dict.fromkeys(found["canonical"]))
    return Head(
        robots=frozenset(found["robots"]),
        canonical=canonicals[0] if len(canonicals) == 1 else None,
        alternates=tuple(found["alternate"]),
        canonicals=canonicals,
        is_document=True,
        **{name: found[name][0] or None for name in _FIRST_COUNTS if found[name]},
    )


def _read_meta(given: Mapping[str, str | None], found: Found) -> None:
    for key in ("name", "property", "itemprop"):
        name = _NAMES.get((given[key] or "").strip().lower()) if key in given else None
        if name == "robots":
            rules = _ROBOTS_RULE.findall((given.get("content") or "").lower())
            found[name] += ("".join(rule.split()) for rule in rules if key == "name")
        elif name and (content := given.get("content")):
            found[name].append(content.strip())
    if "http-equiv" in given and (target := _refresh_target(given)) is not None:
        found["refresh"].append(target)


def _read_link(given: Mapping[str, str | None], found: Found) -> None:
    rel = (given.get("rel") or "").lower().split()
    if "canonical" not in rel and "alternate" not in rel:  # As of most: stylesheets and icons.
        return
    href = _url(given.get("href"))
    # Google does not take a link that is limited to a language, medium or type for a canonical.
    is_limited = not given.keys().isdisjoint(("hreflang", "lang", "media", "type"))
    if "canonical" in rel and href and not is_limited:
        found["canonical"].append(href)
    hreflang = (given.get("hreflang") or "").strip()
    # A feed may have a language too and is no translation of the page.
    if hreflang and href and "alternate" in rel and "html" in (given.get("type") or "html").lower():
        found["alternate"].append((hreflang, href))


def _refresh_target(given: Mapping[str, str | None]) -> str | None:
    """Return where a ``meta`` leads, ``""`` if it reloads, None if browsers ignore it."""
    is_refresh = (given.get("http-equiv") or "").lower() == "refresh"
    match = _REFRESH.match(given.get("content") or "") if is_refresh else None
    url = _url(match[match.lastindex or 0]) if match else "javascript:"
    return None if url.lower().startswith("javascript:") else url


def _read_json_ld(content: str, found: Found) -> None:
    """Find the dates of the nodes that describe the page: on top, in a graph, or main entities."""
    try:
        nodes = [json.loads(content)]
    except (ValueError, RecursionError):
        return
    for node in nodes:
        if isinstance(node, list):
            nodes += node
        elif isinstance(node, dict):
            nodes += (node[key] for key in ("@graph", "mainEntity") if key in node)
            for key in ("dateModified", "datePublished"):
                if isinstance(node.get(key), str):
                    found[_NAMES[key.lower()]].append(node[key].strip())


def _url(text: str | None) -> str:
    """Return a URL without the white space that URL parsers ignore."""
    text = (text or "").strip(_CONTROLS)
    return text if text.isprintable() else text.translate({9: None, 10: None, 13: None})

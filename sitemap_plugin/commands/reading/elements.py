"""The elements that a sitemap may have, and what is said of others."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from functools import lru_cache
from xml.parsers.expat import errors

from sitemap_plugin.commands.reading.faults import Fault, fault

_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
_OLD_NAMESPACE = "http://www.google.com/schemas/sitemap/0.84"
LINK = "http://www.w3.org/1999/xhtml link"
_SCHEMA_LOCATION = "http://www.w3.org/2001/XMLSchema-instance "
_FEEDS = frozenset({"rss", "feed", "RDF"})

ENTRIES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "urlset": ("url", ("loc", "lastmod", "changefreq", "priority")),
    "sitemapindex": ("sitemap", ("loc", "lastmod")),
}
"""The roots; for each the name of its entries, and their elements in order."""

_EXTENSIONS = {
    "link": "http://www.w3.org/1999/xhtml",
    "image": "http://www.google.com/schemas/sitemap-image/1.1",
    "news": "http://www.google.com/schemas/sitemap-news/0.9",
    "video": "http://www.google.com/schemas/sitemap-video/1.1",
}
_KINDS = {namespace: kind for kind, namespace in _EXTENSIONS.items()}

# The elements of images, articles and videos, and of what has elements within them.
_SCHEMAS = {
    "image": "loc caption geo_location title license",
    "news": "publication access genres publication_date title keywords stock_tickers",
    "news/publication": "name language",
    "video": "thumbnail_loc title description content_loc player_loc duration expiration_date "
    "rating content_segment_loc view_count publication_date tag category family_friendly "
    "restriction gallery_loc price requires_subscription uploader tvshow platform live id",
    "video/tvshow": "show_title video_type episode_title season_number episode_number premier_date",
}
_PARTS = {path: tuple(names.split()) for path, names in _SCHEMAS.items()}
_REPEATABLE = frozenset({"content_segment_loc", "tag", "price", "id"})
_CONTROLS = frozenset(bytes([code]) for code in range(32) if chr(code) not in "\t\n\r")
_BARE_AMPERSAND = re.compile(rb"&(?![A-Za-z#][A-Za-z0-9]*;)")
_TAG_PREFIX = re.compile(rb"<([A-Za-z_][\w.-]*):")
_SPACE = " \t\r\n"


def is_repeatable(name: str) -> bool:
    """Tell whether an image, article or video may have several elements of a name."""
    return name in _REPEATABLE


def extension_of(name: str) -> tuple[str | None, Fault | None]:
    """Return what an element of an entry is, and what is wrong with its namespace."""
    namespace, _, local = name.rpartition(" ")
    right = _EXTENSIONS.get(local)
    if right is None or namespace == right:
        return (local if right else None), None
    if ("xhtml" if local == "link" else f"sitemap-{local}") not in namespace.lower():
        return None, None
    return local, fault("namespace.extension", element=local, namespace=namespace, right=right)


def root_fault(name: str) -> Fault | None:
    """Judge the root element by its name, which has the namespace before a space."""
    namespace, _, local = name.rpartition(" ")
    if local in _FEEDS:
        return fault("feed")
    if local not in ENTRIES:
        if guess := _nearest(local, tuple(ENTRIES)):
            return fault("unsupported-format.misspelt", root=local, guess=guess)
        return fault("unsupported-format.root", root=local)
    if namespace == _NAMESPACE:
        return None
    if namespace == _OLD_NAMESPACE:
        return fault("namespace-old", right=_NAMESPACE)
    if not namespace:
        return fault("namespace.missing", right=_NAMESPACE)
    return fault("namespace", namespace=namespace, right=_NAMESPACE)


def child_fault(name: str, root: str, *, of_root: bool, in_field: bool = False) -> Fault | None:
    """Judge an element that the root, an entry or a field of it does not have in the protocol."""
    namespace, _, local = name.rpartition(" ")
    root_namespace, _, root_name = root.rpartition(" ")
    entry, fields = ENTRIES[root_name]
    known = (entry,) if of_root else () if in_field else fields
    if local in known and not namespace:
        return fault("namespace.element", element=local)
    kind = _KINDS.get(namespace)
    if kind and (of_root or in_field or local != kind):
        prefix = "xhtml" if kind == "link" else kind
        where = (
            f"beside <{entry}>" if of_root else "within a value" if in_field else f"in <{entry}>"
        )
        if local == kind or local in _PARTS.get(kind, ()):
            parent = entry if local == kind else f"{prefix}:{kind}"
            element = f"{prefix}:{local}"
            return fault("misplaced-element", element=element, where=where, parent=parent)
        return fault("unknown-element", element=f"{prefix}:{local}", where=where)
    if kind or (namespace and namespace != root_namespace):
        return None  # An extension that this check does not know.
    if of_root and local in fields:
        return fault("unknown-element.entry", element=local, where="here", parent=entry)
    return _unknown(local, known, "here")


def part_fault(path: str, name: str) -> Fault | None:
    """Judge an element of an image, an article or a video; a path is ``news/publication``."""
    namespace, _, local = name.rpartition(" ")
    kind, known = path.partition("/")[0], _PARTS.get(path, ())
    if namespace != _EXTENSIONS[kind] or local in known:
        return None
    return _unknown(local, known, f"in '{path}'", f"{kind}:")


def _unknown(local: str, known: tuple[str, ...], where: str, prefix: str = "") -> Fault:
    element = prefix + local
    if guess := _nearest(local, known):
        return fault("unknown-element.guess", element=element, where=where, guess=prefix + guess)
    return fault("unknown-element", element=element, where=where)


def attribute_fault(name: str, attribute: str) -> Fault | None:
    """Judge an attribute of an element that has none in the protocol."""
    if attribute.startswith(_SCHEMA_LOCATION):
        return None
    element, what = name.rpartition(" ")[2], attribute.rpartition(" ")[2]
    return fault("unknown-attribute", attribute=what, element=element)


def link_fault(link: dict[str, str]) -> Fault | None:
    """Judge the attributes of a link to a translation; one for another medium needs no code."""
    if link.get("rel") == "alternate" and "hreflang" in link and "href" in link:
        return None
    if link.get("rel", "alternate").strip(_SPACE).lower() != "alternate":
        return fault("link-rel", rel=link["rel"])
    needed = ("rel", "href") if "media" in link else ("rel", "hreflang", "href")
    missing = " and no ".join(f"'{name}'" for name in needed if name not in link)
    if not missing:
        return None
    if extra := sorted(link.keys() - {"rel", "hreflang", "href", "media"}):
        return fault("link-incomplete.instead", missing=missing, extra=extra[0])
    return fault("link-incomplete", missing=missing)


@lru_cache(maxsize=1024)
def _nearest(name: str, known: tuple[str, ...]) -> str | None:
    close = difflib.get_close_matches(name.lower()[:40], known, n=1, cutoff=0.6)
    return close[0] if close else None


def xml_fault(code: int, data: bytes, position: int) -> Fault:
    """Say what keeps expat from going on at a position of ``data``, and what to do about it."""
    if code == errors.codes[errors.XML_ERROR_UNBOUND_PREFIX]:
        prefix = _TAG_PREFIX.match(data, position)
        name = prefix[1].decode("utf-8", "replace") if prefix else "..."
        return fault("xml-broken.prefix", prefix=name)
    if code == errors.codes[errors.XML_ERROR_NO_ELEMENTS]:
        return fault("xml-broken.end")
    if code == errors.codes[errors.XML_ERROR_BAD_CHAR_REF]:
        return fault("xml-broken.reference")
    if data[position : position + 1] in _CONTROLS:
        return fault("xml-broken.character", character=data[position])
    before = data[max(0, position - 200) : position + 1]
    if _BARE_AMPERSAND.search(before[before.rfind(b">") + 1 :]):
        return fault("xml-broken.ampersand")
    return fault("xml-broken", reason=errors.messages[code])

"""The elements that a sitemap may have, and what is said of others."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from functools import lru_cache
from xml.parsers.expat import errors

from sitemap_plugin.commands.reading.document import Fault
from sitemap_plugin.commands.reading.quoting import quote

__all__ = [
    "ENTRIES",
    "LINK",
    "NAMESPACE",
    "PARTS",
    "attribute_fault",
    "child_fault",
    "explain_error",
    "extension_of",
    "is_repeatable",
    "namespace_fault",
    "part_fault",
    "root_fault",
    "split_name",
]

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
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

# The elements of the schemas; those with a star may be repeated.
_SCHEMAS = {
    "image": "loc caption geo_location title license",
    "news": "publication access genres publication_date title keywords stock_tickers",
    "news/publication": "name language",
    "video": "thumbnail_loc title description content_loc player_loc duration expiration_date "
    "rating content_segment_loc* view_count publication_date tag* category family_friendly "
    "restriction gallery_loc price* requires_subscription uploader tvshow platform live id*",
    "video/tvshow": "show_title video_type episode_title season_number episode_number premier_date",
}
PARTS: Mapping[str, frozenset[str]] = {
    path: frozenset(names.replace("*", "").split()) for path, names in _SCHEMAS.items()
}
"""The elements of images, articles and videos, and of what has elements within them."""

_REPEATABLE = frozenset(
    name[:-1] for names in _SCHEMAS.values() for name in names.split() if name.endswith("*")
)
_CONTROLS = frozenset(bytes([code]) for code in range(32) if chr(code) not in "\t\n\r")
_BARE_AMPERSAND = re.compile(rb"&(?![A-Za-z#][A-Za-z0-9]*;)")
_TAG_PREFIX = re.compile(rb"<([A-Za-z_][\w.-]*):")


def split_name(name: str) -> tuple[str, str]:
    """Return the namespace, empty for none, and the local name."""
    namespace, _, local = name.rpartition(" ")
    return namespace, local


def is_repeatable(name: str) -> bool:
    """Tell whether an image, article or video may have several elements of a name."""
    return name in _REPEATABLE


def extension_of(name: str) -> tuple[str | None, Fault | None]:
    """Return what an element of an entry is, and what is wrong with its namespace."""
    namespace, local = split_name(name)
    right = _EXTENSIONS.get(local)
    if right is None or namespace == right:
        return (local if right else None), None
    word = "xhtml" if local == "link" else f"sitemap-{local}"
    if word not in namespace.lower():
        return None, None
    message = f"The element {quote(local)} is in the namespace {quote(namespace)}, which search "
    return local, Fault("namespace", f"{message}engines do not know.", f'Write "{right}".')


def root_fault(name: str) -> Fault | None:
    """Judge the root element by its name."""
    namespace, local = split_name(name)
    if local in _FEEDS:
        cure = "List all pages in a sitemap too, since a feed holds only the newest."
        return Fault("feed", "The file is a feed; its contents were not checked.", cure)
    if local not in ENTRIES:
        guess = _nearest(local, frozenset(ENTRIES))
        message = f"The root element is {quote(local)}, which no sitemap has"
        message += f"; is {quote(guess)} meant?" if guess else "."
        cure = "Name a file whose root is urlset or sitemapindex."
        return Fault("unsupported-format", message, cure)
    if namespace == NAMESPACE:
        return None
    cure = f'Write xmlns="{NAMESPACE}".'
    if namespace == _OLD_NAMESPACE:
        return Fault("namespace-old", "The namespace is that of Google's protocol of 2005.", cure)
    given = f"The namespace is {quote(namespace)}" if namespace else "There is no namespace"
    message = f"{given}; search engines know the elements of one namespace only."
    return Fault("namespace", message, cure)


def child_fault(name: str, root: str, *, of_root: bool, in_field: bool = False) -> Fault | None:
    """Judge an element that the root, an entry or a field of it does not have in the protocol."""
    namespace, local = split_name(name)
    root_namespace, root_name = split_name(root)
    entry, fields = ENTRIES[root_name]
    known = (entry,) if of_root else () if in_field else fields
    if local in known and not namespace:
        return namespace_fault(local)
    kind = _KINDS.get(namespace)
    if kind and (of_root or in_field or local != kind):
        return _misplaced_fault(kind, local, entry, of_root=of_root, in_field=in_field)
    if kind or (namespace and namespace != root_namespace):
        return None  # An extension that this check does not know.
    guess = _nearest(local, frozenset(known))
    cure = f"Write {quote(guess)}." if guess else "Remove it, or correct its name."
    if of_root and local in fields:
        cure = f"Put it into <{entry}>."
    return Fault("unknown-element", f"The element {quote(local)} has no place here.", cure)


def namespace_fault(local: str) -> Fault:
    """Say that an element of the protocol is in no namespace."""
    message = f"The element {quote(local)} is in no namespace, so search engines do not know it."
    return Fault("namespace", message, 'Remove xmlns="" from it.')


def _misplaced_fault(kind: str, local: str, entry: str, *, of_root: bool, in_field: bool) -> Fault:
    prefix = "xhtml" if kind == "link" else kind
    where = f"beside <{entry}>" if of_root else "within a value" if in_field else f"in <{entry}>"
    message = f"The element {quote(f'{prefix}:{local}')} stands {where}, where nobody reads it."
    if local == kind:
        return Fault("misplaced-element", message, f"Put it into <{entry}>.")
    if local in PARTS.get(kind, ()):
        return Fault("misplaced-element", message, f"Put it into <{prefix}:{kind}>.")
    return Fault("unknown-element", message, "Remove it, or correct its name.")


def part_fault(path: str, name: str) -> Fault | None:
    """Judge an element of an image, an article or a video; a path is ``news/publication``."""
    namespace, local = split_name(name)
    kind = path.partition("/")[0]
    known = PARTS.get(path, frozenset())
    if namespace != _EXTENSIONS[kind] or local in known:
        return None
    guess = _nearest(local, known)
    message = f"The element {quote(f'{kind}:{local}')} has no place in {quote(path)}."
    cure = f"Write {quote(f'{kind}:{guess}')}." if guess else "Remove it, or correct its name."
    return Fault("unknown-element", message, cure)


def attribute_fault(name: str, attribute: str) -> Fault | None:
    """Judge an attribute of an element that has none in the protocol."""
    if attribute.startswith(_SCHEMA_LOCATION):
        return None
    where, what = quote(split_name(name)[1]), quote(split_name(attribute)[1])
    return Fault(
        "unknown-attribute", f"The attribute {what} has no place on {where}.", "Remove it."
    )


@lru_cache(maxsize=1024)
def _nearest(name: str, known: frozenset[str]) -> str | None:
    close = difflib.get_close_matches(name.lower()[:40], sorted(known), n=1, cutoff=0.6)
    return close[0] if close else None


def explain_error(code: int, data: bytes, position: int) -> Fault:
    """Say what keeps expat from going on at a position of ``data``, and what to do about it."""
    before = data[max(0, position - 200) : position + 1]
    message = f"The XML is not well-formed: {errors.messages[code]}."
    cure = "Correct the XML at this place."
    if code == errors.codes[errors.XML_ERROR_UNBOUND_PREFIX]:
        prefix = _TAG_PREFIX.match(data, position)
        name = prefix[1].decode("utf-8", "replace") if prefix else "..."
        message = f"The prefix {quote(name)} is not declared."
        cure = f'Add xmlns:{name}="..." to the root element.'
    elif code == errors.codes[errors.XML_ERROR_NO_ELEMENTS]:
        message, cure = "The file ends before its root element does.", "Write the whole file."
    elif code == errors.codes[errors.XML_ERROR_BAD_CHAR_REF]:
        message = "A reference such as &#1; stands for a character that XML does not allow."
        cure = "Remove it."
    elif data[position : position + 1] in _CONTROLS:
        message = f"The character U+{data[position]:04X} is not allowed in XML."
        cure = "Remove it."
    elif _BARE_AMPERSAND.search(before[before.rfind(b">") + 1 :]):
        message, cure = "An '&' is not escaped.", "Write &amp; instead."
    return Fault("xml-broken", message, cure)

"""The elements that a sitemap may have, each below its parent, and what is said of others."""

import re
from collections.abc import Mapping
from functools import lru_cache
from xml.parsers.expat import errors

from sitemap_plugin.commands.reading.faults import Fault, fault
from sitemap_plugin.common.text import did_you_mean

_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
_OLD_NAMESPACE = "http://www.google.com/schemas/sitemap/0.84"
_NAMESPACES = {
    "xhtml": "http://www.w3.org/1999/xhtml",
    "image": "http://www.google.com/schemas/sitemap-image/1.1",
    "news": "http://www.google.com/schemas/sitemap-news/0.9",
    "video": "http://www.google.com/schemas/sitemap-video/1.1",
}
LINK = f"{_NAMESPACES['xhtml']}}}link"
_EXTENSION = re.compile("xhtml|sitemap-(?:image|news|video)", re.IGNORECASE)
_SCHEMA_LOCATION = "http://www.w3.org/2001/XMLSchema-instance}"
_FEEDS = frozenset({"rss", "feed", "RDF"})

# The roots; for each the name of its entries, and their values in order.
ENTRIES = {
    "urlset": ("url", ("loc", "lastmod", "changefreq", "priority")),
    "sitemapindex": ("sitemap", ("loc", "lastmod")),
}

_PARTS = {
    "image:image": "loc caption geo_location title license",
    "news:news": "publication access genres publication_date title keywords stock_tickers",
    "news:publication": "name language",
    "video:video": "thumbnail_loc title description content_loc player_loc duration "
    "expiration_date rating content_segment_loc view_count publication_date tag category "
    "family_friendly restriction gallery_loc price requires_subscription uploader tvshow platform "
    "live id",
    "video:tvshow": "show_title video_type episode_title season_number episode_number premier_date",
}
_CHILDREN: Mapping[str, tuple[str, ...]] = {
    "urlset": ("url",),
    "sitemapindex": ("sitemap",),
    "url": (*ENTRIES["urlset"][1], "xhtml:link", "image:image", "news:news", "video:video"),
    "sitemap": ENTRIES["sitemapindex"][1],
    **{
        parent: tuple(f"{parent.partition(':')[0]}:{name}" for name in names.split())
        for parent, names in _PARTS.items()
    },
}
MEDIA = frozenset({"image:image", "news:news", "video:video"})
REPEATABLE = frozenset({"content_segment_loc", "tag", "price", "id"})  # In a video.

_REASONS = {
    errors.XML_ERROR_UNBOUND_PREFIX: 'a prefix has no xmlns:...="..." in the root element',
    errors.XML_ERROR_NO_ELEMENTS: "the file ends before its root element does",
    errors.XML_ERROR_BAD_CHAR_REF: "a reference such as &#1; stands for what XML does not allow",
}
_BARE_AMPERSAND = re.compile(rb"&(?![A-Za-z#][A-Za-z0-9]*;)[^>]*$")
SPACE = " \t\r\n"


@lru_cache(maxsize=1024)
def judge_element(name: str, parent: str, root: str) -> tuple[str, Fault | None]:
    """Return an element's name with its usual prefix, and what is wrong with it below a parent."""
    namespace, _, local = name.rpartition("}")
    root_namespace, _, root_name = root.rpartition("}")
    element = local
    if namespace != root_namespace:
        if not namespace:
            return local, fault("namespace.element", element=local)
        if not (mark := _EXTENSION.search(namespace)):
            return local, None  # It is of another extension.
        prefix = mark[0].lower().removeprefix("sitemap-")
        element, right = f"{prefix}:{local}", _NAMESPACES[prefix]
        if namespace != right and element in _CHILDREN["url"]:
            said = {"element": local, "namespace": namespace, "right": right}
            return element, fault("namespace.extension", **said)
    known = _CHILDREN.get(parent, ())
    if element in known:
        return element, None
    homes = [home for home, children in _CHILDREN.items() if element in children]
    if homes:
        home = entry if (entry := ENTRIES[root_name][0]) in homes else homes[0]
        key = "misplaced-element" if ":" in element else "unknown-element.entry"
        return element, fault(key, element=element, place=parent, parent=home)
    guess = did_you_mean(element, known) or "."
    return element, fault("unknown-element", element=element, place=parent, guess=guess)


def root_fault(name: str) -> Fault | None:
    """Judge the root element by its name, which has its namespace before a brace."""
    namespace, _, local = name.rpartition("}")
    if local in _FEEDS:
        return fault("feed")
    if local not in ENTRIES:
        guess = did_you_mean(local, ENTRIES) or "."
        return fault("unsupported-format.root", root=local, guess=guess)
    if namespace == _NAMESPACE:
        return None
    if namespace == _OLD_NAMESPACE:
        return fault("namespace-old", right=_NAMESPACE)
    key = "namespace" if namespace else "namespace.missing"
    return fault(key, namespace=namespace, right=_NAMESPACE)


def attribute_fault(name: str, attribute: str) -> Fault | None:
    """Judge an attribute of an element that has none in the protocol."""
    if attribute.startswith(_SCHEMA_LOCATION):
        return None
    element, what = name.rpartition("}")[2], attribute.rpartition("}")[2]
    return fault("unknown-attribute", attribute=what, element=element)


def link_fault(link: dict[str, str]) -> Fault | None:
    """Judge the attributes of a link to a translation; one for another medium needs no code."""
    if link.get("rel") == "alternate" and "hreflang" in link and "href" in link:
        return None
    if link.get("rel", "alternate").strip(SPACE).lower() != "alternate":
        return fault("link-rel", rel=link["rel"])
    needed = ("rel", "href") if "media" in link else ("rel", "hreflang", "href")
    missing = " and no ".join(f"'{name}'" for name in needed if name not in link)
    return fault("link-incomplete", missing=missing) if missing else None


def xml_fault(code: int, data: bytes, position: int) -> Fault:
    """Say what keeps expat from going on at a position of ``data``, and what to do about it."""
    reason = errors.messages[code]
    if reason in _REASONS:
        return fault("xml-broken", reason=_REASONS[reason])
    if (character := data[position : position + 1]) < b" " and character not in b"\t\r\n":
        return fault("xml-broken.character", character=ord(character))
    if _BARE_AMPERSAND.search(data[max(0, position - 200) : position + 1]):
        return fault("xml-broken.ampersand")
    return fault("xml-broken", reason=reason)

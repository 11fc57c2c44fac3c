"""The elements and attributes that a sitemap may have."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import Literal

from sitemap_plugin.commands.check.batch import LinkSet
from sitemap_plugin.commands.check.findings import Fault, quote

__all__ = [
    "ENTRIES",
    "LINK",
    "LINK_SEPARATOR",
    "NAMESPACE",
    "OLD_NAMESPACE",
    "VALUE_SEPARATOR",
    "extension_of",
    "nearest",
    "read_links",
    "split_name",
]

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
OLD_NAMESPACE = "http://www.google.com/schemas/sitemap/0.84"

ENTRIES = {
    "urlset": ("url", ("loc", "lastmod", "changefreq", "priority")),
    "sitemapindex": ("sitemap", ("loc", "lastmod")),
}
"""The roots; for each the name of its entries, and their elements in order."""

LINK = "http://www.w3.org/1999/xhtml link"
VALUE_SEPARATOR, LINK_SEPARATOR = "\0", "\1"
"""Characters that no XML document can contain."""

_USUAL_LINKS = re.compile(
    "rel\0alternate\0hreflang\0([^\0\1 ]*+)\0href\0([^\0\1 ]*+)(?:\1|\\Z)|([\\s\\S]++)"
)

Extension = Literal["link", "image", "news", "video"]
_EXTENSIONS: dict[str, Extension] = {
    LINK: "link",
    "http://www.google.com/schemas/sitemap-image/1.1 image": "image",
    "http://www.google.com/schemas/sitemap-news/0.9 news": "news",
    "http://www.google.com/schemas/sitemap-video/1.1 video": "video",
}
_FULL_NAMES = {split.rpartition(" ")[2]: split for split in _EXTENSIONS}


def split_name(name: str) -> tuple[str, str]:
    """Return the namespace, empty for none, and the local name."""
    namespace, _, local = name.rpartition(" ")
    return namespace, local


def extension_of(name: str) -> tuple[Extension | None, str | None]:
    """Return what an element of an entry is, and the namespace it should be in if that is wrong."""
    kind = _EXTENSIONS.get(name)
    if kind is not None:
        return kind, None
    namespace, local = split_name(name)
    right = _FULL_NAMES.get(local)
    word = "xhtml" if local == "link" else f"sitemap-{local}"
    if right is None or word not in namespace.lower():
        return None, None
    return _EXTENSIONS[right], split_name(right)[0]


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that was probably meant."""
    close = difflib.get_close_matches(name.lower()[:40], list(known), n=1, cutoff=0.6)
    return close[0] if close else None


def read_links(text: str) -> LinkSet:
    """Make a set of links from the names and values of their attributes.

    A link for another medium (a page for telephones) has no language and is no translation.
    """
    usual = _USUAL_LINKS.findall(text)
    if not usual[-1][-1]:
        codes, hrefs, _ = zip(*usual, strict=True)
        return LinkSet(codes, hrefs)
    pairs, faults = [], []
    for link in text.split(LINK_SEPARATOR):
        parts = link.split(VALUE_SEPARATOR)
        values = [value.strip() for value in parts[1::2]]
        attributes = dict(zip(parts[::2], values, strict=False))
        fault = _link_fault(attributes)
        if fault:
            faults.append(fault)
        elif "hreflang" in attributes:
            pairs.append((attributes["hreflang"], attributes["href"]))
    codes, hrefs = zip(*pairs, strict=True) if pairs else ((), ())
    return LinkSet(codes, hrefs, tuple(faults))


def _link_fault(link: dict[str, str]) -> Fault | None:
    if link.get("rel", "alternate").lower() != "alternate":
        return Fault(
            "link-rel",
            f"A link has rel={quote(link['rel'])}, which search engines do not read in a sitemap.",
            'Write rel="alternate" if it leads to a translation; else remove it.',
        )
    needed = ("rel", "href") if "media" in link else ("rel", "hreflang", "href")
    missing = [name for name in needed if name not in link]
    if not missing:
        return None
    extra = sorted(link.keys() - {"rel", "hreflang", "href", "media"})
    instead = f" (but it has {quote(extra[0])})" if extra else ""
    return Fault(
        "link-incomplete",
        f"A link has no attribute {' and no '.join(map(repr, missing))}{instead}.",
        'Write <xhtml:link rel="alternate" hreflang="..." href="..."/>, with all three.',
    )

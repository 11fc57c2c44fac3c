"""Every kind of finding: its code, its severity, and what it is about in a few words.

A code is stable: scripts and lists of ignored findings depend on it. ``docs/check.md`` has a
section for each.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

__all__ = ["RULES", "SEVERITIES", "Rule", "Severity"]

Severity = Literal["error", "warning", "notice"]

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "notice")
"""From the gravest to the slightest."""


class Rule(NamedTuple):
    """What a code stands for.

    An error makes search engines refuse the file or an entry of it. A warning makes them ignore
    something in it, or is probably a mistake. A notice is good to know.
    """

    severity: Severity
    summary: str


_ERRORS = {
    # The file
    "unreadable": "A file cannot be read",
    "unsupported-format": "The file is not a sitemap",
    "not-read": "The rest of the file was not read",
    "gzip-broken": "The gzipped data is damaged",
    "gzip-mismatch": "The name says gzipped and the content does not, or the other way round",
    "file-too-large": "The file has too many bytes",
    "too-many-urls": "The file has too many URLs",
    "too-many-sitemaps": "The index has too many sitemaps",
    "empty": "The file lists nothing",
    "not-utf-8": "The file is not UTF-8",
    "leading-text": "Something stands before the XML declaration",
    "xml-broken": "The XML is not well-formed",
    "entity": "The document type declares entities or leads to another file",
    # Elements
    "namespace": "The namespace is wrong",
    "namespace-old": "The namespace is that of an earlier version of the protocol",
    "unknown-element": "An element is unknown",
    "misplaced-element": "An element stands where it has no meaning",
    "repeated-element": "An element is repeated",
    "missing-loc": "An entry has no address",
    # Addresses
    "loc-not-absolute": "An address is not absolute",
    "loc-invalid": "An address is not a URL",
    "loc-not-encoded": "An address has characters that must be percent-encoded",
    "loc-too-long": "An address is too long",
    "loc-local": "An address is on the local machine",
    "loc-other-site": "An address is on another site",
    "loc-outside-folder": "An address is outside the sitemap's folder",
    # Values
    "lastmod-invalid": "A date of change is no date",
    "changefreq-invalid": "A change frequency is none of the seven",
    "priority-invalid": "A priority is not a number from 0.0 to 1.0",
    # Translations
    "link-incomplete": "A link lacks an attribute",
    "hreflang-invalid": "A language code is unknown",
    "hreflang-repeated": "A language code occurs twice in one set",
    "href-invalid": "A link's address is not an absolute URL",
    "hreflang-no-self": "A page is missing from its own set of translations",
    "hreflang-no-return": "A translation does not link back",
    # Images, news, videos
    "image-incomplete": "An image has no address",
    "too-many-images": "A page has too many images",
    "too-many-news": "The file has too many news articles",
    "news-incomplete": "A news article lacks something required",
    "video-incomplete": "A video lacks something required",
    "video-is-page": "A video's address is that of its page",
    "media-url-invalid": "An address of an image or a video is not an absolute URL",
    "media-value-invalid": "A value of a news article or a video is not allowed",
    # Index
    "index-nested": "An index lists another index",
    "index-child-outside": "A sitemap lies outside the index's folder",
    "index-child-missing": "A sitemap that the index lists does not exist",
    # The site
    "no-sitemap": "The site has no sitemap",
    "sitemap-status": "The server does not deliver a sitemap",
    "page-missing": "Nothing is behind an address",
    "page-error": "An error page is listed",
    "page-noindex": "A listed page asks not to be indexed",
    "page-redirect": "A listed page leads elsewhere",
    "page-canonical": "A listed page says that its original is elsewhere",
    "page-target-missing": "A page that is not listed leads to a page that does not exist",
    "page-status": "The server does not deliver a listed page",
    "alternate-not-indexable": "A translation cannot be indexed",
    "alternate-not-listed": "A translation has no entry of its own",
    "robots-forbids-page": "robots.txt forbids a listed address",
    "robots-forbids-sitemap": "robots.txt forbids the sitemap",
    "robots-sitemap-relative": "robots.txt names a sitemap by a relative address",
}

_WARNINGS = {
    "wrong-extension": "The name does not fit the content",
    "twin-differs": "The gzipped twin holds something else",
    "not-compared": "Not all addresses were compared with each other",
    "byte-order-mark": "The file begins with a byte order mark",
    "doctype": "The file has a document type",
    "element-order": "Elements are out of order",
    "unknown-attribute": "An attribute is unknown",
    "stray-text": "Text stands between elements",
    "loc-fragment": "An address has a fragment",
    "loc-escaped": "An address is escaped twice",
    "loc-duplicate": "An address is listed twice",
    "lastmod-future": "A date of change is in the future",
    "lastmod-before-1970": "A date of change is before 1970",
    "lastmod-identical": "All dates of change are the same",
    "priority-notation": "A priority is written in an unusual way",
    "link-rel": "A link is not marked as an alternate",
    "hreflang-unsupported": "A language code is valid but not supported",
    "hreflang-sets-differ": "Two translations name different sets",
    "news-old": "A news article is older than two days",
    "index-not-followed": "Sitemaps of an index were not checked",
    "index-lastmod-old": "An index gives a sitemap an older date than the sitemap's own entries",
    "page-not-listed": "A page that can be indexed is not listed",
    "page-hreflang-differs": "A page names other translations than the sitemap",
    "hreflang-language-differs": "A page is in another language than its link says",
    "sitemap-redirect": "A sitemap is served by a redirect",
    "sitemap-content-type": "A sitemap is served as something else",
    "published-differs": "The published site differs from the folder",
    "robots-sitemap-elsewhere": "robots.txt names another sitemap",
    "robots-unreadable": "Search engines cannot read all of robots.txt",
}

_NOTICES = {
    "feed": "The file is a feed",
    "image-deprecated": "An image has elements without effect",
    "page-left-out": "A page that can be indexed was left out by this package",
    "page-outside": "A listed page lies outside the folder",
    "page-slash": "A folder is listed without its final slash",
    "robots-no-sitemap": "No Sitemap line names the sitemap",
}

RULES: Mapping[str, Rule] = MappingProxyType(
    {
        **{code: Rule("error", summary) for code, summary in _ERRORS.items()},
        **{code: Rule("warning", summary) for code, summary in _WARNINGS.items()},
        **{code: Rule("notice", summary) for code, summary in _NOTICES.items()},
    }
)

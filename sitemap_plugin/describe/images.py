"""Find the images of a page's main content (protocol: image sitemaps)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import unquote

from sitemap_plugin.common.files import read_file
from sitemap_plugin.common.urls import encode_path, join_url, origin
from sitemap_plugin.html import Head, parse_head
from sitemap_plugin.html.content import main_images
from sitemap_plugin.html.decoration import is_decoration, is_mark
from sitemap_plugin.models import Image, Page, Site

_MAX_BYTES = 1 << 26
_LAZY = ("data-src", "data-original", "data-lazy-src", "src")
_LAZY_SETS = ("data-srcset", "data-lazy-srcset", "srcset")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")
_SRCSET_URL = re.compile(r"[\s,]*+(\S++)")


def content_images(page: Page, site: Site) -> tuple[Image, ...]:
    """Return the images of a written page, each once, in the order of the page.

    URLs are absolute. An image of this site is listed if its file exists, one of another host as
    it is; data URLs, decoration, badges and avatars are left out. Raises OSError if the
    page cannot be read.
    """
    if page.output is None:
        return ()
    data = read_file(page.output, limit=_MAX_BYTES)
    if b"<img" not in data and b"<IMG" not in data:
        return ()
    head = parse_head(data)
    sources = map(_source, main_images(data))
    urls = dict.fromkeys(
        url for source in sources if source and (url := _usable(source, page, site, head))
    )
    return tuple(map(Image, urls))


def _source(given: Mapping[str, str | None]) -> str | None:
    """Return where an image comes from, lazily loaded or not; None for decoration."""
    if is_decoration(given):
        return None
    # A lazy image has a placeholder as src, and the real one elsewhere.
    single = ((given.get(name) or "").strip() for name in _LAZY)
    sets = (_largest(given.get(name) or "") for name in _LAZY_SETS)
    usable = (src for src in (*single, *sets) if src and not src.lower().startswith("data:"))
    return next(usable, None)


def _largest(srcset: str) -> str:
    """Return the URL with the greatest width or density of a ``srcset``."""
    best = (0.0, "")
    position = 0
    while match := _SRCSET_URL.match(srcset, position):
        url = match[1].rstrip(",")
        position, descriptor = match.end(), "1x"
        if url == match[1]:
            comma = srcset.find(",", position)
            end = len(srcset) if comma < 0 else comma
            descriptor, position = srcset[position:end].strip() or "1x", end
        best = max(best, (_size(descriptor), url), key=lambda candidate: candidate[0])
    return best[1]


def _size(descriptor: str) -> float:
    try:
        return float(descriptor.rstrip("wxh"))
    except ValueError:
        return 0.0


def named_image(link: str, page: Page, site: Site) -> str | None:
    """Return the URL of an image that a page's author names, None if it is nowhere.

    A path is looked for beside the source file, below the site's root, and beside the page, since
    authors write either; an image of another host is taken as it is.
    """
    folder = (page.source_path or "").rpartition("/")[0]
    bases = [f"{site.base_url}{encode_path(folder)}/"] if folder else []
    bases.append(site.base_url)
    for base in bases:
        if not _SCHEME.match(link) and (url := _served_at(base, link.lstrip("/"), site)):
            return url
    return _served_at(page.url, link, site)


def _served_at(base: str, link: str, site: Site) -> str | None:
    try:
        return _served(join_url(base, link), site)
    except ValueError:
        return None


def _usable(src: str, page: Page, site: Site, head: Head) -> str | None:
    """Return the absolute URL of an image in a page, None if it is nowhere."""
    url = head.resolve(page.url, src)
    if url is None or (is_mark(url) and origin(url) != origin(site.base_url)):
        return None
    return _served(url, site)


def _served(url: str, site: Site) -> str | None:
    """Return the URL if it is of another host, or of this site and its file is there."""
    if not url.startswith(("http://", "https://")):
        return None
    if origin(url) != origin(site.base_url):
        return url
    if not url.startswith(site.base_url):
        return None  # What lies elsewhere on this host is not ours to vouch for.
    path = unquote(url[len(site.base_url) :].partition("?")[0])
    try:
        return url if path and (site.output_dir / path).is_file() else None
    except OSError:  # No file can have such a name, or it may not be looked at.
        return None

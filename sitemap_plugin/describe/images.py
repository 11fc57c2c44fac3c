"""Images of a page: those of its main content, and those that its author names."""

import os
import re
from collections.abc import Mapping
from operator import itemgetter
from urllib.parse import unquote

from sitemap_plugin.common.files import read_file
from sitemap_plugin.common.text import quoted
from sitemap_plugin.common.urls import encode_path, join_url, origin
from sitemap_plugin.errors import Problem, or_none
from sitemap_plugin.html.content import is_decoration, is_mark, main_images
from sitemap_plugin.html.head import parse_head
from sitemap_plugin.models import Image, Page, Site
from sitemap_plugin.pages.front_matter import Settings, bad_value
from sitemap_plugin.write.protocol import MAX_IMAGES

_MAX_BYTES = 1 << 26
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")
_LAZY = ("data-src", "data-original", "data-lazy-src", "src")
_LAZY_SETS = ("data-srcset", "data-lazy-srcset", "srcset")
# A comma may be part of a URL, but for the last one.
_CANDIDATE = re.compile(r"[\s,]*+(\S*[^\s,])(?:\s++(\d*\.?\d+)?[^,]*)?")


def get_images(page: Page, own: Settings, site: Site, problems: list[Problem]) -> tuple[Image, ...]:
    """Return a page's images: those found in it, or what its front matter puts in their place."""
    named: list[str] = []
    for link in own.images if own.images is not None else own.more_images:
        if url := named_image(link, page, site):
            named.append(url)
            continue
        cure = "there is no such file; write its path"
        told = Problem("warning", f"{quoted(link)}: {cure}", f"{own.place}.images")
        problems.append(told if own.place else bad_value(page, "sitemap.images", link, cure))
    found = _content_images(page, site) if own.images is None and site.config.images else []
    named = [url for url in named if url not in found]
    surplus = len(found) + len(named) - MAX_IMAGES
    if 0 < surplus < len(found):
        found = found[:-surplus]  # What the author has named stays.
        message = f"search engines read {MAX_IMAGES:,} images of a page; {surplus:,} are left out"
        problems.append(Problem("notice", message, page.where))
    return tuple(map(Image, (*found, *named)))


def _content_images(page: Page, site: Site) -> list[str]:
    """Return the URLs of a written page's images, each once, without badges and decoration."""
    try:
        data = read_file(page.output, limit=_MAX_BYTES) if page.output else b""
    except OSError:
        return []  # What reads the head of every page has said so already.
    if b"<img" not in data and b"<IMG" not in data:
        return []
    head, own = parse_head(data), origin(site.base_url)
    sources = (_source(given) for given in main_images(data) if not is_decoration(given))
    urls = (head.resolve(page.url, source) for source in sources if source)
    served = dict.fromkeys(url for url in urls if url and _is_served(url, site))
    return [url for url in served if not is_mark(url) or origin(url) == own]


def _source(given: Mapping[str, str | None]) -> str | None:
    """Return where an image comes from; a lazy one has a placeholder as ``src``."""
    single = ((given.get(name) or "").strip() for name in _LAZY)
    sources = (*single, *(_largest(given.get(name) or "") for name in _LAZY_SETS))
    return next((src for src in sources if src and not src.lower().startswith("data:")), None)


def _largest(srcset: str) -> str:
    """Return the URL with the greatest width or density of a ``srcset``."""
    found = [(float(match[2] or 1), match[1]) for match in _CANDIDATE.finditer(srcset)]
    return max(found, key=itemgetter(0), default=(0.0, ""))[1]


def named_image(link: str, page: Page, site: Site) -> str | None:
    """Return the URL of an image: beside the source, below the root or beside the page, or None."""
    places = [(page.url, link)]
    if not _SCHEME.match(link):
        folder, path = (page.source_path or "").rpartition("/")[0], link.lstrip("/")
        beside = f"{site.base_url}{encode_path(folder)}/" if folder else site.base_url
        places = [(beside, path), (site.base_url, path), *places]
    urls = (or_none(join_url, *place) for place in places)
    return next((url for url in urls if url and _is_served(url, site)), None)


def _is_served(url: str, site: Site) -> bool:
    """Tell whether a URL is of another host, or of this site and its file is there."""
    if not url.startswith(("http://", "https://")):
        return False
    if not url.startswith(site.base_url):
        # What lies elsewhere on this host is not ours to vouch for.
        return origin(url) != origin(site.base_url)
    path = unquote(url[len(site.base_url) :].partition("?")[0])
    return bool(path) and os.path.isfile(site.output_dir / path)  # noqa: PTH113 - raises nothing

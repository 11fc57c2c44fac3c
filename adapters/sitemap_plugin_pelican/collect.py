"""Turn what Pelican wrote into pages."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from sitemap_plugin.common.files import read_start
from sitemap_plugin.common.text import plain_title
from sitemap_plugin.common.urls import check_base_url, encode_path
from sitemap_plugin.models import Page
from sitemap_plugin_pelican.addresses import address
from sitemap_plugin_pelican.headers import metadata
from sitemap_plugin_pelican.writes import Instance, Write, Writes

__all__ = ["collect_pages", "is_html", "other_bases"]

ARTICLE_LISTINGS = frozenset({"index", "archives"})
OVERVIEWS = {"tags": "Tag", "categories": "Category", "authors": "Author"}
"""Direct templates that list tags, categories or authors, and what they list."""

_HTML_SUFFIXES = (".html", ".htm", ".xhtml")
_HTML_START = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:\s+|<\?xml[^>]*>|<!--.*?-->)*+<(?:!doctype\s+html|html)\b",
    re.IGNORECASE | re.DOTALL,
)


def collect_pages(writes: Writes, base_url: str) -> Iterator[Page]:
    """Yield a page for each HTML file of a run whose main instance is served at ``base_url``."""
    bases = {id(i): _base_url(i, writes.main, base_url) for i in writes.instances.values()}
    copies = _copies(writes)
    urls = {w.path: address(w, bases[id(w.instance)]) for w in writes if is_html(w)}
    pages = [write for write in writes if write.path in urls]
    articles = {id(write.content): urls[write.path] for write in pages if write.content}
    overviews = _overviews(pages, urls)
    for write in pages:
        url = urls[write.path]
        if write.content is not None:
            yield _content_page(url, write, fallback=write.path in copies)
        elif write.template_page is not None:
            yield _template_page(url, write)
        else:
            overview = overviews.get((id(write.instance), OVERVIEWS.get(write.template or "", "")))
            yield _listing_page(url, write, articles, overview or ())


def is_html(write: Write) -> bool:
    """Tell whether a written file is a page, which a robots.txt or a feed is not."""
    if write.name.lower().endswith(_HTML_SUFFIXES):
        return True
    try:
        return _HTML_START.match(read_start(write.path, 1024)) is not None
    except OSError:
        return False


def other_bases(writes: Writes, base_url: str) -> dict[str, Path]:
    """Return the base URLs of subsites that are not below the main one, with their folders."""
    bases = {
        _base_url(instance, writes.main, base_url): instance.output_path
        for instance in writes.instances.values()
        if instance is not writes.main
    }
    return {base: folder for base, folder in bases.items() if not base.startswith(base_url)}


def _base_url(instance: Instance, main: Instance, base_url: str) -> str:
    """Return the URL at which an instance's output folder is served."""
    if instance is main:
        return base_url
    try:
        return check_base_url(instance.settings.get("SITEURL"))
    except ValueError:  # Relative, or empty: then its place below the main one tells.
        below = os.path.relpath(instance.output_path, main.output_path)
        return base_url + encode_path(below.replace(os.sep, "/")) + "/"


def _copies(writes: Writes) -> set[str]:
    """Return the files that show in one language's site what another one shows as its own.

    A source belongs to the instance of its language or, where it names none, to the main one.
    """
    if len(writes.instances) == 1:
        return set()
    sites = {_folded(instance.language): instance for instance in writes.instances.values()}
    contents = [write for write in writes if write.content is not None]
    written = {(id(write.instance), write.content.source_path) for write in contents}
    copies: set[str] = set()
    for write in contents:
        language = _folded(write.content.metadata.get("lang"))
        owner = sites.get(language, writes.main)
        if owner is not write.instance and (id(owner), write.content.source_path) in written:
            copies.add(write.path)
    return copies


def _folded(language: object) -> str:
    return str(language or "").lower()


def _overviews(pages: Iterable[Write], urls: Mapping[str, str]) -> dict[tuple[int, str], list[str]]:
    """Return the URLs of all tags, categories and authors, by instance and class."""
    found: dict[tuple[int, str], list[str]] = {}
    for write in pages:
        if write.wrapper is not None and write.number == 1:
            key = (id(write.instance), type(write.wrapper).__name__)
            found.setdefault(key, []).append(urls[write.path])
    return found


def _content_page(url: str, write: Write, *, fallback: bool) -> Page:
    """Return an article or page, with what its source says."""
    content = write.content
    return Page(
        url,
        source=Path(content.source_path) if content.source_path else None,
        source_path=content.relative_source_path,
        output=Path(write.path),
        metadata=metadata(content),
        title=plain_title(str(getattr(content, "title", ""))),
        language=getattr(content, "lang", None) or write.instance.language,
        translation_key=_translation_key(content),
        status=content.status if content.status in {"hidden", "draft"} else "published",
        fallback=fallback,
    )


def _template_page(url: str, write: Write) -> Page:
    """Return one of TEMPLATE_PAGES."""
    name = str(write.template_page)
    return Page(
        url,
        source=Path(write.instance.settings["PATH"], name).absolute(),
        source_path=name.replace(os.sep, "/"),
        output=Path(write.path),
        language=write.instance.language,
    )


def _listing_page(
    url: str, write: Write, articles: Mapping[int, str], overview: Iterable[str]
) -> Page:
    """Return a listing; a direct template that lists nothing is a page like others."""
    kind: Literal["page", "listing", "pagination"] = "listing"
    members: Iterable[str] = ()
    if write.number > 1:
        kind, members = "pagination", _members(write.listing.object_list, articles)
    elif write.template in OVERVIEWS:
        members = overview
    elif _lists_articles(write):
        members = _members(write.articles, articles)
    else:
        kind = "page"
    return Page(
        url,
        output=Path(write.path),
        title=plain_title(str(write.wrapper)) if write.wrapper is not None else None,
        language=write.instance.language,
        kind=kind,
        members=tuple(members),
    )


def _members(listed: Iterable[Any], articles: Mapping[int, str]) -> Iterator[str]:
    return (articles[id(item)] for item in listed if id(item) in articles)


def _lists_articles(write: Write) -> bool:
    if write.listing is not None or write.wrapper is not None or write.period_url is not None:
        return True
    return write.template in ARTICLE_LISTINGS


def _translation_key(content: Any) -> str | None:
    """Return what an article or page has in common with its translations, if it has any.

    Pelican groups by class, status and the attributes that ``*_TRANSLATION_ID`` names. It also
    groups pages of one language that happen to have the same slug; these are no translations.
    """
    if all(other.lang == content.lang for other in content.translations):
        return None
    kind = type(content).__name__
    names = content.settings.get(f"{kind.upper()}_TRANSLATION_ID") or ()
    names = [names] if isinstance(names, str) else sorted(names)
    values = [str(getattr(content, name, "")) for name in names]
    return ":".join(["pelican", kind.lower(), content.status, *values])

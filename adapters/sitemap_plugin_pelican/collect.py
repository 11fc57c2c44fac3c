"""Turn what Pelican wrote into pages."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal

from sitemap_plugin.models import Page
from sitemap_plugin.urls import check_base_url, encode_path
from sitemap_plugin_pelican.addresses import address
from sitemap_plugin_pelican.headers import metadata
from sitemap_plugin_pelican.writes import Instance, Write, Writes

__all__ = ["collect_pages", "is_html"]

ARTICLE_LISTINGS = frozenset({"index", "archives"})
OVERVIEWS = {"tags": "Tag", "categories": "Category", "authors": "Author"}
"""Direct templates that list tags, categories or authors, and what they list."""

_HTML_SUFFIXES = frozenset({".html", ".htm", ".xhtml"})
_HTML_START = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:\s+|<\?xml[^>]*>|<!--.*?-->)*+<(?:!doctype\s+html|html)\b",
    re.IGNORECASE | re.DOTALL,
)


def collect_pages(writes: Writes, base_url: str) -> Iterator[Page]:
    """Yield a page for each HTML file of a run whose main instance is served at ``base_url``."""
    bases = {id(i): _base_url(i, writes.main, base_url) for i in writes.instances.values()}
    copies = _copies(writes)
    urls = {w.path: address(w, bases[id(w.instance)]) for w in writes if is_html(w.path)}
    pages = [write for write in writes if write.path in urls]
    articles = {id(write.content): urls[write.path] for write in pages if write.content}
    overviews: dict[tuple[int, str], list[str]] = {}
    for write in pages:
        if write.wrapper is not None and write.number == 1:
            key = (id(write.instance), type(write.wrapper).__name__)
            overviews.setdefault(key, []).append(urls[write.path])
    for write in pages:
        page = Page(urls[write.path], output=write.path, language=write.instance.language)
        if write.content is not None:
            yield _with_content(page, write)._replace(fallback=write.path in copies)
        elif write.template_page is not None:
            yield _with_template(page, write)
        else:
            overview = overviews.get((id(write.instance), OVERVIEWS.get(write.template or "", "")))
            yield _with_listing(page, write, articles, overview or ())


def is_html(path: Path) -> bool:
    """Tell whether a written file is a page, which a robots.txt or a feed is not."""
    if path.suffix.lower() in _HTML_SUFFIXES:
        return True
    try:
        with path.open("rb") as file:
            return _HTML_START.match(file.read(1024)) is not None
    except OSError:
        return False


def _base_url(instance: Instance, main: Instance, base_url: str) -> str:
    """Return the URL at which an instance's output folder is served."""
    if instance is main:
        return base_url
    try:
        return check_base_url(instance.settings.get("SITEURL"))
    except ValueError:  # Relative, or empty: then its place below the main one tells.
        below = os.path.relpath(instance.output_path, main.output_path)
        return base_url + encode_path(below.replace(os.sep, "/")) + "/"


def _copies(writes: Writes) -> set[Path]:
    """Return the files that show in one language's site what another one shows as its own.

    A source belongs to the instance of its language or, where it names none, to the main one.
    """
    if len(writes.instances) == 1:
        return set()
    sites = {_folded(instance.language): instance for instance in writes.instances.values()}
    contents = [write for write in writes if write.content is not None]
    written = {(id(write.instance), write.content.source_path) for write in contents}
    copies: set[Path] = set()
    for write in contents:
        language = _folded(write.content.metadata.get("lang"))
        owner = sites.get(language, writes.main)
        if owner is not write.instance and (id(owner), write.content.source_path) in written:
            copies.add(write.path)
    return copies


def _folded(language: object) -> str:
    return str(language or "").lower()


def _with_content(page: Page, write: Write) -> Page:
    """Add what an article's or a page's source says."""
    content = write.content
    return page._replace(
        source=Path(content.source_path) if content.source_path else None,
        source_path=content.get_relative_source_path(),
        metadata=metadata(content),
        title=str(getattr(content, "title", "")) or None,
        language=getattr(content, "lang", None) or page.language,
        translation_key=_translation_key(content),
        status=content.status if content.status in {"hidden", "draft"} else "published",
    )


def _with_template(page: Page, write: Write) -> Page:
    """Add the source of one of TEMPLATE_PAGES."""
    name = str(write.template_page)
    source = Path(write.instance.settings["PATH"], name).absolute()
    return page._replace(source=source, source_path=name.replace(os.sep, "/"))


def _with_listing(
    page: Page, write: Write, articles: dict[int, str], overview: Iterable[str]
) -> Page:
    """Add what a listing lists; a direct template that lists nothing is a page like others."""
    kind: Literal["page", "listing", "pagination"] = "listing"
    listed: Iterable[Any] = write.articles
    if write.number > 1:
        kind, listed = "pagination", write.listing.object_list
    elif write.template in OVERVIEWS:
        return page._replace(kind=kind, members=tuple(overview))
    elif not _lists_articles(write):
        return page
    title = str(write.wrapper) if write.wrapper is not None else None
    members = tuple(articles[id(item)] for item in listed if id(item) in articles)
    return page._replace(kind=kind, members=members, title=title)


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

"""Turn what Pelican wrote into pages."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from sitemap_plugin.common.files import read_start
from sitemap_plugin.common.text import plain_title
from sitemap_plugin.common.urls import check_base_url, encode_path
from sitemap_plugin.models import Page
from sitemap_plugin.pages.addresses import GIVEN_BY
from sitemap_plugin_pelican.content_urls import file_address, find_address
from sitemap_plugin_pelican.headers import metadata
from sitemap_plugin_pelican.writes import Write, Writes

ARTICLE_LISTINGS = frozenset({"index", "archives"})
OVERVIEWS = {"tags": "Tag", "categories": "Category", "authors": "Author"}
"""Direct templates that list tags, categories or authors, and what they list."""

TEMPLATE_BYTES = 1 << 20

_SHOWS_ARTICLES = re.compile(r"\{[{%][^{}%]*\b(?:articles|dates)\b")
_HTML_SUFFIXES = (".html", ".htm", ".xhtml")
_HTML_START = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:\s+|<\?xml[^>]*>|<!--.*?-->)*+<(?:!doctype\s+html|html)\b",
    re.IGNORECASE | re.DOTALL,
)

Addresses = Mapping[Any, list[str]]
"""The addresses of files, by what they show: that is how listings name their members."""


def set_base_urls(writes: Writes, base_url: str, host_url: str | None) -> None:
    """Set the URL at which each instance's output folder is served.

    ``host_url`` is SITEURL, where the option ``base_url`` says something else.
    """
    for instance in writes.instances.values():
        below = os.path.relpath(instance.output_path, writes.main.output_path)
        instance.base_url = base_url + encode_path(f"{below}/".replace(os.sep, "/"))
        try:
            own = check_base_url(instance.settings.get("SITEURL"))
        except ValueError:  # Relative, or empty: then its place below the main one tells.
            continue
        if host_url is None or not own.startswith(host_url):
            instance.base_url = own
    writes.main.base_url = base_url


def collect_pages(writes: Writes) -> Iterator[Page]:
    """Yield a page for each HTML file of a run."""
    copies = _copies(writes)
    written = [write for write in writes.files.values() if _is_html(write)]
    addresses = _addresses(written)
    for write in written:
        content = write.content
        # A further file of a content has its URL from the other one.
        is_own = content is None or len(addresses[id(content)]) == 1 or write.is_saved
        url, given_by = find_address(write) if is_own else (file_address(write), None)
        page = Page(
            url,
            output=Path(write.path),
            language=write.instance.language,
            metadata={GIVEN_BY: given_by} if given_by else {},
        )
        if content is not None:
            yield _content_page(page, content, fallback=write.path in copies)
            continue
        if write.number == 1 and write.wrapper is None and len(writes.instances) > 1:
            # The same template at the same place of each language's site.
            kind = write.template or write.template_page or "file"
            page = page._replace(translation_key=f"pelican:{kind}:{write.name}")
        make_page = _listing_page if write.template_page is None else _template_page
        yield make_page(page, write, addresses)


def _is_html(write: Write) -> bool:
    """Tell whether a written file is a page, which a robots.txt or a feed is not."""
    if write.name.lower().endswith(_HTML_SUFFIXES):
        return True
    try:
        return _HTML_START.match(read_start(write.path, 1024)) is not None
    except OSError:
        return False


def _copies(writes: Writes) -> set[str]:
    """Return the files that show in one language's site what another one shows as its own.

    A source belongs to the instance of its language or, where it names none, to the main one.
    """
    if len(writes.instances) == 1:
        return set()
    sites = {_folded(instance.language): instance for instance in writes.instances.values()}
    contents = [write for write in writes.files.values() if write.content is not None]
    written = {(id(write.instance), write.content.source_path) for write in contents}
    copies: set[str] = set()
    for write in contents:
        owner = sites.get(_folded(write.content.metadata.get("lang")), writes.main)
        if owner is not write.instance and (id(owner), write.content.source_path) in written:
            copies.add(write.path)
    return copies


def _folded(language: object) -> str:
    return str(language or "").lower()


def _addresses(written: Iterable[Write]) -> Addresses:
    found: defaultdict[Any, list[str]] = defaultdict(list)
    for write in written:
        if write.content is not None:
            found[id(write.content)].append(file_address(write))
        elif write.wrapper is not None and write.number == 1:
            kind = id(write.instance), type(write.wrapper).__name__
            found[kind].append(file_address(write))
    return found


def _members(listed: Iterable[Any], addresses: Addresses) -> tuple[str, ...]:
    """Return the addresses of contents; one may lie in several files."""
    return tuple(url for item in listed for url in addresses.get(id(item), ()))


def _content_page(page: Page, content: Any, *, fallback: bool) -> Page:
    """Return a content object's page, with what its source and plugins say."""
    return page._replace(
        source=Path(content.source_path) if content.source_path else None,
        source_path=content.relative_source_path,
        metadata={**metadata(content), **page.metadata},
        title=plain_title(str(getattr(content, "title", ""))),
        language=getattr(content, "lang", None) or page.language,
        translation_key=_translation_key(content),
        status=content.status if content.status in {"hidden", "draft"} else "published",
        fallback=fallback,
    )


def _template_page(page: Page, write: Write, addresses: Addresses) -> Page:
    """Return one of TEMPLATE_PAGES; one that shows articles is as new as they are."""
    name = str(write.template_page)
    source = Path(write.instance.settings["PATH"], name).absolute()
    try:
        text = read_start(source, TEMPLATE_BYTES).decode("utf-8", "replace")
    except OSError:
        text = ""
    shown = write.articles if _SHOWS_ARTICLES.search(text) else ()
    return page._replace(
        source=source, source_path=name.replace(os.sep, "/"), members=_members(shown, addresses)
    )


def _listing_page(page: Page, write: Write, addresses: Addresses) -> Page:
    """Return a listing; a direct template that lists nothing is a page like others."""
    kind: Literal["page", "listing", "pagination"] = "listing"
    shows = (write.listing, write.wrapper, write.period_url)
    members: Iterable[str] = ()
    if write.number > 1:
        kind, members = "pagination", _members(write.listing.object_list, addresses)
    elif overview := OVERVIEWS.get(write.template or ""):
        members = addresses.get((id(write.instance), overview), ())
    elif write.template in ARTICLE_LISTINGS or shows != (None, None, None):
        members = _members(write.articles, addresses)
    else:
        kind = "page"
    title = plain_title(str(write.wrapper)) if write.wrapper is not None else None
    return page._replace(title=title, kind=kind, members=tuple(members))


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

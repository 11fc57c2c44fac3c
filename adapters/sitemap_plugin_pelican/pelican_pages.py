"""Turn what Pelican wrote into pages.

The URL of a file is the most explicit of what the author and the settings say: the metadata
``url``, the metadata ``save_as``, a ``*_URL`` setting that was changed, the name of the file.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from pelican.settings import DEFAULT_CONFIG

from sitemap_plugin.common.files import read_start
from sitemap_plugin.common.text import plain_title
from sitemap_plugin.common.urls import check_base_url, encode_path, is_below, join_url
from sitemap_plugin.models import Page
from sitemap_plugin.pages.addresses import GIVEN_BY, served_paths
from sitemap_plugin_pelican.headers import metadata
from sitemap_plugin_pelican.writes import Run, Write

OVERVIEWS = {"tags": "Tag", "categories": "Category", "authors": "Author"}
"""Direct templates that list tags, categories or authors, and what they list."""

TEMPLATE_BYTES = 1 << 20

_SHOWS_ARTICLES = re.compile(r"\{[{%][^{}%]*\b(?:articles|dates)\b")
_ABSOLUTE = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?//[^/]")

Addresses = Mapping[Any, list[str]]
"""The addresses of files, by what they show: that is how listings name their members."""


def set_base_urls(run: Run, base_url: str, host_url: str | None) -> None:
    """Set the URL at which each instance's output folder is served.

    ``host_url`` is SITEURL, where the option ``base_url`` says something else.
    """
    for instance in run.instances:
        below = os.path.relpath(instance.output_path, run.main.output_path)
        instance.base_url = base_url + encode_path(f"{below}/".replace(os.sep, "/"))
        with suppress(ValueError):  # Relative, or empty: then its place below the main one tells.
            own = check_base_url(instance.settings.get("SITEURL"))
            if host_url is None or not own.startswith(host_url):
                instance.base_url = own
    run.main.base_url = base_url


def collect_pages(run: Run) -> Iterator[Page]:
    """Yield a page for each HTML file of a run."""
    copies = _copies(run)
    written = [write for write in run.files.values() if _is_html(write)]
    addresses = _addresses(written)
    for write in written:
        content = write.content
        # A further file of a content has its URL from the other one.
        is_own = content is None or len(addresses[id(content)]) == 1 or write.is_saved
        url, given_by = _find_url(write) if is_own else (_file_url(write), None)
        page = Page(
            url,
            output=Path(write.path),
            language=write.instance.language,
            metadata={GIVEN_BY: given_by} if given_by else {},
        )
        if content is not None:
            yield _content_page(page, content, fallback=write.path in copies)
            continue
        if write.number == 1 and write.wrapper is None and len(run.instances) > 1:
            # The same template at the same place of each language's site.
            kind = write.template or write.template_page or "file"
            page = page._replace(translation_key=f"pelican:{kind}:{write.name}")
        make_page = _listing_page if write.template_page is None else _template_page
        yield make_page(page, write, addresses)


def _is_html(write: Write) -> bool:
    """Tell whether a written file is a page, which a robots.txt or a feed is not."""
    suffix = PurePosixPath(write.name).suffix.lower()
    return suffix in {".html", ".htm", ".xhtml"} or (not suffix and write.content is not None)


def _copies(run: Run) -> set[str]:
    """Return the files that show in one language's site what another one shows as its own.

    A source belongs to the instance of its language or, where it names none, to the main one.
    """
    if len(run.instances) == 1:
        return set()
    sites = {str(instance.language).lower(): instance for instance in run.instances}
    contents = [write for write in run.files.values() if write.content is not None]
    written = {(write.instance, write.content.source_path) for write in contents}
    copies: set[str] = set()
    for write in contents:
        owner = sites.get(str(write.content.metadata.get("lang")).lower(), run.main)
        if owner is not write.instance and (owner, write.content.source_path) in written:
            copies.add(write.path)
    return copies


def _addresses(written: Iterable[Write]) -> Addresses:
    found: defaultdict[Any, list[str]] = defaultdict(list)
    for write in written:
        if write.content is not None:
            found[id(write.content)].append(_file_url(write))
        elif write.wrapper is not None and write.number == 1:
            found[write.instance, type(write.wrapper).__name__].append(_file_url(write))
    return found


def _file_url(write: Write) -> str:
    return write.instance.base_url + encode_path(served_paths(write.name)[0])


def _find_url(write: Write) -> tuple[str, str | None]:
    """Return the URL of a written file, and the settings or headers that gave it."""
    url, given_by = _given(write)
    if url:
        # Browsers, too, take a backslash in a URL for a slash.
        text = str(url).replace("\\", "/")
        if not _ABSOLUTE.match(text):
            text = text.lstrip("/")
            if posixpath.normpath(text) in map(posixpath.normpath, served_paths(write.name)):
                text = encode_path(text)  # Here a "#" or "%" is literal.
            text = f"./{text}"
        with suppress(ValueError):  # What cannot be a URL is not where the page is served.
            found = join_url(write.instance.base_url, text)
            if is_below(found, write.instance.base_url):
                return found, given_by
    return _file_url(write), None


def _given(write: Write) -> tuple[Any, str]:
    """Return the URL that somebody asked for, if so, and where."""
    settings, shown = write.instance.settings, write.content or write.wrapper
    if write.number > 1:
        url, name = write.listing.url, write.listing.save_as
        return url if url != name else None, "PAGINATION_PATTERNS"
    if write.period_url:
        return write.period_url, "the *_ARCHIVE_URL and *_ARCHIVE_SAVE_AS"
    kind = (write.template or type(shown).__name__).upper()
    if write.content is not None:
        if url := getattr(shown, "override_url", None):
            return url, "the headers url and save_as"
        if hasattr(shown, "override_save_as"):
            return None, ""
        if not shown.in_default_lang:
            kind += "_LANG"
    url = settings.get(f"{kind}_URL")
    if url == DEFAULT_CONFIG.get(f"{kind}_URL"):
        url = None
    return url and shown.url if shown else url, f"{kind}_URL and {kind}_SAVE_AS"


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
    shown: Iterable[Any] = ()
    with suppress(OSError):
        text = read_start(source, TEMPLATE_BYTES).decode("utf-8", "replace")
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
        members = addresses.get((write.instance, overview), ())
    elif write.template in {"index", "archives"} or shows != (None, None, None):
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

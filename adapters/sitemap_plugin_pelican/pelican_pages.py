"""Turn what Pelican wrote into pages.

The URL of a file is the most explicit of what the author and the settings say: the metadata
``url``, the metadata ``save_as``, a ``*_URL`` setting that was changed, the name of the file.
"""

import os
import posixpath
import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Any

from sitemap_plugin.common.files import read_start, relative_path
from sitemap_plugin.common.text import plain_title
from sitemap_plugin.common.urls import check_base_url, encode_path, is_below, join_url
from sitemap_plugin.models import Page
from sitemap_plugin.pages.addresses import GIVEN_BY, served_paths
from sitemap_plugin_pelican.headers import metadata
from sitemap_plugin_pelican.writes import Run, Write

TEMPLATE_BYTES = 1 << 20

_SHOWS_ARTICLES = re.compile(r"\{[{%][^{}%]*\b(?:articles|dates)\b")
_ABSOLUTE = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?//[^/]")


def set_base_urls(run: Run, base_url: str, host_url: str | None) -> None:
    """Set the URL of each instance's output folder; the option ``base_url`` wins over SITEURL."""
    for instance in run.instances:
        below = relative_path(instance.output_path, run.main.output_path)
        instance.base_url = base_url + encode_path(f"{below}/")
        with suppress(ValueError):  # Relative, or empty: then its place below the main one tells.
            own = check_base_url(instance.settings.get("SITEURL"))
            if host_url is None or not own.startswith(host_url):
                instance.base_url = own
    run.main.base_url = base_url


def collect_pages(run: Run) -> Iterator[Page]:
    """Yield a page for each HTML file of a run."""
    written = [write for write in run.files.values() if _is_html(write)]
    # A content may lie in several files; the first one is its own, and has its URL.
    addresses: defaultdict[int, list[str]] = defaultdict(list)
    for write in written:
        if write.shown is not None and write.kind != "pagination":
            addresses[id(write.shown)].append(_file_url(write))
    sites = {str(instance.language).lower(): instance for instance in run.instances}
    for write in written:
        url, metadata = _file_url(write), {}
        if write.url and (write.content is None or addresses[id(write.shown)][0] == url):
            url, metadata = _given_url(write) or url, {GIVEN_BY: write.given_by}
        page = Page(
            url,
            output=Path(write.path),
            language=write.instance.language,
            metadata=metadata,
            kind=write.kind,
            title=None if write.shown is None else plain_title(str(write.shown)),
        )
        if write.content is not None:
            # A source belongs to the site of its language or, where it names none, to the main one.
            owner = sites.get(str(write.content.metadata.get("lang")).lower(), run.main)
            yield _content_page(page, write.content, fallback=owner is not write.instance)
            continue
        listed = write.listed
        if write.template_page is not None:
            source = Path(write.instance.settings["PATH"], write.template_page).absolute()
            name = write.template_page.replace(os.sep, "/")
            page = page._replace(source=source, source_path=name)
            listed = listed if _shows_articles(source) else ()
        if write.kind != "pagination" and write.shown is None and len(run.instances) > 1:
            # The same template at the same place of each language's site.
            page = page._replace(translation_key=f"pelican:{write.name}")
        members = (url for item in listed for url in addresses.get(id(item), ()))
        yield page._replace(members=tuple(members))


def _is_html(write: Write) -> bool:
    """Tell whether a written file is a page, which a robots.txt or a feed is not."""
    if write.name.lower().endswith((".html", ".htm", ".xhtml")):
        return True
    return write.content is not None and not PurePosixPath(write.name).suffix


def _file_url(write: Write) -> str:
    return write.instance.base_url + encode_path(served_paths(write.name)[0])


def _given_url(write: Write) -> str | None:
    """Return the URL that somebody asked for, None for one that cannot be the page's."""
    # Browsers, too, take a backslash in a URL for a slash.
    text = str(write.url).replace("\\", "/")
    if not _ABSOLUTE.match(text):
        text = text.lstrip("/")
        if posixpath.normpath(text) in map(posixpath.normpath, served_paths(write.name)):
            text = encode_path(text)  # Here a "#" or "%" is literal.
        text = f"./{text}"
    with suppress(ValueError):
        found = join_url(write.instance.base_url, text)
        return found if is_below(found, write.instance.base_url) else None
    return None


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


def _shows_articles(template: Path) -> bool:
    with suppress(OSError):
        text = read_start(template, TEMPLATE_BYTES).decode("utf-8", "replace")
        return _SHOWS_ARTICLES.search(text) is not None
    return False


def _translation_key(content: Any) -> str | None:
    """Return what an article or page has in common with its translations, if it has any."""
    # Pelican also groups pages of one language that happen to have the same slug.
    versions = (content, *content.translations)
    if len({version.lang for version in versions}) == 1:
        return None
    return f"pelican:{content.status}:{min(str(version.source_path) for version in versions)}"

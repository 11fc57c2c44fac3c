"""Recognise versions that nobody has translated yet: their text is another's, word for word."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence

from mkdocs.utils import meta

from sitemap_plugin.models import Page

__all__ = ["unclaim_copies"]


def unclaim_copies(pages: Collection[Page], original: str | None) -> Iterator[Page]:
    """Yield the pages; copies no longer have anything in common with their original.

    Of versions with the same text, the one in the language ``original`` stays what it is. Versions
    without a text, or with templates of their own, may differ all the same.
    """
    groups: defaultdict[str, list[Page]] = defaultdict(list)
    for page in pages:
        if page.translation_key is not None:
            groups[page.translation_key].append(page)
    copies = {page.url for group in groups.values() for page in _copies(group, original)}
    for page in pages:
        yield page._replace(translation_key=None) if page.url in copies else page


def _copies(versions: Sequence[Page], original: str | None) -> Iterator[Page]:
    if len(versions) < 2:  # noqa: PLR2004 - nothing to compare
        return
    contents = [(_text(page), str(page.metadata.get("template"))) for page in versions]
    times = Counter(contents)
    for page, content in zip(versions, contents, strict=True):
        if content[0] and times[content] > 1 and page.language != original:
            yield page


def _text(page: Page) -> str:
    """Return what the source file says below its front matter; nothing if it cannot be read."""
    try:
        text = page.source.read_text("utf-8-sig", "replace") if page.source else ""
    except OSError:
        return ""
    return meta.YAML_RE.sub("", text, count=1).strip()

"""The option ``sections``: which entries go into which file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter

from sitemap_plugin.models import Entry, Page, Site
from sitemap_plugin.urls import path_below

__all__ = ["into_sections"]


def into_sections(
    site: Site, pages: Sequence[Page], entries: Sequence[Entry]
) -> Mapping[str | None, Sequence[Entry]]:
    """Return each section's entries in the order of their URLs, all others under None.

    ``entries[i]`` belongs to ``pages[i]``. A page belongs to the first section whose patterns
    match it.
    """
    sections = site.config.sections
    if not sections:
        return {None: sorted(entries, key=itemgetter(0))}
    found: dict[str | None, list[Entry]] = {name: [] for name in (*sections, None)}
    for page, entry in zip(pages, entries, strict=True):
        url_path = path_below(entry.loc, site.base_url)
        matching = (
            name
            for name, patterns in sections.items()
            if patterns.match(page.source_path, url_path)
        )
        found[next(matching, None)].append(entry)
    return {name: sorted(some, key=itemgetter(0)) for name, some in found.items()}

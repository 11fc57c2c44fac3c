"""Write one sitemap for each base URL, in the folder that is served there."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from sitemap_plugin.models import Entry, Page, Site
from sitemap_plugin.pages.bases import base_of
from sitemap_plugin.report import Report
from sitemap_plugin.write.companions import write_companions
from sitemap_plugin.write.publish import publish
from sitemap_plugin.write.sections import into_sections

__all__ = ["publish_all"]


class Part(NamedTuple):
    """What goes into one sitemap; ``protected`` is relative to the output folder of its site."""

    site: Site
    pages: Sequence[Page]
    entries: Sequence[Entry]
    protected: Collection[str]


def publish_all(
    site: Site,
    pages: Sequence[Page],
    entries: Sequence[Entry],
    protected: Collection[str],
    report: Report,
) -> None:
    """Write the sitemap of each base and what lies beside it; ``entries[i]`` is of ``pages[i]``."""
    for part in _parts(site, pages, entries, protected):
        outcome = Report()
        sections = into_sections(part.site, part.pages, part.entries)
        publish(part.site, sections, part.protected, outcome)
        if outcome.files:
            write_companions(part.site, part.protected, outcome)
        report.entries += outcome.entries
        report.files += outcome.files
        report.extend(outcome.problems)
        if part.site is site:
            report.robots = outcome.robots


def _parts(
    site: Site, pages: Sequence[Page], entries: Sequence[Entry], protected: Collection[str]
) -> Iterator[Part]:
    """Yield the site's own part, then those of other bases that have an entry."""
    if not site.other_bases:
        yield Part(site, pages, entries, protected)
        return
    found: dict[str, tuple[list[Page], list[Entry]]] = {site.base_url: ([], [])}
    for page, entry in zip(pages, entries, strict=True):
        base_url = base_of(entry.loc, site) or site.base_url
        its_pages, its_entries = found.setdefault(base_url, ([], []))
        its_pages.append(page)
        its_entries.append(entry)
    yield Part(site, *found.pop(site.base_url), protected)
    for base_url, some in sorted(found.items()):
        folder = site.other_bases[base_url]
        there = replace(site, base_url=base_url, output_dir=folder, other_bases={})
        yield Part(there, *some, _below(folder, site.output_dir, protected))


def _below(folder: Path, output_dir: Path, names: Collection[str]) -> set[str]:
    """Return those of the names below the output folder that lie in a folder, relative to it."""
    if not folder.is_relative_to(output_dir):
        return set()
    prefix = f"{folder.relative_to(output_dir).as_posix()}/"
    return {name.removeprefix(prefix) for name in names if name.startswith(prefix)}

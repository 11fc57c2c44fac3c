"""Write everything that a site gets: for each base URL a sitemap and what lies beside it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from sitemap_plugin.common.files import is_ours, refuse_other_kinds, remove_ours, reported
from sitemap_plugin.common.urls import host_root, is_host_root, is_local_host, join_url
from sitemap_plugin.errors import Problem
from sitemap_plugin.models import Entry, Page, Site
from sitemap_plugin.pages.addresses import base_of
from sitemap_plugin.write.companions import (
    stylesheet_name,
    write_key,
    write_stylesheet,
    write_text_sitemap,
)
from sitemap_plugin.write.robots_line import RobotsStatus, update_robots
from sitemap_plugin.write.sections import sort_into_sections
from sitemap_plugin.write.sitemap import Destination, remove_sitemap, write_sitemap


@dataclass
class Written:
    """What was written: how many URLs, the files, the index first, and which of them lists a URL.

    ``news_file_of`` is the same for news, which are listed a second time. ``robots`` tells what
    became of robots.txt.
    """

    count: int = 0
    files: list[Path] = field(default_factory=list)
    file_of: dict[str, str] = field(default_factory=dict)
    news_file_of: dict[str, str] = field(default_factory=dict)
    robots: RobotsStatus = "skipped"
    problems: list[Problem] = field(default_factory=list)


def write_site(
    site: Site, pages: Sequence[Page], entries: Sequence[Entry], protected: Collection[str] = ()
) -> Written:
    """Write the sitemap of each base URL and what lies beside it.

    ``entries[i]`` is of ``pages[i]``. The stylesheet comes first, since the sitemap names it, and
    robots.txt comes last. Raises SitemapError.
    """
    written = Written()
    for its_site, rows in _by_base_url(site, pages, entries):
        names = protected
        if its_site is not site:
            names = _names_below(its_site.output_dir, site.output_dir, protected)
        _write_one(its_site, rows, names, written, is_main=its_site is site)
    return written


def _by_base_url(
    site: Site, pages: Sequence[Page], entries: Sequence[Entry]
) -> Iterator[tuple[Site, list[tuple[Page, Entry]]]]:
    """Yield the site itself with what is below its base URL, then the other bases with theirs."""
    found: dict[str, list[tuple[Page, Entry]]] = {site.base_url: []}
    for page, entry in zip(pages, entries, strict=True):
        base_url = base_of(entry.loc, site) if site.other_bases else None
        found.setdefault(base_url or site.base_url, []).append((page, entry))
    yield site, found.pop(site.base_url)
    for base_url, rows in sorted(found.items()):
        folder = site.other_bases[base_url]
        yield replace(site, base_url=base_url, output_dir=folder, other_bases={}), rows


def _names_below(folder: Path, output_dir: Path, names: Collection[str]) -> set[str]:
    """Return those of the names below the output folder that lie in a folder, relative to it."""
    if not folder.is_relative_to(output_dir):
        return set()
    prefix = f"{folder.relative_to(output_dir).as_posix()}/"
    return {name.removeprefix(prefix) for name in names if name.startswith(prefix)}


def _write_one(
    site: Site,
    rows: Sequence[tuple[Page, Entry]],
    protected: Collection[str],
    written: Written,
    *,
    is_main: bool,
) -> None:
    config, problems = site.config, written.problems
    target = Destination(
        folder=site.output_dir,
        base_url=site.base_url,
        filename=config.filename,
        max_urls=config.max_urls,
        max_bytes=config.max_bytes,
        gzip=config.gzip,
        protected=protected,
        keep_foreign=site.generator == "folder",
    )
    path = target.folder / target.filename
    style = target.folder / stylesheet_name(target.filename)
    told = len(problems)
    with reported(path):
        refuse_other_kinds(path)
    sections = sort_into_sections(site, rows)
    file_of: dict[str, str] = {}
    files: Sequence[Path] = ()
    if rows:
        if config.stylesheet:
            target = target._replace(stylesheet=write_stylesheet(target, problems))
        files, count, found, is_refused = write_sitemap(
            target, sections, file_of, written.news_file_of
        )
        problems += found
        written.count += count
        written.files += files
        written.file_of |= file_of
        if is_refused:
            if not is_ours(path):
                remove_ours(style, target.protected)
            return
    if not files:
        if len(problems) == told:
            message = "no page can be listed, so there is no sitemap"
            problems.append(Problem("warning", message, target.base_url))
        problems += remove_sitemap(target)
    if not files or not config.stylesheet:
        remove_ours(style, target.protected)
    if not files:
        return
    if config.indexnow_key and not site.preview:
        write_key(config.indexnow_key, target, problems)
    if config.text:
        written.files += write_text_sitemap(target, sorted(file_of), problems)
    _name_in_robots(site, written, is_main=is_main)


def _name_in_robots(site: Site, written: Written, *, is_main: bool) -> None:
    url = join_url(site.base_url, site.config.filename)
    within = [site.source_dir] if site.source_dir else []
    status, message = update_robots(site.output_dir, url, site.base_url, site.config.robots, within)
    if is_main:
        written.robots = status
    if message and not site.preview:
        written.problems.append(Problem("notice", message, "robots.txt"))


def next_step(site: Site, written: Written) -> str | None:
    """Return what makes a new sitemap known to search engines, None where that has been done.

    Who has named the sitemap in robots.txt by hand need not be told; nor is a preview published.
    """
    if not written.files or written.robots == "present":
        return None
    if site.preview or is_local_host(site.base_url):
        return None
    url = join_url(site.base_url, site.config.filename)
    step = f"next: publish, then submit {url} in the search consoles"
    if is_host_root(site.base_url) or site.config.robots is False:
        return step
    return f"{step} or add its line to {host_root(site.base_url)}robots.txt"

"""The pipeline: pages -> dates -> describe -> languages -> sort -> write -> report."""

import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path

from sitemap_plugin.common.files import is_ours
from sitemap_plugin.config import Config
from sitemap_plugin.dates.dating import date_pages, date_plugins
from sitemap_plugin.describe.entries import create_entries, transform_entries
from sitemap_plugin.errors import Problem
from sitemap_plugin.html.head import Head, read_head
from sitemap_plugin.languages.links import link_translations
from sitemap_plugin.models import Page, Site
from sitemap_plugin.pages.collect import LeftOut
from sitemap_plugin.pages.patterns import unused_patterns
from sitemap_plugin.pages.selection import by_url, select_pages
from sitemap_plugin.plugins import PluginManager
from sitemap_plugin.report import Report
from sitemap_plugin.write.site import next_step, write_site
from sitemap_plugin.write.sitemap import Written
from sitemap_plugin.write.view import check_report_file, write_report


def build(
    site: Site,
    plugins: Sequence[object] = (),
    *,
    protected: Collection[str] = (),
    problems: Sequence[Problem] = (),
    head_of: Callable[[Path], Head] = read_head,
) -> Report:
    """Write the sitemap of a site whose pages lie on disk, and say what was done.

    ``plugins`` are registered beside the installed ones; a generator's adapter is one of them.
    ``protected`` are the files, relative to the output folder, that the user's own sources put
    there; they are never overwritten. ``problems`` are what the adapter has to say. ``head_of``
    reads the head of a written page. Raises SitemapError when the build has to fail.
    """
    check_report_file(site)
    is_first = not is_ours(site.output_dir / site.config.filename)
    hooks = PluginManager(date_plugins(), plugins, site.config.disable_plugins)

    selection = select_pages(site, hooks, head_of)
    dates = date_pages(site, selection, hooks)
    entries, found = create_entries(site, selection, dates.dates)
    changed = transform_entries(site, selection, entries, dates.dates, hooks)
    left_out = selection.left_out | changed.left_out
    entries, unlinked = link_translations(site, changed, left_out)
    locs = [entry.loc for entry in entries]
    pages, entries, page_dates = by_url(locs, changed.pages, entries, changed.dates)
    written = write_site(site, pages, entries, protected)

    report = Report(
        entries=sum(len(urls) for _, urls in written.listed),
        files=written.files,
        left_out={page: why.reason for page, why in left_out.items()},
        robots=written.robots,
        decided_by={page: why.plugin for page, why in left_out.items()},
        pages=pages,
        page_entries=entries,
        page_dates=page_dates,
        file_urls=written.listed,
        news_file_urls=written.repeated,
        remarks=dates.remarks,
    )
    report.extend([*problems, *hooks.problems, *selection.problems, *dates.problems, *found])
    report.extend([*changed.problems, *unlinked, *_after_writing(site, written, pages, left_out)])
    report.fail_on_warnings(site.config)
    if site.config.report:
        write_report(site, report.to_json())
    if is_first and sys.stderr and sys.stderr.isatty():
        report.next_step = next_step(site, written)
    if report.files:
        hooks.written(site, report)
    return report


def build_nothing(config: Config, problems: Sequence[Problem]) -> Report:
    """Return the report on a site whose base URL is not known; the problems say so."""
    report = Report()
    report.extend(problems)
    report.fail_on_warnings(config)
    return report


def _after_writing(
    site: Site, written: Written, pages: Sequence[Page], left_out: Mapping[Page, LeftOut]
) -> Iterator[Problem]:
    """Yield what is known when all files are in place."""
    is_hidden = not pages and {why.reason for why in left_out.values()} == {"noindex"}
    for problem in written.problems:
        # A preview that says noindex on every page has no sitemap on purpose.
        yield problem._replace(severity="notice") if is_hidden else problem
    yield from unused_patterns(site, [*left_out, *pages])

"""The pipeline: from pages to files and a report.

collect -> leave some out -> date -> make entries -> transform -> link -> order -> write -> robots.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from sitemap_plugin.dates.dating import Dater
from sitemap_plugin.dates.sources import date, git, modified, mtime
from sitemap_plugin.dates.sources.state import State
from sitemap_plugin.describe.entries import make_entries, transform_entries
from sitemap_plugin.errors import Problem
from sitemap_plugin.html import Head, read_head
from sitemap_plugin.languages.links import link_translations
from sitemap_plugin.languages.listed import list_pages
from sitemap_plugin.models import Site
from sitemap_plugin.pages.collect import ExtraUrls, collect_pages
from sitemap_plugin.pages.exclusions import (
    DefaultExclusions,
    FrontMatterExclusions,
    RenderedExclusions,
)
from sitemap_plugin.pages.front_matter import FrontMatter
from sitemap_plugin.pages.rules import Rules
from sitemap_plugin.pages.selection import select_pages, warn_of_unused_patterns
from sitemap_plugin.plugins import PluginManager, plugin_name
from sitemap_plugin.report import Report
from sitemap_plugin.write.next_step import has_sitemap, next_step
from sitemap_plugin.write.records import Listed
from sitemap_plugin.write.report_view import check_report_file, write_report
from sitemap_plugin.write.site import write_site

__all__ = ["build"]


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
    report, front_matter, rules = Report(), FrontMatter(site.timezone), Rules(site)
    is_first = not has_sitemap(site.output_dir, site.config.filename)
    front_matter_exclusions = FrontMatterExclusions(front_matter, head_of)
    hooks = PluginManager(
        [
            *((module.__name__, module) for module in (modified, git, date, mtime)),
            ("state", State()),
            ("extra_urls", ExtraUrls(report)),
            # Registered last is asked first.
            ("inspect_html", RenderedExclusions(report, head_of)),
            ("options", DefaultExclusions(rules)),
            ("front matter", front_matter_exclusions),
        ],
        [(plugin_name(plugin), plugin) for plugin in plugins],
        site.config.disable_plugins,
    )
    report.extend(problems)
    report.extend(hooks.problems)
    dater = Dater(site, hooks, front_matter, rules)

    pages = select_pages(site, collect_pages(site, hooks, report), hooks, report)
    entries = make_entries(site, pages, dater.dates(pages), front_matter, rules)
    pages, entries = transform_entries(site, pages, entries, hooks.transforms(site), report)
    listed = list_pages(pages, front_matter)
    entries, problems = link_translations(site, listed, entries, report.left_out)
    report.extend(problems)

    report.extend(dater.problems)
    report.extend(front_matter.problems)
    report.extend(front_matter_exclusions.problems)
    report.listed = Listed(pages, entries, dater.origin)
    check_report_file(site)
    written = write_site(site, pages, entries, protected)
    report.entries, report.files, report.robots = written.count, written.files, written.robots
    report.file_of, report.news_file_of = written.file_of, written.news_file_of
    report.extend(written.problems)
    warn_of_unused_patterns(site, report)
    write_report(site, report.to_json())
    report.next_step = next_step(site, report) if is_first else None
    if report.files:
        hooks.written(site, report)
    report.is_strict = site.config.strict
    return report

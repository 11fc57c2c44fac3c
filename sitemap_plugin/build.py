"""The pipeline: from pages to files and a report.

collect -> leave some out -> date -> make entries -> transform -> link -> order -> write -> robots.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

from sitemap_plugin.alternates import link_translations
from sitemap_plugin.collect import ExtraUrls, collect_pages
from sitemap_plugin.dating import Dater
from sitemap_plugin.entries import make_entries, transform_entries
from sitemap_plugin.exclusions import DefaultExclusions, FrontMatterExclusions, RenderedExclusions
from sitemap_plugin.files import write_whole
from sitemap_plugin.frontmatter import FrontMatter
from sitemap_plugin.html import Head, read_head
from sitemap_plugin.lastmod import date, git, modified, mtime
from sitemap_plugin.models import Entry, Site
from sitemap_plugin.patterns import Patterns
from sitemap_plugin.plugins import PluginManager, plugin_name
from sitemap_plugin.records import Listed
from sitemap_plugin.report import Report
from sitemap_plugin.robots import update_robots
from sitemap_plugin.rules import Rules
from sitemap_plugin.sections import into_sections
from sitemap_plugin.selection import select_pages
from sitemap_plugin.urls import is_host_root, join_url, path_below
from sitemap_plugin.writer import remove_sitemap, write_sitemap

__all__ = ["build"]


def build(
    site: Site,
    plugins: Sequence[object] = (),
    *,
    protected: Collection[str] = (),
    head_of: Callable[[Path], Head] = read_head,
) -> Report:
    """Write the sitemap of a site whose pages lie on disk, and say what was done.

    ``plugins`` are registered beside the installed ones; a generator's adapter is one of them.
    ``protected`` are the files, relative to the output folder, that the user's own sources put
    there; they are never overwritten. ``head_of`` reads the head of a written page. Raises
    SitemapError when the build has to fail.
    """
    report, front_matter, rules = Report(), FrontMatter(site.timezone), Rules(site)
    hooks = PluginManager(
        [
            *((module.__name__, module) for module in (modified, git, date, mtime)),
            ("extra_urls", ExtraUrls(report)),
            # Registered last is asked first.
            ("inspect_html", RenderedExclusions(report, head_of)),
            ("options", DefaultExclusions(rules)),
            ("front matter", FrontMatterExclusions(front_matter)),
        ],
        [(plugin_name(plugin), plugin) for plugin in plugins],
        site.config.disable_plugins,
    )
    report.extend(hooks.problems)
    dater = Dater(site, hooks, front_matter, rules)

    pages = select_pages(site, collect_pages(site, hooks, report), hooks, report)
    entries = make_entries(site, pages, dater.dates(pages), front_matter, rules)
    pages, entries = transform_entries(pages, entries, hooks.transforms(site), report)
    entries = link_translations(site, pages, entries, front_matter, report)
    sections = into_sections(site, pages, entries)

    report.extend(dater.problems)
    report.extend(front_matter.problems)
    _warn_of_unused_patterns(site, report)
    if _may_write(site, entries, protected, report):
        _write(site, sections, report)
    report.listed = Listed(pages, entries, dater.origin)
    if site.config.report is not None:
        _write_report(site, report)
    if report.files:
        hooks.written(site, report)
    return report


def _may_write(
    site: Site, entries: Sequence[Entry], protected: Collection[str], report: Report
) -> bool:
    filename = site.config.filename
    if filename in protected:
        report.add(
            "warning",
            f"the site has a {filename} of its own, which is kept; no sitemap was written. Remove "
            "that file, or set the option 'filename' to another name",
            filename,
        )
        return False
    if not entries:
        report.add("warning", "no page can be listed, so there is no sitemap", site.base_url)
        remove_sitemap(site.output_dir, filename)
        return False
    return True


def _write(site: Site, sections: Mapping[str | None, Sequence[Entry]], report: Report) -> None:
    config = site.config
    written = write_sitemap(
        sections,
        folder=site.output_dir,
        base_url=site.base_url,
        filename=config.filename,
        max_urls=config.max_urls,
        max_bytes=config.max_bytes,
        gzip=config.gzip,
    )
    report.entries, report.files = written.entries, written.files
    report.extend(written.problems)
    if not written.files:
        return
    robots = update_robots(
        site.output_dir,
        join_url(site.base_url, config.filename),
        config.robots,
        at_host_root=is_host_root(site.base_url),
    )
    report.robots = robots.status
    if robots.message:
        report.add("notice", robots.message, "robots.txt")


def _write_report(site: Site, report: Report) -> None:
    path = site.config_dir / str(site.config.report)
    text = json.dumps(report.to_json(), ensure_ascii=False, indent=1)
    write_whole(path, f"{text}\n".encode("utf-8", "backslashreplace"))


def _warn_of_unused_patterns(site: Site, report: Report) -> None:
    """Warn of patterns that match nothing, pages that were left out before they were tried too."""
    places = [("exclude", site.config.exclude)]
    places += [(f"rules[{i}].match", rule.match) for i, rule in enumerate(site.config.rules)]
    places += [(f"sections.{name}", found) for name, found in site.config.sections.items()]
    for place, patterns in places:
        _try_on_left_out(patterns, site, report)
        for index, text in patterns.unused():
            message = f"{text!r} matches no page; see the sources and URLs in the report"
            report.add("warning", message, f"{place}[{index}]")


def _try_on_left_out(patterns: Patterns, site: Site, report: Report) -> None:
    if any(True for _ in patterns.unused()):
        for page in report.left_out:
            patterns.match(page.source_path, path_below(page.url, site.base_url))

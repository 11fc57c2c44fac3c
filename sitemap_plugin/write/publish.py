"""Put the outcome of a build in place: the sitemap, its line in robots.txt, and the report."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path

from sitemap_plugin.common.files import explain, refuse_other_kinds, write_whole
from sitemap_plugin.common.urls import is_host_root, join_url
from sitemap_plugin.errors import WriteError
from sitemap_plugin.models import Site
from sitemap_plugin.report import Report
from sitemap_plugin.write.browser.stylesheet import find_name, put_stylesheet, remove_stylesheet
from sitemap_plugin.write.robots import update_robots
from sitemap_plugin.write.sections import Sections
from sitemap_plugin.write.writer import remove_sitemap, write_sitemap

__all__ = ["publish", "publish_report", "refuse_report"]


def publish(site: Site, sections: Sections, protected: Collection[str], report: Report) -> None:
    """Write the sitemap and then its line in robots.txt, unless something speaks against it."""
    if _has_entries(site, sections, protected, report):
        _write(site, sections, protected, report)


def _has_entries(
    site: Site, sections: Sections, protected: Collection[str], report: Report
) -> bool:
    if not any(sections.pages.values()):
        report.add("warning", "no page can be listed, so there is no sitemap", site.base_url)
        if site.config.filename not in protected:
            remove_sitemap(site.output_dir, site.config.filename)
            remove_stylesheet(site.output_dir, site.config.filename, protected)
        return False
    return True


def _write(site: Site, sections: Sections, protected: Collection[str], report: Report) -> None:
    config = site.config
    stylesheet = _find_stylesheet(site, protected, report)
    written = write_sitemap(
        sections.pages,
        news=sections.news,
        folder=site.output_dir,
        base_url=site.base_url,
        filename=config.filename,
        max_urls=config.max_urls,
        max_bytes=config.max_bytes,
        gzip=config.gzip,
        stylesheet=stylesheet,
        protected=protected,
    )
    report.entries, report.files = written.entries, written.files
    report.extend(written.problems)
    if not written.files:
        if not written.problems:
            report.add("warning", "no page can be listed, so there is no sitemap", site.base_url)
        return
    if stylesheet:
        put_stylesheet(site.output_dir, stylesheet)
    else:
        remove_stylesheet(site.output_dir, config.filename, protected)
    robots = update_robots(
        site.output_dir,
        join_url(site.base_url, config.filename),
        config.robots,
        at_host_root=is_host_root(site.base_url),
    )
    report.robots = robots.status
    if robots.message and not site.preview:
        report.add("notice", robots.message, "robots.txt")


def _find_stylesheet(site: Site, protected: Collection[str], report: Report) -> str | None:
    if not site.config.stylesheet:
        return None
    name, notice = find_name(site.output_dir, site.config.filename, protected)
    report.extend([notice] if notice else [])
    return name


def refuse_report(site: Site) -> None:
    """Raise WriteError if the report would take the place of anything but a report.

    Asked before the sitemap is written, since a build that fails leaves the one before in place.
    """
    path = _report_path(site)
    if path is None:
        return
    refuse_other_kinds(path)
    try:
        is_free = not path.exists() or _is_report(path.read_bytes())
    except OSError as error:
        raise explain(error, path) from error
    if not is_free:
        raise WriteError(f"{path}: not overwritten, since it is no report; choose another 'report'")


def publish_report(site: Site, report: Report) -> None:
    """Write the report's file, if the option asks for one: a page for people, or JSON."""
    path = _report_path(site)
    if path is None:
        return
    data = report.to_json()
    if path.suffix.lower() in {".html", ".htm"}:
        from sitemap_plugin.write.browser.report import render_report  # noqa: PLC0415 - seldom wanted

        text = render_report(data)
    else:
        text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    refuse_report(site)
    write_whole(path, text.encode("utf-8", "backslashreplace"))


def _report_path(site: Site) -> Path | None:
    return None if site.config.report is None else site.config_dir / str(site.config.report)


def _is_report(data: bytes) -> bool:
    """Tell whether a file is empty or a report in one of its forms, so that it may be replaced."""
    if not data.strip():
        return True
    return all(mark in data for mark in (b'"version"', b'"left_out"', b'"problems"'))

"""Build the sitemap when Pelican has written its last file."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from sitemap_plugin.build import build
from sitemap_plugin.common.files import reported
from sitemap_plugin.config.base_url import read_base_url
from sitemap_plugin.errors import Problem, SitemapError
from sitemap_plugin.hookspecs import TransformFunction, hookimpl
from sitemap_plugin.models import Entry, Page, Site
from sitemap_plugin_pelican import legacy, messages
from sitemap_plugin_pelican.collect import collect_pages, other_bases
from sitemap_plugin_pelican.options import Options
from sitemap_plugin_pelican.writes import Write, Writes

__all__ = ["write_sitemap"]


def write_sitemap(writes: Writes, options: Options) -> None:
    """Write the sitemap of a run and say what was done."""
    settings, strict = writes.main.settings, options.config.strict
    preview = messages.is_reloading()
    try:
        base_url, problems = read_base_url(
            settings.get("SITEURL"), setting="SITEURL", preview=preview
        )
        if base_url is None:
            messages.tell(problems, strict=strict)
            return
        site = Site(
            base_url=base_url,
            output_dir=writes.main.output_path,
            source_dir=Path(settings["PATH"]).absolute(),
            language=writes.main.language,
            generator="pelican",
            config=options.config,
            timezone=ZoneInfo(settings.get("TIMEZONE") or "UTC"),
            config_dir=options.folder,
            other_bases=other_bases(writes, base_url),
            preview=preview,
        )
        adapter = PelicanPages(writes, options.legacy)
        protected = _static_files(writes)
        _remove_generated(writes, site, protected)
        report = build(site, [adapter], protected=protected)
    except SitemapError as error:
        messages.fail(error)
    messages.say(f"Sitemap: {report.summary()}")
    problems += [*options.problems, *_notices(writes, options, site)]
    problems += legacy.soften(report.problems) if options.legacy else report.problems
    messages.tell(problems, strict=strict)


class PelicanPages:
    """The plugin that gives the core what Pelican wrote."""

    def __init__(self, writes: Writes, old: legacy.Legacy | None) -> None:
        self._writes = writes
        self._legacy = old
        self._groups: dict[str, str] = {}

    @hookimpl
    def sitemap_pages(self, site: Site) -> Iterator[Page]:
        """Yield the pages of the run."""
        groups = {write.path: legacy.group(write) for write in self._writes} if self._legacy else {}
        for page in collect_pages(self._writes, site.base_url):
            if self._legacy and page.output:
                self._groups[page.url] = groups[str(page.output)]
            yield page

    @hookimpl
    def sitemap_transform(self, site: Site) -> TransformFunction | None:  # noqa: ARG002 - the hook's argument
        """Give the values that pelican-sitemap's settings name."""
        old, groups = self._legacy, self._groups
        if old is None:
            return None

        def transform(page: Page, entry: Entry) -> Entry:
            return old.apply(groups.get(page.url), entry)

        return transform


def _static_files(writes: Writes) -> set[str]:
    """Return the files below the output folder that are copied from the site's own.

    Only asked for now: Pelican takes a static file whose place was looked up for settled, and
    ``{attach}`` links would no longer move it.
    """
    names: set[str] = set()
    for instance in writes.instances.values():
        folder = os.path.relpath(instance.output_path, writes.main.output_path)
        for static in instance.static_files:
            names.add(os.path.normpath(os.path.join(folder, _place(static))))  # noqa: PTH118 - of thousands of files
    return {name.replace(os.sep, "/") for name in names}


def _place(static: Any) -> str:
    """Return where a static file goes, without having Pelican format its name if need be."""
    if hasattr(static, "override_save_as") or static.settings["STATIC_SAVE_AS"] != "{path}":
        return str(static.save_as)
    return str(static.metadata.get("path") or static.relative_source_path)


def _remove_generated(writes: Writes, site: Site, protected: Collection[str]) -> None:
    """Remove the sitemap that a template or pelican-sitemap has written in this run.

    It comes back with each run, often with the day's date. It is no file of the user's, of which
    the writer would keep every version.
    """
    filename = site.config.filename
    path = site.output_dir / filename
    if filename in protected or not path.is_file():
        return
    with reported(path):
        is_by_template = any(Path(write.path) == path for write in writes)
        if is_by_template or legacy.has_written(writes.main.settings, path):
            path.unlink()


def _notices(writes: Writes, options: Options, site: Site) -> Iterator[Problem]:
    """Yield what the user should know about settings that meet with ours."""
    filename = options.config.filename
    for write in writes:
        if write.name == filename and Path(write.path) == site.output_dir / filename:
            message = f"the site has a template for it; this sitemap replaces it. {_cure(write)}"
            yield Problem("notice", message, filename)
    if options.legacy is not None:
        yield Problem("notice", legacy.advice(options.legacy, writes))
    if legacy.is_active(writes.main.settings["PLUGINS"]):
        message = (
            "pelican-sitemap is active too and writes the same file, which this sitemap replaces; "
            "remove 'sitemap' from PLUGINS or, where PLUGINS is not set, uninstall pelican-sitemap"
        )
        yield Problem("warning", message, "PLUGINS")


def _cure(write: Write) -> str:
    if write.template is not None:
        return f"Remove {write.template!r} from DIRECT_TEMPLATES"
    if write.template_page is not None:
        return f"Remove {write.template_page!r} from TEMPLATE_PAGES"
    if write.content is not None:
        return f"Remove {write.content.get_relative_source_path()}"
    return "Disable the plugin that writes it"

"""Check the options, and build the sitemap when Pelican has written its last file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from sitemap_plugin.build import build, build_nothing
from sitemap_plugin.config import BaseUrl, Config, find_base_url, parse_config
from sitemap_plugin.config.checks import OptionFaults
from sitemap_plugin.errors import ConfigError, Problem, SitemapError
from sitemap_plugin.hookspecs import hookimpl
from sitemap_plugin.models import Page, Site
from sitemap_plugin.report import Report
from sitemap_plugin_pelican import host
from sitemap_plugin_pelican.legacy import Legacy, group_pages, other_plugins, read_legacy
from sitemap_plugin_pelican.pelican_pages import collect_pages, set_base_urls
from sitemap_plugin_pelican.writes import Writes


class Options(NamedTuple):
    """The checked options, what is to be said of them, and pelican-sitemap's keys among them."""

    config: Config
    problems: list[Problem]
    legacy: Legacy | None = None


def read_options(settings: Mapping[str, Any]) -> Options:
    """Check ``SITEMAP``; raise ConfigError with everything that is wrong there."""
    given = {} if settings.get("SITEMAP") is None else settings["SITEMAP"]
    if not isinstance(given, Mapping):
        raise ConfigError([f"SITEMAP: expected a dict of options, got {given!r}"])
    found = OptionFaults()
    legacy = read_legacy(given, found)
    errors = list(found.errors)
    try:
        config, problems = parse_config(legacy.options if legacy else given, generator="pelican")
    except ConfigError as error:
        errors += error.problems
    if errors:
        raise ConfigError([f"SITEMAP: {error}" for error in errors])
    return Options(config, problems, legacy)


class PelicanPages:
    """The plugin that gives the core what Pelican wrote."""

    def __init__(self, pages: list[Page]) -> None:
        self._pages = pages

    @hookimpl
    def sitemap_pages(self, site: Site) -> list[Page]:  # noqa: ARG002 - the hook's argument
        """Return the pages of the run."""
        return self._pages


def write_sitemap(writes: Writes, options: Options) -> None:
    """Write the sitemap of a run and say what was done."""
    try:
        report = _build(writes, options)
    except SitemapError as error:
        host.fail(error)
    host.show(report)


def _build(writes: Writes, options: Options) -> Report:
    settings, config, preview = writes.main.settings, options.config, host.is_autoreload()
    base = find_base_url(
        config, settings.get("SITEURL"), setting="SITEURL", generator="pelican", preview=preview
    )
    problems = [*options.problems, *base.problems]
    if base.url is None:
        return build_nothing(config, problems)
    set_base_urls(writes, base.url, base.host_url)
    pages = list(collect_pages(writes))
    problems += other_plugins(writes, pages)
    if options.legacy:
        config, found = options.legacy.rewrite(group_pages(pages, writes))
        problems += found
    problems += _templates(writes, config.filename)
    site = _site(writes, config, base)
    protected = _static_files(writes)
    return build(site, [PelicanPages(pages)], protected=protected, problems=problems)


def _site(writes: Writes, config: Config, base: BaseUrl) -> Site:
    settings, main_url = writes.main.settings, writes.main.base_url
    return Site(
        base_url=main_url,
        host_url=base.host_url,
        output_dir=writes.main.output_path,
        source_dir=Path(settings["PATH"]).absolute(),
        language=writes.main.language,
        generator="pelican",
        config=config,
        timezone=ZoneInfo(settings.get("TIMEZONE") or "UTC"),
        config_dir=host.settings_folder(),
        other_bases={
            instance.base_url: instance.output_path
            for instance in writes.instances.values()
            if not instance.base_url.startswith(main_url)
        },
        preview=host.is_autoreload(),
    )


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


def _templates(writes: Writes, filename: str) -> Iterator[Problem]:
    """Yield a notice for what writes a sitemap of its own in each run."""
    write = writes.files.get(str(writes.main.output_path / filename))
    if write is None:
        return
    name = "the plugin that writes it"
    if write.template or write.template_page:
        kind = "DIRECT_TEMPLATES" if write.template else "TEMPLATE_PAGES"
        name = f"{write.template or write.template_page} from {kind}"
    elif write.content is not None:
        name = write.content.relative_source_path or name
    message = f"the site has a template for it; this sitemap replaces it. Remove {name}"
    yield Problem("notice", message, filename)

"""Check the options, and build the sitemap when Pelican has written its last file."""

import logging
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, NoReturn
from zoneinfo import ZoneInfo

from pelican import DEFAULT_CONFIG_NAME, parse_arguments  # type: ignore[attr-defined] # untyped
from pelican.log import console

from sitemap_plugin.build import build, build_nothing
from sitemap_plugin.common.files import relative_path
from sitemap_plugin.config import Config, find_base_url, parse_config
from sitemap_plugin.config.checks import OptionFaults
from sitemap_plugin.errors import ConfigError, Problem, SitemapError
from sitemap_plugin.models import Site
from sitemap_plugin.report import Report
from sitemap_plugin_pelican.legacy import Legacy, other_plugins, read_legacy
from sitemap_plugin_pelican.pelican_pages import collect_pages, set_base_urls
from sitemap_plugin_pelican.writes import Run

log = logging.getLogger("pelican.plugins.sitemap_plugin")


class Options(NamedTuple):
    """The checked options, what is to be said of them, and pelican-sitemap's keys among them."""

    config: Config
    problems: list[Problem]
    legacy: Legacy | None = None


def read_options(settings: Mapping[str, Any]) -> Options:
    """Check ``SITEMAP``; end the build with everything that is wrong there."""
    given = {} if settings.get("SITEMAP") is None else settings["SITEMAP"]
    if not isinstance(given, Mapping):
        _fail(ConfigError([f"SITEMAP: expected a dict of options, got {given!r}"]))
    found = OptionFaults()
    legacy = read_legacy(given, found)
    errors = list(found.errors)
    try:
        config, problems = parse_config(legacy.options if legacy else given, generator="pelican")
    except ConfigError as error:
        errors += error.problems
    if errors:
        _fail(ConfigError([f"SITEMAP: {error}" for error in errors]))
    return Options(config, problems, legacy)


def write_sitemap(run: Run) -> None:
    """Write the sitemap of a run and say what was done, the summary last."""
    try:
        report = _build(run)
    except SitemapError as error:
        _fail(error)
    for problem in report.problems:
        if problem.severity == "notice":
            _print(f"Sitemap: {problem}")
        else:
            log.warning("Sitemap: %s", problem)
    if report.files or report.left_out:
        _print(f"Sitemap: {report.summary()}")
    if report.failure:
        _fail(SitemapError(report.failure))


def _build(run: Run) -> Report:
    main, config, arguments = run.main, run.options.config, _arguments()
    preview, url = bool(arguments.autoreload), main.settings.get("SITEURL")
    base = find_base_url(config, url, setting="SITEURL", generator="pelican", preview=preview)
    problems = [*run.options.problems, *base.problems]
    if base.url is None:
        return build_nothing(config, problems)
    set_base_urls(run, base.url, base.host_url)
    run.pages = list(collect_pages(run))
    problems += other_plugins(run)
    if run.options.legacy:
        config, found = run.options.legacy.rewrite(run)
        problems += found
    problems += _templates(run, config.filename)
    # A program that runs Pelican has the settings in the current folder.
    settings = Path((arguments and arguments.settings) or DEFAULT_CONFIG_NAME)
    others = (one for one in run.instances if not one.base_url.startswith(main.base_url))
    site = Site(
        base_url=main.base_url,
        host_url=base.host_url,
        output_dir=main.output_path,
        source_dir=Path(main.settings["PATH"]).absolute(),
        language=main.language,
        generator="pelican",
        config=config,
        timezone=ZoneInfo(main.settings.get("TIMEZONE") or "UTC"),
        config_dir=settings.absolute().parent,
        other_bases={instance.base_url: instance.output_path for instance in others},
        preview=preview,
    )
    return build(site, [run], protected=_static_files(run), problems=problems)


def _static_files(run: Run) -> set[str]:
    """Return the files below the output folder that are copied from the site's own."""
    # Asked last: once its place was looked up, Pelican moves no file for an `{attach}` link.
    return {
        relative_path(instance.output_path / static.save_as, run.main.output_path)
        for instance in run.instances
        for static in instance.static_files
    }


def _templates(run: Run, filename: str) -> Iterator[Problem]:
    """Yield a notice for what writes a sitemap of its own in each run."""
    write = run.files.get(str(run.main.output_path / filename))
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


def _fail(error: SitemapError) -> NoReturn:
    """End the build without a traceback; in autoreload mode only this round of it."""
    if _arguments().autoreload:
        raise error
    # Pelican's "critical" is what ends a build; "error" would raise again under --fatal.
    log.critical("Sitemap: %s", error)
    sys.exit(1)


def _print(text: str) -> None:
    """Print a line as Pelican prints its own closing line; one to be copied is not wrapped."""
    console.print(text, markup=False, highlight=False, soft_wrap=True)


def _arguments() -> Namespace:
    """Return the arguments of the command line, which Pelican tells no plugin."""
    program = Path(sys.argv[0])
    program = program.parent if program.stem == "__main__" else program
    found: Namespace = parse_arguments(sys.argv[1:] if program.stem == "pelican" else [])
    return found

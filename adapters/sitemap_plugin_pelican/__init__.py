"""The Pelican adapter: hears what Pelican writes, and writes the sitemap after the last file."""

import logging
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn
from zoneinfo import ZoneInfo

from pelican import DEFAULT_CONFIG_NAME, parse_arguments  # type: ignore[attr-defined] # untyped
from pelican.log import console
from pelican.plugins import signals

from sitemap_plugin.common.files import relative_path
from sitemap_plugin.config import find_base_url, parse_config
from sitemap_plugin.config.checks import OptionFaults
from sitemap_plugin.errors import ConfigError, Problem, SitemapError
from sitemap_plugin.models import Site
from sitemap_plugin.report import Report
from sitemap_plugin_pelican.headers import keep_words
from sitemap_plugin_pelican.legacy import other_plugins, read_legacy, rewrite
from sitemap_plugin_pelican.pelican_pages import MARK, Instance, Run, collect_pages, set_base_urls

log = logging.getLogger("pelican.plugins.sitemap_plugin")


def register() -> None:
    """Connect to Pelican's signals; doing so twice has no further effect."""
    keep_words()
    signals.initialized.connect(on_initialized)
    signals.get_generators.connect(on_get_generators)
    signals.static_generator_finalized.connect(on_static_generator_finalized)
    signals.content_written.connect(on_content_written)


def on_initialized(pelican: Any) -> None:
    """Check the options before any work is done, and mark the instance."""
    around = pelican.settings.get(MARK)
    if around is not None and around.run.is_running:
        pelican.settings[MARK] = Instance(pelican.settings, around.run)
    else:
        run = _read_options(pelican.settings)
        pelican.settings[MARK] = run.main = Instance(pelican.settings, run)


def on_get_generators(pelican: Any) -> None:
    """Start afresh, also when ``pelican --autoreload`` runs the same object again."""
    instance: Instance = pelican.settings[MARK]
    if instance is instance.run.main:
        instance.run.clear()
        instance.run.is_running = True
        # Connected last, this is called after what other plugins do to the finished files.
        signals.finalized.disconnect(on_finalized)
        signals.finalized.connect(on_finalized)
    instance.run.instances.append(instance)


def on_static_generator_finalized(generator: Any) -> None:
    """Remember the static files, whose places are known only when all is written."""
    instance: Instance = generator.settings[MARK]
    instance.static_files = generator.staticfiles
    instance.context = generator.context


def on_content_written(path: str, context: Mapping[str, Any]) -> None:
    """Note a file that Pelican says it has written."""
    instance: Instance | None = context.get(MARK)
    if instance is not None:
        instance.run.add(path, context, instance)


def on_finalized(pelican: Any) -> None:
    """Write the sitemap when the outermost run has ended; say what was done, the summary last."""
    run: Run = pelican.settings[MARK].run
    if pelican.settings[MARK] is not run.main:
        return
    run.is_running = False
    try:
        report = _build(run)
    except SitemapError as error:
        _fail(error)
    for problem in report.problems:
        (_print if problem.severity == "notice" else log.warning)(f"Sitemap: {problem}")
    if report.files or report.left_out:
        _print(f"Sitemap: {report.summary()}")
    if report.failure:
        _fail(SitemapError(report.failure))
    run.clear()


def _read_options(settings: Mapping[str, Any]) -> Run:
    """Check ``SITEMAP``; end the build with everything that is wrong there."""
    given = {} if settings.get("SITEMAP") is None else settings["SITEMAP"]
    if not isinstance(given, Mapping):
        _fail(ConfigError([f"SITEMAP: expected a dict of options, got {given!r}"]))
    found = OptionFaults()
    legacy = read_legacy(given, found)
    try:
        config, problems = parse_config(legacy[0] if legacy else given, generator="pelican")
    except ConfigError as error:
        found.errors += error.problems
    if found.errors:
        _fail(ConfigError([f"SITEMAP: {error}" for error in found.errors]))
    return Run(config, problems, legacy)


def _build(run: Run) -> Report:
    # Pelican loads its plugins before it does anything; most of ours takes part at the end only.
    from sitemap_plugin.build import build, build_nothing  # noqa: PLC0415

    main, config, arguments = run.main, run.config, _arguments()
    preview, url = bool(arguments.autoreload), main.settings.get("SITEURL")
    base = find_base_url(config, url, setting="SITEURL", generator="pelican", preview=preview)
    problems = [*run.problems, *base.problems]
    if base.url is None:
        return build_nothing(config, problems)
    set_base_urls(run, base.url, base.host_url)
    run.pages = list(collect_pages(run))
    problems += other_plugins(run)
    if run.legacy:
        config, found = rewrite(run, *run.legacy)
        problems += found
    if replaced := run.files.get(str(main.output_path / config.filename)):
        message = "the site has a template for it; this sitemap replaces it. Remove"
        problems.append(Problem("notice", f"{message} {replaced.maker}", config.filename))
    # A program that runs Pelican has the settings in the current folder.
    settings = Path(arguments.settings or DEFAULT_CONFIG_NAME)
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
    # Asked last: once its place was looked up, Pelican moves no file for an `{attach}` link.
    protected = {
        relative_path(instance.output_path / static.save_as, main.output_path)
        for instance in run.instances
        for static in instance.static_files
    }
    return build(site, [run], protected=protected, problems=problems)


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


def _arguments() -> Any:
    """Return the arguments of the command line, which Pelican tells no plugin."""
    program = Path(sys.argv[0])
    program = program.parent if program.stem == "__main__" else program
    return parse_arguments(sys.argv[1:] if program.stem == "pelican" else [])

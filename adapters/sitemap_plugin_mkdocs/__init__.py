"""MkDocs, and ProperDocs, which answers to that name: translate their build into our terms."""

import logging
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import jinja2
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, CombinedEvent, event_priority, get_plugin_logger
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation

from sitemap_plugin.common.files import is_ours
from sitemap_plugin.config import BaseUrl, Config, find_base_url, parse_config
from sitemap_plugin.errors import ConfigError, Problem, SitemapError
from sitemap_plugin.models import Site
from sitemap_plugin.report import Report
from sitemap_plugin_mkdocs.mkdocs_pages import MkDocsPages, find_i18n
from sitemap_plugin_mkdocs.plugin_list import check_site_url, material_notices, search_notice

log = get_plugin_logger("sitemap")

BUILT_IN = "sitemap.xml"  # The template from which MkDocs makes its own sitemap.
LAST = -1000  # After every other plugin.
BEFORE_OTHER_LANGUAGES = -99  # Before mkdocs-static-i18n builds the other languages, at -100.


class SitemapPlugin(BasePlugin):  # type: ignore[no-untyped-call,type-arg] # MkDocs' generic is optional
    """Writes the sitemap after MkDocs' last file, in place of MkDocs' own."""

    def __init__(self) -> None:
        self._options, self._preview = Config(), False
        self._option_problems: list[Problem] = []
        self._start()

    def _start(self) -> None:
        """Forget the build before, since ``mkdocs serve`` builds many times with one plugin."""
        self._problems = list(self._option_problems)
        self._pages = MkDocsPages()
        self._templates: dict[str, Path] = {}
        self._files: Files | None = None
        self._base = BaseUrl(None)
        self._other_bases: dict[str, Path] = {}
        self._active, self._keeps_sitemap, self._had_sitemap = True, False, False

    def load_config(
        self, options: dict[str, Any], config_file_path: str | None = None
    ) -> tuple[list[tuple[str, Exception]], list[tuple[str, str]]]:
        """Check the options as the core does, and report all problems at once."""
        super().load_config({}, config_file_path)
        self._option_problems = []
        try:
            self._options, self._option_problems = parse_config(options, generator="mkdocs")
        except ConfigError as error:
            pairs = [problem.partition(": ") for problem in error.problems]
            return [(place, PluginError(message)) for place, _, message in pairs], []
        return [], []

    def on_startup(self, *, command: str, **_: Any) -> None:
        """Remember whether this is a preview on the developer's machine."""
        self._preview = command == "serve"

    @event_priority(LAST)
    def on_config(self, config: MkDocsConfig) -> None:
        """Start a build, unless it is one language's part of a build that has begun."""
        try:
            self._remember_language(config) if _is_nested(config) else self._begin(config)
        except ConfigError as error:
            raise PluginError(str(error)) from error

    def _begin(self, config: MkDocsConfig) -> None:
        self._start()
        ours = (each for each in config.plugins.values() if isinstance(each, SitemapPlugin))
        self._active = next(ours) is self
        if not self._active:
            return
        self._base = self._find_base_url(config, "site_url")
        self._problems += [*self._base.problems, *check_site_url(config), *search_notice(config)]
        # MkDocs is about to empty the folder; mike has a new one for each version that it deploys.
        site, filename = Path(config.site_dir), self._options.filename
        self._had_sitemap = "mike" in config.plugins or is_ours(site / filename)

    def _remember_language(self, config: MkDocsConfig) -> None:
        """Note the base URL of one more language, which may have one of its own."""
        if self._base.url is None or self._options.base_url:
            return
        plugin = find_i18n(config)
        language = plugin.current_language
        base = self._find_base_url(config, f"i18n: languages: {language}: site_url")
        if base.url and base.url != self._base.url:
            # MkDocs gives the language's pages URLs below `site_url` and its folder.
            below = "" if language == plugin.default_language else f"{language}/"
            self._other_bases[base.url + below] = Path(config.site_dir, below)
            self._problems += base.problems

    def _find_base_url(self, config: MkDocsConfig, setting: str) -> BaseUrl:
        options, url, preview = self._options, config.site_url, self._preview
        return find_base_url(options, url, setting=setting, generator="mkdocs", preview=preview)

    @event_priority(LAST)
    def on_nav(self, nav: Navigation, /, **_: Any) -> None:
        """Remember which pages are in the navigation."""
        self._pages.in_nav.update(page.file.dest_uri for page in nav.pages)

    @event_priority(LAST)
    def on_env(self, _env: jinja2.Environment, /, *, files: Files, **_: Any) -> None:
        """Remember the files, whose pages are asked when they have been rendered."""
        self._files = files

    def on_pre_template(
        self, template: jinja2.Template, /, *, template_name: str, config: MkDocsConfig
    ) -> None:
        """See where a template comes from: what a theme brings along, its users cannot change."""
        # A template of `extra_templates` has no name; it is a file of the site.
        path = Path(template.filename) if template.name and template.filename else None
        folder = getattr(config.theme, "custom_dir", None)
        is_own = path and folder and path.is_relative_to(Path(folder).absolute())
        if template_name == BUILT_IN:
            self._keeps_sitemap = template.name is None
            message = f"the template {path} is not used; this plugin writes the sitemap"
            self._problems += [Problem("notice", message, BUILT_IN)] if is_own else []
        elif path and template_name.endswith(".html") and (is_own or template_name == "index.html"):
            self._templates[template_name] = path

    def on_post_template(self, output: str, /, *, template_name: str, **_: Any) -> str:
        """Keep MkDocs from writing its own sitemap, which stamps every page with the build date."""
        if template_name == BUILT_IN and self._active and not self._keeps_sitemap:
            host = BasePlugin.__module__.partition(".")[0]
            logging.getLogger(f"{host}.commands.build").addFilter(_is_worth_saying)
            return ""
        if not output.strip():
            self._templates.pop(template_name, None)
        return output

    @event_priority(BEFORE_OTHER_LANGUAGES)
    def _take_pages(self, *, config: MkDocsConfig) -> None:
        """Translate the pages of one language: no hook changes them any more."""
        if self._base.url and self._files is not None:
            # mike sets `site_url` without a final slash.
            base = f"{(config.site_url or self._base.url).rstrip('/')}/"
            self._pages.take(self._files, self._templates, config, base)
        self._files = None

    @event_priority(LAST)
    def _finish(self, *, config: MkDocsConfig) -> None:
        """Write the sitemap once everything else is on disk, in the languages' last build."""
        if not self._active or _is_nested(config):
            return
        problems = [*self._problems, *self._pages.problems]
        try:
            report = self._write(config, problems)
        except SitemapError as error:
            _log(problems)
            raise PluginError(f"sitemap: {error}") from error
        _log([*report.problems, *material_notices(config, self._options, report)])
        if self._base.url:
            log.info(report.summary())
        if report.failure:
            raise PluginError(f"sitemap: {report.failure}")

    on_post_build = CombinedEvent(_take_pages, _finish)

    def _write(self, config: MkDocsConfig, problems: list[Problem]) -> Report:
        # MkDocs loads a plugin to read its configuration; most of ours takes part in builds only.
        from sitemap_plugin.build import build, build_nothing  # noqa: PLC0415

        if self._base.url is None:
            return build_nothing(self._options, problems)
        site = Site(
            base_url=self._base.url,
            host_url=self._base.host_url,
            output_dir=Path(config.site_dir),
            source_dir=Path(config.docs_dir),
            language=self._pages.language,
            generator="mkdocs",
            config=self._options,
            preview=self._preview,
            config_dir=Path(config.config_file_path or "mkdocs.yml").absolute().parent,
            other_bases=self._other_bases,
        )
        report = build(site, [self._pages], protected=self._pages.protected, problems=problems)
        if self._had_sitemap:
            report.next_step = None
        return report


def _is_nested(config: MkDocsConfig) -> bool:
    """Tell whether mkdocs-static-i18n is building one more language with our objects."""
    return bool(getattr(find_i18n(config), "building", False))


def _is_worth_saying(record: logging.LogRecord) -> bool:
    """Keep MkDocs from telling that its own sitemap is empty, which reads like a failure."""
    return record.getMessage() != f"Template skipped: '{BUILT_IN}' generated empty output."


def _log(problems: Iterable[Problem]) -> None:
    for problem in dict.fromkeys(problems):  # Each language's build may have found them again.
        (log.info if problem.severity == "notice" else log.warning)(str(problem))

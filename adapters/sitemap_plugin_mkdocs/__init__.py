"""MkDocs and ProperDocs: translate their build into the core's terms.

ProperDocs answers to the name ``mkdocs``, so importing only that serves both.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger

from sitemap_plugin.build import build
from sitemap_plugin.config import Config, parse_config
from sitemap_plugin.config.base_url import read_base_url
from sitemap_plugin.errors import ConfigError, Problem, SitemapError
from sitemap_plugin.models import Site
from sitemap_plugin.write.next_step import has_sitemap
from sitemap_plugin_mkdocs.pages import MkDocsPages, static_files
from sitemap_plugin_mkdocs.plugin_list import search_notice
from sitemap_plugin_mkdocs.static_i18n import find_plugin, folder, is_nested_build

if TYPE_CHECKING:
    import jinja2
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.nav import Navigation

__all__ = ["SitemapPlugin"]

log = get_plugin_logger("sitemap")

BUILT_IN = "sitemap.xml"
"""The name of the template from which MkDocs makes its own sitemap."""

HOST = Path(inspect.getfile(BasePlugin)).parent
"""Where the host lies, MkDocs or ProperDocs, with the templates that it ships."""

INSTANT = (
    "the sitemap is split, and Material's instant navigation knows no index: its links load whole "
    "pages, as without it. {cure} would make one file of it"
)

NEWS_FILE = re.compile(r"-news(?:-\d+)?$")

LAST = -1000
"""The priority that comes after every other plugin, mkdocs-static-i18n's -100 included."""


class SitemapPlugin(BasePlugin):  # type: ignore[no-untyped-call,type-arg] # MkDocs' generic is optional
    """Writes the sitemap after MkDocs' last file, in place of MkDocs' own."""

    def __init__(self) -> None:
        self._options = Config()
        self._preview = False
        self._template_is_themes = True
        self._start()

    def _start(self) -> None:
        """Forget the build before, since ``mkdocs serve`` builds many times with one plugin."""
        self._problems: list[Problem] = list(getattr(self, "_option_problems", ()))
        self._pages = MkDocsPages()
        self._protected: set[str] = set()
        self._base_url: str | None = None
        self._other_bases: dict[str, Path] = {}
        self._active = True
        self._had_sitemap = False

    def load_config(
        self, options: dict[str, Any], config_file_path: str | None = None
    ) -> tuple[list[tuple[str, Exception]], list[tuple[str, str]]]:
        """Check the options as the core does, and report all problems at once."""
        super().load_config({}, config_file_path)
        self._option_problems: list[Problem] = []
        try:
            self._options, self._option_problems = parse_config(options, generator="mkdocs")
        except ConfigError as error:
            pairs = [problem.partition(": ") for problem in error.problems]
            return [(place, PluginError(message)) for place, _, message in pairs], []
        return [], []

    def on_startup(self, *, command: str, dirty: bool) -> None:  # noqa: ARG002 - MkDocs' argument
        """Remember whether this is a preview on the developer's machine."""
        self._preview = command == "serve"

    @event_priority(LAST)
    def on_config(self, config: MkDocsConfig) -> None:
        """Start a build, unless it is one language's part of a build that has begun."""
        if is_nested_build(config):
            self._remember_language(config)
            return
        self._start()
        plugins = [
            plugin for plugin in config.plugins.values() if isinstance(plugin, SitemapPlugin)
        ]
        self._active = plugins[0] is self
        if not self._active:
            return
        self._base_url, problems = self._read_base_url(config, "site_url")
        self._problems += problems
        notice = search_notice(config)
        self._problems += [notice] if notice else []
        # MkDocs is about to empty the folder; mike has a new one for each version that it deploys.
        site, filename = Path(config.site_dir), self._options.filename
        self._had_sitemap = "mike" in config.plugins or has_sitemap(site, filename)

    def _remember_language(self, config: MkDocsConfig) -> None:
        """Note the base URL of one more language, which may have one of its own.

        MkDocs gives its pages URLs below ``site_url`` and its folder: that is what there is at that
        base, whatever else the host serves.
        """
        if self._base_url:
            plugin = find_plugin(config)
            setting = f"i18n: languages: {plugin.current_language}: site_url"
            base_url, problems = self._read_base_url(config, setting)
            if base_url and base_url != self._base_url:
                below = folder(plugin)
                self._other_bases[base_url + below] = Path(config.site_dir, below)
                self._problems += problems

    def _read_base_url(
        self, config: MkDocsConfig, setting: str
    ) -> tuple[str | None, list[Problem]]:
        try:
            return read_base_url(config.site_url, setting=setting, preview=self._preview)
        except ConfigError as error:
            raise PluginError(str(error)) from error

    @event_priority(LAST)
    def on_nav(self, nav: Navigation, /, *, config: MkDocsConfig, files: Files) -> None:  # noqa: ARG002
        """Remember which pages are in the navigation."""
        self._pages.remember_navigation(nav)

    @event_priority(LAST)
    def on_env(self, env: jinja2.Environment, /, *, config: MkDocsConfig, files: Files) -> None:  # noqa: ARG002
        """Remember the pages: their front matter and canonical links are final now."""
        if self._base_url:
            self._pages.remember_files(files, config)
            self._protected |= static_files(files)

    def on_pre_template(
        self,
        template: jinja2.Template,
        /,
        *,
        template_name: str,
        config: MkDocsConfig,  # noqa: ARG002
    ) -> None:
        """See where a sitemap template comes from: MkDocs, a theme, or the site itself."""
        if template_name != BUILT_IN or not self._active:
            return
        # A page of `extra_templates` has no name, and is the user's own file.
        self._template_is_themes = template.name is not None
        if not self._template_is_themes or not template.filename:
            return
        path = Path(template.filename)
        if not path.is_relative_to(HOST) and "custom_i18n_sitemap" not in path.parts:
            message = f"the template {path} is not used; this plugin writes the sitemap"
            problem = Problem("notice", message, BUILT_IN)
            # Each language's build asks for the template again.
            self._problems += [problem] if problem not in self._problems else []

    def on_post_template(
        self,
        output: str,
        /,
        *,
        template_name: str,
        config: MkDocsConfig,  # noqa: ARG002
    ) -> str:
        """Keep MkDocs from writing its own sitemap, which stamps every page with the build date."""
        if template_name == BUILT_IN and self._active and self._template_is_themes:
            return ""
        return output

    @event_priority(LAST)
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Write the sitemap once everything else is on disk, in the languages' last build."""
        if not self._active or is_nested_build(config):
            return
        try:
            self._write(config)
        except SitemapError as error:
            raise PluginError(f"sitemap: {error}") from error

    def _write(self, config: MkDocsConfig) -> None:
        options = self._options
        warnings = _log([*self._problems, *self._pages.problems])
        if self._base_url is not None:
            site = Site(
                base_url=self._base_url,
                output_dir=Path(config.site_dir),
                source_dir=Path(config.docs_dir),
                language=self._pages.language,
                generator="mkdocs",
                config=options,
                preview=self._preview,
                config_dir=Path(config.config_file_path or "mkdocs.yml").absolute().parent,
                other_bases=self._other_bases,
            )
            report = build(site, [self._pages], protected=self._protected)
            if self._had_sitemap:
                report.next_step = None
            warnings += _log(report.problems)
            if report.is_split and "navigation.instant" in (config.theme.get("features") or ()):
                log.info(INSTANT.format(cure=_cure_of_split(options, report.files)))
            log.info(report.summary())
        if options.strict and warnings:
            raise SitemapError(
                f"{warnings} warning{'s' if warnings > 1 else ''}, and the option 'strict' is set"
            )


def _cure_of_split(options: Config, files: Iterable[Path]) -> str:
    """Tell what would make one file of a sitemap that is split."""
    causes = ["the option 'sections'"] if options.sections else []
    causes += ["news"] if any(NEWS_FILE.search(path.stem) for path in files) else []
    if causes:
        return f"To do without {' and '.join(causes)}"
    return "Fewer pages, or higher max_urls and max_bytes,"


def _log(problems: list[Problem]) -> int:
    """Log problems as MkDocs does; return how many are warnings."""
    for problem in problems:
        if problem.severity == "notice":
            log.info(str(problem))
        else:
            log.warning(str(problem))
    return sum(problem.severity != "notice" for problem in problems)

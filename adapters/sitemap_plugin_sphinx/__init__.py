"""Sphinx: translate its build into the core's terms."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

import yaml
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.config import Config as SphinxConfig
from sphinx.environment import BuildEnvironment
from sphinx.errors import SphinxError
from sphinx.util.logging import getLogger
from sphinx.util.typing import ExtensionMetadata

from sitemap_plugin.build import build, build_nothing
from sitemap_plugin.common.files import relative_path
from sitemap_plugin.common.urls import encode_path
from sitemap_plugin.config import Config, find_base_url, parse_config
from sitemap_plugin.errors import Problem, SitemapError
from sitemap_plugin.hookspecs import hookimpl
from sitemap_plugin.models import STATIC_HTML, Page, Site

log = getLogger(__name__)

BUILDERS = frozenset({"html", "dirhtml", "readthedocs", "readthedocsdirhtml"})
LAST = 1000  # The priority of a listener that comes after those of other extensions.


class SitemapBuildError(SphinxError):
    """Fails the build with a message and no traceback."""

    category = "Sitemap error"


class SphinxPages:
    """The pages of a build, of which Sphinx may have read only some anew, as a plugin."""

    def __init__(self, app: Sphinx) -> None:
        self._env: BuildEnvironment = app.env
        self._builder: StandaloneHTMLBuilder = app.builder  # type: ignore[assignment]
        self._not_text = {self._path(str(name)) for name in (*app.env.images, *app.env.dlfiles)}

    @hookimpl
    def sitemap_pages(self, site: Site) -> Iterator[Page]:
        """Yield a page for each document; generated pages, such as indices, are none."""
        for name in sorted(self._env.found_docs):
            source = Path(self._env.doc2path(name))
            title = self._env.titles.get(name)
            yield Page(
                url=site.base_url + self._builder.get_target_uri(name),
                source=source,
                source_path=relative_path(source, self._env.srcdir),
                output=Path(self._builder.get_outfilename(name)),
                metadata=_metadata(self._env.metadata.get(name, {})),
                title=title.astext() if title else None,
                language=site.language,
                dependencies=tuple(self._dependencies(name)),
            )
        for path, output in self._static_pages(site):
            name, said = output.relative_to(site.output_dir).as_posix(), {STATIC_HTML: True}
            yield Page(site.base_url + path, None, name, output, said, language=site.language)

    def _static_pages(self, site: Site) -> Iterator[tuple[str, Path]]:
        """Yield address and file of HTML that has a template of its own, or is copied as it is."""
        for name in sorted({*self._env.config.html_additional_pages} - self._env.found_docs):
            yield self._builder.get_target_uri(name), Path(self._builder.get_outfilename(name))
        for name in sorted(extra_files(self._env.config, site.config_dir)):
            if name.endswith(".html"):
                yield encode_path(name), site.output_dir / name

    def _path(self, name: str) -> Path:
        return Path(os.path.normpath(Path(self._env.srcdir, name)))

    def _dependencies(self, name: str) -> Iterator[Path]:
        """Yield the files whose text is in a document: those it includes, and its translation."""
        config = self._env.config
        for found in sorted(map(str, self._env.dependencies.get(name, ()))):
            path = self._path(found)
            # What is installed is not written here; a catalog is compiled from its .po file.
            is_text = path not in self._not_text and path.suffix != ".mo"
            if is_text and path.name != "docutils.conf" and not path.is_relative_to(sys.prefix):
                yield path
        for folder in config.locale_dirs if config.language else ():
            path = self._path(f"{folder}/{config.language}/LC_MESSAGES/{name}.po")
            if path.is_file():
                yield path


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the option ``sitemap``, and write the sitemap when a build has finished."""
    app.add_config_value("sitemap", {}, "", types=frozenset({dict}))
    app.connect("builder-inited", _read_options)  # Before anything is built.
    app.connect("build-finished", _write, priority=LAST)
    return {
        "version": version("sitemap-plugin"),
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }


def _read_options(app: Sphinx) -> tuple[Config, list[Problem]]:
    try:
        return parse_config(app.config.sitemap, generator="sphinx")
    except SitemapError as error:
        raise SitemapBuildError(f"conf.py: sitemap: {error}") from error


def _write(app: Sphinx, exception: Exception | None) -> None:
    if exception is not None or app.builder.name not in BUILDERS:
        return
    config, problems = _read_options(app)
    url, setting = app.config.html_baseurl, "html_baseurl"
    base = find_base_url(config, url, setting=setting, generator="sphinx")
    problems += base.problems
    site = Site(
        base_url=base.url or "",
        host_url=base.host_url,
        output_dir=Path(app.outdir),
        source_dir=Path(app.srcdir),
        language=app.config.language,
        generator="sphinx",
        config=config,
        config_dir=Path(app.confdir),
    )
    report, protected = build_nothing(config, problems), extra_files(app.config, site.config_dir)
    try:
        if base.url is not None:
            report = build(site, [SphinxPages(app)], protected=protected, problems=problems)
    except SitemapError as error:
        raise SitemapBuildError(str(error)) from error
    for problem in report.problems:
        if problem.severity == "notice":
            log.info("sitemap: %s", problem)
        else:
            log.warning("sitemap: %s", problem, type="sitemap")
    log.info("sitemap: %s", report.summary())
    if report.failure:
        raise SitemapBuildError(report.failure)


def extra_files(config: SphinxConfig, folder: Path) -> set[str]:
    """Return the paths below the output folder of the files that the user puts there."""
    found: set[str] = set()
    for entry in config.html_extra_path:
        path = folder / entry
        if path.is_dir():
            found.update(each.relative_to(path).as_posix() for each in path.rglob("*"))
        else:
            found.add(path.name)
    return found


def _metadata(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return docinfo with lower-case keys; MyST writes lists and mappings into it as JSON."""
    found = {key.lower(): value for key, value in values.items()}
    for key, value in found.items():
        if isinstance(value, str) and value.startswith(("{", "[")):
            with suppress(Exception):  # PyYAML has many for what is not YAML.
                found[key] = yaml.safe_load(value)
    return found

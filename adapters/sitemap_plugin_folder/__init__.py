"""Any folder of HTML, whatever made it: find the pages and read what they say of themselves."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sitemap_plugin.build import build
from sitemap_plugin.config import parse_config
from sitemap_plugin.config.base_url import find_base_url
from sitemap_plugin.errors import SitemapError
from sitemap_plugin.models import Site
from sitemap_plugin.report import Report
from sitemap_plugin_folder.folder_files import FolderFiles, leftover_sitemaps
from sitemap_plugin_folder.folder_pages import FolderPages, read_pages
from sitemap_plugin_folder.project import Project
from sitemap_plugin_folder.redirects import read_redirects
from sitemap_plugin_folder.sources import find_sources

__all__ = ["build_folder"]

NO_PROJECT = Project()


def build_folder(  # noqa: PLR0913 - as on the command line
    folder: Path,
    base_url: object,
    settings: Mapping[str, Any],
    *,
    config_dir: Path = Path(),
    extensionless: bool = False,
    project: Project = NO_PROJECT,
) -> Report:
    """Write the sitemap of a folder that is served at ``base_url``.

    ``settings`` are the options as the user wrote them, in a file in ``config_dir``. With
    ``extensionless``, ``a.html`` is served as ``a``. ``project`` is the configuration of
    its generator. Raises
    SitemapError for settings, a folder or a base URL that cannot be used.
    """
    if not folder.is_dir():
        raise SitemapError(f"{folder}: there is no such folder; name the one that is published")
    config, problems = parse_config(settings, generator="folder")
    base = find_base_url(config, base_url, setting=project.base_url_setting, generator="folder")
    if base.url is None:
        raise SitemapError(str(base.problems[0]))
    problems += base.problems
    try:
        files = FolderFiles(folder)
    except OSError as error:
        raise SitemapError(f"{error.filename}: cannot be read ({error.strerror})") from error
    names = [path.relative_to(folder).as_posix() for path in files.pages]
    source_dir, sources = folder, dict[str, Path]()
    if config.source is not None:
        source_dir = config_dir / config.source
        if not source_dir.is_dir():
            raise SitemapError(f"source: there is no folder {source_dir}")
        sources, more = find_sources(source_dir, names, folder)
        problems += more
    written, more = read_pages(names, folder, sources, (source_dir, config_dir), project)
    redirects = read_redirects(folder)
    problems += [*more, *redirects.notices(names), *leftover_sitemaps(folder, config.filename)]
    pages = FolderPages(
        written, files, redirects, switcher=project.switcher, extensionless=extensionless
    )
    site = Site(
        base_url=base.url,
        host_url=base.host_url,
        output_dir=folder,
        source_dir=source_dir,
        language=pages.language,
        generator="folder",
        config=config,
        config_dir=config_dir,
    )
    return build(site, [pages], problems=problems, head_of=pages.head_of)

"""Any folder of HTML, whatever made it: find the pages and read what they say of themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from sitemap_plugin.build import build
from sitemap_plugin.config import parse_config
from sitemap_plugin.config.base_url import read_base_url
from sitemap_plugin.errors import SitemapError
from sitemap_plugin.html import Head, read_head
from sitemap_plugin.models import Site
from sitemap_plugin.report import Report
from sitemap_plugin_folder.files import Files
from sitemap_plugin_folder.heads import read_heads
from sitemap_plugin_folder.pages import FolderPages

__all__ = ["build_folder"]


def build_folder(  # noqa: PLR0913 - as on the command line
    folder: Path,
    base_url: str | None,
    settings: Mapping[str, Any],
    *,
    config_dir: Path = Path(),
    extensionless: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Write the sitemap of a folder that is served at ``base_url``.

    ``settings`` are the options as the user wrote them, in a file in ``config_dir``. With
    ``extensionless``, ``a.html`` is served as ``a``. ``progress`` is called with how many
    files have been read, of how many. Raises SitemapError for settings, a folder or a base URL
    that cannot be used.
    """
    if not folder.is_dir():
        raise SitemapError(f"{folder}: there is no such folder; name the one that is published")
    config, notes = parse_config(settings, generator="folder")
    base, problems = read_base_url(base_url, setting="--base-url")
    if base is None:
        raise SitemapError(str(problems[0]))
    try:
        files = Files(folder)
    except OSError as error:
        raise SitemapError(f"{error.filename}: cannot be read ({error.strerror})") from error
    heads = read_heads(files.pages, progress)
    pages = FolderPages(folder, files, heads, extensionless=extensionless)
    site = Site(
        base_url=base,
        output_dir=folder,
        source_dir=folder,
        language=pages.language,
        generator="folder",
        config=config,
        config_dir=config_dir,
    )

    def head_of(path: Path) -> Head:
        # One with nothing in it may be that of a file that cannot be read, which is to be told.
        return heads[path] if any(heads[path]) else read_head(path)

    report = build(site, [pages], head_of=head_of)
    report.problems[:0] = [*notes, *problems]
    return report

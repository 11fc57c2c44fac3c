"""Files that lie beside the sitemap when an option asks for them."""

from __future__ import annotations

from collections.abc import Collection

from sitemap_plugin.files import write_whole
from sitemap_plugin.models import Site
from sitemap_plugin.records import listed_urls
from sitemap_plugin.report import Report
from sitemap_plugin.text_sitemap import write_text_sitemap

__all__ = ["write_companions"]


def write_companions(site: Site, protected: Collection[str], report: Report) -> None:
    """Write the text sitemap and IndexNow's key file; a user's own file of that name is kept.

    Raises WriteError.
    """
    config, folder = site.config, site.output_dir
    if config.text and _is_free(_text_name(config.filename), protected, "text", report):
        locs = sorted(loc for loc, _ in listed_urls(report.files))
        files, problems = write_text_sitemap(locs, folder, config.filename, site.base_url)
        report.files.extend(files)
        report.extend(problems)
    key = config.indexnow_key
    if key and not site.preview and _is_free(f"{key}.txt", protected, "indexnow_key", report):
        # IndexNow: the file lies where the URLs lie and holds the key alone.
        write_whole(folder / f"{key}.txt", key.encode())


def _text_name(filename: str) -> str:
    return f"{filename.rpartition('.')[0]}.txt"


def _is_free(name: str, protected: Collection[str], option: str, report: Report) -> bool:
    if name not in protected:
        return True
    message = f"the site has a {name} of its own, which is kept; remove it or the option"
    report.add("warning", message, option)
    return False

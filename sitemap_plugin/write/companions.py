"""Files that lie beside the sitemap when an option asks for them."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from sitemap_plugin.common.files import explain, write_whole
from sitemap_plugin.models import Site
from sitemap_plugin.report import Report
from sitemap_plugin.write.records import listed_urls
from sitemap_plugin.write.text_sitemap import write_text_sitemap

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
    if key and not site.preview:
        _write_key(key, folder, protected, report)


def _write_key(key: str, folder: Path, protected: Collection[str], report: Report) -> None:
    """Write the file of a key: it lies where the URLs lie and holds the key alone (IndexNow).

    One that the user has made by hand serves as well.
    """
    path = folder / f"{key}.txt"
    if _content(path) == key or not _is_free(path.name, protected, "indexnow_key", report):
        return
    if path.is_file() and path.stat().st_size:
        message = (
            f"{path.name} is there already and holds something else, so it is kept; choose "
            "another key, or remove that file"
        )
        report.add("warning", message, "indexnow_key")
        return
    write_whole(path, key.encode())


def _content(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("ascii", "replace").strip()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise explain(error, path) from error


def _text_name(filename: str) -> str:
    return f"{filename.rpartition('.')[0]}.txt"


def _is_free(name: str, protected: Collection[str], option: str, report: Report) -> bool:
    if name not in protected:
        return True
    message = f"the site has a {name} of its own, which is kept; remove it or the option"
    report.add("warning", message, option)
    return False

"""Remove sitemaps that no index can list."""

from __future__ import annotations

from collections.abc import Iterable

from sitemap_plugin.commands.check.publication import Publication
from sitemap_plugin.commands.index.builds import UnfitError, read_build
from sitemap_plugin.common.files import is_ours
from sitemap_plugin.write.browser.stylesheet import remove_stylesheet
from sitemap_plugin.write.writer import remove_sitemap

__all__ = ["prune"]


def prune(publication: Publication, paths: Iterable[str]) -> list[str]:
    """Remove those sitemaps that speak for pages elsewhere, and return what was removed.

    Only what this package has written is removed, and nothing that is broken. Raises WriteError.
    """
    removed = []
    for path in paths:
        file = publication.folder / path
        try:
            if not is_ours(file):
                continue
            read_build(publication, path)
        except UnfitError as error:
            if not error.is_fault:
                remove_sitemap(file.parent, file.name)
                remove_stylesheet(file.parent, file.name, ())
                removed.append(path)
        except OSError:
            continue  # It is told where it is read to be listed.
    return removed

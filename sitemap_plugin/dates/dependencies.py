"""The files that a page is made of, beside its source."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable
from pathlib import Path

from sitemap_plugin.common.text import quoted
from sitemap_plugin.errors import Problem
from sitemap_plugin.models import Page, Site
from sitemap_plugin.pages.selection import ListedPage

MOST_FILES = 1000
"""So many files one pattern may name."""


def with_dependencies(site: Site, listed: Iterable[ListedPage]) -> tuple[list[Page], list[Problem]]:
    """Return the pages with all files they are made of as dependencies.

    These are what the page itself has, its front matter, and the rules. A path or a pattern is
    tried from the page's source and then from the configuration file; one that matches nothing is
    a warning.
    """
    problems: dict[Problem, None] = {}
    known: dict[tuple[Path, str], tuple[Path, ...]] = {}
    pages: list[Page] = []
    for item in listed:
        page = item.page
        own, ruled = item.settings.dependencies, item.effect.dependencies or ()
        if own or ruled:
            folders = [page.source.parent] if page.source else []
            found = dict.fromkeys(page.dependencies)
            for names, places in ((own, [*folders, site.config_dir]), (ruled, [site.config_dir])):
                for name in names:
                    files = _find(name, places, known)
                    found.update(dict.fromkeys(files))
                    if not files:
                        problems[_nothing(name, page if names is own else None)] = None
            page = page._replace(dependencies=tuple(found))
        pages.append(page)
    return pages, list(problems)


def _nothing(name: str, page: Page | None) -> Problem:
    message = f"{quoted(name)} matches no file"
    if page is None:
        return Problem("warning", f"{message}, from the configuration file on", "rules")
    where = "from the page's source and from the configuration file on"
    return Problem(
        "warning", f'front matter "sitemap.dependencies": {message}, {where}', page.where
    )


def _find(
    name: str, folders: Iterable[Path], known: dict[tuple[Path, str], tuple[Path, ...]]
) -> tuple[Path, ...]:
    """Return the files that a path or a pattern names in the first folder that has any."""
    for folder in folders:
        key = (folder, name)
        if key not in known:
            known[key] = tuple(_match(folder, name))
        if known[key]:
            return known[key]
    return ()


def _match(folder: Path, name: str) -> list[Path]:
    pattern = os.path.join(glob.escape(str(folder)), name)  # noqa: PTH118 - Path drops a final "/"
    try:
        names = glob.iglob(pattern, recursive=True)  # noqa: PTH207 - as rules' patterns, "../" works
        found = sorted(path for _, path in zip(range(MOST_FILES), names, strict=False))
    except (OSError, ValueError):
        return []
    return [Path(path) for path in found if os.path.isfile(path)]  # noqa: PTH113 - of many files

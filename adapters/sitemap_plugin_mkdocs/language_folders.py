"""Read Material's language switcher, where one build holds a folder for each language.

``extra.alternate`` gives folder and language of each version of the site. Material takes a reader
who switches to the page of the same path in the other folder, if there is one ("stay on page" in
its documentation), so these are the pages that correspond.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from sitemap_plugin.common.urls import is_below, join_url
from sitemap_plugin_mkdocs.versions import NO_VERSION, Version

if TYPE_CHECKING:
    from mkdocs.structure.files import File

__all__ = ["LanguageFolders"]


class Folder(NamedTuple):
    """A folder of the site, as a URL below the base that is empty or ends in ``/``."""

    path: str
    language: str


class LanguageFolders:
    """The folders that the switcher leads to.

    ``alternates`` are the items of ``extra.alternate``, whatever the user has put there.
    """

    def __init__(self, alternates: Any, base_url: str) -> None:
        found = list(_folders(alternates, base_url))
        # Two languages in a folder, or two folders of a language: it is unclear what corresponds.
        paths, languages = Counter(f.path for f in found), Counter(f.language for f in found)
        clear = [f for f in found if paths[f.path] == languages[f.language] == 1]
        self._innermost_first = sorted(clear, key=lambda folder: -len(folder.path))

    def version(self, file: File) -> Version:
        """Return what the switcher tells about a page that a user wrote."""
        url = "" if file.url == "./" else file.url
        for path, language in self._innermost_first:
            if url.startswith(path):
                return Version(language, f"alternate {url[len(path) :]}")
        return NO_VERSION


def _folders(alternates: Any, base_url: str) -> Iterator[Folder]:
    for item in alternates if isinstance(alternates, list) else ():
        link, language = (item.get(key) for key in ("link", "lang")) if _is_map(item) else (0, 0)
        if not (isinstance(link, str) and isinstance(language, str)):
            continue
        link = link.removesuffix("index.html")
        try:
            url = join_url(base_url, link if link.endswith("/") or not link else f"{link}/")
        except ValueError:
            continue
        if is_below(url, base_url):
            yield Folder(url[len(base_url) :], language)


def _is_map(value: Any) -> bool:
    return isinstance(value, Mapping)

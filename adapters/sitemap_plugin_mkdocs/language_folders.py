"""Read Material's language switcher, where one build holds a folder for each language.

``extra.alternate`` gives folder and language of each version of the site. Material takes a reader
who switches to the page of the same path in the other folder, if there is one ("stay on page" in
its documentation), so these are the pages that correspond.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from mkdocs.utils import meta

from sitemap_plugin.urls import is_below, join_url
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

    ``alternates`` are the items of ``extra.alternate``, ``default`` is the site's own language.
    """

    def __init__(self, alternates: Any, base_url: str, default: str | None) -> None:
        found = list(_folders(alternates, base_url))
        # Two languages in a folder, or two folders of a language: it is unclear what corresponds.
        paths, languages = Counter(f.path for f in found), Counter(f.language for f in found)
        clear = [f for f in found if paths[f.path] == languages[f.language] == 1]
        self._innermost_first = sorted(clear, key=lambda folder: -len(folder.path))
        self._default = default

    def versions(self, files: Collection[File]) -> dict[str, Version]:
        """Return what the switcher tells about pages that users wrote, by the files' URLs."""
        found = {file.url: self._version(file) for file in files}
        groups: defaultdict[str, list[File]] = defaultdict(list)
        for file in files:
            if key := found[file.url].translation_key:
                groups[key].append(file)
        for group in groups.values():
            languages = [found[file.url].language for file in group]
            for file in _copies(group, languages, self._default):
                found[file.url] = found[file.url]._replace(translation_key=None)
        return found

    def _version(self, file: File) -> Version:
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


def _copies(
    files: Sequence[File], languages: Sequence[str | None], default: str | None
) -> Iterator[File]:
    """Yield the versions of a page whose text is another's, word for word: nobody translated them.

    The one in the site's own language is the original. An empty text tells nothing: such a page is
    made by its template.
    """
    if len(files) < 2:  # noqa: PLR2004 - nothing to compare
        return
    texts = [meta.get_data(file.content_string)[0].strip() for file in files]
    times = Counter(texts)
    for file, language, text in zip(files, languages, texts, strict=True):
        if text and times[text] > 1 and language != default:
            yield file

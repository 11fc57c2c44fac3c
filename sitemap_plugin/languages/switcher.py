"""Folders of languages that a site's language switcher (``extra.alternate``) leads to.

Each item gives the folder and the language of one version of the site. Material takes a reader who
switches to the page of the same path in the other folder, if there is one ("stay on page" in its
documentation), so these are the pages that correspond.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sitemap_plugin.common.files import read_file
from sitemap_plugin.common.urls import is_below, join_url
from sitemap_plugin.models import Page

_FRONT_MATTER = re.compile(r"\A-{3}[ \t]*\n.*?\n(?:\.{3}|-{3})[ \t]*\n", re.DOTALL)
_LIMIT = 1 << 24


class LanguageFolder(NamedTuple):
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

    def version(self, path: str) -> tuple[str, str] | None:
        """Return language and translation key of the page at a URL's path below the base."""
        for folder, language in self._innermost_first:
            if path.startswith(folder):
                return language, f"alternate {path[len(folder) :]}"
        return None


def unclaim_copies(pages: Collection[Page], original: str | None) -> Iterator[Page]:
    """Yield the pages; copies no longer have anything in common with their original.

    A version that nobody has translated yet has the text of another one, word for word. Of versions
    with the same text, the one in the language ``original`` stays what it is. Versions without a
    text, or with templates of their own, may differ all the same.
    """
    groups: defaultdict[str, list[Page]] = defaultdict(list)
    for page in pages:
        if page.translation_key is not None:
            groups[page.translation_key].append(page)
    copies = {page.url for group in groups.values() for page in _copies(group, original)}
    for page in pages:
        yield page._replace(translation_key=None) if page.url in copies else page


def _folders(alternates: Any, base_url: str) -> Iterator[LanguageFolder]:
    for item in alternates if isinstance(alternates, list) else ():
        given = item if isinstance(item, Mapping) else {}
        link, language = given.get("link"), given.get("lang")
        if not (isinstance(link, str) and isinstance(language, str)):
            continue
        link = link.removesuffix("index.html")
        try:
            url = join_url(base_url, link if link.endswith("/") or not link else f"{link}/")
        except ValueError:
            continue
        if is_below(url, base_url):
            yield LanguageFolder(url[len(base_url) :], language)


def _copies(versions: Sequence[Page], original: str | None) -> Iterator[Page]:
    if len(versions) < 2:  # noqa: PLR2004 - nothing to compare
        return
    contents = [(_text(page), str(page.metadata.get("template"))) for page in versions]
    times = Counter(contents)
    for page, content in zip(versions, contents, strict=True):
        if content[0] and times[content] > 1 and page.language != original:
            yield page


def _text(page: Page) -> str:
    """Return what the source file says below its front matter; nothing if it cannot be read."""
    try:
        data = read_file(page.source, limit=_LIMIT) if page.source else b""
    except OSError:
        return ""
    text = data.decode("utf-8-sig", "replace").replace("\r\n", "\n")
    return _FRONT_MATTER.sub("", text, count=1).strip()

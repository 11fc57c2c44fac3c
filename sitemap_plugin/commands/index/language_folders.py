"""Which folders hold which languages, and which pages correspond across them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from sitemap_plugin.commands.check.publication import Publication
from sitemap_plugin.commands.index.builds import Build
from sitemap_plugin.common.urls import is_below, join_url, path_below
from sitemap_plugin.errors import Problem
from sitemap_plugin.html import Head, read_head
from sitemap_plugin.languages import X_DEFAULT, normalize

__all__ = ["LanguageFolder", "Languages", "find_languages"]

_TWO_LETTERS = 2


class LanguageFolder(NamedTuple):
    """A folder in one language, by its URL.

    ``common`` stands for its URL in the keys of its pages; it has no other language in it.
    """

    url: str
    code: str
    common: str

    def key(self, loc: str) -> str:
        """Return the key that a page shares with its translations."""
        return self.common + loc[len(self.url) :]


class Languages(NamedTuple):
    """The folders of languages, the innermost first, and the language of what lies in none."""

    folders: tuple[LanguageFolder, ...]
    default: str | None
    problems: tuple[Problem, ...] = ()

    def folder_of(self, loc: str) -> LanguageFolder | None:
        """Return the folder of a page."""
        return next((folder for folder in self.folders if loc.startswith(folder.url)), None)


def find_languages(
    publication: Publication, builds: Sequence[Build], base_url: str, names: Mapping[str, str]
) -> Languages:
    """Find out the languages of builds, one for each folder.

    ``names`` is the option ``languages``, which is asked first. Then Material's language switcher
    (``extra.alternate``), which every home page names in its head, then the folders' own names. A
    build around them is in the language that its home page says it is in.
    """
    urls = sorted({build.folder_url for build in builds})
    heads = {url: _read_home(publication, url) for url in urls}
    switcher = _read_switchers(heads)
    folders: dict[str, LanguageFolder] = {}
    for url in urls:
        told = _named(url, base_url, names, told_only=True) or _switched(url, switcher, base_url)
        folder = told or _named(url, base_url, names)
        if folder:
            folders.setdefault(folder.url, folder)
    folders.update(_around(folders, heads, names))
    outside = {folder.code for folder in folders.values() if folder.url == folder.common}
    default = outside.pop() if len(outside) == 1 else None
    if base_url in folders:
        default = folders[base_url].code
    ordered = sorted(folders.values(), key=lambda folder: (-len(folder.url), folder.url))
    problems = tuple(_contradictions(ordered, heads, base_url, names))
    return Languages(tuple(ordered), default or _led_to(publication, ordered, base_url), problems)


def _around(
    folders: Mapping[str, LanguageFolder], heads: Mapping[str, Head], names: Mapping[str, str]
) -> Iterator[tuple[str, LanguageFolder]]:
    """Yield the builds beside the folders of languages, by the languages of their home pages."""
    common = {folder.common for folder in folders.values()}
    inner = [folder.url for folder in folders.values() if folder.url != folder.common]
    for url, head in heads.items():
        is_beside = any(is_below(url, above) for above in common)
        if url in folders or not is_beside or any(url.startswith(folder) for folder in inner):
            continue
        code = normalize(head.language or "", names).code
        if code:
            yield url, LanguageFolder(url, code, url)


def _read_home(publication: Publication, url: str) -> Head:
    located = publication.find(url)
    if located is None or not located.is_page:
        return Head()
    try:
        return read_head(publication.folder / located.path)
    except OSError:
        return Head()


def _read_switchers(heads: Mapping[str, Head]) -> dict[str, str]:
    """Return the language of each folder that a switcher leads to, if all switchers agree."""
    found: dict[str, set[str]] = {}
    for url, head in heads.items():
        for code, href in head.alternates:
            target = head.resolve(url, href)
            own = normalize(code).code
            if target is not None and target in heads and own and own != X_DEFAULT:
                found.setdefault(target, set()).add(own)
    return {target: codes.pop() for target, codes in found.items() if len(codes) == 1}


def _switched(url: str, switcher: Mapping[str, str], base_url: str) -> LanguageFolder | None:
    code = switcher.get(url)
    if code is None or len(switcher) < _TWO_LETTERS:
        return None
    is_around = url == base_url or any(is_below(other, url) for other in switcher if other != url)
    return LanguageFolder(url, code, url if is_around else join_url(url, ".."))


def _named(
    url: str, base_url: str, names: Mapping[str, str], *, told_only: bool = False
) -> LanguageFolder | None:
    """Return the outermost folder on the way to a build that is called like a language.

    With ``told_only``, its name has to be among those in the option.
    """
    told = {_fold(name) for name in names}
    common = base_url
    for name in Path(path_below(url, base_url)).parts:
        inside = url[: url.index("/", len(common)) + 1]
        code = normalize(name, names).code
        primary = (code or "").partition("-")[0]
        is_code = len(primary) == _TWO_LETTERS and _fold(name).partition("-")[0] == primary
        if code and (_fold(name) in told or (is_code and not told_only)):
            return LanguageFolder(inside, code, common)
        common = inside
    return None


def _fold(name: str) -> str:
    return name.replace("_", "-").lower()


def _led_to(
    publication: Publication, folders: Iterable[LanguageFolder], base_url: str
) -> str | None:
    """Return the language of the folder that the page at the root leads to."""
    head = _read_home(publication, base_url)
    target = head.resolve(base_url, head.refresh) if head.refresh else None
    return next((item.code for item in folders if target and is_below(target, item.url)), None)


def _contradictions(
    folders: Iterable[LanguageFolder],
    heads: Mapping[str, Head],
    base_url: str,
    names: Mapping[str, str],
) -> Iterator[Problem]:
    """Yield what to say where pages say that they are in another language than their folder."""
    for folder in folders:
        said = heads[folder.url].language if folder.url in heads else None
        code = normalize(said or "", names).code
        if code and code.partition("-")[0] != folder.code.partition("-")[0]:
            message = (
                f"is taken for the folder of the language {folder.code}, but its home page says "
                f"lang={said!r}; correct the theme's language, or name the folder's in 'languages'"
            )
            yield Problem("warning", message, path_below(folder.url, base_url) or base_url)

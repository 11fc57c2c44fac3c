"""Folders of languages: a language switcher leads to them, or they are named after a language.

Pages of the same path in such folders are translations of each other, but for those that repeat
another one word for word: nobody has translated them yet.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain
from pathlib import Path
from typing import Any, TypeVar

from sitemap_plugin.common.files import read_file
from sitemap_plugin.common.urls import is_below, join_url, path_below
from sitemap_plugin.errors import or_none
from sitemap_plugin.languages.codes import normalize
from sitemap_plugin.models import Page, Site

_FRONT_MATTER = re.compile(r"\A-{3}[ \t]*\n.*?\n(?:\.{3}|-{3})[ \t]*\n", re.DOTALL)
_LIMIT = 1 << 24
"""Bytes of a page that is compared with its translations."""

_Version = TypeVar("_Version")


class LanguageFolders:
    """The folders that the items of ``extra.alternate`` lead to, whatever the user has put there.

    Material takes a reader who switches to the page of the same path in the other folder, if there
    is one ("stay on page" in its documentation), so these are the pages that correspond.
    """

    def __init__(self, alternates: Any, base_url: str) -> None:
        found = list(_switched(alternates, base_url))
        # Two languages in a folder, or two folders of a language: it is unclear what corresponds.
        times = Counter(name for folder in found for name in set(enumerate(folder)))
        clear = [each for each in found if times[0, each[0]] == times[1, each[1]] == 1]
        self._innermost_first = sorted(clear, key=lambda folder: -len(folder[0]))

    def version(self, path: str) -> tuple[str, str] | None:
        """Return language and translation key of the page at a URL's path below the base."""
        found = (each for each in self._innermost_first if path.startswith(each[0]))
        return next(((code, f"alternate {path.removeprefix(name)}") for name, code in found), None)


def _switched(alternates: Any, base_url: str) -> Iterator[tuple[str, str]]:
    """Yield paths below the base, which are empty or end in ``/``, with their languages."""
    for item in alternates if isinstance(alternates, list) else ():
        match item:
            case {"link": str(link), "lang": str(language)}:
                link = link.removesuffix("index.html")
                folder = link if link.endswith("/") or not link else f"{link}/"
                url = or_none(join_url, base_url, folder)
                if url and is_below(url, base_url):
                    yield url[len(base_url) :], language


def unclaim_copies(pages: Collection[Page], original: str | None) -> Iterator[Page]:
    """Yield the pages; copies no longer have anything in common with their original.

    Of versions with the same source, that in the language ``original`` is the original. Versions
    with templates of their own may differ all the same.
    """
    groups: defaultdict[str | None, list[tuple[Page, str | None]]] = defaultdict(list)
    for page in pages:
        groups[page.translation_key].append((page, page.language))
    groups.pop(None, None)
    found = (_copies(versions, original, _source_text) for versions in groups.values())
    copies = {page.url for page in chain.from_iterable(found)}
    for page in pages:
        yield page._replace(translation_key=None) if page.url in copies else page


def _source_text(page: Page) -> str:
    """Return what a source says below its front matter, with the template that shows it."""
    data = _read(page.source, ()).decode("utf-8-sig", "replace").replace("\r\n", "\n")
    text = _FRONT_MATTER.sub("", data, count=1).strip()
    return text and f"{page.metadata.get('template')} {text}"


def path_keys(
    site: Site, pages: Mapping[int, tuple[Page, str]], default: str | None
) -> dict[int, str]:
    """Return what the paths of translations have in common: option ``translations_by_path``.

    Generators such as Astro and VitePress write each language into a folder (``de/guide/`` beside
    ``guide/`` or ``en/guide/``). ``pages`` are those that say a language, with its code, by their
    numbers. Those in the folder of another language have no translations.
    """
    known = {
        number: (path_below(page.url, site.base_url), code)
        for number, (page, code) in pages.items()
        if is_below(page.url, site.base_url)
    }
    folders = _language_folders(known.values(), site.config.languages)
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for number, (path, code) in known.items():
        folder = next((each for each in _folders(path) if each in folders), None)
        if folder is None:
            groups[path].append(number)
        elif f"{code}-".startswith(f"{folders[folder]}-"):
            groups[re.sub("[^/]+/$", "", folder) + path.removeprefix(folder)].append(number)

    # Adapters import this module, and few sites ask for this.
    from sitemap_plugin.html.content import main_text  # noqa: PLC0415

    def text(number: int) -> str:
        return main_text(_read(pages[number][0].output, (site.output_dir,)), targets=False)

    versions = ([(number, known[number][1]) for number in group] for group in groups.values())
    copies = {number for some in versions for number in _copies(some, default, text)}
    return {n: key for key, group in groups.items() for n in group if n not in copies}


def _language_folders(pages: Iterable[tuple[str, str]], names: Mapping[str, str]) -> dict[str, str]:
    """Return the folders that are named after the language of a page in them, with their codes."""
    folders: dict[str, str] = {}
    for path, code in pages:
        for folder in _folders(path):
            if folder in folders:
                break
            named = normalize(folder.split("/")[-2], names).code
            if named and f"{code}-".startswith(f"{named}-"):
                folders[folder] = named
                break
    return folders


def _folders(path: str) -> Iterable[str]:
    """Return the folders that a path lies in, the outermost first."""
    return accumulate(f"{name}/" for name in path.split("/")[:-1])


def _copies(
    versions: Sequence[tuple[_Version, str | None]],
    original: str | None,
    text_of: Callable[[_Version], str],
) -> Iterator[_Version]:
    """Yield the versions whose text another one has too, but not those in the original language."""
    if len(versions) < 2:  # noqa: PLR2004 - nothing to compare
        return
    texts = [text_of(version) for version, _ in versions]
    times = Counter(texts)
    for (version, language), text in zip(versions, texts, strict=True):
        if text and times[text] > 1 and language != original:
            yield version


def _read(path: Path | None, within: Sequence[Path]) -> bytes:
    """Return what a file holds, nothing if it cannot be read."""
    try:
        return read_file(path, limit=_LIMIT, within=within) if path else b""
    except OSError:
        return b""

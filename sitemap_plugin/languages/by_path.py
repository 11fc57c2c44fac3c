"""Match translations by their paths: the option ``translations_by_path``.

Generators such as Astro and VitePress write each language into a folder (``de/guide/`` beside
``guide/`` or ``en/guide/``) and say its language in ``<html lang>``. A folder is one of a language
where its name is the language of a page in it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from sitemap_plugin.common.files import read_file
from sitemap_plugin.common.urls import is_below, path_below
from sitemap_plugin.html.content import main_text
from sitemap_plugin.languages.codes import normalize
from sitemap_plugin.languages.page_languages import PageLanguages
from sitemap_plugin.models import Page, Site

_LIMIT = 1 << 24
"""Bytes of a page that is compared with its translations."""


def path_keys(languages: PageLanguages) -> dict[int, str]:
    """Return what the paths of translations have in common, by the number of the page.

    Pages outside every language folder count as the language that they say; pages in one that say
    another language, and word-for-word copies, have no translations.
    """
    site = languages.site
    pages: dict[int, tuple[str, str]] = {}
    for number, (page, *_) in enumerate(languages.listed):
        language = languages.own(number) if page.output and not page.fallback else None
        if language and language.code and is_below(page.url, site.base_url):
            pages[number] = (path_below(page.url, site.base_url), language.code)
    folders = _language_folders(pages.values(), site.config.languages)
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for number, (path, code) in pages.items():
        folder = next((each for each in _folders(path) if each in folders), None)
        if folder is None:
            groups[path].append(number)
        elif _says(code, folders[folder]):
            outer = folder.rstrip("/").rpartition("/")
            groups[outer[0] + outer[1] + path[len(folder) :]].append(number)
    return {
        number: key
        for key, numbers in groups.items()
        if len(numbers) > 1
        for number in _translated(numbers, languages, pages)
    }


def _language_folders(pages: Iterable[tuple[str, str]], names: Mapping[str, str]) -> dict[str, str]:
    """Return the folders that are named after the language of a page in them, with their codes."""
    folders: dict[str, str] = {}
    for path, code in pages:
        for folder in _folders(path):
            if folder in folders:
                break
            named = normalize(folder.rstrip("/").rpartition("/")[2], names).code
            if named and _says(code, named):
                folders[folder] = named
                break
    return folders


def _folders(path: str) -> Iterator[str]:
    """Yield the folders that a path lies in, the outermost first."""
    end = path.find("/") + 1
    while end:
        yield path[:end]
        end = path.find("/", end) + 1


def _says(code: str, language: str) -> bool:
    return code == language or code.startswith(f"{language}-")


def _translated(
    numbers: Sequence[int], languages: PageLanguages, pages: Mapping[int, tuple[str, str]]
) -> Iterator[int]:
    """Yield the pages that repeat no other one; that in the default language stays."""
    default = languages.default()
    texts = {number: _text(languages.listed[number].page, languages.site) for number in numbers}
    times = Counter(texts.values())
    for number, text in texts.items():
        if not text or times[text] == 1 or (default and pages[number][1] == default.code):
            yield number


def _text(page: Page, site: Site) -> str:
    """Return what a reader reads of a page, nothing if it cannot be read."""
    if page.output is None:
        return ""
    try:
        data = read_file(page.output, limit=_LIMIT, within=(site.output_dir,))
    except OSError:
        return ""
    return main_text(data, targets=False)

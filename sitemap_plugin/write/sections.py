"""Which entries go into which file: sections, news, and the names of files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sitemap_plugin.common.urls import path_below
from sitemap_plugin.dates.parse import build_time
from sitemap_plugin.describe.media import is_recent
from sitemap_plugin.errors import ConfigError, WriteError
from sitemap_plugin.models import Entry, Page, Site

_NEWS_NAME = re.compile(r"news(?:-\d+)?", re.ASCII | re.IGNORECASE)


class Section(NamedTuple):
    """Entries in the order of their URLs that go into files of their own.

    ``label`` is what their files are called after the sitemap's own name. ``prefixes`` are those of
    the namespaces that the entries use (``xhtml image news video``). ``is_repeated`` tells that the
    entries are listed in another section, too: news that are new.
    """

    label: str
    entries: Iterable[Entry]
    prefixes: frozenset[str] = frozenset()
    is_repeated: bool = False

    @classmethod
    def of(cls, label: str, entries: Sequence[Entry], *, is_repeated: bool = False) -> Section:
        """Make a section, and find out which namespaces it uses."""
        used = {
            "xhtml": any(entry.alternates for entry in entries),
            "image": any(entry.images for entry in entries),
            "news": any(entry.news for entry in entries),
            "video": any(entry.videos for entry in entries),
        }
        prefixes = frozenset(prefix for prefix, is_used in used.items() if is_used)
        return cls(label, entries, prefixes, is_repeated)


def sort_into_sections(site: Site, rows: Sequence[tuple[Page, Entry]]) -> list[Section]:
    """Return what goes into which file, given pages and their entries, sorted by URL.

    A page belongs to the first section whose patterns match it. Articles that are new are listed
    once more as news. Raises ConfigError for a section with the name that the files of news have.
    """
    has_news = site.config.news is not None or any(entry.news for _, entry in rows)
    found: dict[str | None, list[Entry]] = {name: [] for name in (*site.config.sections, None)}
    if has_news:
        message = "the site has news, and their files are called so; choose another name"
        taken = filter(_NEWS_NAME.fullmatch, site.config.sections)
        if problems := [f"sections.{name}: {message}" for name in taken]:
            raise ConfigError(problems)
    now = build_time()
    news = []
    for page, entry in rows:
        if entry.news and is_recent(entry.news, now):
            news.append(Entry(entry.loc, entry.lastmod, news=entry.news))
        listed = entry.replace(news=None) if entry.news else entry
        found[_section(site, page, entry)].append(listed)
    label = "pages" if has_news or site.config.sections else ""
    sections = [Section.of(name, found[name]) for name in site.config.sections]
    sections.append(Section.of(label, found[None]))
    if has_news:
        sections.append(Section.of("news", news, is_repeated=True))
    return sections


def _section(site: Site, page: Page, entry: Entry) -> str | None:
    sections = site.config.sections
    if not sections:
        return None
    url_path = path_below(entry.loc, site.base_url)
    source = page.source_path
    return next((name for name, some in sections.items() if some.match(source, url_path)), None)


def name_files(filename: str, labels: Sequence[str]) -> Iterator[str]:
    """Name files after the sitemap: ``sitemap-blog-1.xml``, ``sitemap-2.xml``.

    ``labels`` has one for each file. A file that is alone with its label has no number. Raises
    WriteError when two would have one name.
    """
    stem, dot, suffix = filename.rpartition(".")
    total, numbers = Counter(labels), Counter[str]()
    taken = set()
    for label in labels:
        numbers[label] += 1
        name = f"{stem}-{label}" if label else stem
        if total[label] > 1:
            name += f"-{numbers[label]}"
        if name.casefold() in taken:
            raise WriteError(f"two sections would both be written to {name}{dot}{suffix}")
        taken.add(name.casefold())
        yield f"{name}{dot}{suffix}"

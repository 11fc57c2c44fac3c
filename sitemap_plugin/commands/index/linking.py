"""Join the translations of pages across builds, each of which knows its own pages only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from sitemap_plugin.commands.index.builds import Build
from sitemap_plugin.commands.index.language_folders import Languages
from sitemap_plugin.commands.index.rewriting import ReadSitemap, read_entries, rewrite
from sitemap_plugin.common.urls import is_below, path_below
from sitemap_plugin.config import Config
from sitemap_plugin.errors import Problem, SitemapError
from sitemap_plugin.languages import X_DEFAULT
from sitemap_plugin.languages.links import link_translations
from sitemap_plugin.models import Alternate, Entry, Page, Site
from sitemap_plugin.pages.selection import ListedPage
from sitemap_plugin.report import Report

__all__ = ["Linked", "link_builds", "link_entries"]

_MOST_NAMED = 5


class Linked(NamedTuple):
    """The builds as they are now, which were rewritten, and what to say about it.

    ``folders`` are those of languages in which a page has a translation, with their languages.
    """

    builds: tuple[Build, ...]
    rewritten: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    folders: Mapping[str, str] = MappingProxyType({})


def link_builds(  # noqa: PLR0913 - keyword-only, as on the command line
    folder: Path,
    builds: Sequence[Build],
    languages: Languages,
    *,
    base_url: str,
    config: Config,
    keys: Mapping[str, str],
    force: bool,
) -> Linked:
    """Give all pages that are translations of each other the same links, and rewrite their files.

    ``keys`` are the translation keys of pages that have one, by URL. Raises SitemapError, before
    anything is written, if a file would have to be rewritten that cannot be without a loss, or,
    without ``force``, one that this package did not write.
    """
    read = {
        sitemap.url: read_entries(folder, sitemap) for build in builds for sitemap in build.sitemaps
    }
    # News are listed once more for themselves, without links.
    listed = {
        entry.loc: entry for sitemap in read.values() for entry in sitemap.entries if not entry.news
    }
    report = Report()
    linked = link_entries(
        listed.values(), languages, base_url=base_url, config=config, keys=keys, report=report
    )
    links = {entry.loc: entry.alternates for entry in linked}
    changed = [build for build in builds if _differs(build, read, links)]
    _refuse([read[sitemap.url] for build in changed for sitemap in build.sitemaps], force=force)
    problems = list(report.problems)
    outcome = []
    for build in builds:
        if build in changed:
            entries = {
                sitemap.url: [
                    entry if entry.news else entry._replace(alternates=links[entry.loc])
                    for entry in read[sitemap.url].entries
                ]
                for sitemap in build.sitemaps
            }
            build, more = rewrite(folder, build, entries, config)  # noqa: PLW2901 - it is the same build
            problems += more
        outcome.append(build)
    found = (languages.folder_of(loc) for loc, alternates in links.items() if alternates)
    folders = {path_below(f.url, base_url) or "/": f.code for f in found if f}
    rewritten = tuple(build.path for build in changed)
    return Linked(tuple(outcome), rewritten, tuple(problems), folders)


def link_entries(  # noqa: PLR0913 - keyword-only
    entries: Iterable[Entry],
    languages: Languages,
    *,
    base_url: str,
    config: Config,
    keys: Mapping[str, str],
    report: Report,
) -> list[Entry]:
    """Return the entries in the order of their URLs, with links to all of their translations.

    Links that they have already join sets too; those to pages of this site that no sitemap lists
    are dropped.
    """
    ordered = sorted(entries, key=lambda entry: entry.loc)
    known = {entry.loc: _language(entry, languages) for entry in ordered}
    pages = [_page(entry, languages, known, base_url, keys) for entry in ordered]
    bare = [entry._replace(alternates=()) for entry in ordered]
    site = Site(base_url, language=languages.default, config=config)
    listed = [ListedPage(page) for page in pages]
    linked, problems = link_translations(site, listed, bare, ())
    report.extend(problems)
    return linked


def _language(entry: Entry, languages: Languages) -> str | None:
    """Return a page's language: its folder's, unless its own link says the same more exactly."""
    folder = languages.folder_of(entry.loc)
    codes = (code for code, href in entry.alternates if href == entry.loc)
    own = next((code for code in codes if code.lower() != X_DEFAULT), None)
    if folder is None:
        return own
    return own if own and own.startswith(f"{folder.code}-") else folder.code


def _page(
    entry: Entry,
    languages: Languages,
    known: Mapping[str, str | None],
    base_url: str,
    keys: Mapping[str, str],
) -> Page:
    folder = languages.folder_of(entry.loc)
    metadata: dict[str, object] = {}
    declared = dict(_declared(entry, known, base_url))
    if declared:
        metadata["translations"] = declared
    if entry.loc in keys:
        metadata["translation_key"] = keys[entry.loc]
    return Page(
        entry.loc,
        metadata=metadata,
        language=known[entry.loc],
        translation_key=folder.key(entry.loc) if folder else None,
    )


def _declared(entry: Entry, known: Mapping[str, str | None], base_url: str) -> Iterable[Alternate]:
    """Yield the links of an entry that still hold.

    A link to a listed page is under the code that this page has now. An x-default that is one of
    the versions is left out, since the option decides about it anew.
    """
    versions = {href for code, href in entry.alternates if code.lower() != X_DEFAULT}
    for code, href in entry.alternates:
        if code.lower() == X_DEFAULT:
            if href not in versions and (href in known or not is_below(href, base_url)):
                yield Alternate(X_DEFAULT, href)
        elif href in known:
            yield Alternate(known[href] or code, href)
        elif not is_below(href, base_url):
            yield Alternate(code, href)


def _differs(
    build: Build, read: Mapping[str, ReadSitemap], links: Mapping[str, tuple[Alternate, ...]]
) -> bool:
    return any(
        not entry.news and sorted(entry.alternates) != list(links[entry.loc])
        for sitemap in build.sitemaps
        for entry in read[sitemap.url].entries
    )


def _refuse(read: Sequence[ReadSitemap], *, force: bool) -> None:
    losses = [f"{item.sitemap.path}, because {item.loss}" for item in read if item.loss]
    if losses:
        raise SitemapError(
            f"--link-translations cannot rewrite {_some(losses)}; build it again with this "
            "plugin, or leave it out with --skip. Nothing has been changed"
        )
    foreign = [item.sitemap.path for item in read if not item.is_ours]
    if foreign and not force:
        raise SitemapError(
            "--link-translations would rewrite sitemaps that this plugin did not write: "
            f"{_some(foreign)}; build them with this plugin, or give --force too, which keeps "
            "the old ones as .bak. Nothing has been changed"
        )


def _some(names: Sequence[str]) -> str:
    more = [f"and {len(names) - _MOST_NAMED} more"] if len(names) > _MOST_NAMED else []
    return ", ".join([*names[:_MOST_NAMED], *more])

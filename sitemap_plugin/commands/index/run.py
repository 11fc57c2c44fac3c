"""Write one root index over the sitemaps of several builds that share a host."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sitemap_plugin.commands.check.run import check
from sitemap_plugin.commands.index.gathering import Gathered, gather
from sitemap_plugin.commands.index.language_folders import find_languages
from sitemap_plugin.commands.index.linking import Linked, link_builds
from sitemap_plugin.commands.index.naming import choose_name, stale_files
from sitemap_plugin.commands.index.outcome import Outcome
from sitemap_plugin.commands.index.placing import place_index, remove_index
from sitemap_plugin.commands.index.pruning import prune
from sitemap_plugin.commands.index.request import Request
from sitemap_plugin.commands.index.translation_keys import read_keys
from sitemap_plugin.common.urls import is_host_root
from sitemap_plugin.config import Config, parse_config
from sitemap_plugin.errors import Problem, SitemapError
from sitemap_plugin.models import Lastmod
from sitemap_plugin.write.robots_line import RobotsResult, has_sitemap_line, update_robots

__all__ = ["write_root_index"]

Children = list[tuple[str, Lastmod | None]]


def write_root_index(folder: Path, request: Request) -> Outcome:
    """Write the root index of a folder, and its line in robots.txt; check what it lists.

    The sitemaps of the builds stay as they are, unless their translations are to be linked. Raises
    SitemapError, after which the old index is as it was.
    """
    if not folder.is_dir():
        raise SitemapError(f"{folder}: there is no such folder; name the one that is published")
    config, notes = parse_config(request.settings, generator="folder")
    found = gather(folder, request)
    wanted = config.filename if "filename" in request.settings else None
    path = folder / choose_name(wanted, found.earlier, found.candidates)
    linked = _link(found, config, request) if request.link else Linked(found.builds)
    sitemaps = {sitemap.url: sitemap for build in linked.builds for sitemap in build.sitemaps}
    elsewhere = dict.fromkeys(request.also_urls)
    children = sorted({**elsewhere, **{url: its.newest for url, its in sitemaps.items()}}.items())
    problems = [*notes, *found.problems, *linked.problems, *_others(found, children, path.name)]
    problems += place_index(path, children, gzip=config.gzip, with_stylesheet=config.stylesheet)
    robots, more = _update_robots(found, path, config)
    problems += [*more, *_remove_stale(found, path)]
    return Outcome(
        path=path,
        base_url=found.base_url,
        children=children,
        entries=sum(sitemap.entries for sitemap in sitemaps.values()),
        left_out=found.left_out,
        removed=prune(found.publication, found.left_out) if request.prune else (),
        rewritten=linked.rewritten,
        languages=linked.folders if request.link else None,
        problems=problems,
        # What is not in the folder cannot be checked.
        findings=check(path, base_url=found.base_url, ignored=("index-child-missing",)).findings,
        robots=robots,
    )


def _link(found: Gathered, config: Config, request: Request) -> Linked:
    publication, base_url = found.publication, found.base_url
    languages = find_languages(publication, found.builds, base_url, config.languages)
    if len({folder.code for folder in languages.folders}) < 2:  # noqa: PLR2004 - one has no translations
        raise SitemapError(
            f"--link-translations: {publication.folder} has no folders of several languages; call "
            "them by their codes ('de'), set extra.alternate in each build, or name them in the "
            "option 'languages'"
        )
    linked = link_builds(
        publication.folder,
        found.builds,
        languages,
        base_url=base_url,
        config=config,
        keys=read_keys(request.reports),
        force=request.force,
    )
    return linked._replace(problems=(*languages.problems, *linked.problems))


def _others(found: Gathered, children: Children, name: str) -> Iterator[Problem]:
    """Yield what to say about indexes at the root that somebody else has written."""
    urls = {url for url, _ in children}
    for index in found.earlier:
        if index.is_ours:
            continue
        if index.name != name:
            message = f"is an index too, and is left as it is; remove it, now that {name} is there"
            yield Problem("notice", message, index.name)
        for loc in index.locs:
            if loc not in urls and found.publication.find(loc) is None:
                message = f"lists {loc} too, which is not in this folder; --also {loc} keeps it"
                yield Problem("notice", message, index.name)


def _update_robots(
    found: Gathered, path: Path, config: Config
) -> tuple[RobotsResult, list[Problem]]:
    at_root = is_host_root(found.base_url)
    url = found.base_url + path.name
    result = update_robots(path.parent, url, config.robots, at_host_root=at_root)
    return result, [Problem("notice", result.message, "robots.txt")] if result.message else []


def _remove_stale(found: Gathered, path: Path) -> Iterator[Problem]:
    """Remove the index that was written under another name; tell if robots.txt still has that."""
    robots = path.parent / "robots.txt"
    for stale in stale_files(path.parent, found.earlier, path.name):
        remove_index(stale)
        url = found.base_url + stale.name
        if robots.is_file() and has_sitemap_line(robots.read_bytes(), url):
            yield Problem("notice", f"still names {url}; remove that line", "robots.txt")

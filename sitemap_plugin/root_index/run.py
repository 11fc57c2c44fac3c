"""Write one root index over the sitemaps of several builds that share a host."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_plugin.base_url import read_base_url
from sitemap_plugin.check.document import sample_locs
from sitemap_plugin.check.publication import Publication
from sitemap_plugin.check.run import check
from sitemap_plugin.checks import Findings as Complaints
from sitemap_plugin.checks import patterns
from sitemap_plugin.config import Config, parse_config
from sitemap_plugin.errors import ConfigError, SitemapError
from sitemap_plugin.models import Lastmod
from sitemap_plugin.patterns import Patterns
from sitemap_plugin.report import Problem
from sitemap_plugin.robots import has_sitemap_line, update_robots
from sitemap_plugin.root_index.address import find_base_url
from sitemap_plugin.root_index.builds import Build, UnfitError, read_build
from sitemap_plugin.root_index.discovery import OTHER_VERSION, SKIPPED, Discovery, discover
from sitemap_plugin.root_index.language_folders import Languages, find_languages
from sitemap_plugin.root_index.linking import Linked, link_builds
from sitemap_plugin.root_index.naming import Earlier, choose_name, find_earlier, stale_files
from sitemap_plugin.root_index.outcome import Outcome
from sitemap_plugin.root_index.placing import place_index, remove_index
from sitemap_plugin.root_index.translation_keys import read_keys
from sitemap_plugin.urls import is_below, is_host_root

__all__ = ["Request", "write_root_index"]

_ABSOLUTE = ("http://", "https://")
_BROKEN = "broken"


@dataclass(frozen=True, kw_only=True)
class Request:
    """What the user asks for; the fields are those of the command line.

    ``settings`` are options as in a configuration. ``also`` are paths below the folder, and URLs of
    sitemaps that are deployed from elsewhere; ``skip`` are patterns of sitemaps to leave out;
    ``reports`` are the builds' reports, for their translation keys.
    """

    base_url: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    versions: Sequence[str] = ()
    also: Sequence[str] = ()
    skip: Sequence[str] = ()
    link: bool = False
    force: bool = False
    reports: Sequence[Path] = ()


class _Children(NamedTuple):
    """The builds that the index may list, why others are left out, and what to say about it."""

    builds: list[Build]
    left_out: dict[str, str]
    problems: list[Problem]


def write_root_index(folder: Path, request: Request) -> Outcome:
    """Write the root index of a folder, and its line in robots.txt; check what it lists.

    The sitemaps of the builds stay as they are, unless their translations are to be linked. Raises
    SitemapError, after which the old index is as it was.
    """
    if not folder.is_dir():
        raise SitemapError(f"{folder}: there is no such folder; name the one that is published")
    config, problems = parse_config(request.settings, generator="folder")
    publication = Publication(folder)
    urls = [item for item in request.also if item.startswith(_ABSOLUTE)]
    paths = [item for item in request.also if not item.startswith(_ABSOLUTE)]
    found = discover(publication, request.versions, _patterns(request.skip), paths)
    base_url, more = _base_url(publication, found, request.base_url)
    problems += more
    publication.publish(base_url)

    earlier = find_earlier(publication, found.paths, base_url)
    others = [path for path in found.paths if path not in {index.name for index in earlier}]
    children = _read_all(publication, others, found.left_out)
    wanted = config.filename if "filename" in request.settings else None
    name = choose_name(wanted, earlier, others)
    _check_any(folder, children, urls)

    linked, languages = Linked(tuple(children.builds)), Languages((), None)
    if request.link:
        linked, languages = _link(publication, children.builds, base_url, config, request)
    listed, count = _listed(linked.builds, urls, base_url)
    for path in stale_files(folder, earlier, name):
        remove_index(path)
        problems += _stale_line(folder, base_url + path.name)
    problems += [*children.problems, *languages.problems, *linked.problems]
    problems += _forgotten(publication, earlier, listed, name)
    path = folder / name
    problems += place_index(path, listed, gzip=config.gzip, with_stylesheet=config.stylesheet)
    robots = update_robots(
        folder, base_url + name, config.robots, at_host_root=is_host_root(base_url)
    )
    if robots.message:
        problems.append(Problem("notice", robots.message, "robots.txt"))
    return Outcome(
        path=path,
        base_url=base_url,
        children=listed,
        entries=count,
        left_out=children.left_out,
        rewritten=linked.rewritten,
        languages=linked.folders if request.link else None,
        problems=problems,
        # What is not in the folder cannot be checked, and is told by its absence in the count.
        findings=check(path, base_url=base_url, ignored=("index-child-missing",)).findings,
        robots=robots,
    )


def _patterns(texts: Sequence[str]) -> Patterns:
    complaints = Complaints()
    read: Patterns = patterns(list(texts), "--skip", complaints)
    if complaints.errors:
        raise ConfigError(complaints.errors)
    return read


def _base_url(
    publication: Publication, found: Discovery, given: str | None
) -> tuple[str, list[Problem]]:
    samples = {} if given else {path: _sample(publication.folder / path) for path in found.paths}
    if not given and not samples:
        raise _nothing_found(publication.folder, found.left_out)
    text = given or find_base_url(publication, samples)
    base_url, problems = read_base_url(text, setting="--base-url")
    if base_url is None:
        raise SitemapError(str(problems[0]))
    return base_url, problems


def _sample(path: Path) -> list[str]:
    try:
        return sample_locs(path)
    except OSError:
        return []  # It is told when the whole of it is read.


def _nothing_found(folder: Path, left_out: Mapping[str, str]) -> SitemapError:
    if left_out:
        return SitemapError(
            f"{folder}: no sitemap in it can be listed, since all are left out: "
            f"{', '.join(sorted(left_out))}"
        )
    return SitemapError(
        f"{folder}: there is no sitemap in it or below; build the parts of the site first, or name "
        "their sitemaps with --also if they are not called sitemap.xml"
    )


def _read_all(
    publication: Publication, paths: Iterable[str], left_out: Mapping[str, str]
) -> _Children:
    children = _Children([], dict(left_out), [])
    for path in paths:
        try:
            build = read_build(publication, path)
        except UnfitError as error:
            reason = str(error)
            if error.is_fault:
                children.problems.append(Problem("error", reason, path))
            children.left_out[path] = _BROKEN if error.is_fault else reason
            continue
        children.builds.append(build)
        children.problems.extend(Problem("error", fault, path) for fault in build.faults)
    return children


def _check_any(folder: Path, children: _Children, urls: Sequence[str]) -> None:
    """Raise SitemapError unless there is something that is worth an index."""
    if not children.builds and not urls:
        faults = [str(problem) for problem in children.problems]
        reasons = [
            f"{path}: {reason}"
            for path, reason in children.left_out.items()
            if reason not in {_BROKEN, OTHER_VERSION, SKIPPED}
        ]
        if not faults and not reasons:
            raise _nothing_found(folder, children.left_out)
        told = "; ".join([*faults, *reasons])
        raise SitemapError(f"{folder}: no sitemap in it can be listed: {told}")
    if not urls and all("/" not in build.path for build in children.builds):
        raise SitemapError(
            f"{folder}: it has one sitemap, at its root, which needs no index; an index is for "
            "several builds"
        )


def _link(
    publication: Publication,
    builds: Sequence[Build],
    base_url: str,
    config: Config,
    request: Request,
) -> tuple[Linked, Languages]:
    languages = find_languages(publication, builds, base_url, config.languages)
    if len({folder.code for folder in languages.folders}) < 2:  # noqa: PLR2004 - one has no translations
        raise SitemapError(
            f"--link-translations: {publication.folder} has no folders of several languages; call "
            "them by their codes ('de'), set extra.alternate in each build, or name them in the "
            "option 'languages'"
        )
    linked = link_builds(
        publication.folder,
        builds,
        languages,
        base_url=base_url,
        config=config,
        keys=read_keys(request.reports),
        force=request.force,
    )
    return linked, languages


def _listed(
    builds: Sequence[Build], urls: Iterable[str], base_url: str
) -> tuple[list[tuple[str, Lastmod | None]], int]:
    """Return what the index lists, in the order of the URLs, and how many pages that lists."""
    sitemaps = {sitemap.url: sitemap for build in builds for sitemap in build.sitemaps}
    children = {url: sitemap.newest for url, sitemap in sitemaps.items()}
    for url in urls:
        if not is_below(url, base_url):
            raise SitemapError(
                f"--also: {url} is not below {base_url}, the only place this index may speak for; "
                "name that sitemap in the robots.txt of its own host"
            )
        children.setdefault(url, None)
    return sorted(children.items()), sum(sitemap.entries for sitemap in sitemaps.values())


def _stale_line(folder: Path, url: str) -> Iterator[Problem]:
    """Yield a notice if robots.txt names an index that is there no more."""
    robots = folder / "robots.txt"
    if robots.is_file() and has_sitemap_line(robots.read_bytes(), url):
        yield Problem("notice", f"still names {url}; remove that line", "robots.txt")


def _forgotten(
    publication: Publication,
    earlier: Iterable[Earlier],
    listed: Sequence[tuple[str, Lastmod | None]],
    name: str,
) -> Iterator[Problem]:
    """Yield what to say about indexes at the root that somebody else has written."""
    urls = {url for url, _ in listed}
    for index in earlier:
        if index.is_ours:
            continue
        if index.name != name:
            message = f"is an index too, and is left as it is; remove it, now that {name} is there"
            yield Problem("notice", message, index.name)
        gone = [loc for loc in index.locs if loc not in urls and publication.find(loc) is None]
        for loc in gone:
            message = f"lists {loc} too, which is not in this folder; --also {loc} keeps it"
            yield Problem("notice", message, index.name)

"""Gather what an index may list: find the sitemaps in a folder and read each of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from sitemap_plugin.commands.check.document import sample_locs
from sitemap_plugin.commands.check.publication import Publication
from sitemap_plugin.commands.index.address import find_base_url
from sitemap_plugin.commands.index.builds import Build, UnfitError, read_build
from sitemap_plugin.commands.index.discovery import OTHER_VERSION, SKIPPED, Discovery, discover
from sitemap_plugin.commands.index.naming import Earlier, find_earlier
from sitemap_plugin.commands.index.request import Request
from sitemap_plugin.common.urls import is_below
from sitemap_plugin.config.base_url import read_base_url
from sitemap_plugin.config.checks import OptionFaults as Complaints
from sitemap_plugin.config.checks import patterns
from sitemap_plugin.errors import ConfigError, Problem, SitemapError
from sitemap_plugin.pages.patterns import Patterns

__all__ = ["Gathered", "gather"]

_BROKEN = "broken"


class Gathered(NamedTuple):
    """A folder's address, its builds, and earlier root indexes.

    ``candidates`` are the paths of the sitemaps that were looked at, ``left_out`` those that are
    not to be listed with reasons.
    """

    publication: Publication
    base_url: str
    builds: tuple[Build, ...]
    earlier: tuple[Earlier, ...]
    candidates: tuple[str, ...]
    left_out: Mapping[str, str]
    problems: tuple[Problem, ...]


def gather(folder: Path, request: Request) -> Gathered:
    """Find and read all sitemaps; raise SitemapError unless there is something to list."""
    publication = Publication(folder)
    skip = _patterns(request.skip)
    found = discover(publication, request.versions, skip, request.also_paths)
    base_url, problems = _base_url(publication, found, request.base_url)
    _check_urls(request.also_urls, base_url)
    publication.publish(base_url)
    earlier = find_earlier(publication, found.paths, base_url)
    before = {index.name for index in earlier}
    candidates = tuple(path for path in found.paths if path not in before)
    builds, left_out, faults = _read_all(publication, candidates)
    left_out.update(found.left_out)
    _check_any(folder, builds, left_out, faults, elsewhere=bool(request.also_urls))
    return Gathered(
        publication,
        base_url,
        tuple(builds),
        tuple(earlier),
        candidates,
        left_out,
        (*problems, *_unreadable(publication), *faults),
    )


def _unreadable(publication: Publication) -> Iterator[Problem]:
    for error in publication.errors:
        message = f"cannot be read: {error.strerror}; what lies in it is not listed"
        yield Problem("warning", message, str(error.filename))


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


def _check_urls(urls: Iterable[str], base_url: str) -> None:
    for url in urls:
        if not is_below(url, base_url):
            raise SitemapError(
                f"--also: {url} is not below {base_url}, the only place this index may speak for; "
                "name that sitemap in the robots.txt of its own host"
            )


def _read_all(
    publication: Publication, paths: Iterable[str]
) -> tuple[list[Build], dict[str, str], list[Problem]]:
    """Return what can be listed, why the rest cannot, and what is wrong."""
    builds: list[Build] = []
    left_out: dict[str, str] = {}
    faults: list[Problem] = []
    for path in paths:
        try:
            build = read_build(publication, path)
        except UnfitError as error:
            left_out[path] = _BROKEN if error.is_fault else str(error)
            if error.is_fault:
                faults.append(Problem("error", str(error), path))
        else:
            builds.append(build)
            faults += [Problem("error", fault, path) for fault in build.faults]
    return builds, left_out, faults


def _check_any(
    folder: Path,
    builds: Sequence[Build],
    left_out: Mapping[str, str],
    faults: Sequence[Problem],
    *,
    elsewhere: bool,
) -> None:
    """Raise SitemapError unless there is something that is worth an index."""
    if elsewhere:
        return
    if builds and all("/" not in build.path for build in builds):
        raise SitemapError(
            f"{folder}: it has one sitemap, at its root, which needs no index; an index is for "
            "several builds"
        )
    if builds:
        return
    known = {_BROKEN, OTHER_VERSION, SKIPPED}
    told = [str(fault) for fault in faults]
    told += [f"{path}: {reason}" for path, reason in left_out.items() if reason not in known]
    if not told:
        raise _nothing_found(folder, left_out)
    raise SitemapError(f"{folder}: no sitemap in it can be listed: {'; '.join(told)}")


def _nothing_found(folder: Path, left_out: Iterable[str]) -> SitemapError:
    names = ", ".join(sorted(left_out))
    if names:
        message = f"no sitemap in it can be listed, since all are left out: {names}"
        return SitemapError(f"{folder}: {message}")
    return SitemapError(
        f"{folder}: there is no sitemap in it or below; build the parts of the site first, or name "
        "their sitemaps with --also if they are not called sitemap.xml"
    )

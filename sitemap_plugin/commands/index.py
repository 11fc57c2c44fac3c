"""``sitemap-plugin index FOLDER``: one root index over the sitemaps of several builds."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_plugin.commands.builds import (
    Builds,
    RootIndex,
    derive_base_url,
    find_builds,
    find_sitemaps,
)
from sitemap_plugin.commands.check.published_folder import PublishedFolder
from sitemap_plugin.commands.check.run import check
from sitemap_plugin.commands.option_flags import add_option_flags, read_option_flags
from sitemap_plugin.commands.settings_file import GivenOptions, read_settings
from sitemap_plugin.common.files import explain, read_file, refuse_other_kinds, remove_ours
from sitemap_plugin.common.robots import GOOGLE_LIMIT
from sitemap_plugin.common.text import counted
from sitemap_plugin.common.urls import is_below
from sitemap_plugin.config import Config, parse_config, read_base_url
from sitemap_plugin.config.checks import OptionFaults, patterns
from sitemap_plugin.dates.parse import Lastmod
from sitemap_plugin.errors import ConfigError, Problem, SitemapError
from sitemap_plugin.report import ROBOTS_WORDS, shown_path
from sitemap_plugin.write.companions import stylesheet_name, write_stylesheet
from sitemap_plugin.write.robots_line import has_sitemap_line, update_robots
from sitemap_plugin.write.sitemap import Destination, write_index

OPTIONS = ("filename", "gzip", "stylesheet", "robots", "strict")
"""Those that make a difference here; others in a file are for the builds."""

_BASE_URL = "base_url"
_USUAL, _BESIDE_ANOTHER = "sitemap.xml", "sitemap-index.xml"
_ABSOLUTE = ("http://", "https://")
_MOST_FINDINGS = 10
_FINE, _FOUND, _UNUSABLE = 0, 1, 2


class Request(NamedTuple):
    """What the command line asks for.

    ``settings`` are options as in a configuration. ``also`` are paths below the folder, and URLs of
    sitemaps that are deployed from elsewhere; ``skip`` are patterns of sitemaps to leave out.
    """

    base_url: str | None = None
    settings: Mapping[str, Any] = {}
    versions: Sequence[str] = ()
    also: Sequence[str] = ()
    skip: Sequence[str] = ()


class Outcome(NamedTuple):
    """What was written: the lines for the user, and how many errors and warnings there are."""

    path: Path
    children: Mapping[str, Any]
    lines: Sequence[str]
    summary: str
    errors: int
    warnings: int


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument(
        "folder", type=Path, metavar="FOLDER", help="the folder with all builds, as published"
    )
    parser.add_argument(
        "--base-url",
        metavar="URL",
        help="where the folder is served; if left out, the sitemaps in it tell",
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="read the options from here")
    for flag, metavar, text in (
        (
            "--versions",
            "NAME",
            "the versions to list, by name or alias, or all (default: the latest)",
        ),
        (
            "--also",
            "SITEMAP",
            "list this one too: a path in the folder, or the URL of one deployed from elsewhere",
        ),
        ("--skip", "PATTERN", "leave out sitemaps whose path matches, such as old/"),
    ):
        more: dict[str, Any] = {"action": "append"}
        if flag == "--versions":
            more = {"action": "extend", "nargs": "+"}
        parser.add_argument(flag, default=[], metavar=metavar, help=text, **more)
    add_option_flags(parser, OPTIONS, {"gzip", "stylesheet", "strict"})


def run(arguments: argparse.Namespace) -> int:
    """Write the index, tell what there is to tell, and return the exit status."""
    settings, flags = GivenOptions({}, Path()), read_option_flags(arguments, OPTIONS)
    if arguments.base_url:
        flags[_BASE_URL] = arguments.base_url
    try:
        settings = read_settings(arguments.config, Path.cwd())
        options = {**settings.options, **flags}
        request = Request(
            options.pop(_BASE_URL, None),
            options,
            arguments.versions,
            arguments.also,
            arguments.skip,
        )
        outcome = write_root_index(arguments.folder, request)
    except ConfigError as error:
        for text in error.problems:
            sys.stderr.write(f"error: {settings.place(text, flags)}\n")
        return _UNUSABLE
    except SitemapError as error:
        sys.stderr.write(f"error: {error}\n")
        return _UNUSABLE
    sys.stderr.write("".join(f"{line}\n" for line in outcome.lines))
    sys.stdout.write(f"index: {outcome.summary}\n")
    strict = options.get("strict") is True and outcome.warnings
    return _FOUND if outcome.errors or strict else _FINE


def write_root_index(folder: Path, request: Request) -> Outcome:
    """Write the root index of a folder, and its line in robots.txt; check what it lists.

    The sitemaps of the builds stay as they are. Raises SitemapError, after which the old index is
    as it was.
    """
    if not folder.is_dir():
        raise SitemapError(f"{folder}: there is no such folder; name the one that is published")
    config, notes = parse_config(request.settings, generator="folder")
    publication = PublishedFolder(folder)
    urls = [item for item in request.also if item.startswith(_ABSOLUTE)]
    paths = [item for item in request.also if item not in urls]
    found = find_sitemaps(publication, request.versions, _patterns(request.skip), paths)
    base_url, problems = _base_url(publication, found.paths, found.left_out, request.base_url)
    _refuse_outside(urls, base_url)
    publication.publish(base_url)
    builds = find_builds(publication, found, base_url)
    _refuse_needless(folder, builds, elsewhere=bool(urls))
    wanted = config.filename if "filename" in request.settings else None
    path = folder / _choose_name(wanted, builds)
    sitemaps = {sitemap.url: sitemap for build in builds.builds for sitemap in build.sitemaps}
    children = dict(
        sorted(
            {**dict.fromkeys(urls), **{url: its.newest for url, its in sitemaps.items()}}.items()
        )
    )
    told = [*notes, *problems, *_unreadable(publication), *builds.problems]
    told += _other_indexes(publication, builds.earlier, children, path.name)
    robots = _write(path, base_url, children, config, told)
    told += _remove_earlier(path, builds.earlier, base_url)
    entries = sum(its.entries for its in sitemaps.values())
    summary = _summary(path, len(children), entries, builds, robots)
    return _judge(path, base_url, told, summary)._replace(children=children)


def _patterns(texts: Sequence[str]) -> Any:
    complaints = OptionFaults()
    read = patterns(list(texts), "--skip", complaints)
    if complaints.errors:
        raise ConfigError(complaints.errors)
    return read


def _base_url(
    publication: PublishedFolder, paths: Sequence[str], left_out: Iterable[str], given: str | None
) -> tuple[str, list[Problem]]:
    if not given and not paths:
        raise _nothing_found(publication.folder, left_out)
    text = given or derive_base_url(publication, paths)
    base_url, problems = read_base_url(text, setting="--base-url")
    if base_url is None:
        raise SitemapError(str(problems[0]))
    return base_url, problems


def _refuse_outside(urls: Iterable[str], base_url: str) -> None:
    for url in urls:
        if not is_below(url, base_url):
            raise SitemapError(
                f"--also: {url} is not below {base_url}, the only place this index may speak for; "
                "name that sitemap in the robots.txt of its own host"
            )


def _refuse_needless(folder: Path, found: Builds, *, elsewhere: bool) -> None:
    """Raise SitemapError unless there is something that is worth an index."""
    if elsewhere:
        return
    if found.builds and all("/" not in build.path for build in found.builds):
        raise SitemapError(
            f"{folder}: it has one sitemap, at its root, which needs no index; an index is for "
            "several builds"
        )
    if found.builds:
        return
    told = [str(problem) for problem in found.problems if problem.severity == "error"]
    told += [f"{path}: {reason}" for path, reason in found.left_out.items() if " " in reason]
    told = [text for text in told if "another version" not in text]
    if not told:
        raise _nothing_found(folder, found.left_out)
    raise SitemapError(f"{folder}: no sitemap in it can be listed: {'; '.join(told)}")


def _nothing_found(folder: Path, left_out: Iterable[str]) -> SitemapError:
    if names := ", ".join(sorted(left_out)):
        message = f"no sitemap in it can be listed, since all are left out: {names}"
        return SitemapError(f"{folder}: {message}")
    return SitemapError(
        f"{folder}: there is no sitemap in it or below; build the parts of the site first, or name "
        "their sitemaps with --also if they are not called sitemap.xml"
    )


def _choose_name(wanted: str | None, found: Builds) -> str:
    """Return the name of the root index.

    Where a build at the root has the usual name, the index has another, and keeps it, since
    robots.txt names it. Raises SitemapError if the name that the user wants is taken.
    """
    at_root = {build.path for build in found.builds if "/" not in build.path}
    at_root |= {path for path in found.left_out if "/" not in path}
    before = {index.name for index in found.earlier if index.is_ours}
    name = wanted or (_BESIDE_ANOTHER if at_root or _BESIDE_ANOTHER in before else _USUAL)
    stem, _, suffix = name.rpartition(".")
    for path in sorted(at_root):
        if path == name or (path.startswith(f"{stem}-") and path.endswith(f".{suffix}")):
            raise SitemapError(
                f"filename: {path} is the sitemap of the build at the root, which an index called "
                f"{name} would displace; choose another name, such as {_BESIDE_ANOTHER}"
            )
    return name


def _unreadable(publication: PublishedFolder) -> Iterator[Problem]:
    for error in publication.errors:
        message = f"cannot be read: {error.strerror}; what lies in it is not listed"
        yield Problem("warning", message, str(error.filename))


def _other_indexes(
    publication: PublishedFolder, earlier: Iterable[RootIndex], children: Iterable[str], name: str
) -> Iterator[Problem]:
    """Yield what to say about indexes at the root that somebody else has written."""
    urls = set(children)
    for index in earlier:
        if index.is_ours:
            continue
        if index.name != name:
            message = f"is an index too, and is left as it is; remove it, now that {name} is there"
            yield Problem("notice", message, index.name)
        for loc in index.locs:
            if loc not in urls and publication.find(loc) is None:
                message = f"lists {loc} too, which is not in this folder; --also {loc} keeps it"
                yield Problem("notice", message, index.name)


def _write(
    path: Path,
    base_url: str,
    children: Mapping[str, Lastmod | None],
    config: Config,
    problems: list[Problem],
) -> str:
    """Write the index and its line in robots.txt; return what became of that."""
    try:
        refuse_other_kinds(path)
    except OSError as error:
        raise explain(error, path) from error
    target = Destination(path.parent, base_url, path.name, gzip=config.gzip, keep_foreign=True)
    if config.stylesheet:
        target = target._replace(stylesheet=write_stylesheet(target, problems))
    write_index(target, list(children.items()), problems)
    if not config.stylesheet:
        remove_ours(path.with_name(stylesheet_name(path.name)))
    robots = update_robots(path.parent, base_url + path.name, base_url, config.robots)
    problems += [Problem("notice", robots.message, "robots.txt")] if robots.message else []
    return ROBOTS_WORDS[robots.status]


def _judge(path: Path, base_url: str, problems: Sequence[Problem], summary: str) -> Outcome:
    """Check the index that was written, and say what was found beside the problems."""
    # What is not in the folder cannot be checked.
    findings = check(path, base_url=base_url, ignored=("index-child-missing",)).findings
    found, severities = findings.sorted(), findings.severities()
    lines = [f"{problem.severity}: {problem}" for problem in problems]
    lines += [
        f"{item.severity}: {item.path}{f':{item.line}' if item.line else ''}: "
        f"{item.message} {item.cure}"
        for item in found[:_MOST_FINDINGS]
    ]
    if len(found) > _MOST_FINDINGS:
        more = len(found) - _MOST_FINDINGS
        lines.append(f"{more:,} more findings: sitemap-plugin check {path}")
    own = Counter(problem.severity for problem in problems)
    errors, warnings = (own[kind] + severities[kind] for kind in ("error", "warning"))
    return Outcome(path, {}, lines, summary, errors, warnings)


def _summary(path: Path, sitemaps: int, entries: int, builds: Builds, robots: str) -> str:
    """Return the line that tells the outcome."""
    what = f"{counted(sitemaps, 'sitemap')} with {counted(entries, 'URL')}"
    parts = [f"{what} in {shown_path(path)}"]
    if builds.left_out:
        reasons = Counter(reason.split(",", 1)[0] for reason in builds.left_out.values())
        told = ", ".join(f"{number} {reason}" for reason, number in sorted(reasons.items()))
        parts.append(f"{len(builds.left_out):,} left out ({told})")
    return "; ".join((*parts, robots))


def _remove_earlier(path: Path, earlier: Iterable[RootIndex], base_url: str) -> Iterator[Problem]:
    """Remove the index that was written under another name; tell if robots.txt still has that."""
    try:
        robots = read_file(path.with_name("robots.txt"), limit=GOOGLE_LIMIT)
    except OSError:
        robots = b""
    for index in earlier:
        if not index.is_ours or index.name == path.name:
            continue
        for name in (f"{index.name}.gz", index.name, stylesheet_name(index.name)):
            remove_ours(path.with_name(name))
        url = base_url + index.name
        if has_sitemap_line(robots, url):
            yield Problem("notice", f"still names {url}; remove that line", "robots.txt")

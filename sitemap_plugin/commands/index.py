"""``sitemap-plugin index FOLDER``: one root index over the sitemaps of several builds."""

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from sitemap_plugin.commands.builds import Builds, derive_base_url, find_builds, read_builds
from sitemap_plugin.commands.check.folder import check
from sitemap_plugin.commands.check.formats import FORMATS
from sitemap_plugin.commands.options import add_option_flags, read_option_flags, read_settings
from sitemap_plugin.common.files import remove_ours
from sitemap_plugin.common.text import counted, shown
from sitemap_plugin.common.urls import is_below
from sitemap_plugin.config import Config, parse_config
from sitemap_plugin.config.checks import OptionFaults, patterns
from sitemap_plugin.dates.parse import Lastmod
from sitemap_plugin.errors import ConfigError, Problem, SitemapError
from sitemap_plugin.report import ROBOTS_WORDS, shown_path
from sitemap_plugin.write.robots_line import update_robots
from sitemap_plugin.write.site import stylesheet_name, write_stylesheet
from sitemap_plugin.write.sitemap import Destination, write_index

OPTIONS = ("base_url", "filename", "gzip", "stylesheet", "robots", "strict")
_USUAL, _BESIDE_ANOTHER = "sitemap.xml", "sitemap-index.xml"
_LONGEST = 4000
_VERSIONS = "the versions to list, by name or alias, or all (default: the latest)"
_ALSO = "list this one too: a path in the folder, or the URL of one deployed from elsewhere"
_SKIP = "leave out sitemaps whose path matches, such as old/"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    add = parser.add_argument
    folder = "the folder with all builds, as published"
    add("folder", type=Path, metavar="FOLDER", help=folder)
    add("--config", type=Path, metavar="FILE", help="read the options from here")
    add("--versions", action="extend", nargs="+", default=[], metavar="NAME", help=_VERSIONS)
    add("--also", action="append", default=[], metavar="SITEMAP", help=_ALSO)
    add("--skip", action="append", default=[], metavar="PATTERN", help=_SKIP)
    add_option_flags(parser, OPTIONS, {"gzip", "stylesheet", "strict"})


def run(arguments: argparse.Namespace) -> int:
    """Write the index and its line in robots.txt, check it, and return the exit status."""
    folder, flags = arguments.folder, read_option_flags(arguments, OPTIONS)
    given = read_settings(arguments.config, Path.cwd())
    options = {**given.options, **flags}
    faults = OptionFaults()
    skip = patterns(arguments.skip, "--skip", faults)
    if faults.errors:
        raise ConfigError(faults.errors)
    try:
        config, problems = parse_config(options, generator="folder")
    except ConfigError as error:
        raise ConfigError([given.place(text, flags) for text in error.problems]) from None
    if not folder.is_dir():
        raise SitemapError(f"{folder}: there is no such folder; name the one that is published")
    urls = [item for item in arguments.also if item.startswith(("http://", "https://"))]
    paths = [item for item in arguments.also if item not in urls]
    builds = find_builds(folder, arguments.versions, skip, paths)
    if not builds.paths and not urls:
        raise _nothing(builds, problems)
    base_url = config.base_url or derive_base_url(builds)
    for url in urls:
        if not is_below(url, base_url):
            raise SitemapError(
                f"--also: {url} is not below {base_url}, the only place this index may speak for; "
                "name that sitemap in the robots.txt of its own host"
            )
    listed = read_builds(builds, base_url, problems)
    if not urls and not (listed and any("/" in path for path in builds.paths)):
        raise _nothing(builds, problems)
    path = folder / _choose_name(config.filename if "filename" in options else None, builds)
    for fault in builds.publication.errors:
        problems.append(Problem("warning", f"cannot be read: {fault.strerror}", fault.filename))
    newest = {**dict.fromkeys(urls), **{url: its.newest for url, its in listed.items()}}
    robots = _write(path, base_url, newest, config, problems)
    entries = sum(len(its.locs) for its in listed.values())
    what = f"{counted(len(newest), 'sitemap')} with {counted(entries, 'URL')}"
    left_out = Counter(builds.left_out.values())
    reasons = ", ".join(f"{number} {reason}" for reason, number in sorted(left_out.items()))
    told = f"{left_out.total():,} left out ({reasons})" if reasons else ""
    parts = ";".join(f" {part}" for part in (f"{what} in {shown_path(path)}", told, robots) if part)
    sys.stderr.write("".join(f"{its.severity}: {shown(str(its), _LONGEST)}\n" for its in problems))
    # What is not in the folder cannot be checked.
    outcome = check(path, base_url=base_url, ignored=("index-child-missing",))
    if outcome.findings.counts:
        sys.stderr.write(FORMATS["text"](outcome))
    severities = Counter[str](problem.severity for problem in problems)
    severities.update(outcome.findings.severities())
    sys.stdout.write(f"index:{parts}\n")
    return 1 if severities["error"] or (config.strict and severities["warning"]) else 0


def _nothing(builds: Builds, problems: Sequence[Problem]) -> SitemapError:
    cure = "build the parts of the site first, or name their sitemaps with --also"
    told = [f"{builds.publication.folder}: there is no sitemap below it that can be listed; {cure}"]
    told += [f"{path}: {reason}" for path, reason in builds.left_out.items()]
    return SitemapError("\n".join([*told, *map(str, problems)]))


def _choose_name(wanted: str | None, builds: Builds) -> str:
    """Return the name of the root index; where a build at the root has the usual name, another."""
    at_root = [path for path in (*builds.paths, *builds.left_out) if "/" not in path]
    name = wanted or (_BESIDE_ANOTHER if at_root else _USUAL)
    if name in at_root:
        cure = f"choose another name, such as {_BESIDE_ANOTHER}"
        raise SitemapError(f"filename: it would displace the sitemap at the root, {name}; {cure}")
    return name


def _write(
    path: Path,
    base_url: str,
    newest: Mapping[str, Lastmod | None],
    config: Config,
    problems: list[Problem],
) -> str:
    """Write the index and its line in robots.txt; return what became of that."""
    target = Destination(path.parent, base_url, path.name, gzip=config.gzip, keep_foreign=True)
    if config.stylesheet:
        target = target._replace(stylesheet=write_stylesheet(target, problems))
    write_index(target, sorted(newest.items()), problems)
    if not config.stylesheet:
        remove_ours(path.with_name(stylesheet_name(path.name)))
    robots = update_robots(path.parent, base_url + path.name, base_url, config.robots)
    problems += [Problem("notice", robots.message, "robots.txt")] if robots.message else []
    return ROBOTS_WORDS[robots.status]
